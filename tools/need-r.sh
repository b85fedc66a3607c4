#!/bin/sh
# Makes sure that R and a C compiler are there: installs them on Debian or Ubuntu as root, says what
# to install elsewhere.
set -e
have() { command -v "$1" >/dev/null 2>&1; }
if have R && { have gcc || have clang || have cc; }; then exit 0; fi
if have apt-get && [ "$(id -u)" = 0 ]; then
    echo "Installing R and its compilers (apt-get install r-base r-base-dev) ..."
    export DEBIAN_FRONTEND=noninteractive
    sh tools/logged.sh .lib/apt.log sh -c \
        'apt-get update -qq && apt-get install -y -qq --no-install-recommends r-base r-base-dev'
    exit 0
fi
echo "Please install R (4.1 or newer) and a C compiler (Debian, Ubuntu: r-base and r-base-dev)." >&2
exit 1
