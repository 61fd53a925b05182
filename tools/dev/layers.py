#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Rejects an include that points up: a layer includes itself and lower layers only."""

import re

from source_tree import cxx_files, finish, parser, read, self_test, without_comments

RANK = {"base": 0, "async": 1, "transport": 2, "message": 3, "runtime": 4, "rmi": 5, "active": 5, "memory": 5,
        "container": 6, "view": 7, "algorithm": 8, "graph": 9}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
MAY_SEE_MPI = ("src/transport/net/mpi/", "examples/vs_mpi/", "bench/", "tests/", "compat/armci/")


def layer_of(path):
    """The layer a file or an include belongs to; None for the umbrella and for what is not ours."""
    parts = re.sub(r"^(include/sheaf|src|sheaf)/", "", path).split("/")
    return parts[0] if len(parts) > 1 and parts[0] in RANK else None


def judge(name, quoted, target):
    """What is wrong with one include of the file `name`; None where nothing is."""
    inside = name.startswith(("include/", "src/"))
    if target == "mpi.h" and not name.startswith(MAY_SEE_MPI):
        return "only src/transport/net/mpi/ may include <mpi.h>: go through the wire"
    if not inside:
        return None
    if target == "sheaf/sheaf.hpp":
        return "the umbrella is for users: include the header that is needed"
    if name == "include/sheaf/sheaf.hpp" or not (quoted or target.startswith("sheaf/")):
        return None
    mine, other = layer_of(name), layer_of(target)
    if target.startswith("sheaf/") and other is None:
        return f"{target} is in no known layer: the layers are {', '.join(RANK)}" if mine else None
    if mine is None or other is None or mine == other or RANK[other] < RANK[mine]:
        return None
    if RANK[mine] == RANK[other]:
        return f"{mine} and {other} are siblings that do not know each other: move what both need to a lower layer"
    return f"{mine} may not include {other}, which is above it: move it down, or pass it in"


def check(root):
    problems = []
    for name in cxx_files(root):
        # Folders below src/ and include/ that are no layer would escape the rule.
        if name.startswith(("src/", "include/sheaf/")) and name.count("/") > 1 + name.startswith("include"):
            if layer_of(name) is None:
                problems.append(f"{name}: its folder is no layer: the layers are {', '.join(RANK)}")
        text = without_comments(read(root, name))
        for match in INCLUDE.finditer(text):
            problem = judge(name, match.group(1) == '"', match.group(2))
            if problem:
                problems.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {problem}")
    return problems


CASES = [
    ({"src/rmi/a.cpp": '#include "sheaf/base/x.hpp"\n#include "runtime/y.hpp"\n#include <vector>\n'}, None),
    ({"include/sheaf/sheaf.hpp": '#include "sheaf/rmi/a.hpp"\n'}, None),
    ({"src/transport/net/mpi/a.cpp": "#include <mpi.h>\n"}, None),
    ({"include/sheaf/base/a.hpp": '// #include "sheaf/rmi/x.hpp"\n'}, None),
    ({"include/sheaf/base/a.hpp": '#include "sheaf/rmi/x.hpp"\n'}, "base may not include rmi"),
    ({"src/message/a.cpp": '#include "runtime/x.hpp"\n'}, "message may not include runtime"),
    ({"src/memory/a.cpp": "#include <sheaf/rmi/x.hpp>\n"}, "siblings"),
    ({"src/rmi/a.cpp": '#include "sheaf/memory/x.hpp"\n'}, "siblings"),
    ({"src/transport/net/a.cpp": "#  include <mpi.h>\n"}, "only src/transport/net/mpi/"),
    ({"src/rmi/a.cpp": '#include "sheaf/sheaf.hpp"\n'}, "umbrella is for users"),
    ({"src/misc/a.cpp": "int x;\n"}, "no layer"),
]

if __name__ == "__main__":
    options = parser(__doc__).parse_args()
    if options.self_test:
        self_test(check, CASES)
    finish(check(options.root), "layers")
