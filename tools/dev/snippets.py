#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Compiles and runs every C++ snippet of the guides, and compares what it prints with the text block behind it.

A fenced block marked cpp is a whole program when it has a main(). Any other one needs a mark on the line before it:

    <!-- snippet: declare counter -->        kept under this name, compiled with the programs that use it
    <!-- snippet: body use=counter,row -->   put into sheaf::run behind the named declarations, and run
    <!-- snippet: file examples/x.cpp -->    before a whole program: it is that file's, from the first #include on

A block marked c is a file's, too, named by such a mark: a test of its own runs that file.

A text block behind a program (nothing but prose between) is what it must print, whole. Further marks:

    <!-- run: locations=4 SHEAF_SEED=7 -->   before the program or the text block: how to start it; two locations otherwise
    <!-- run: arguments=LICENSE,a -->        what it is called with, in the root of the tree
    <!-- run: unordered -->                  lines may come in any order
    <!-- run: no_sim -->                     the program has threads, which the simulator refuses
    <!-- run: mpi -->                        it calls MPI: two processes of it are started, with --mpi
    <!-- run: fails -->                      a mistake: it ends with an error, in which the text block's pieces occur
                                             (between line ends and …)
    <!-- run: does_not_compile -->           the same of the compiler

Several text blocks, each after a run mark, show several runs of one program. Every other program also runs in the
simulator and must end there, whatever it prints.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from source_tree import SKIP, finish, parser, read

PAGES = ["README.md", "docs/guide/tutorial.md", "docs/guide/remote-calls.md", "docs/guide/coroutines.md",
         "docs/guide/types.md", "docs/guide/tracing.md", "docs/guide/progress.md", "docs/guide/collectives.md",
         "docs/guide/insight.md", "docs/guide/running.md", "docs/guide/mixed-mode.md", "docs/guide/mistakes.md",
         "docs/guide/armi.md", "docs/guide/memory.md", "docs/guide/distributed-arrays.md", "docs/guide/dmcs.md",
         "docs/internals/message-api.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$|^<!-- (snippet|run): (.*?) -->$", re.M | re.S)
FRAME = """#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>
#include "sheaf/sheaf.hpp"
#include "sheaf/memory.hpp"
#include "sheaf/algorithm/sample_sort.hpp"
#include "sheaf/container/vector.hpp"
{declarations}
int main() {{
  return sheaf::run([]([[maybe_unused]] sheaf::team world) {{
{body}
  }});
}}
"""
MPI_HEADER = """#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
"""


class Program:
    """One translation unit and the ways to run it: [(marks, expected text or None)]."""

    def __init__(self, page, line, source):
        self.place, self.source, self.runs = f"{page}:{line}", source, []

    def has(self, mark):
        return any(mark in marks for marks, _ in self.runs)

    def calls_mpi(self):
        return self.has("mpi")


def assemble(mark, code, declared):
    """The source of a body, or None for a declaration, which is kept. Raises ValueError where the mark is wrong."""
    kind, *rest = mark.split()
    if kind == "declare" and len(rest) == 1:
        declared[rest[0]] = code
        return None
    used = rest[0].removeprefix("use=").split(",") if rest else []
    missing = [name for name in used if name not in declared]
    if kind != "body" or missing:
        raise ValueError(f"wrong snippet mark '{mark}'" + (f": {missing} not declared before" if missing else ""))
    return FRAME.format(declarations="\n".join(declared[name] for name in used), body=code)


def is_file(mark, code, root):
    """Whether the code is that of the file which a mark names, if it names one."""
    kind, _, name = (mark or "").partition(" ")
    return kind != "file" or read(root, name).partition("#include")[2] == code.partition("#include")[2]


