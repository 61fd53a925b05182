# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""The files of lines that rows read: made once, kept below ${TMPDIR:-/tmp}/sheaf-bench."""

import os
import pathlib
import subprocess
import tempfile

KINDS = ("random", "equal", "paths", "edges")


def file(kind, build, quick):
    """The path of a file of 1 GB (100 MB for a quick look) of lines of that kind."""
    size = 100_000_000 if quick else 1_000_000_000
    folder = pathlib.Path(tempfile.gettempdir()) / "sheaf-bench"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"lines-{kind}-{size}"
    if not path.exists():
        part = path.with_suffix(f".{os.getpid()}")
        subprocess.run([build.binaries / "make_lines", "--kind", kind, "--bytes", str(size), "--out", part], check=True)
        part.rename(path)
    return path
