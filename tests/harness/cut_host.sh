#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# cut_host.sh LIBRARY N K PROGRAM…: runs the program with a rank (RANKS_PER_HOST=R: R) on each of N hosts that `hosts`
# makes on this machine, waits until it has printed "ready", and takes host K's cable out. Within SHEAF_HEARTBEAT_LIMIT_S
# and a few seconds every process of the program must have ended by itself, those of host K too, whatever the launcher
# does. On the other hosts a text must name locations of host K and that host, and on host K, whose output reaches nobody,
# another host. Exit code 77, with a word, where such hosts are not possible.
set -u
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skipped: $1"; exit 77; }
fail() { echo "failed: $1"; tail -n +1 "$log"*; exit 1; }

[ "$(id -u)" = 0 ] || skip "making hosts needs root"
command -v ip > /dev/null || skip "iproute2 is not installed"
[ -z "$(ip netns list 2> /dev/null)" ] || skip "somebody else's hosts are up"
kind=$1 hosts=$2 cut=$3 ranks=${RANKS_PER_HOST:-1} threads=${SHEAF_THREADS:-1}
shift 3
log=$(mktemp)
# until_true SECONDS COMMAND…: whether that becomes true.
until_true() {
  local deadline=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$deadline" ] || return 1
    sleep 0.05
  done
}
# Whoever waits for a host that is cut (a launcher's daemon, a connection of the system's) would keep the hosts there.
clean_up() {
  for k in $(seq 1 "$hosts") 200; do  # hosts of this test's own
    ip netns pids "shf$k" 2> /dev/null | xargs -r kill -9
    ip link del "shfv$k" 2> /dev/null
  done
  "$here/hosts" down > /dev/null 2>&1
  wait 2> /dev/null
  rm -f "$log"*
}
trap clean_up EXIT
"$here/hosts" up "$hosts" > /dev/null 2>&1 || skip "network namespaces are not permitted here"

# How many processes of the program run, on all hosts together.
left() {
  local count=0 k pid
  for k in $(seq 1 "$hosts"); do
    for pid in $(ip netns pids "shf$k"); do
      [ "$(readlink "/proc/$pid/exe" 2> /dev/null)" = "$program" ] && count=$((count + 1))
    done
  done
  echo "$count"
}
none_left() { [ "$(left)" = 0 ]; }

# The locations of host K's processes, as texts have them, with bars between.
locations_of() {
  local first words=
  for first in $(seq $((($1 - 1) * ranks * threads)) "$threads" $(($1 * ranks * threads - 1))); do
    if [ "$threads" = 1 ]; then words+="|location $first"; else words+="|locations $first to $((first + threads - 1))"; fi
  done
  echo "${words#|}"
}
# names_silent K FILE…: whether one of the files says of a process of host K that it is silent.
names_silent() {
  local names="sheaf: ($(locations_of "$1")) \\(host shf$1, process [0-9]+\\) (is|are) silent: "
  shift
  cat "$@" | grep -qE "$names"
}

program=$(readlink -f "$1")
# What each process says itself, in a file of its own: launchers lose what comes at the end, and that of host K.
timeout 90 "$here/hosts" run "$kind" "$hosts" bash -c 'exec "$@" 2> "$0.$(hostname).$$"' "$log" "$@" > "$log" 2>&1 &
job=$!
until_true 60 grep -q ready "$log" || fail "the job did not begin"
[ "$(left)" = $((hosts * ranks)) ] || fail "$(left) processes run"
"$here/hosts" cut "$cut"
began=$(date +%s%N)
until_true $((SHEAF_HEARTBEAT_LIMIT_S + 8)) none_left || fail "$(left) processes still run"
echo "all processes had ended $((($(date +%s%N) - began) / 1000000)) ms after the cut"
# What the launcher makes of it is its own: some wait for the host that is cut.
if until_true 3 test ! -d "/proc/$job"; then
  wait "$job" && fail "the launcher takes the job for a success"
else
  echo "(the launcher still waits for host shf$cut)"
fi
for k in $(seq 1 "$hosts"); do
  if [ "$k" = "$cut" ]; then here_said=("$log.shf$k".*); else elsewhere_said+=("$log.shf$k".*); fi
done
names_silent "$cut" "${elsewhere_said[@]}" || fail "no other host names host shf$cut"
for k in $(seq 1 "$hosts"); do
  [ "$k" != "$cut" ] && names_silent "$k" "${here_said[@]}" && named=$k
done
[ -n "${named:-}" ] || fail "host shf$cut names no other host"
cat "$log" "${elsewhere_said[@]}"
