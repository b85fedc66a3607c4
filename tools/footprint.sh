#!/usr/bin/env bash
# What the package touches: runs the examples of all help pages in an empty folder, with an empty
# home, under strace, and lists files that were written outside of R's temporary folder and
# connections to anywhere but this machine. Needs strace, and sparserls installed with help in
# R_LIBS.
# Usage: R_LIBS=.lib tools/footprint.sh          (or: make footprint)
set -euo pipefail
cd "$(dirname "$0")/.."
command -v strace >/dev/null || { echo "strace is not installed (apt-get install strace)"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/here" "$work/tmp"
libraries=$(Rscript -e 'cat(normalizePath(.libPaths()), sep = ":")')

cat >"$work/examples.R" <<'R'
pages <- sort(names(tools::Rd_db("sparserls")))
stopifnot(length(pages) > 0)
run <- 0
for (page in sub("[.]Rd$", "", pages)) {
  utils::example(page, "sparserls", character.only = TRUE, echo = FALSE, ask = FALSE,
                 run.dontrun = FALSE, local = TRUE)
  run <- run + 1
}
writeLines(as.character(run), file.path(Sys.getenv("TMPDIR"), "pages"))
R
touches=connect,openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat
(cd "$work/here" && HOME=$work/home TMPDIR=$work/tmp R_LIBS=$libraries \
    strace -f -qq -o "$work/trace" -e trace="$touches" \
    Rscript --vanilla -e 'pdf(NULL)' -e "source('$work/examples.R')" >"$work/said" 2>&1) ||
    { tail -n 20 "$work/said"; exit 1; }

# A call that failed has left nothing. /dev and /proc are no files.
grep -v ' = -1 ' "$work/trace" | {
    grep -E 'O_WRONLY|O_RDWR|O_CREAT|creat\(|rename|unlink|mkdir' || true
} | grep -oE '"[^"]+"' | tr -d '"' | grep '^/' | grep -vE "^($work/tmp|/dev|/proc)(/|$)" |
    sort -u >"$work/files" || true
grep -E 'connect\(.*AF_INET' "$work/trace" | grep -vE '127\.0\.0\.1|"::1"' |
    grep -oE '(inet_addr|inet_pton)\([^)]*\)' | sort -u >"$work/hosts" || true
find "$work/here" "$work/home" -mindepth 1 >>"$work/files"

cat "$work/files" "$work/hosts"
findings=$(cat "$work/files" "$work/hosts" | wc -l)
pages=$(cat "$work/tmp/pages")
echo "$pages pages of help, $findings findings"
Rscript tools/record.R footprint command="make footprint" count="$pages pages of help" \
    findings="$findings" \
    note="Examples under strace, except for donttest (calls by other packages)."
[ "$findings" -eq 0 ]
