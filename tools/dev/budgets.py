#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Checks the size budgets: files, functions, nesting, classes, repeated blocks, tests per library line, the root
CMakeLists.

Exceptions stand in tools/dev/budget_exceptions.txt, one a line: `rule | where | reason`. An exception that is not
needed any more is a problem too.
"""

import os
import statistics
from collections import namedtuple

from class_sizes import classes
from function_sizes import functions
from source_tree import cxx_files, finish, parser, read, self_test, without_comments

FILE_LINES, TEST_FILE_LINES, MEDIAN_LINES = 500, 600, 150
FUNCTION_LINES, NESTING, BLOCK_LINES = 40, 3, 8
ROOT_CMAKE_LINES = 150
CLASS_FUNCTIONS = 25
OPEN_LAYERS = tuple(f"{root}/{layer}/" for root in ("include/sheaf", "src")
                    for layer in ("message", "transport", "runtime"))
EXCEPTIONS = "tools/dev/budget_exceptions.txt"

Problem = namedtuple("Problem", "rule where text")


def is_test(name):
    return name.startswith("tests/")


def significant(text):
    """(line number, text) of lines with code: no comment, no blank, no include."""
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        line = " ".join(line.split())
        if line and not line.startswith(("#include", "#pragma")):
            yield number, line


def file_problems(files):
    for name, text in files.items():
        lines, most = text.count("\n"), TEST_FILE_LINES if is_test(name) else FILE_LINES
        if lines > most:
            yield Problem("file_lines", name, f"{lines} lines, more than {most}: split it by concept")
    lengths = [text.count("\n") for name, text in files.items() if not is_test(name)]
    if lengths and statistics.median(lengths) > MEDIAN_LINES:
        yield Problem("median_lines", "all", f"the median file has {statistics.median(lengths)} lines, more than "
                                             f"{MEDIAN_LINES}")


def function_problems(files):
    for name, text in files.items():
        for function in functions(text):
            where = f"{name}:{function.name}"
            if function.lines > FUNCTION_LINES:
                yield Problem("function_lines", where, f"line {function.line}: {function.lines} lines, more than "
                                                       f"{FUNCTION_LINES}: name its stages")
            if function.nesting > NESTING:
                yield Problem("nesting", where, f"line {function.line}: nested {function.nesting} deep, more than "
                                                f"{NESTING}: return early, or name the inner part")


def class_problems(files):
    """What others build on is not to become one class that does everything."""
    for name, text in files.items():
        for of in classes(text) if name.startswith(OPEN_LAYERS) else ():
            if of.functions > CLASS_FUNCTIONS:
                yield Problem("class_functions", f"{name}:{of.name}",
                              f"line {of.line}: {of.functions} public functions, more than {CLASS_FUNCTIONS}: name its "
                              "parts")


def repeated_problems(files):
    """Blocks of BLOCK_LINES code lines that stand in two places; one problem per pair of files."""
    first, reported = {}, set()
    for name, text in files.items():
        lines = list(significant(text))
        for start in range(len(lines) - BLOCK_LINES + 1):
            window = lines[start:start + BLOCK_LINES]
            block = tuple(line for _, line in window)
            if sum(any(c.isalnum() for c in line) for line in block) < BLOCK_LINES - 2:
                continue
            other = first.setdefault(block, (name, window[0][0], start))
            if other[0] == name and start - other[2] < BLOCK_LINES:
                continue
            pair = f"{other[0]} + {name}"
            if pair not in reported:
                reported.add(pair)
                yield Problem("repeated", pair, f"the {BLOCK_LINES} lines from line {other[1]} stand again from line "
                                                f"{window[0][0]}: give them one home")


def whole_tree_problems(root, files):
    library = tests = 0
    for name, text in files.items():
        count = sum(1 for _ in significant(text))
        library += count if name.startswith(("include/", "src/", "compat/")) else 0
        tests += count if is_test(name) else 0
    if tests < library:
        yield Problem("test_lines", "all", f"{tests} lines of tests for {library} of the library: at least as many")
    cmake = os.path.join(root, "CMakeLists.txt")
    if os.path.isfile(cmake):
        lines = read(root, "CMakeLists.txt").count("\n")
        if lines >= ROOT_CMAKE_LINES:
            yield Problem("cmake_lines", "CMakeLists.txt", f"{lines} lines, not below {ROOT_CMAKE_LINES}: use cmake/")


def exceptions(root):
    """{(rule, where): reason}, and the problems of the list itself."""
    allowed, problems = {}, []
    if os.path.isfile(os.path.join(root, EXCEPTIONS)):
        for number, line in enumerate(read(root, EXCEPTIONS).splitlines(), 1):
            parts = [p.strip() for p in line.split("|", 2)]
            if not line.strip() or line.startswith("#"):
                continue
            if len(parts) != 3 or not all(parts):
                problems.append(f"{EXCEPTIONS}:{number}: expected 'rule | where | reason'")
            else:
                allowed[parts[0], parts[1]] = parts[2]
    return allowed, problems


def check(root):
    files = {name: read(root, name) for name in cxx_files(root)}
    found = [*file_problems(files), *function_problems(files), *class_problems(files),
             *repeated_problems(files), *whole_tree_problems(root, files)]
    allowed, problems = exceptions(root)
    needed = {(p.rule, p.where) for p in found}
    problems += [f"{p.rule} | {p.where} | {p.text}" for p in found if (p.rule, p.where) not in allowed]
    problems += [f"{EXCEPTIONS}: '{rule} | {where}' is not needed any more: remove it"
                 for rule, where in allowed if (rule, where) not in needed]
    return problems


def body(lines, before="", after=""):
    return f"int f(int x) {{\n{before}" + "".join(f"  x += {n};\n" for n in range(lines)) + f"{after}  return x;\n}}\n"


def numbered(count, name="a"):
    return "".join(f"int {name}{n} = {n};\n" for n in range(count))


def class_of(count, before="", of="class c"):
    """A class with this many public functions beside what does not count."""
    return (f"{of} {{\n public:\n  c();\n  ~c();\n  c(c const&) = delete;\n  friend int g(c&);\n  std::function<void()> a;\n"
            f"  void (*p)(int) = nullptr;\n  int d{{1}};\n{before}"
            + "".join(f"  int f{n}() const {{ return {n}; }}\n" for n in range(count)) + " private:\n  void h();\n};\n")


TESTS = "".join(f"int t{n};\n" for n in range(100))  # enough for the classes of the cases below

CASES = [
    ({"src/message/a.hpp": class_of(25), "tests/a_test.cpp": TESTS}, None),
    ({"src/message/a.hpp": class_of(26), "tests/a_test.cpp": TESTS}, "class_functions | src/message/a.hpp:c"),
    ({"include/sheaf/runtime/a.hpp": class_of(24, "  bool operator()(int) const;\n  void f0(int);\n"),
      "tests/a_test.cpp": TESTS}, "class_functions | include/sheaf/runtime/a.hpp:c"),
    ({"src/transport/a.hpp": class_of(25, "  struct in {\n    void f();\n  };\n"), "tests/a_test.cpp": TESTS}, None),
    ({"src/rmi/a.hpp": class_of(26), "tests/a_test.cpp": TESTS}, None),
    ({"src/base/a.cpp": numbered(100), "tests/base/a_test.cpp": numbered(100, "t")}, None),
    ({"src/base/a.cpp": numbered(501), "tests/base/a_test.cpp": numbered(600, "t")}, "file_lines | src/base/a.cpp"),
    ({"tests/base/a_test.cpp": numbered(601, "t")}, "file_lines | tests/base/a_test.cpp"),
    ({"src/base/a.cpp": numbered(151), "tests/base/a_test.cpp": numbered(200, "t")}, "median_lines"),
    ({"tests/a_test.cpp": body(39)}, "function_lines | tests/a_test.cpp:f"),
    ({"tests/a_test.cpp": "// long comments count\n" + body(3, "  //\n" * 40)}, "function_lines"),
    ({"tests/a_test.cpp": body(3, "  for (;;) {\n if (x) {\n while (x) {\n", "}}}\n")}, None),
    ({"tests/a_test.cpp": body(3, "for (;;) {\n if (x) {\n while (x) {\n if (x) {\n", "}}}}\n")}, "nesting"),
    ({"tests/a_test.cpp": "c::c(int x) : a_{x}, b_(1) {\n" + body(41) + "}\n"},
     "function_lines | tests/a_test.cpp:c::c"),
    ({"tests/a_test.cpp": "auto const g = [](int x) {\n" + numbered(41) + "};\n"},
     "function_lines | tests/a_test.cpp:g"),
    ({"tests/a_test.cpp": "TEST(a, b) {\n" + numbered(41) + "}\n"}, "function_lines | tests/a_test.cpp:a.b"),
    ({"tests/a_test.cpp": "struct s {\n int m_{1};\n void f() const { }\n" + numbered(41) + "};\n"}, None),
    ({"tests/a_test.cpp": numbered(8), "tests/b_test.cpp": numbered(8)}, "repeated | tests/a_test.cpp + tests/b_te"),
    ({"tests/a_test.cpp": numbered(8) + "int z;\n" + numbered(8)}, "repeated"),
    ({"src/base/a.cpp": numbered(9)}, "test_lines"),
    ({"CMakeLists.txt": "\n" * 150}, "cmake_lines"),
    ({"tests/a_test.cpp": body(39), EXCEPTIONS: "function_lines | tests/a_test.cpp:f | a table\n"}, None),
    ({"tests/a_test.cpp": body(9), EXCEPTIONS: "function_lines | tests/a_test.cpp:f | a table\n"}, "not needed any"),
    ({EXCEPTIONS: "function_lines | tests/a_test.cpp:f\n"}, "expected 'rule | where | reason'"),
]

if __name__ == "__main__":
    options = parser(__doc__).parse_args()
    if options.self_test:
        self_test(check, CASES)
    finish(check(options.root), "budgets")
