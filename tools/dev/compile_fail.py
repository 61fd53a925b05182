#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Checks that a program that misuses the library does not compile, and that the compiler's message says why.

The file has one or more lines `// expect: TEXT`, and may have `// expect(not clang): TEXT` for what Clang before 18
cannot say, and `// refuse: TEXT` for what must not be said. Where it mentions SHEAF_CORRECT, it must compile with that macro
defined, which proves that nothing but the misuse is wrong with it.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile


def compile_it(options, name, *flags):
    command = [options.compiler, "-std=c++20", "-fsyntax-only", *flags]
    command += ["-I" + folder for folder in options.include] + [name]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def is_clang(compiler):
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return "clang" in done.stdout


def judge(options, name):
    """What is wrong; None where the file fails as it says."""
    with open(name, encoding="utf-8") as file:
        text = file.read()
    expected = [e.strip() for e in re.findall(r"^// expect:(.*)$", text, re.M)]
    if not expected or not all(expected):
        return "no line '// expect: TEXT'"
    if not is_clang(options.compiler):
        expected += [e.strip() for e in re.findall(r"^// expect\(not clang\):(.*)$", text, re.M)]
    done = compile_it(options, name)
    if done.returncode == 0:
        return "it compiles, but must not"
    for words in expected:
        if words not in done.stderr:
            return f"it does not compile, but the compiler does not say '{words}'; it says:\n{done.stderr}"
    for words in re.findall(r"^// refuse: *(.*)$", text, re.M):
        if words in done.stderr:
            return f"the compiler says '{words}'; it says:\n{done.stderr}"
    if "SHEAF_CORRECT" in text:
        done = compile_it(options, name, "-DSHEAF_CORRECT")
        if done.returncode != 0:
            return f"with SHEAF_CORRECT defined it must compile, but:\n{done.stderr}"
    return None


def self_test(options):
    cases = [
        ('// expect: too small\nstatic_assert(false, "too small");\n', None),
        ('// expect: too small\n#ifndef SHEAF_CORRECT\nstatic_assert(false, "too small");\n#endif\n', None),
        ("// expect: too small\nint x;\n", "it compiles"),
        ('// expect: too small\n// expect(not clang): not said\nstatic_assert(false, "too small");\n',
         None if is_clang(options.compiler) else "does not say 'not said'"),
        ('// expect: too small\nstatic_assert(false, "too large");\n', "does not say 'too small'"),
        ('// expect: too\n// refuse: small\nstatic_assert(false, "too small");\n', "the compiler says 'small'"),
        ('// expect: x\n#ifdef SHEAF_CORRECT\n#endif\nstatic_assert(false, "x");\n', "must compile, but"),
        ('static_assert(false, "too small");\n', "no line"),
    ]
    for text, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "case.cpp")
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            problem = judge(options, name)
        if (problem is None) != (expected is None) or (expected and expected not in problem):
            sys.exit(f"self-test: expected '{expected}', got '{problem}' for:\n{text}")
    print(f"self-test: {len(cases)} cases, each judged rightly")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--compiler", default="g++")
    arguments.add_argument("--include", action="append", default=[])
    arguments.add_argument("--self-test", action="store_true")
    arguments.add_argument("files", nargs="*")
    parsed = arguments.parse_args()
    if parsed.self_test:
        self_test(parsed)
    problems = [f"{name}: {p}" for name in parsed.files if (p := judge(parsed, name))]
    print("\n".join(problems) or f"compile_fail: {len(parsed.files)} file(s) fail as they say")
    sys.exit(1 if problems else 0)
