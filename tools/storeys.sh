#!/bin/sh
# Is the house as it is meant to be? Of R/ tools/storeys.R says so. In src/ there are three storeys,
# ground < methods < bridge:
#   - what a file calls stands in its own storey or below, and no files call each other in a circle;
#   - only the bridge knows SEXP, and headers include no header of a storey above;
#   - the ground calls nothing of R, which may jump out of it by an error or an interrupt, and
#     nobody else uses malloc(): so what it lends is always given back;
#   - every file begins with its own name and what it is for, and none keeps state (but for the one
#     setting of the process, linalg.c: whose dense algebra is used);
#   - no function has more than 47 lines.
# Says what is not so, and fails.
# Usage: sh tools/storeys.sh
set -eu
cd "$(dirname "$0")/.."
status=0
Rscript tools/storeys.R || status=1
cd src
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=$(R CMD config --cppflags)
wrong=$work/wrong
: >"$wrong"

storey() {
    case $1 in
    bridge*|init) echo 3 ;;
    kernel*|linalg|product*|vector|memory|constants) echo 1 ;;
    *) echo 2 ;;
    esac
}

# "caller callee" for every call from one file into another: undefined against defined symbols.
for file in *.c; do
    name=${file%.c}
    # shellcheck disable=SC2086
    ${CC:-cc} -c -O1 -fno-pic -fno-pie -fopenmp $include "$file" -o "$work/$name.o"
    nm "$work/$name.o" | awk -v name="$name" -v out="$work" '
        $2 == "T" || $2 == "i" || $2 == "W" { print $3, name >> (out "/defined") }
        $1 == "U" { print $2, name >> (out "/used") }
        $2 ~ /^[bBdDC]$/ && name "." $3 != "linalg.own" { print name ".c keeps state: " $3 }
        ' >>"$wrong"
done
awk 'NR == FNR { home[$1] = $2; next } $1 in home && home[$1] != $2 { print $2, home[$1] }' \
    "$work/defined" "$work/used" | sort -u >"$work/calls"
[ -s "$work/calls" ] || echo "nm shows no call from one file into another" >>"$wrong"

while read -r caller callee; do
    [ "$(storey "$caller")" -ge "$(storey "$callee")" ] ||
        echo "$caller.c calls $callee.c, a storey above" >>"$wrong"
done <"$work/calls"
while read -r symbol name; do
    case $(storey "$name"):$symbol in
    1:R_*|1:Rf_*|1:S_*|1:Rprintf|1:REprintf|1:Rvprintf|1:REvprintf)
        echo "$name.c, of the ground, calls $symbol of R" >>"$wrong" ;;
    [23]:malloc|[23]:calloc|[23]:realloc|[23]:aligned_alloc|[23]:free)
        echo "$name.c calls $symbol, above the ground" >>"$wrong" ;;
    esac
done <"$work/used"
tsort "$work/calls" >/dev/null 2>"$work/circle" ||
    sed 's/^/a circle of calls: /' "$work/circle" >>"$wrong"

for file in *.c *.h; do
    name=${file%.*}
    head -n 1 "$file" | grep -q "^/\* $file: " ||
        echo "$file does not begin by saying what it is" >>"$wrong"
    [ "$(storey "$name")" = 3 ] || ! grep -Hnw SEXP "$file" >>"$wrong"
    sed -n 's/^#include "\(.*\)\.h"$/\1/p' "$file" | while read -r header; do
        [ "$(storey "$name")" -ge "$(storey "$header")" ] ||
            echo "$file includes $header.h, of a storey above" >>"$wrong"
        case $file in *.h) echo "$name $header" >>"$work/includes" ;; esac
    done
done
tsort "$work/includes" >/dev/null 2>"$work/circle" ||
    sed 's/^/a circle of headers: /' "$work/circle" >>"$wrong"

awk '/^\{/ { start = FNR }
    /^\}/ && start { n = FNR - start - 1; start = 0
        if (n > 47) print FILENAME ": a function of " n " lines ends at line " FNR }' *.c >>"$wrong"

cat "$wrong"
echo "$(wc -l <"$work/calls") edges of the call graph between $(ls -- *.c | wc -l) files"
[ ! -s "$wrong" ] && [ "$status" = 0 ]
