#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Mutants of the message path and of the fence: faults that the tests must find. tools/dev/mutants.txt lists them.

Without `--run` only checks the list: the text of each must stand exactly once in its file. With `--run` each is applied
in a copy of the tree, the tests of the message path are built and run, and the survivors are printed; one that stays
has its reason in the list. A mutant of src/ costs the rebuild of one file, one of include/ that of all tests: `--only`
takes a part of their names, `--quick` leaves out those of include/. The copy stays in build/mutants, so that the next
run builds only what has changed.
"""

import os
import shutil
import subprocess
import sys
import time
from collections import namedtuple

from source_tree import finish, parser, read, self_test, tracked

LIST = "tools/dev/mutants.txt"
TESTS = ("test_message", "test_transport", "test_runtime", "test_rmi", "test_simulation", "test_cost")
COMPILER = "the compiler"
SECONDS = 600  # of one test program: a mutant that hangs is found

Mutant = namedtuple("Mutant", "name file kind old new stays")


def mutants(text):
    """Blocks divided by blank lines; `#` begins a comment line."""
    for block in text.split("\n\n"):
        fields = {"": "", "-": [], "+": [], "file": "", "kind": "", "stays": ""}
        for line in block.splitlines():
            if not line or line.startswith("#"):
                continue
            if line[0] in "-+":
                fields[line[0]].append(line[2:])
            else:
                key, _, value = line.partition(": ")
                fields["" if key == "mutant" else key] = value
        if fields[""]:
            old, new = "\n".join(fields["-"]), "\n".join(fields["+"])
            yield Mutant(fields[""], fields["file"], fields["kind"], old, new, fields["stays"])


def check(root):
    found = list(mutants(read(root, LIST))) if os.path.exists(os.path.join(root, LIST)) else []
    names = [m.name for m in found]
    for m in found:
        if not m.kind or not m.old or m.old == m.new:
            yield f"{LIST}: {m.name}: needs a kind, and text that becomes another one"
        elif not os.path.exists(os.path.join(root, m.file)):
            yield f"{LIST}: {m.name}: there is no {m.file}"
        elif (count := read(root, m.file).count(m.old)) != 1:
            yield f"{LIST}: {m.name}: its text stands {count} times in {m.file}; bring it up to date"
        if names.count(m.name) > 1:
            yield f"{LIST}: {m.name}: there are two"


def run(command, where, seconds=None):
    """Whether it succeeds, and what it printed; a program that does not end fails."""
    try:
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=seconds, errors="replace")
        return done.returncode == 0, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return False, f"did not end in {seconds} s"


class Copy:
    """A tree of its own, with a build."""

    def __init__(self, root, tests, jobs):
        self.root, self.tests = root, tests
        self.tree = os.path.join(root, "build", "mutants")
        self.build_command = ["ninja", "-C", "build/release", *jobs, *tests]

    def write(self, name, text):
        path = os.path.join(self.tree, name)
        if os.path.exists(path) and read(self.tree, name) == text:
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def forget(self, listed):
        """Removes what is left of files that the tree no longer has: CMake would find and build them."""
        for folder, folders, names in os.walk(self.tree):
            if folder == self.tree:
                folders[:] = [f for f in folders if f not in ("build", ".git")]
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.tree) not in listed:
                    os.remove(path)

    def prepare(self):
        listed = tracked(self.root)
        self.forget(set(listed))
        for name in listed:
            if not os.path.exists(os.path.join(self.tree, name)) or (
                    read(self.root, name) != read(self.tree, name)):
                os.makedirs(os.path.dirname(os.path.join(self.tree, name)), exist_ok=True)
                shutil.copy(os.path.join(self.root, name), os.path.join(self.tree, name))
        for command in (["cmake", "--preset", "release"], self.build_command):
            well, said = run(command, self.tree)
            if not well:
                sys.exit(f"the tree itself does not build:\n{said[-3000:]}")
        if killer := self.killer():
            sys.exit(f"the tree itself fails in {killer}")

    def killer(self):
        """The first test program that fails, in the order in which they are quick; none: a survivor."""
        for test in self.tests:
            if not run(["build/release/bin/" + test, "--gtest_fail_fast=1"], self.tree, SECONDS)[0]:
                return test
        return None

    def verdict(self, mutant):
        original = read(self.root, mutant.file)
        self.write(mutant.file, original.replace(mutant.old, mutant.new))
        try:
            if not run(self.build_command, self.tree)[0]:
                return COMPILER
            return self.killer()
        finally:
            self.write(mutant.file, original)


def run_all(root, chosen, tests, jobs):
    copy = Copy(root, tests, jobs)
    copy.prepare()
    survivors, useless = [], []
    for m in chosen:
        began = time.monotonic()
        killer = copy.verdict(m)
        print(f"{m.name}: {'survives' if killer is None else 'found by ' + killer}"
              f" ({time.monotonic() - began:.0f} s)", flush=True)
        if killer == COMPILER:
            useless.append(f"{m.name} does not compile, which proves nothing of the tests: change it")
        elif killer is None and not m.stays:
            survivors.append(f"{m.name} ({m.kind}, {m.file}) survives: test it, or say in {LIST} why it stays")
        elif killer is not None and m.stays:
            useless.append(f"{m.name} is found by {killer} and needs no reason to stay")
        elif killer is None:
            print(f"  stays: {m.stays}")
    finish(survivors + useless, f"{len(chosen)} mutants")


ENTRY = "mutant: one\nfile: src/a.cpp\nkind: lost count\n- ++x;\n+ x;\n"
CASES = (
    ({LIST: ENTRY, "src/a.cpp": "++x;\n"}, None),
    ({LIST: ENTRY, "src/a.cpp": "++x;\n++x;\n"}, "stands 2 times"),
    ({LIST: ENTRY, "src/a.cpp": "x += 1;\n"}, "stands 0 times"),
    ({LIST: ENTRY}, "there is no src/a.cpp"),
    ({LIST: ENTRY + "\n" + ENTRY, "src/a.cpp": "++x;\n"}, "there are two"),
    ({LIST: ENTRY.replace("+ x;", "+ ++x;"), "src/a.cpp": "++x;\n"}, "becomes another one"),
    ({LIST: ENTRY.replace("- ++x;", "- ++x;\n- ++y;"), "src/a.cpp": "++x;\n++y;\n"}, None),
)


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--run", action="store_true", help="build and test each mutant")
    arguments.add_argument("--only", default="", help="those whose names contain this")
    arguments.add_argument("--quick", action="store_true", help="those of src/ alone")
    arguments.add_argument("--tests", nargs="+", default=TESTS, help="the test programs, the quickest first")
    arguments.add_argument("--jobs", type=int, help="compilers at once")
    options = arguments.parse_args()
    if options.self_test:
        self_test(lambda root: list(check(root)), CASES)
    problems = list(check(options.root))
    if problems or not options.run:
        finish(problems, "mutants")
    chosen = [m for m in mutants(read(options.root, LIST)) if options.only in m.name]
    chosen = [m for m in chosen if m.file.startswith("src/") or not options.quick]
    run_all(options.root, chosen, options.tests, [f"-j{options.jobs}"] if options.jobs else [])


if __name__ == "__main__":
    main()
