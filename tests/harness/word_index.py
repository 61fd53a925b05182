#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Compares what an index of words prints (examples/word_index.cpp) with a serial index of the same text.

  word_index.py TEXT COMMAND…     runs COMMAND… TEXT WORD…, with all words of the text and one that it does not have
"""

import re
import subprocess
import sys


def serial_index(path):
    lines = {}
    with open(path, "rb") as text:
        for number, line in enumerate(text, 1):
            for word in re.findall(rb"[a-z]+", line.lower()):
                lines.setdefault(word.decode(), set()).add(number)
    return lines


def main():
    path, *command = sys.argv[1:]
    lines = serial_index(path)
    words = sorted(lines) + ["qqq"]
    wanted = [f"{len(lines)} words"] + [" ".join([f"{w}:", *map(str, sorted(lines.get(w, ())))]) for w in words]
    done = subprocess.run([*command, path, *words], capture_output=True, text=True, check=False)
    got = done.stdout.splitlines()
    if done.returncode != 0 or got != wanted:
        differ = [f"{g!r} instead of {w!r}" for g, w in zip(got, wanted) if g != w]
        sys.exit(f"{command}: ended with {done.returncode}, {len(got)} lines of {len(wanted)}; {differ[:3]}\n{done.stderr}")
    print(f"{len(lines)} words, as in the serial index")


main()
