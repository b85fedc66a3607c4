#!/bin/sh
# All files of tests, a process each, one after the other, then random calls of tests/fuzz, counted
# and recorded: to be run by tools/with-sanitizers.sh. Findings are its reports, tests that fail,
# and random calls that end their process, or that were never made.
# Usage: sh tools/sanitize.sh
#        sh tools/sanitize.sh FILES [CASES]    "all" tests or names of files, cases of the fuzzer;
#                                              not recorded
set -eu
cd "$(dirname "$0")/.."
files=${1:-all}
cases=${2:-2000}
# What these look at is memory that R counts, which exact workspaces are not.
skipped="memory"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ "$files" != all ] || files=$(ls tests/testthat/test-*.R | sed 's|.*/test-\(.*\)[.]R|\1|')
: >"$work/counts"
: >"$work/calls"
for file in $files; do
    case " $skipped " in *" $file "*) continue ;; esac
    Rscript tools/run-tests.R "$file" >"$work/log" 2>&1 || true
    counts=$(tail -n 1 "$work/log" | grep '^[0-9]* passed') ||
        counts="0 passed, 1 failed, 0 skipped"
    echo "$file: $counts"
    echo "$counts" >>"$work/counts"
    case $counts in *" 0 failed"*) ;; *) cat "$work/log" ;; esac
done

# Ranges that the fuzzer goes through in one process.
from=1
while [ "$from" -le "$cases" ]; do
    to=$((from + 249 < cases ? from + 249 : cases))
    Rscript tests/fuzz/run.R cases="$from:$to" seed=28 >"$work/log" || true
    tee -a "$work/calls" <"$work/log"
    from=$((to + 1))
done

passed=$(awk '{ n += $1 } END { print n + 0 }' "$work/counts")
failed=$(awk '{ n += $3 } END { print n + 0 }' "$work/counts")
calls=$(awk '/^[0-9]+ cases, / { n += $1 } END { print n + 0 }' "$work/calls")
ended=$(awk -F '\t' '$2 == "crash" || $2 == "hang" { n++ } END { print n + 0 }' "$work/calls")
reports=$(find "$SANITIZER_REPORTS" -type f | wc -l)
findings=$((reports + failed + ended + cases - calls))
echo "$passed expectations, $failed failed; $calls random calls of $cases, $ended ended R;" \
    "$reports reports"
[ $# = 0 ] || exit $((findings > 0))
Rscript tools/record.R sanitizers command="make sanitize" \
    count="$passed expectations and $calls random calls" findings="$findings" \
    note="AddressSanitizer and UBSan of gcc. Not the tests of $skipped, of memory that R counts."
[ "$findings" = 0 ]
