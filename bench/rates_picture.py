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

ROWS = {  # all of them are rates of each location
    "async_rmi.plain/20": "updates, 2^20 words, threads",
    "async_rmi.plain/26": "updates, 2^26 words, threads",
    "async_rmi.plain/openmpi": "updates, 2^20 words, Open MPI",
    "async_rmi.plain/mpich": "updates, 2^20 words, MPICH",
    "async_rmi.gather/batch": "reads into a window, threads",
    "async_rmi.gather/future": "reads with a future each, threads",
}


def main():
    docs = BENCH.parent / "docs"
    text = (docs / "performance.md").read_text(encoding="utf-8")
    found = {}  # a later row replaces an earlier one
    for key, ours, peer in re.findall(r"^\| `(\S+)` \| ([0-9.]+) M/s \| ([0-9.]+) M/s \|", text, re.M):
        found[key] = (float(ours), float(peer))
    groups = {name: [("Sheaf", found[key][0]), ("by hand", found[key][1])] for key, name in ROWS.items()}
    title = "Requests of 8 bytes: millions a second from each of two locations, on two cores of a Xeon"
    (docs / "pictures" / "rates.svg").write_text(picture.bars(title, "M/s", groups), encoding="utf-8")


main()
