# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Builds the programs that rows name, and says where everything lies."""

import pathlib
import shlex
import subprocess
import sys

from harness import packages

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Build:
    def __init__(self, directory=None):
        self.directory = (directory or REPOSITORY / "build" / "bench").resolve()
        self.binaries = self.directory / "bench" / "bin"

    def make(self, rows, only_peers, may_install=True):
        """Installs the packages that these rows lack, configures, then builds only the targets that these rows need; what
        fails shows in its row."""
        if may_install:
            packages.install(programs_of(rows, only_peers), REPOSITORY)
        if not any((self.directory / made).exists() for made in ("build.ninja", "Makefile")):
            show(["cmake", "--preset", "release", "-B", str(self.directory), "-DSHEAF_BUILD_BENCH=ON",
                  "-DSHEAF_BUILD_TESTS=OFF", "-DSHEAF_BUILD_EXAMPLES=OFF"])
        wanted = set(needed(rows, only_peers))
        if may_install and not wanted <= self.known():
            show(["cmake", str(self.directory)])  # which finds what was installed since
        targets = sorted(wanted & self.known())
        if targets:
            show(["cmake", "--build", str(self.directory), "--target", *targets, "--", "-k", "0"])

    def known(self):
        """The names of all targets."""
        text = subprocess.run(["cmake", "--build", str(self.directory), "--target", "help"], cwd=REPOSITORY,
                              capture_output=True, text=True, check=False).stdout
        return set(text.replace(":", " ").split())

    def program(self, name):
        """The path of a program of ours, or None where `name` is a command of the system."""
        if name == "sheaf":
            return self.directory / "bin" / name
        own = self.binaries / name
        return own if own.exists() or source_of(name) else None


def programs_of(rows, only_peers):
    programs = [p for row in rows for p in (row.peer, row.or_peer, row.floor and row.floor.program) if p]
    return programs + ([] if only_peers else [row.ours for row in rows])


def needed(rows, only_peers):
    programs = programs_of(rows, only_peers)
    names = {shlex.split(p.command)[0] for p in programs}
    targets = {"sheaf_tool" if n == "sheaf" else "bench_" + n for n in names}
    if any("{lines:" in p.command for p in programs):
        targets.add("bench_make_lines")
    wires = {"sheaf_wire_openmpi", "sheaf_wire_mpich"}
    return sorted(targets if only_peers else targets | wires)


def source_of(name):
    """The source of a bench program: an MPI peer is built once per library, with the library's name behind its own, and
    a program over ARMCI twice per library."""
    stems = {name, name.removesuffix("_openmpi"), name.removesuffix("_mpich")}
    sources = [REPOSITORY / "bench" / d / f"{s}.cpp" for d in ("peers", "micro", "kernels", "harness") for s in stems]
    sources += [REPOSITORY / "bench" / d / f"{s.removesuffix('_debian')}.c" for d in ("compat", "peers") for s in stems]
    return next((s for s in sources if s.exists()), None)


def show(command):
    """Runs a build step with its output on stderr, so that stdout holds results only."""
    print("+ " + shlex.join(command), file=sys.stderr, flush=True)
    subprocess.run(command, cwd=REPOSITORY, stdout=sys.stderr, check=False)
