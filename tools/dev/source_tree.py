# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""What the checks of this folder share: which files there are, and C++ text without comments."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CXX = (".hpp", ".cpp", ".h", ".c")
SKIP = 77  # CTest: the check could not run here


def parser(description):
    """Every check takes --root and --self-test."""
    result = argparse.ArgumentParser(description=description)
    result.add_argument("--root", default=ROOT, help="the tree to check")
    result.add_argument("--self-test", action="store_true", help="prove that the check can fail")
    return result


def tracked(root):
    """Files that git tracks or would track, relative to root; every file where there is no git."""
    command = ["git", "-C", root, "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard"]
    if os.path.isdir(os.path.join(root, ".git")):
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        return sorted(f for f in set(listed) if os.path.isfile(os.path.join(root, f)))
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [d for d in folders if not d.startswith(".") and not d.startswith("build")]
        found += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return sorted(found)


def cxx_files(root, *folders):
    """C++ files below the given folders (all, where none is given)."""
    prefixes = tuple(f.rstrip("/") + "/" for f in folders) or ("",)
    return [f for f in tracked(root) if f.endswith(CXX) and f.startswith(prefixes)]


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
        return file.read()


TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'", re.S)


def without_comments(text, keep_strings=True):
    """The same lines without comments; without the insides of literals too, where asked."""

    def replace(match):
        token = match.group(0)
        if token.startswith(("//", "/*")):
            return " " + "\n" * token.count("\n")
        if keep_strings:
            return token
        return '""' + "\n" * token.count("\n") if '"' in token[:2] else "' '"

    return TOKEN.sub(replace, text)


def finish(problems, what):
    """Prints the problems and ends with CTest's verdict."""
    for problem in problems:
        print(problem)
    print(f"{what}: {len(problems)} problem(s)" if problems else f"{what}: fine")
    sys.exit(1 if problems else 0)


def compiler_check(description, check, cases, what):
    """The main function of a check(root, compiler) that asks a compiler."""
    arguments = parser(description)
    arguments.add_argument("--compiler", default="g++")
    options = arguments.parse_args()
    if options.self_test:
        self_test(lambda root: check(root, options.compiler), cases)
    finish(check(options.root, options.compiler), what)


def self_test(check, cases):
    """Runs check(root) over small trees. A case is ({path: text}, expected words or None where the tree is fine)."""
    for files, expected in cases:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(text)
            problems = check(root)
        if expected is None and problems:
            sys.exit(f"self-test: a fine tree was rejected: {problems}")
        if expected is not None and not any(expected in p for p in problems):
            sys.exit(f"self-test: expected a problem with '{expected}', got {problems}")
    print(f"self-test: {len(cases)} cases, each judged rightly")
    sys.exit(0)
