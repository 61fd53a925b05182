#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Installs Sheaf into a temporary folder, builds the project beside this file against it, and runs it.

The wire modules are all that differs between an installation with MPI and one without, so the second leaves out the
component `mpi`. The source and the build tree are not named to the consumer.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none"], "mpich": ["mpiexec.mpich"]}


def run(command, env=None):
    """Runs a command, shows it, and ends the test where it fails."""
    print("$", " ".join(command), flush=True)
    done = subprocess.run(command, env={**os.environ, **(env or {})}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="", flush=True)
    if done.returncode != 0:
        sys.exit(f"failed with {done.returncode}: {' '.join(command)}")
    return done.stdout


def install(options, prefix):
    components = ["library", "development"] + (["mpi"] if options.with_mpi else [])
    for component in components:
        run(["cmake", "--install", options.build, "--prefix", prefix, "--component", component])


def build_with_cmake(options, prefix, work):
    shutil.copytree(HERE, work + "/source")
    run(["cmake", "-S", work + "/source", "-B", work + "/build", f"-DCMAKE_PREFIX_PATH={prefix}",
         f"-DCMAKE_CXX_COMPILER={options.compiler}", f"-DCMAKE_CXX_FLAGS={options.flags}"])
    run(["cmake", "--build", work + "/build"])
    return work + "/build/consumer"


def build_with_pkg_config(options, prefix, work):
    env = {"PKG_CONFIG_PATH": f"{prefix}/{options.libdir}/pkgconfig"}
    flags = run(["pkg-config", "--cflags", "--libs", "sheaf"], env).split()
    program = work + "/consumer"
    run([options.compiler, "-std=c++20", "-O2", HERE + "/main.cpp", "-o", program, *flags, *options.flags.split(),
         f"-Wl,-rpath,{prefix}/{options.libdir}"])
    return program


def runs(options, prefix):
    """Every way in which the program is started: (command before it, variables)."""
    yield [], {"SHEAF_LOCATIONS": "2"}
    yield [], {"SHEAF_LOCATIONS": "2", "SHEAF_TRANSPORT": "sim", "SHEAF_SEED": "1"}
    for name, launcher in LAUNCHERS.items():
        module = f"{prefix}/{options.libdir}/sheaf/libsheaf_wire_{name}.so"
        if options.with_mpi and os.path.exists(module) and shutil.which(launcher[0]):
            yield [*launcher, "-n", "2"], {}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--way", choices=["find_package", "pkg_config"], required=True)
    arguments.add_argument("--with_mpi", action="store_true")
    arguments.add_argument("--without_mpi", action="store_true")
    arguments.add_argument("--build", required=True, help="the build tree to install from")
    arguments.add_argument("--compiler", default="g++")
    arguments.add_argument("--flags", default="", help="further flags, such as a sanitizer's")
    arguments.add_argument("--libdir", default="lib")
    options = arguments.parse_args()

    with tempfile.TemporaryDirectory(prefix="sheaf-consumer-") as work:
        prefix = work + "/installed"
        install(options, prefix)
        build = build_with_cmake if options.way == "find_package" else build_with_pkg_config
        program = build(options, prefix, work)
        if "libmpi" in run(["ldd", program]):
            sys.exit("a user's program must not be linked with an MPI library, but this one is")
        for launcher, env in runs(options, prefix):
            if "consumer of sheaf" not in run([*launcher, program], env):
                sys.exit("the program did not print its line")


if __name__ == "__main__":
    main()
