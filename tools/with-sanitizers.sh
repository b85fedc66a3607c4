#!/bin/sh
# with-sanitizers.sh COMMAND...: runs the command with the package built for AddressSanitizer and
# UndefinedBehaviorSanitizer of gcc, in a library of its own, .check/sanitize/lib. Whatever is
# read or written past the end of an array or after it was freed, and whatever C does not define
# (overflow, a shift or a conversion out of range, a division by zero), ends the process in which
# it happens, those that the command starts included. The former is written to a file in
# $SANITIZER_REPORTS, which is shown; the latter to stderr. Fails with the command, or where there
# is such a file. Workspaces are allocated to the byte here (SPARSERLS_EXACT_ALLOC, src/bridge.c),
# so that one element past the end is seen; they are not freed: tools/valgrind.sh looks for leaks.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/.check/sanitize
export SANITIZER_REPORTS="$work/reports"
rm -rf "$SANITIZER_REPORTS"
mkdir -p "$work/lib" "$SANITIZER_REPORTS"
cat >"$work/Makevars" <<'EOF'
CC = gcc
SANITIZERS = -fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero
STRICT = -fno-sanitize-recover=undefined -DSPARSERLS_EXACT_ALLOC
CFLAGS = -g -O1 -fno-omit-frame-pointer $(SANITIZERS) $(STRICT)
LDFLAGS = -fsanitize=address,undefined
EOF
R_MAKEVARS_USER=$work/Makevars sh tools/logged.sh "$work/install.log" R CMD INSTALL --preclean \
    --clean --no-docs --no-test-load --library="$work/lib" .
nm -D "$work/lib/sparserls/libs/sparserls.so" | grep -q __asan_ ||
    { echo "built without sanitizers: see $work/install.log"; exit 1; }

# These come first in every process, or they refuse to start.
status=0
env LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
    ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:log_path=$SANITIZER_REPORTS/asan" \
    UBSAN_OPTIONS="print_stacktrace=1" \
    R_LIBS="$work/lib${R_LIBS:+:$R_LIBS}" "$@" || status=1
for report in "$SANITIZER_REPORTS"/*; do
    if [ -f "$report" ]; then
        head -n 25 "$report"
        status=1
    fi
done
exit $status
