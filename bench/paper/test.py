#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""The test bench.paper: a quick run of everything gives a page with every table, row and picture, from programs that have
checked their results; and a wrong result ends the run. No figure is looked at."""

import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BENCH))

from harness import building, measuring  # noqa: E402
from paper import page, plan, results  # noqa: E402
from rows import Program, Row  # noqa: E402


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        run = [BENCH / "paper" / "run", "--quick", "--build-dir", build, "--output", folder]
        subprocess.run([sys.executable, *run], check=True)
        text = (pathlib.Path(folder) / "paper-measurements.md").read_text()
        for table in plan.tables(True):
            check_section(table, text, pathlib.Path(folder))
    check_wrong_results(building.Build(build))
    check_ratios()
    check_parts()
    check_lines_of_parts(building.Build(build))
    check_bars()
    print("the page is whole")


def check_section(table, text, folder):
    """All rows, and a figure wherever the plan has a program that can run here."""
    found = re.search(rf"^## {re.escape(table.title)}\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    assert found, f"{table.key} has no section"
    grid = [line.strip("| ").split(" | ") for line in found[1].splitlines() if line.startswith("| ")]
    header, rows = grid[0], grid[1:]
    programs = [line.programs for line in table.lines]
    expected = len(programs[0]) if table.over else 9 if table.curve else len(programs)
    assert len(rows) == expected, f"{table.key} has {len(rows)} rows, not {expected}"
    if not table.curve and not table.over:
        for row, wanted in zip(rows, programs):
            for name, cell in zip(table.columns(), row[1:]):
                assert name not in wanted or re.fullmatch(r"[0-9.e+]+|not here", cell), f"{table.key}: {name} is '{cell}'"
    assert len(header) >= 3, f"{table.key} has {len(header)} columns"
    if table.picture:
        shown = re.findall(r"!\[.*?\]\((.*?)\)", found[1])
        assert len(shown) == (2 if table.curve else 1), f"{table.key} shows {shown}"
        for name in shown:
            check_picture(table, folder / name)


def check_picture(table, path):
    drawing = xml.etree.ElementTree.parse(path).getroot()
    if table.picture == "bars":
        frame, *bars = drawing.findall("{http://www.w3.org/2000/svg}rect")
        assert len(bars) >= 2, f"{table.key} shows {len(bars)} bars"
        for bar in bars:
            assert 0 < float(bar.get("width")) <= float(frame.get("width")) - float(bar.get("x")), f"{table.key}: a bar's end"
        return
    curves = drawing.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(curves) >= 2, f"{table.key} shows {len(curves)} curves"
    for curve in curves:
        places = [tuple(map(float, p.split(","))) for p in curve.get("points").split()]
        assert all(0 <= x <= 720 and 0 <= y <= 400 for x, y in places), f"{table.key} draws outside of its frame"


def says(text):
    return Program(f"echo '{text}'", "plain")


def check_wrong_results(build):
    """A program that finds its result wrong, and two that differ in their results, end the run."""
    right = '{"value": 1, "check": "ok", "result": 5}'
    for other, why in (('{"value": 1, "check": "bad"}', "check says"),
                       ('{"value": 1, "check": "ok", "result": 6}', "the results differ")):
        line = plan.Line("x", 1, {"a": says(right), "b": says(other)})
        try:
            results.measured_line(line, build, 1)
        except measuring.Failed as e:
            assert why in str(e), str(e)
        else:
            raise AssertionError(f"a run went on after: {other}")


def check_ratios():
    ours, peer = {"values": [2.0, 4.0, 3.0]}, {"values": [1.0, 2.0, 2.0]}
    middle, spread = results.ratio(ours, peer)
    assert middle == 1.5 and abs(spread - (2.0 - 1.5) / 1.5) < 1e-12
    assert results.ratio(ours, {"skipped": "no launcher"}) is None
    assert page.figure({"skipped": "no launcher"}, 1) == "not here" and page.figure(None, 1) == ""


def check_parts():
    """The part that is worst for ours is the row's: the lowest rate, or the longest time of ours over the peer's."""
    values = {"ours": [1.0], "peer": [1.0]}
    parts = {"ours": {"get": [4.0, 6.0, 5.0], "put": [9.0, 9.0, 9.0]}, "peer": {"get": [4.0, 4.0, 4.0], "put": [9.0, 9.0, 9.0]}}
    times = Row("", None, None, "", "ns", "<= 1")
    rates = Row("", None, None, "", "GB/s", ">= 1", rate=True)
    found = measuring.of_worst_part(times, values, parts)
    assert found["ours"] == [4.0, 6.0, 5.0] and found["parts"] == {"get": 1.25, "put": 1}, found
    assert measuring.of_worst_part(rates, values, parts)["ours"] == [9.0, 9.0, 9.0]
    assert measuring.of_worst_part(rates, values, {"ours": {}, "peer": {}}) == values


def check_lines_of_parts(build):
    """Programs with parts run once for the lines of all of them; one that cannot run has no figure in any."""
    clock = Program("""date '+{"value": 1, "check": "ok", "parts": {"a": %s%N, "b": %s%N}}'""", "plain")
    programs = {"ours": clock, "peer": says('{"value": 1, "check": "ok", "parts": {"a": 2, "b": 8}}')}
    lines = [plan.Line(part, 0, programs, part=part) for part in ("a", "b")]
    found = results.measured(plan.Table("", "", "", "", "", lines), build, 2)["lines"]
    first, second = found["a"]["ours"]["values"]
    assert first < second and found["b"]["ours"]["values"] == [first, second], found
    assert found["a"]["peer"]["values"] == [2, 2] and found["b"]["peer"]["values"] == [8, 8], found
    assert results.of_part({"ours": {"skipped": "no launcher"}}, "a") == {"ours": {"skipped": "no launcher"}}


def check_bars():
    lines = [plan.Line(label, 0, {}) for label in ("1", "2")]
    table = plan.Table("", "", "", "", "", lines, [plan.Against("MPI", "ours", "peer", 1.05), plan.Against("x", "ours", "peer")])
    cells = {label: {"ours": {"values": [ours]}, "peer": {"values": [2.0]}} for label, ours in (("1", 3.0), ("2", 1.0))}
    assert page.beside_bars(table, cells)[1] == "Bar, at most 1.05: missed by 1 of 2 ratios: MPI 1 (1.5)."
    assert page.beside_bars(table, {"2": cells["2"]})[1] == "Bar, at most 1.05: met by all ratios."
    assert page.beside_bars(table, {"2": {"ours": {"skipped": "no launcher"}}}) == []


if __name__ == "__main__":
    main()
