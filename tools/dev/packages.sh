# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Sourced by check, quickstart and .ci/run: installs the Debian packages that are missing.

build_packages=(g++ cmake ninja-build pkg-config libcli11-dev libhwloc-dev libboost-dev libboost-context-dev libhwy-dev
  zlib1g-dev)
test_packages=(git python3 ccache iproute2 libgtest-dev clang-format-14 libopenmpi-dev openmpi-bin libmpich-dev mpich
  python3-numpy gnuplot-nox libopen-trace-format2-dev otf2-tools   # `sheaf trace otf2` is built where they are
  gfortran libarmci-mpi-dev libglobalarrays-dev libscalapack-openmpi-dev libscalapack-mpich-dev liblapack-dev libblas-dev)
ci_packages=(clang-14 libclang-rt-14-dev)

say() { printf '\n\033[1m%s\033[0m\n' "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi; }

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

is_installed() { dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii'; }

# install_missing PACKAGE...: does nothing where all are there, so it needs no network and no rights then.
install_missing() {
  local missing=() package as_root=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    printf 'This is not a Debian system, so nothing is installed. Needed, by their Debian names: %s\n' "$*"
    return 0
  fi
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  say "Installing ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "needs root or sudo to install: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq || fail "apt-get update failed; install by hand: ${missing[*]}"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    || fail "apt-get install failed; install by hand: ${missing[*]}"
}

# At least two, since one location proves little.
cores() {
  local count
  count=$(nproc 2>/dev/null || echo 2)
  echo $((count < 2 ? 2 : count))
}

# Open MPI refuses to start as root without these.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
