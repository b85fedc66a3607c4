#!/bin/sh
# The tests with a BLAS that .ci/run does not have, which is preloaded: BLIS with the reference
# LAPACK, or ATLAS with its own. Debian: apt-get install libblis4-pthread libatlas3-base.
# What it records is shown where tools/promises.dcf names it, platform-NAME; a test asks for that.
# Usage, after `make install`:
#   sh tools/other-blas.sh [blis-pthread | atlas] [TESTS of `make test`, by default numbers]
set -eu
cd "$(dirname "$0")/.."
name=${1:-blis-pthread} tests=${2:-numbers}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export BLIS_NUM_THREADS=1 OMP_NUM_THREADS=1

# The file of library $1 (libblas, liblapack) in the folder named $2.
library() {
    update-alternatives --list "$1.so.3-$(gcc -print-multiarch)" | grep "/$2/"
}

blas=$(library libblas "$name") || { echo "$name is not installed"; exit 1; }
lapack=$(library liblapack "$name") || lapack=$(library liblapack lapack)
status=0
LD_PRELOAD="$blas $lapack" R_LIBS=$PWD/.lib Rscript tools/run-tests.R "$tests" >"$log" 2>&1 ||
    status=$?
cat "$log"
grep -qF -e "BLAS $blas" -e "BLAS $(readlink -f "$blas")" "$log" ||
    { echo "not with $blas"; exit 1; }
count() { tail -n 1 "$log" | grep -o "[0-9]* $1" | grep -o '^[0-9]*'; }
Rscript tools/record.R "platform-$name" command="sh tools/other-blas.sh $name '$tests'" \
    count="$(count passed) expectations" findings="$(count failed)" \
    note="$(count skipped) skipped"
exit $status
