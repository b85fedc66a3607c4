#!/bin/sh
# The calls of tools/gctorture.R, which reach every routine, and a third of the tests of numbers,
# under valgrind: values that are read before they were written, and memory that nobody holds any
# more. Of its reports those count that have a function of src/ on their stack; a test or a call
# that fails is a finding, too. Workspaces come from malloc() here (SPARSERLS_EXACT_ALLOC,
# src/bridge.c), as those of R_alloc() may be pieces of memory that was written before; that they
# are not freed, as R frees the others when .Call ends, is no leak.
# It takes hours: what has passed is not run again until the C changes, or .check/valgrind is gone.
# Usage: sh tools/valgrind.sh
#        sh tools/valgrind.sh FILES      names of files of tests, instead of every third one; or
#        sh tools/valgrind.sh none       the calls alone: neither is recorded
set -eu
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null ||
    { echo "valgrind is not installed (apt-get install valgrind)"; exit 1; }
work=$PWD/.check/valgrind
# Left out: what takes many minutes under valgrind (refits, pictures, other packages), and what
# compares bits with other processes, which it does not follow: its long doubles are shorter.
left_out="articles calibration chunk-workers cv-ardrls cv-rls memory \
parallel parsnip plots-drawn rls2-published real-data"

mkdir -p "$work/lib" "$work/reports"
printf 'CFLAGS = -g -O1 -DSPARSERLS_EXACT_ALLOC\n' >"$work/Makevars"
cat >"$work/suppressions" <<'EOF'
{
   workspaces
   Memcheck:Leak
   fun:malloc
   fun:alloc
}
EOF
R_MAKEVARS_USER=$work/Makevars sh tools/logged.sh "$work/install.log" R CMD INSTALL --preclean \
    --clean --no-docs --no-test-load --library="$work/lib" .
export R_LIBS="$work/lib${R_LIBS:+:$R_LIBS}"
# What valgrind knows of processors ends before AVX-512.
export OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=Haswell

third() {
    for file in tests/testthat/test-*.R; do
        name=$(basename "$file" .R)
        name=${name#test-}
        case $name in refuse-*) continue ;; esac
        case " $left_out " in *" $name "*) ;; *) echo "$name" ;; esac
    done | awk 'NR % 3 == 1'
}

# A script of R with its arguments; the first names the report. Each file of tests has a process of
# its own: workspaces are never freed here. What is kept is its last line, which counts.
under_valgrind() {
    report=$1 script=$2
    shift 2
    if grep -Eqs '(passed, 0 failed|; 0 findings)' "$work/$report" &&
        [ -z "$(find src -name '*.[ch]' -newer "$work/$report")" ]; then return; fi
    rm -f "$work/$report"
    R --vanilla --no-echo -d "valgrind -q --leak-check=full --show-leak-kinds=definite \
--track-origins=yes --suppressions=$work/suppressions --log-file=$work/reports/$report" \
        --file="$script" --args "$@" </dev/null 2>&1 | tee "$work/log" || true
    tail -n 1 "$work/log" >"$work/$report"
}

under_valgrind calls tools/gctorture.R torture=no record=no each=1000
parts=calls
[ "${1:-}" = none ] || for file in ${1:-$(third)}; do
    under_valgrind "tests-$file" tools/run-tests.R "$file"
    parts="$parts tests-$file"
done

# Reports are paragraphs once the number of the process is away.
ours=$(cd src && printf '%s|' ./*.c | sed 's|[.]/||g; s|[.]|[.]|g; s/|$//')
(cd "$work/reports" && sed -s 's/^==[0-9]*== \?//' $parts) >"$work/all"
awk -v RS= -v ORS='\n\n' -v ours="[(]($ours):[0-9]+[)]" '$0 ~ ours' "$work/all" >"$work/found"
reports=$(awk -v RS= 'END { print NR }' "$work/found")
findings=$reports
cat "$work/found"
# The last line of each counts; a part that says no such line was ended, and is a finding. Where a
# package is missing a file may have skipped all.
calls=$(grep -o '^[0-9]* calls of [0-9]*' "$work/calls") || calls="0 calls of 0"
grep -q '; 0 findings$' "$work/calls" || findings=$((findings + 1))
passed=0
for part in ${parts#calls}; do
    grep -Eq '^([1-9][0-9]* passed, 0 failed|0 passed, 0 failed, [1-9])' "$work/$part" ||
        findings=$((findings + 1))
    more=$(grep -o '^[0-9]* passed' "$work/$part" | grep -o '^[0-9]*') || more=0
    passed=$((passed + more))
done
echo "$calls routines, $passed expectations; $reports reports of valgrind, $findings findings"
[ $# = 0 ] || exit $((findings > 0))
Rscript tools/record.R valgrind command="make valgrind" findings="$findings" \
    count="$calls routines and $passed expectations of every third file of numbers" \
    note="Uninitialised values and lost memory; without the files $left_out."
[ "$findings" = 0 ]
