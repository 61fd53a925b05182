# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Runs the programs of a table, those of one line in turn, and keeps what they found."""

import pathlib
import statistics
import sys
import tempfile
import types

from harness import measuring, packages, placing

# Start adds nothing of its own: the plan has said how often programs repeat.
OPTIONS = types.SimpleNamespace(quick=False)


def measured(table, build, runs):
    """{"lines": {label: {column: cell}}} of a table; a cell has "values", one a process, or "skipped"."""
    done, lines = {}, {}
    for line in table.lines:
        programs = tuple(line.programs.items())
        if programs not in done:
            done[programs] = measured_line(line, build, runs)
        lines[line.label] = of_part(done[programs], line.part)
    return {"lines": lines}


def of_part(cells, part):
    """Cells with the values of one part of their programs' work; of all of it without one."""
    if not part:
        return cells
    return {name: {**cell, "values": [parts[part] for parts in cell["parts"]]} if "parts" in cell else cell
            for name, cell in cells.items()}


def measured_line(line, build, runs):
    cells, starts = {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, program in line.programs.items():
            start = measuring.Start(program, build, pathlib.Path(scratch), OPTIONS)
            cells[name] = {"command": start.text()}
            missing = why_not(program.place) or why_not_built(start)
            if missing:
                cells[name]["skipped"] = missing
            else:
                starts[name] = start
                cells[name].update(values=[], points=[], parts=[])
        for _ in range(runs):
            once(starts, cells)
    return cells


def why_not(place):
    """What keeps this machine from starting programs there; None when nothing does."""
    try:
        with placing.prepared({place}):
            return None
    except placing.Skipped as e:
        return str(e)


def why_not_built(start):
    """The packages without which it is left out; None when it is there, or nothing is lacking."""
    return start.own and not start.own.exists() and packages.lacking([start.program]).strip("; ") or None


def once(starts, cells):
    """Each program one time; what they say of their work must agree."""
    results = {}
    for name, start in starts.items():
        results[name] = start.run()
        cells[name]["values"].append(results[name]["value"])
        cells[name]["points"].append(results[name].get("points", []))
        cells[name]["parts"].append(results[name].get("parts", {}))
        cells[name]["factors"] = results[name].get("factors", [])
        print(f"    {results[name]['value']:10.5g}  {start.text()}", file=sys.stderr, flush=True)
    measuring.check_same_result(results)


def value(cell):
    return statistics.median(cell["values"]) if cell.get("values") else None


def ratio(ours, peer):
    """Of the medians, and how far the ratios of single pairs lie apart; None without both."""
    if not (ours or {}).get("values") or not (peer or {}).get("values"):
        return None
    middle = value(ours) / value(peer)
    pairs = [a / b for a, b in zip(ours["values"], peer["values"])]
    return middle, (max(pairs) - min(pairs)) / middle


def curve(cell):
    """{pings: [us of each setting]}, medians over the processes."""
    found = {}
    for points in cell.get("points", []):
        for pings, *us in points:
            found.setdefault(int(pings), []).append(us)
    return {pings: [statistics.median(column) for column in zip(*rows)] for pings, rows in found.items()}
