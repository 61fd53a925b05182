#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Draws docs/pictures/rates.svg, the README's picture, from the last table of docs/performance.md that has its rows."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(BENCH))

from paper import picture  # noqa: E402

ROWS = {
    "async_rmi.plain/20": "updates, two threads",
    "async_rmi.plain/openmpi": "updates, two processes, Open MPI",
    "async_rmi.plain/mpich": "updates, two processes, MPICH",
    "async_rmi.crowded/openmpi8": "updates, eight processes, two cores",
    "async_rmi.gather/batch": "reads into a window",
    "async_rmi.gather/future": "reads with a future each",
}


def main():
    docs = BENCH.parent / "docs"
    text = (docs / "performance.md").read_text(encoding="utf-8")
    found = {}  # a later row replaces an earlier one
    for key, ours, peer in re.findall(r"^\| `(\S+)` \| ([0-9.]+) M/s \| ([0-9.]+) M/s \|", text, re.M):
        found[key] = (float(ours), float(peer))
    groups = {name: [("Sheaf", found[key][0]), ("by hand", found[key][1])] for key, name in ROWS.items()}
    title = "Requests of 8 bytes, millions a second, on two cores of a Xeon"
    (docs / "pictures" / "rates.svg").write_text(picture.bars(title, "M/s", groups), encoding="utf-8")


main()
