# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""The page of results: a section for each table, with its picture."""

import datetime
import os
import platform
import re

from paper import results

HEAD = """Status: measurements, {day}.

# The papers' measurements, today

What the papers [ARMI](#papers), [STAPL](#papers), [AM++](#papers), [ARMCI](#papers) and [DMCS](#papers) measured, measured
again with Sheaf, beside the same work written by hand. `bench/paper/run` makes this page. `bench/paper/run --only KEY`
repeats one table. Both print the commands that they start, and check the results.

Figures are medians over processes. A *ratio* is Sheaf over the peer: below 1 Sheaf is faster. In brackets:
how far the ratios of single pairs lie apart, over the ratio. The papers' machines are twenty years older.
"""

# With up to so many cores used by others, just before a table is measured, a machine counts as idle.
QUIET = 0.2

PAPERS = """## Papers

- ARMI: S. Saunders and L. Rauchwerger, *ARMI: An Adaptive, Platform Independent Communication Library*, PPoPP 2003.
- AM++: J. Willcock, T. Hoefler, N. Edmonds and A. Lumsdaine, *AM++: A Generalized Active Message Framework*, PACT 2010.
- ARMCI: J. Nieplocha and B. Carpenter, *ARMCI: A Portable Remote Memory Copy Library for Distributed Array Libraries and
  Compiler Run-time Systems*, RTSPP 1999.
- DMCS: J. Dobbelaere and N. Chrisochoides, *One-Sided Communication over MPI-1*, 2001.
- STAPL: the paper on STAPL's parallel communication infrastructure, ARMI's first form.
"""


def text(tables, found, shown, old):
    """Tables that were not measured now keep their sections of the page `old`."""
    parts = [HEAD.format(day=datetime.date.today())]
    for table in tables:
        before = re.search(rf"^## {re.escape(table.title)}\n.*?(?=^## )", old, re.MULTILINE | re.DOTALL)
        if table.key in found:
            parts.append(section(table, found[table.key], shown.get(table.key, [])))
        elif before:
            parts.append(before[0].rstrip() + "\n")
    return "\n".join(parts + [PAPERS])


def machine():
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{len(os.sched_getaffinity(0))} cores of {model}, Linux {platform.release().split('-')[0]}"


def section(table, measured, pictures):
    says = f"`{table.key}` · {table.source}. {table.says}".rstrip()
    lines = [f"## {table.title}", "", says, "", f"{machine()}, {datetime.date.today()}:", ""]
    rows = curve_rows if table.curve else call_rows if table.over else line_rows
    lines += grid(*rows(table, measured["lines"]))
    if table.cited:
        lines += ["", f"Last column: {table.cited}."]
    lines += beside_bars(table, measured["lines"])
    if measured.get("busy", 0) > QUIET:
        lines += ["", f"Other programs used {measured['busy']:.1f} cores of the machine just before: measure this table again."]
    for picture in pictures:
        lines += ["", f"![{table.title}]({picture})"]
    return "\n".join(lines) + "\n"


def grid(header, rows):
    out = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return out + ["| " + " | ".join(row) + " |" for row in rows]


def beside_bars(table, lines):
    """Which ratios of a table miss their bar; nothing where there is no bar, or no ratio."""
    found = [(f"{r.name} {line.label}", r.bar, results.ratio(lines.get(line.label, {}).get(r.ours),
                                                             lines.get(line.label, {}).get(r.peer)))
             for r in table.ratios if r.bar for line in table.lines]
    found = [(name, bar, ratio[0]) for name, bar, ratio in found if ratio]
    if not found:
        return []
    missed = [f"{name} ({ratio:.4g})" for name, bar, ratio in found if ratio > bar]
    said = f"missed by {len(missed)} of {len(found)} ratios: {', '.join(missed)}" if missed else "met by all ratios"
    return ["", f"Bar, at most {number(found[0][1])}: {said}."]


def line_rows(table, lines):
    columns = table.columns()
    header = [table.label] + [f"{c}, {table.unit}" for c in columns] + [r.name for r in table.ratios]
    rows = []
    for line in table.lines:
        cells = lines.get(line.label, {})
        row = [line.label] + [figure(cells.get(c), table.scale) for c in columns]
        row += [ratio_text(results.ratio(cells.get(r.ours), cells.get(r.peer))) for r in table.ratios]
        rows.append(row + ([line.cited] if table.cited else []))
    return header + (["the paper"] if table.cited else []), rows


def call_rows(table, lines):
    cells = lines[table.lines[0].label]
    rows = [[name, figure(cell, table.scale), ratio_text(results.ratio(cell, cells[table.over])),
             table.cited_calls.get(name.strip(), "")] for name, cell in cells.items()]
    return [table.label, table.unit, f"over {table.over}", "the paper"], rows


def curve_rows(table, lines):
    cells = lines[table.lines[0].label]
    ours, *peers = table.columns()
    factors = [str(f) for f in cells[ours].get("factors", [])]
    curves = {name: results.curve(cells[name]) for name in [ours, *peers]}
    rows = []
    for pings, us in curves[ours].items():
        others = [curves[p].get(pings, [None])[0] for p in peers]
        best = min((o for o in others if o is not None), default=None)
        share = "-" if best is None else f"**{us[0] / best:.3g}**"
        rows.append([str(pings)] + [number(v) for v in us[:1] + others] + [share] + [number(v) for v in us[1:]])
    return [table.label, f"default, {table.unit}", *peers, "default / best peer", *factors], rows


def figure(cell, scale):
    if cell is None:
        return ""
    return number(results.value(cell) * scale) if cell.get("values") else "not here"


def number(value):
    if value is None:
        return "-"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def ratio_text(found):
    if found is None:
        return ""
    middle, spread = found
    return f"**{middle:.3g}** ({spread:.2g})" if spread else f"**{middle:.3g}**"
