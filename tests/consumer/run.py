#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Builds the project beside this file with Sheaf, in one of the ways that a user has, and runs it.

The installed ways install into a temporary folder and do not name the source or the build tree to the project. The wire
modules are all that differs between an installation with MPI and one without, so the second leaves out the component
`mpi`. The other ways build Sheaf from its sources within the project, and need no test library for it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
BUILD = "/build/release"
GUIDES = {"adlib": "45 43 41\n", "dmcs": "process 0 has 0\n"}  # of the C interfaces: what the guide's program prints
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


def install(options, work):
    """Installs what the way needs. Returns the folder: a prefix, or the prefix /usr below DESTDIR as packagers do it."""
    components = ["library", "development", "documents"] + (["mpi"] if options.with_mpi else [])
    below = work + "/root" if options.way == "pkg_config" else ""
    prefix = "/usr" if below else work + "/installed"
    for component in components:
        run(["cmake", "--install", options.build, "--prefix", prefix, "--component", component],
            {"DESTDIR": below} if below else None)
    for document in ("LICENSE", "README.md", "docs/guide/tutorial.md", "examples/hello.cpp"):
        if not os.path.exists(f"{below}{prefix}/share/doc/sheaf/{document}"):
            sys.exit(f"{document} is not among the installed documents")
    return below + prefix


def configure(options, work, *settings):
    shutil.copytree(HERE, work + "/source")
    for name in GUIDES:
        shutil.copy(f"{SOURCE}/tests/{name}/guide.c", f"{work}/source/{name}.c")
    run(["cmake", "-G", "Ninja", "-S", work + "/source", "-B", work + BUILD, f"-DWAY={options.way}",
         f"-DCMAKE_CXX_COMPILER={options.compiler}", f"-DCMAKE_CXX_FLAGS={options.flags}",
         "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON", *settings])


def build_with_cmake(options, work, *settings):
    configure(options, work, *settings)
    run(["cmake", "--build", work + BUILD], {"CCACHE_BASEDIR": work, "CCACHE_NOHASHDIR": "1"})
    return work + BUILD + "/consumer"


def build_with_pkg_config(options, prefix, work):
    env = {"PKG_CONFIG_PATH": f"{prefix}/{options.libdir}/pkgconfig"}
    flags = run(["pkg-config", "--cflags", "--libs", "sheaf"], env).split()
    program = work + "/consumer"
    run([options.compiler, "-std=c++20", "-O2", HERE + "/main.cpp", "-o", program, *flags, *options.flags.split(),
         f"-Wl,-rpath,{prefix}/{options.libdir}"])
    return program


def run_guides(options, prefix, work):
    """The C programs of the guides, as these say that they are built: by pkg-config, or as CMake has built them."""
    env = {"PKG_CONFIG_PATH": f"{prefix}/{options.libdir}/pkgconfig"}
    for name, line in GUIDES.items():
        if not os.path.exists(f"{prefix}/{options.libdir}/pkgconfig/sheaf-{name}.pc"):
            continue
        if not os.path.exists(f"{prefix}/share/doc/sheaf/compat/{name}/include/{name}.h"):
            sys.exit(f"the installed documents do not lead to {name}.h")
        program = f"{work}{BUILD}/guide_{name}"
        if options.way == "pkg_config":
            program = f"{work}/{name}"
            flags = run(["pkg-config", "--cflags", "--libs", f"sheaf-{name}"], env).split()
            run(["gcc", f"{SOURCE}/tests/{name}/guide.c", "-o", program, *flags,
                 f"-Wl,-rpath,{prefix}/{options.libdir}"])
        if line not in run([program]):
            sys.exit(f"the program of the guide on {name}.h did not print {line!r}")


def build_within(options, work):
    """Sheaf as a part of the project, from what a build needs of it. The compiler's arguments and the relative paths are
    those of the preset `release`: a compiler cache has the objects."""
    for name in ("cmake", "include", "src"):
        shutil.copytree(f"{SOURCE}/{name}", f"{work}/{name}")
    shutil.copy(SOURCE + "/CMakeLists.txt", work)
    launcher = shutil.which("ccache")
    program = build_with_cmake(options, work, f"-DFETCHCONTENT_SOURCE_DIR_SHEAF={work}", "-DSHEAF_WARNINGS=ON",
                               "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -g1 -DNDEBUG",
                               *([f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"] if launcher else []))
    run(["cmake", "--install", work + BUILD, "--prefix", work + "/installed"])
    if os.listdir(work + "/installed") != ["bin"]:
        sys.exit("the project's installation has more than the project")
    return program


def runs(options, modules):
    """Every way in which the program is started: (command before it, variables)."""
    yield [], {"SHEAF_LOCATIONS": "2"}
    yield [], {"SHEAF_LOCATIONS": "2", "SHEAF_TRANSPORT": "sim", "SHEAF_SEED": "1"}
    for name, launcher in LAUNCHERS.items():
        if options.with_mpi and os.path.exists(f"{modules}/libsheaf_wire_{name}.so") and shutil.which(launcher[0]):
            yield [*launcher, "-n", "2"], {}


def build(options, work):
    """Returns the program, and the folder of its wire modules."""
    if options.way == "fetch_content":
        return build_within(options, work), work + BUILD + "/_deps/sheaf-build/lib/sheaf"
    prefix = install(options, work)
    modules = f"{prefix}/{options.libdir}/sheaf"
    program = (build_with_cmake(options, work, f"-DCMAKE_PREFIX_PATH={prefix}") if options.way == "find_package"
               else build_with_pkg_config(options, prefix, work))
    run_guides(options, prefix, work)
    return program, modules


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--way", choices=["find_package", "pkg_config", "add_subdirectory", "fetch_content"],
                           required=True)
    arguments.add_argument("--with_mpi", action="store_true")
    arguments.add_argument("--without_mpi", action="store_true")
    arguments.add_argument("--build", required=True, help="the build tree to install from")
    arguments.add_argument("--compiler", default="g++")
    arguments.add_argument("--flags", default="", help="further flags, such as a sanitizer's")
    arguments.add_argument("--libdir", default="lib")
    options = arguments.parse_args()

    with tempfile.TemporaryDirectory(prefix="sheaf-consumer-") as work:
        if options.way == "add_subdirectory":  # the build of it is that of fetch_content
            return configure(options, work, f"-DSHEAF_SOURCE={SOURCE}")
        program, modules = build(options, work)
        if "libmpi" in run(["ldd", program]):
            sys.exit("a user's program must not be linked with an MPI library, but this one is")
        for launcher, env in runs(options, modules):
            if " on 2 locations" not in run([*launcher, program], env):
                sys.exit("the program did not print its line")


if __name__ == "__main__":
    main()
