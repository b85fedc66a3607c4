#!/bin/sh
# logged.sh FILE COMMAND...: runs the command with its output in the file, whose end is shown if it
# fails.
log=$1
shift
printf '%s ... (log: %s)\n' "$(printf '%s' "$*" | cut -c1-60)" "$log"
"$@" >"$log" 2>&1 && exit 0
status=$?
tail -n 40 "$log"
echo "'$*' failed: the whole output is in $log"
exit "$status"
