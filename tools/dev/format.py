#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Checks that every C++ file is as clang-format 14 would write it (`--fix` rewrites them)."""

import os
import shutil
import subprocess
import sys

from source_tree import ROOT, SKIP, cxx_files, finish, parser, self_test


def clang_format():
    """The formatter of the one version whose output we keep; None where it is not installed."""
    if shutil.which("clang-format-14"):
        return "clang-format-14"
    if shutil.which("clang-format"):
        version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True, check=True).stdout
        return "clang-format" if " 14." in version else None
    return None


def check(root, fix=False):
    files = [os.path.join(root, f) for f in cxx_files(root)]
    if not files:
        return []
    mode = ["-i"] if fix else ["--dry-run", "-Werror"]
    style = "--style=file:" + os.path.join(ROOT, ".clang-format")
    done = subprocess.run([clang_format(), style, *mode, *files], capture_output=True, text=True, check=False)
    return [line for line in done.stderr.splitlines() if "error:" in line]


CASES = [
    ({"src/base/a.cpp": "int const x = 1;\n"}, None),
    ({"src/base/a.cpp": "int   x=1 ;\n"}, "should be clang-formatted"),
]

if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--fix", action="store_true", help="rewrite the files")
    options = arguments.parse_args()
    if clang_format() is None:
        print("format: skipped, clang-format 14 is not installed (Debian: clang-format-14)")
        sys.exit(SKIP)
    if options.self_test:
        self_test(check, CASES)
    finish(check(options.root, options.fix), "format")
