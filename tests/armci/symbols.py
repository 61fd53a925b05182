#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Compares what libarmci exports with the names that programs and libraries of ARMCI ask for: those of names.txt (the
functions in the headers of ARMCI-MPI 0.3.1), those that our headers declare, and, where Debian's packages are installed,
those in its headers and those that its Global Arrays leave undefined."""

import argparse
import glob
import os
import re
import subprocess
import sys

NAME = re.compile(r"\b(P?ARMCIX?_\w+|p?armci_\w+)\s*\(")
OURS = re.compile(r"^(P?ARMCIX?_|p?armci_)")
OF_GLOBAL_ARRAYS = re.compile(r"^armci_tcgmsg_")  # defined there


def declared(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return set(NAME.findall(text))


def declared_in(folder, names=("armci.h", "armcix.h", "message.h", "mp3.h")):
    found = set()
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                found |= declared(file.read())
    return found


def symbols(path, *options, wanted):
    listed = subprocess.run(["nm", *options, path], capture_output=True, text=True, check=True).stdout
    found = set()
    for line in listed.splitlines():
        words = line.split()
        if len(words) >= 2 and words[-2] in wanted and OURS.match(words[-1]):
            found.add(words[-1])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("headers", "names", "shared", "archive", "mpi"):
        parser.add_argument("--" + option, required=True)
    options = parser.parse_args()
    with open(options.names, encoding="utf-8") as file:
        listed = {line for line in file.read().split("\n") if line and not line.startswith("#")}
    asked = {"names.txt": listed, "our headers": declared_in(options.headers)}
    if os.path.isfile("/usr/include/armcix.h"):
        asked["Debian's headers"] = declared_in("/usr/include")
    for path in glob.glob(f"/usr/lib/*/libga-{options.mpi}.a"):
        asked[path] = {name for name in symbols(path, wanted="U") if not OF_GLOBAL_ARRAYS.match(name)}
    shared = symbols(options.shared, "-D", "--defined-only", wanted="TWVB")
    archive = symbols(options.archive, "--defined-only", wanted="TWVB")
    problems = []
    for where, names in asked.items():
        for library, there in ((options.shared, shared), (options.archive, archive)):
            problems += [f"{library} does not define {name}, of {where}" for name in sorted(names - there)]
    problems += [f"{name} is exported and in no header" for name in sorted(shared - asked["our headers"])]
    problems += [f"{name} is in names.txt and not in our headers" for name in sorted(listed - asked["our headers"])]
    print("\n".join(problems) or f"{len(shared)} names, all that are asked for")
    return 1 if problems or not shared else 0


if __name__ == "__main__":
    sys.exit(main())
