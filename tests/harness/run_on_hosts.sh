#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# run_on_hosts.sh LIBRARY N PROGRAM…: runs the program with one rank on each of N hosts that `hosts` makes on this machine.
# Exit code 77, with a word, where that is not possible: no root, no iproute2, or network namespaces not permitted.
set -u
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skipped: $1"; exit 77; }

[ "$(id -u)" = 0 ] || skip "making hosts needs root"
command -v ip > /dev/null || skip "iproute2 is not installed"
[ -z "$(ip netns list 2> /dev/null)" ] || skip "somebody else's hosts are up"
trap '"$here/hosts" down > /dev/null 2>&1' EXIT
"$here/hosts" up "$2" > /dev/null 2>&1 || skip "network namespaces are not permitted here"
timeout 115 "$here/hosts" run "$@"
