# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""What one request costs in instructions, counted by callgrind: unlike times these repeat."""

import os
import re
import subprocess
import tempfile

from rows import Program, Row

REQUESTS = {  # modes of bench/micro/one_request.cpp
    "async": "`async` on an object",
    "bound": "`async` by a bound call",
    "pointer": "`async` through a pointer to a method",
    "bound_pointer": "`async` through a pointer, bound",
    "message": "typed message",
    "unordered_message": "typed message without order",
    "window": "read into a reply window",
    "future": "read with a future, a thousand under way",
    "sync": "blocking read",
    "coroutine_async": "`async` on a coroutine that ends at once",
    "coroutine_sync": "blocking read by a coroutine that ends at once",
    "coroutine_await": "blocking read by a coroutine that asks its own location",
    "poll": "idle poll",
    "fence": "idle fence of one location",
}
FEW, MANY = 10_000, 30_000
ROW = Row("count", Program("one_request"), None, "", "", "<= 1")  # to be built like others


def count(build, mode):
    """Of what differs between few and many requests: the start of the program costs the same."""
    return (instructions(build, mode, MANY) - instructions(build, mode, FEW)) / (MANY - FEW)


def instructions(build, mode, requests):
    program = [str(build.program("one_request")), "--mode", mode, "--count", str(requests)]
    with tempfile.NamedTemporaryFile() as out:
        ran = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *program],
                             env={**os.environ, "SHEAF_LOCATIONS": "1"}, capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", ran.stderr)[1])
