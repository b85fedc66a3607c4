#!/bin/sh
# articles.sh LIBRARY: installs the package with its articles, which R CMD build makes, in about
# two minutes of processor time. They need pandoc, which is installed on Debian or Ubuntu as root;
# elsewhere, where it is missing, the package is installed without them.
set -e
library=$1
root=$(pwd)
have() { command -v pandoc >/dev/null 2>&1; }
if ! have && command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing pandoc (apt-get) ..."
    export DEBIAN_FRONTEND=noninteractive
    sh tools/logged.sh "$library/apt.log" sh -c \
        'apt-get update -qq && apt-get install -y -qq --no-install-recommends pandoc'
fi
if ! have; then
    echo "There is no pandoc (https://pandoc.org): the package is installed without its articles."
    exec sh tools/logged.sh "$library/install.log" R CMD INSTALL --preclean --clean \
        --library="$library" .
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
sh "$root/tools/logged.sh" "$library/build.log" R CMD build "$root"
sh "$root/tools/logged.sh" "$library/install.log" R CMD INSTALL --library="$library" \
    sparserls_*.tar.gz
