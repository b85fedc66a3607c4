#!/bin/sh
# A PostgreSQL server of one's own, on a socket alone. Usage: tools/postgres.sh start|stop DIR
# `start` makes the server in DIR and prints the folder of the socket: connect with this as host,
# user and database postgres. `stop` stops it; what is in DIR stays. Debian: package postgresql.
set -eu
[ $# = 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$2"
dir=$(cd "$2" && pwd)
programs=$(find /usr/lib/postgresql -name pg_ctl 2>/dev/null | sort -V | tail -n 1)
[ -n "$programs" ] || { echo "PostgreSQL is not installed." >&2; exit 1; }
programs=$(dirname "$programs")

# The server refuses to run as root.
as_owner() {
    if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi
}

case $1 in
start)
    [ "$(id -u)" != 0 ] || chown postgres "$dir"
    log=$dir/start.log
    { as_owner "'$programs/initdb' -D '$dir/data' -U postgres -A trust -E UTF8 --no-sync" &&
        as_owner "'$programs/pg_ctl' -D '$dir/data' -l '$dir/server.log' -w -t 60 \
            -o \"-k '$dir' -c listen_addresses= -c fsync=off\" start"
    } >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    echo "$dir" ;;
stop)
    as_owner "'$programs/pg_ctl' -D '$dir/data' -m fast -w stop" >/dev/null ;;
*)
    echo "start or stop" >&2; exit 2 ;;
esac
