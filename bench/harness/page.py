# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""The figures in docs/performance.md between two marks, and the README's picture: both from what was kept of each row."""

import datetime
import itertools
import re
import subprocess

from harness.building import REPOSITORY
from harness.counting import REQUESTS
from paper import page as papers
from paper import picture

BEGIN, END = "<!-- figures: bench/run --write -->", "<!-- end of figures -->"
COLUMNS = ["key", "ours", "peer", "unit", "which peer", "ratio", "spread", "bar", ""]
HEAD_OF_COUNTS = "Instructions for one request of a location to itself with its execution, for a poll, and for a fence"
PICTURE = "Requests of 8 bytes, millions a second from each of two locations"
RATES = {
    "async_rmi.plain/20": "updates, 2^20 words, threads",
    "async_rmi.plain/26": "updates, 2^26 words, threads",
    "async_rmi.plain/openmpi": "updates, 2^20 words, Open MPI",
    "async_rmi.plain/mpich": "updates, 2^20 words, MPICH",
    "async_rmi.gather/batch": "reads into a window, threads",
    "async_rmi.gather/future": "reads with a future each, threads",
}


def origin():
    """Of what machine and commit a figure is."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    changed = git("diff", "--quiet", "HEAD", "--", ".", ":!docs").returncode != 0
    commit = git("rev-parse", "--short", "HEAD").stdout.strip() or "unknown"
    return f"{papers.machine()}, {datetime.date.today()}, commit {commit}{' with changes' if changed else ''}"


def read(docs):
    """What the page has, as `write` takes it."""
    text = (docs / "performance.md").read_text(encoding="utf-8")
    kept, of, modes = {}, "", {name: f"count.{mode}" for mode, name in REQUESTS.items()}
    for part in text[text.index(BEGIN):text.index(END)].splitlines():
        cells = [cell.strip().strip("*") for cell in part.strip("|").split("|")] if part.startswith("| ") else []
        if part.endswith(":"):
            of = part[:-1].removeprefix(HEAD_OF_COUNTS + " (").removesuffix(")")
        elif len(cells) == len(COLUMNS) and cells[0].startswith("`"):
            key, ours, peer, unit, name, ratio, spread, bar, met = cells
            kept[key.strip("`")] = {
                "key": key.strip("`"), "ours": float(ours), "peer": float(peer), "unit": unit, "peer_name": name,
                "ratio": float(ratio), "spread": float(spread), "met": met == "met", "origin": of,
                "bar": bar.replace("≤", "<=").replace("≥", ">=")}
        elif len(cells) == 2 and cells[0] in modes:
            kept[modes[cells[0]]] = {"value": float(cells[1]), "origin": of}
    return kept


def write(docs, rows, kept, skipped):
    """`kept`: the result of each key, with its origin, and of each counted request. `skipped`: why rows have none."""
    figures = [kept[row.key] for row in rows if "ratio" in kept.get(row.key, {})]
    parts = []
    for of, group in itertools.groupby(sorted(figures, key=lambda r: r["origin"]), lambda r: r["origin"]):
        parts += [f"{of}:", "", *table(list(group), rows), ""]
    parts += [f"Not measured: `{key}` ({why})." for key, why in skipped.items()] + ([""] if skipped else [])
    parts += counted(kept)
    path = docs / "performance.md"
    text = path.read_text(encoding="utf-8")
    inside = re.compile(re.escape(BEGIN) + ".*" + re.escape(END), re.DOTALL)
    text, replaced = inside.subn(lambda _: "\n".join([BEGIN, *parts, END]), text)
    if replaced != 1:
        raise ValueError(f"{path} has not one part between {BEGIN} and {END}")
    path.write_text(text, encoding="utf-8")
    if all("ratio" in kept.get(key, {}) for key in RATES):
        groups = {name: [("Sheaf", kept[key]["ours"]), ("by hand", kept[key]["peer"])] for key, name in RATES.items()}
        (docs / "pictures" / "rates.svg").write_text(picture.bars(PICTURE, "M/s", groups), encoding="utf-8")


def table(results, rows):
    order = {row.key: number for number, row in enumerate(rows)}
    return papers.grid(COLUMNS, [line(r) for r in sorted(results, key=lambda r: order[r["key"]])])


def line(result):
    sign, limit = result["bar"].split()
    return [f"`{result['key']}`", papers.number(result["ours"]), papers.number(result["peer"]), result["unit"],
            result["peer_name"], f"**{result['ratio']:.3g}**", f"{result['spread']:.2g}",
            f"{'≤' if sign == '<=' else '≥'} {limit}", "met" if result["met"] else "missed"]


def counted(kept):
    found = {name: kept[f"count.{mode}"] for mode, name in REQUESTS.items() if f"count.{mode}" in kept}
    if not found:
        return []
    of = sorted({f["origin"] for f in found.values()})
    return [f"{HEAD_OF_COUNTS} ({'; '.join(of)}):", "",
            *papers.grid(["request", "instructions"], [[n, papers.number(f["value"])] for n, f in found.items()])]