def programs_of(page, text, root):
    """The programs of a page, and what is wrong with its marks."""
    found, problems, declared, mark, run_marks = [], [], {}, None, []
    for match in BLOCK.finditer(text):
        language, code, word, value = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        if word == "snippet":
            mark = value
        elif word == "run":
            run_marks = value.split()
        elif language == "cpp":
            try:
                source = code if "int main(" in code else assemble(mark or "none", code, declared)
                if source is not None and "mpi" in run_marks:
                    source = MPI_HEADER + source
            except ValueError as wrong:
                problems.append(f"{page}:{line}: {wrong}")
                source = None
            if not is_file(mark, code, root):
                problems.append(f"{page}:{line}: not what stands in '{mark}'")
            if source is not None:
                found.append(Program(page, line, source))
                found[-1].runs.append((run_marks, None))
            mark, run_marks = None, []
        elif language == "c":
            if mark is None or not is_file(mark, code, root):
                problems.append(f"{page}:{line}: a program in C is not what stands in the file of its mark")
            mark = None
        elif language == "text" and found:
            first = len(found[-1].runs) == 1 and found[-1].runs[0][1] is None
            marks = run_marks or found[-1].runs[0][0]
            if first:
                found[-1].runs.clear()
            found[-1].runs.append((marks, code))
            run_marks = []
    return found, problems


def compiled(program, options):
    """The executable's path, or a problem's text."""
    compiler = f"mpicxx.{options.mpi}" if program.calls_mpi() else options.compiler
    folder = os.path.join(options.build, "snippets")
    os.makedirs(folder, exist_ok=True)
    stem = os.path.join(folder, hashlib.sha256(program.source.encode()).hexdigest()[:16])
    if not os.path.exists(stem + ".cpp"):
        with open(stem + ".cpp", "w", encoding="utf-8") as file:
            file.write(program.source)
    launcher = ["ccache"] if shutil.which("ccache") else []
    flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Werror", f"-I{options.root}/include", "-pthread",
             *options.flags.split()]
    library = os.path.join(options.build, "lib")
    commands = [[*launcher, compiler, *flags, "-c", stem + ".cpp", "-o", stem + ".o"],
                [compiler, *flags, stem + ".o", f"-L{library}", "-lsheaf", f"-Wl,-rpath,{library}", "-o", stem]]
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None, f"{program.place}: does not compile\n{done.stderr}"
    return stem, None


def started(command, marks, transport, root):
    """(exit code, stdout, stderr) of one run."""
    named = dict(m.replace("locations=", "SHEAF_LOCATIONS=").split("=", 1) for m in marks if "=" in m)
    arguments = [a for a in named.pop("arguments", "").split(",") if a]
    env = {k: v for k, v in os.environ.items() if not k.startswith("SHEAF_")}
    env.update({"SHEAF_LOCATIONS": "2", "SHEAF_TRANSPORT": transport} | named)
    try:
        done = subprocess.run(command + arguments, env=env, cwd=root, capture_output=True, text=True, timeout=60,
                              check=False)
    except subprocess.TimeoutExpired:
        return 124, "", "no end after 60 s"
    return done.returncode, done.stdout, done.stderr


def failed_as_said(program, failed, err):
    """What is wrong with a program that is to fail."""
    pieces = [piece.strip() for _, text in program.runs for piece in re.split(r"…|\n", text or "") if piece.strip()]
    missing = [piece for piece in pieces if piece not in err]
    if failed and pieces and not missing:
        return []
    return [f"{program.place}: {'failed' if failed else 'did not fail'}, without {missing}: {err}"]


def judged(program, executable, options):
    """What is wrong with the program's runs."""
    problems = []
    if program.has("fails"):
        code, _, err = started([executable], program.runs[0][0], "thread", options.root)
        return failed_as_said(program, code not in (0, 124), err)
    mpi = program.calls_mpi()
    launcher = [os.path.join(options.build, "bin", "sheaf"), "run", "-n", "2", "--mpi", options.mpi]
    command = [*launcher, executable] if mpi else [executable]
    for marks, expected in program.runs:
        code, out, err = started(command, marks, "mpi" if mpi else "thread", options.root)
        wanted, got = expected, out
        if "unordered" in marks and expected is not None:
            wanted, got = sorted(expected.splitlines()), sorted(out.splitlines())
        if code != 0:
            problems.append(f"{program.place}: ended with {code} ({marks}): {err}")
        elif expected is not None and wanted != got:
            problems.append(f"{program.place}: printed ({marks})\n{out}instead of\n{expected}")
    if mpi or program.has("no_sim"):
        return problems
    arguments = [m for m in program.runs[0][0] if m.startswith("arguments=")]
    code, _, err = started(command, arguments, "sim", options.root)
    if code != 0:
        problems.append(f"{program.place}: ended with {code} in the simulator: {err}")
    return problems


