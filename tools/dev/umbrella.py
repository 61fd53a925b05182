#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Checks that sheaf.hpp stays light: its lines after preprocessing, and which standard headers it names."""

import os
import re
import subprocess

from source_tree import compiler_check, read, without_comments

MOST_LINES = 40000
LIGHT = """array cassert cerrno climits compare concepts cstddef cstdint cstdlib cstring exception initializer_list
    iterator limits new optional span source_location stdexcept string string_view tuple type_traits utility vector
    version coroutine bit""".split()
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)


def heavy(root, header, seen):
    """Standard headers outside LIGHT that our headers reachable from `header` name."""
    if header in seen:
        return []
    seen.add(header)
    found = []
    for target in INCLUDE.findall(without_comments(read(root, "include/" + header))):
        if os.path.isfile(os.path.join(root, "include", target)):
            found += heavy(root, target, seen)
        elif target not in LIGHT:
            found.append(f"{header} includes <{target}>, and is reachable from sheaf.hpp: only light headers are, "
                         "see tools/dev/umbrella.py")
    return found


def check(root, compiler):
    umbrella = "sheaf/sheaf.hpp"
    if not os.path.isfile(os.path.join(root, "include", umbrella)):
        return [f"include/{umbrella} is missing"]
    command = [compiler, "-std=c++20", "-E", "-P", f"-I{root}/include", os.path.join(root, "include", umbrella)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.count("\n")
    print(f"umbrella: {lines} lines after preprocessing, at most {MOST_LINES}")
    problems = heavy(root, umbrella, set())
    if lines > MOST_LINES:
        problems.append(f"{umbrella} is {lines} lines after preprocessing, more than {MOST_LINES}: "
                        "move what needs heavy headers out of it")
    return problems


CASES = [
    ({"include/sheaf/sheaf.hpp": '#include "sheaf/base/a.hpp"\n', "include/sheaf/base/a.hpp": "#include <vector>\n"},
     None),
    ({"include/sheaf/sheaf.hpp": '#include "sheaf/base/a.hpp"\n', "include/sheaf/base/a.hpp": "#include <map>\n"},
     "includes <map>"),
    ({"include/sheaf/sheaf.hpp": "int x;\n" * (MOST_LINES + 1)}, "more than"),
]

if __name__ == "__main__":
    compiler_check(__doc__, check, CASES, "umbrella")
