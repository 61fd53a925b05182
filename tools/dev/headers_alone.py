#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Checks that every header compiles alone, and twice in one file, without a warning."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from source_tree import compiler_check, tracked

FLAGS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def headers(root):
    """(header, the way it is included) for ours, but not for those that need a library's own headers."""
    for name in tracked(root):
        if name.startswith("include/") and name.endswith(".hpp"):
            yield name, name[len("include/"):]
        if name.startswith("src/") and name.endswith(".hpp") and "/plugin/" not in name:
            yield name, name[len("src/"):]


def compile_one(root, folder, compiler, header):
    name, spelled = header
    # One fixed name per header, so that ccache knows the file again.
    stem = os.path.join(folder, spelled.replace("/", "."))
    with open(stem + ".cpp", "w", encoding="utf-8") as file:
        file.write(f'#include "{spelled}"\n#include "{spelled}"\n')
    launcher = ["ccache"] if shutil.which("ccache") else []
    command = [*launcher, compiler, *FLAGS, f"-I{root}/include", f"-I{root}/src", "-c", stem + ".cpp",
               "-o", stem + ".o"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"{name} does not compile alone:\n{done.stderr}" if done.returncode else None


def check(root, compiler):
    folder = os.path.join(root, "build", "headers_alone", os.path.basename(compiler))
    os.makedirs(folder, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [p for p in pool.map(lambda h: compile_one(root, folder, compiler, h), headers(root)) if p]


CASES = [
    ({"include/sheaf/base/a.hpp": "#pragma once\n#include <vector>\ninline std::vector<int> f() { return {}; }\n"},
     None),
    ({"include/sheaf/base/a.hpp": "#pragma once\ninline std::vector<int> f() { return {}; }\n"}, "not compile alone"),
    ({"src/base/a.hpp": "inline int f() { return 1; }\n"}, "not compile alone"),
]

if __name__ == "__main__":
    compiler_check(__doc__, check, CASES, "headers_alone")