def check(root, options, pages):
    options.root = os.path.abspath(root)
    programs, problems = [], []
    for page in pages:
        found, wrong = programs_of(page, read(root, page), root)
        programs += found
        problems += wrong
    if not options.mpi or shutil.which(f"mpicxx.{options.mpi}") is None:
        programs = [p for p in programs if not p.calls_mpi()]
    if not programs:
        problems.append(f"no program found in {', '.join(pages)}")
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda p: compiled(p, options), programs))
    for program, (executable, problem) in zip(programs, made):
        if program.has("does_not_compile"):
            problems += failed_as_said(program, executable is None, problem or "")
        else:
            problems += [problem] if problem else judged(program, executable, options)
    print(f"{len(programs)} programs, {sum(len(p.runs) for p in programs)} runs")
    return problems


WHOLE = "#include <cstdio>\nint main() { std::puts(\"a\"); }\n"
NOT_SIMULATED = """#include <cstdlib>
#include <string>
int main() { return std::string(std::getenv("SHEAF_TRANSPORT")) == "sim" ? 4 : 0; }
"""
CASES = [
    (f"```cpp\n{WHOLE}```\nprose\n```text\na\n```\n", None),
    (f"```cpp\n{WHOLE}```\n```text\nb\n```\n", "instead of"),
    (f"```cpp\n{WHOLE.replace('}', 'x }')}```\n", "does not compile"),
    ("```cpp\nint x = 1;\n```\n", "wrong snippet mark"),
    ("<!-- snippet: body use=none -->\n```cpp\n```\n", "not declared"),
    ("```cpp\nint main() { return 3; }\n```\n", "ended with 3"),
    (f"```cpp\n{NOT_SIMULATED}```\n", "ended with 4 in the simulator"),
    (f"<!-- run: no_sim -->\n```cpp\n{NOT_SIMULATED}```\n", None),
    (f"<!-- snippet: file page.md -->\n```cpp\n{WHOLE}```\n", "not what stands in"),
    ("<!-- run: arguments=3 -->\n```cpp\nint main(int n, char**) { return n - 2; }\n```\n", None),
    ("<!-- run: fails -->\n```cpp\nint main() { return 3; }\n```\n```text\nwhy\n```\n", "without ['why']"),
    (f"<!-- run: fails -->\n```cpp\n{WHOLE}```\n```text\nwhy\n```\n", "did not fail"),
    ("<!-- run: does_not_compile -->\n```cpp\nint main() { x; }\n```\n```text\nx … declared\n```\n", None),
    (f"```c\nint x;\n```\n```cpp\n{WHOLE}```\n", "a program in C"),
    ("prose\n", "no program found"),
]


def self_test(options):
    for text, expected in CASES:
        folder = os.path.join(options.build, "snippets", "self_test")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "page.md"), "w", encoding="utf-8") as file:
            file.write(text)
        problems = check(folder, options, ["page.md"])
        if (expected is None and problems) or (expected and not any(expected in p for p in problems)):
            sys.exit(f"self-test: expected {expected}, got {problems}")
    print(f"self-test: {len(CASES)} cases, each judged rightly")


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--compiler", default="g++")
    arguments.add_argument("--build", required=True, help="the build tree whose libsheaf is linked")
    arguments.add_argument("--mpi", default="", help="the MPI library of programs that call it; without, these are left out")
    arguments.add_argument("--flags", default="", help="further flags, such as a sanitizer's")
    arguments.add_argument("--page", action="append", help="only this page; may be repeated")
    options = arguments.parse_args()
    if not os.path.exists(os.path.join(options.build, "lib", "libsheaf.so")):
        print(f"no libsheaf.so in {options.build}/lib: build it first")
        sys.exit(SKIP)
    if options.self_test:
        return self_test(options)
    return finish(check(options.root, options, options.page or PAGES), "snippets")


if __name__ == "__main__":
    main()
