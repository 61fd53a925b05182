# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Results as aligned columns, each row followed by the commands that repeat it."""

COLUMNS = ("key", "ours", "peer", "unit", "ratio", "bar", "met", "spread", "floor", "floor_ratio", "peer_name")


def text(results):
    grid = [COLUMNS] + [tuple(cell(r, c) for c in COLUMNS) for r in results]
    widths = [max(len(line[i]) for line in grid) for i in range(len(COLUMNS))]
    out = []
    for line, result in zip(grid, [None] + results):
        out.append("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip())
        if result:
            out += notes(result)
    return "\n".join(out)


def cell(result, column):
    value = result.get(column)
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "NO"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def notes(result):
    said = [f"{word}: {result[word]}" for word in ("error", "skipped") if word in result]
    return ["    " + line for line in said + [f"{n}: {c}" for n, c in result.get("command", {}).items()]]
