#!/bin/sh
# What other compilers say of src/: gcc and clang by two standards of C, with and without OpenMP,
# and the cross-compiler for Windows, all with warnings on, of which there may be none; a DLL for
# Windows, linked against what R's headers declare and no more; and the package built by clang,
# without OpenMP, and with link-time optimization, with some of its tests. What is not installed is
# skipped; on Debian all is there after
# `apt-get install gcc clang libomp-dev gcc-mingw-w64-x86-64`.
# Usage: sh tools/compilers.sh (`make compilers`)
set -u
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
include=$(Rscript -e 'cat(R.home("include"))')
# With -Wconversion, in C both compilers name changes of sign, too.
warnings="-Wall -Wextra -Wstrict-prototypes -Wconversion -pedantic"
tests='^(product|threads|cv|greedyrls|kernel-table|loss-table)$'
passed=0 failed=0 skipped=""

have() {
    command -v "$1" >/dev/null && return
    echo "skipped: $1 is not installed"
    skipped="$skipped $1"
    return 1
}

# verdict NAME: passed if $work/log is empty.
verdict() {
    if [ -s "$work/log" ]; then
        failed=$((failed + 1))
        echo "failed: $1"
        cat "$work/log"
    else
        passed=$((passed + 1))
        echo "ok: $1"
    fi
}

# compile COMPILER...: every file of src/, with R's own headers as those of the system.
compile() {
    for file in src/*.c; do
        # shellcheck disable=SC2086
        "$@" -O2 $warnings -isystem "$include" -c "$file" -o "$work/$(basename "$file" .c).o"
    done >"$work/log" 2>&1
    verdict "$*"
}

# The newest standard that compiler $1 knows by one of its two names.
newest() {
    if echo | "$1" -std=c23 -E - >/dev/null 2>&1; then echo c23; else echo c2x; fi
}

all_of() {
    have "$1" || return 0
    for std in c11 "$(newest "$1")"; do compile "$1" -std="$std" -fopenmp; done
    compile "$1" -std=c11 -Wno-unknown-pragmas
}

# built NAME LINE...: the package installed with these lines as the user's Makevars, and its tests.
built() {
    name=$1 lib=$work/$1
    shift
    mkdir -p "$lib"
    printf '%s\n' "$@" >"$work/Makevars"
    R_MAKEVARS_USER=$work/Makevars R CMD INSTALL --preclean --clean --no-docs --library="$lib" . \
        >"$work/install" 2>&1 || echo "cannot be installed" >>"$work/install"
    grep -E 'warning:|error:|cannot be installed' "$work/install" >"$work/log"
    R_LIBS=$lib${R_LIBS:+:$R_LIBS} Rscript tools/run-tests.R "$tests" >"$work/tests" 2>&1 ||
        cat "$work/tests" >>"$work/log"
    verdict "built with $name: $(tail -n 1 "$work/tests")"
}

# The names in the headers $@ of R, as the linker knows them: of what these include, R's alone.
declared() {
    for header in "$@"; do printf '#include <%s>\n' "$header"; done | $mingw -I"$include" -E - |
        awk -v ours="\"$include" '/^# [0-9]/ { mine = index($3, ours) == 1; next } mine' |
        tr -cs 'A-Za-z0-9_' '\n' | sort -u
}

# import DLL HEADER...: a library for the linker, of the names that our files need and these headers
# declare.
import() {
    dll=$1
    shift
    declared "$@" | comm -12 - "$work/needed" >"$work/names"
    { echo "LIBRARY $dll.dll"; echo EXPORTS; cat "$work/names"; } >"$work/$dll.def"
    x86_64-w64-mingw32-dlltool -d "$work/$dll.def" -l "$work/lib$dll.a"
}

windows() {
    mingw=x86_64-w64-mingw32-gcc
    have $mingw || return 0
    # isfinite() of its headers asks for the size of a number by converting it.
    compile $mingw -std=c11 -fopenmp -Wno-float-conversion
    x86_64-w64-mingw32-nm -u "$work"/*.o | sed -nE 's/^ *U (__imp_)?//p' | sort -u >"$work/needed"
    import R R.h Rinternals.h R_ext/Rdynload.h R_ext/Utils.h
    import Rblas R_ext/BLAS.h
    import Rlapack R_ext/Lapack.h
    $mingw -shared -fopenmp -o "$work/sparserls.dll" "$work"/*.o -L"$work" -lRlapack -lRblas -lR \
        >"$work/log" 2>&1
    verdict "sparserls.dll, linked against R, Rblas and Rlapack"
}

all_of gcc
all_of clang
windows
if have clang; then
    built clang "CC = clang" "CFLAGS = -O2 -Wall -Wextra" "SHLIB_OPENMP_CFLAGS = -fopenmp"
fi
built no-OpenMP "SHLIB_OPENMP_CFLAGS ="
built LTO "CFLAGS = -O2 -flto=auto -Wall -Wlto-type-mismatch" \
    "LDFLAGS = -flto=auto -Wlto-type-mismatch"

echo "$passed passed, $failed failed${skipped:+, skipped:$skipped}"
Rscript tools/record.R compilers command="make compilers" count="$((passed + failed)) builds" \
    findings=$failed ${skipped:+note="not installed:$skipped"}
[ "$failed" = 0 ]
