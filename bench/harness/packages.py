# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""The Debian packages that rows need beyond those of every build: which, how they are installed, and which are lacking."""

import shutil
import subprocess
import sys

NEEDS = {"openmpi": ["openmpi-bin", "libopenmpi-dev"], "mpich": ["mpich", "libmpich-dev"],
         "hosts": ["iproute2", "openmpi-bin", "libopenmpi-dev"], "tbb": ["libtbb-dev"],
         "pbgl": ["libboost-graph-parallel-dev", "libboost-mpi-dev"],
         "debian_": ["libarmci-mpi-dev"], "ga_": ["libglobalarrays-dev", "liblapack-dev", "libblas-dev"],
         "openmpi ga_": ["libscalapack-openmpi-dev"], "mpich ga_": ["libscalapack-mpich-dev"],
         "one_request": ["valgrind"]}


def of(programs):
    """Those of programs, each by its place and its command."""
    words = " ".join(f"{p.place} {p.command}" for p in programs)
    return sorted({package for word, packages in NEEDS.items() if word in words for package in packages})


def install(programs, repository):
    """Installs what is missing, as ./check does; where it may not, it says so on stderr, and the rows say it again."""
    script = '. tools/dev/packages.sh && install_missing "${build_packages[@]}" "$@"'
    subprocess.run(["bash", "-c", script, "bench", *of(programs)], cwd=repository, stdout=sys.stderr, check=False)


def lacking(programs):
    """What to add to the reason why the programs did not run."""
    if not shutil.which("dpkg-query"):
        return f"; needs, by the Debian names: {', '.join(of(programs))}" if of(programs) else ""
    missing = [p for p in of(programs) if not is_installed(p)]
    return f"; not installed: {', '.join(missing)}" if missing else ""


def is_installed(package):
    asked = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Abbrev}", package], capture_output=True, text=True,
                           check=False)
    return asked.stdout.startswith("ii")
