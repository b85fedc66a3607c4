#!/usr/bin/env bash
# Rows in chunks beyond this process, held against this process to the last bit: a queue of Slurm
# with two nodes, a cluster across two hosts (network namespaces), a PostgreSQL server. Needs root,
# Debian, and sparserls installed where R finds it (R_LIBS). Slurm is started by
# ../shared/slurm/start DIR; what is not there, or does not work on this machine, is skipped: a
# failure is a wrong answer. One line for each check, "ok", "failed" or "skipped"; the last line
# counts them.
# Usage: tools/test-cluster.sh [slurm] [hosts] [postgres]
set -uo pipefail
cd "$(dirname "$0")/.."
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 TZ=UTC
USER=$(id -un) # batchtools asks squeue for the jobs of $USER
export USER
parts=${*:-slurm hosts postgres}
work=$(mktemp -d)
chmod 755 "$work"

# Status 2 is that of checks that failed, and have said so.
checks() {
    Rscript --vanilla tools/test-cluster.R "$@" 2>"$work/$1.err" || [ $? = 2 ] ||
        skipped "$1: $(tail -n 3 "$work/$1.err" | tr '\n' ' ')"
}
skipped() { echo "skipped: $*"; }
can() { command -v "$1" >/dev/null; }

# Slurm: while the jobs run, what runs on which node is noted twice a second.
with_slurm() {
    local started watcher
    if ! started=$(../shared/slurm/start "$work/slurm" 2>"$work/slurm.log"); then
        skipped "Slurm did not start: $(tail -n 1 "$work/slurm.log")"
        return
    fi
    eval "$started"
    while sleep 0.5; do squeue -h -t running -o %N | sort -u | tr '\n' ' '; echo; done \
        >"$work/queue" 2>/dev/null &
    watcher=$!
    checks slurm "$work"
    kill $watcher
    if grep -q '^n1 n2 $' "$work/queue"; then echo "ok: both nodes of Slurm were busy at once"
    else skipped "both nodes of Slurm were not seen busy at once"; fi
}

# Two hosts on a bridge, reached by `ip netns exec` where others would use ssh.
hosts=(10.77.0.2 10.77.0.3)
bridge=sparserls0
make_hosts() {
    ip link add "$bridge" type bridge && ip addr add 10.77.0.1/24 dev "$bridge" &&
        ip link set "$bridge" up || return
    local host i=0
    for host in "${hosts[@]}"; do
        i=$((i + 1))
        ip netns add "$host" && ip link add "sprls$i" type veth peer name eth0 netns "$host" &&
            ip link set "sprls$i" master "$bridge" up && ip -n "$host" link set lo up &&
            ip -n "$host" addr add "$host/24" dev eth0 && ip -n "$host" link set eth0 up || return
    done
    printf '#!/bin/sh\nhost=$1; shift\nexec ip netns exec "$host" sh -c "$*"\n' >"$work/remote"
    chmod +x "$work/remote"
}

finish() {
    [ ! -f "$work/slurm/slurmctld.pid" ] || ../shared/slurm/stop "$work/slurm"
    [ ! -d "$work/postgres/data" ] || sh tools/postgres.sh stop "$work/postgres" 2>/dev/null
    for host in "${hosts[@]}"; do ip netns del "$host" 2>/dev/null; done
    ip link del "$bridge" 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT

test_slurm() {
    if [ -x ../shared/slurm/start ]; then with_slurm
    else skipped "Slurm: there is no ../shared/slurm/start"; fi
}

test_hosts() {
    if ! can ip; then skipped "two hosts: there is no ip (Debian: iproute2)"
    elif make_hosts 2>"$work/hosts.log"; then checks hosts "$work" "${hosts[@]}"
    else skipped "two hosts: $(tail -n 1 "$work/hosts.log")"; fi
}

test_postgres() {
    local socket
    if socket=$(sh tools/postgres.sh start "$work/postgres" 2>"$work/postgres.log"); then
        checks postgres "$work" "$socket"
    else skipped "PostgreSQL: $(tail -n 1 "$work/postgres.log")"; fi
}

for part in $parts; do "test_$part"; done | tee "$work/said"
said() { grep -c "^$1: " "$work/said"; }
echo "$(said ok) passed, $(said failed) failed, $(said skipped) skipped"
[ -s "$work/said" ] && [ "$(said failed)" = 0 ]
