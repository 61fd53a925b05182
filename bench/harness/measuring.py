# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Measures one row: ours, the peer and the floor in turn, several times, and the medians of that."""

import contextlib
import filecmp
import json
import os
import pathlib
import shlex
import signal
import statistics
import subprocess
import tempfile
import time

from harness import lines, packages, placing
from harness.building import REPOSITORY, programs_of

TIME_LIMIT = 600
RUNS = 5


class Failed(Exception):
    """A program crashed, hung, or found its own result wrong."""


class Start:
    """A program of a row, with its words filled in for one run of the driver."""

    def __init__(self, program, build, scratch, options):
        self.program = program
        words = shlex.split(self.fill(program.command, build, scratch, options))
        self.own = own = None if program.place == "plain" else build.program(words[0])
        self.words = [str(own)] + words[1:] if own else words
        if own and options.quick and not program.wall:
            self.words += ["--reps", "3"]
        self.out = scratch / words[0].replace("/", "_")

    def fill(self, command, build, scratch, options):
        name = command.split()[0].replace("/", "_")
        includes = " ".join(f"-I{d}" for d in (REPOSITORY / "include", build.directory / "include") if d.is_dir())
        command = command.replace("{out}", str(scratch / name)).replace("{includes}", includes)
        command = command.replace("{bench}", str(REPOSITORY / "bench"))
        for kind in lines.KINDS:
            if "{lines:%s}" % kind in command:
                command = command.replace("{lines:%s}" % kind, str(lines.file(kind, build, options.quick)))
        return command

    def text(self):
        return placing.shell_text(self.program.place, self.words, self.program.env)

    def run(self):
        """One process: the object that it printed, or its wall time as one."""
        begin = time.monotonic()
        if self.own and not self.own.exists():  # which a launcher would say in many lines
            raise Failed(f"{self.own} was not built")
        try:
            process = subprocess.Popen(placing.command_line(self.program.place, self.words), stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, cwd=REPOSITORY, process_group=0,
                                       env=placing.environment(self.program.place, self.program.env))
        except FileNotFoundError as e:
            raise Failed(f"{e.filename} is not installed") from e
        output, errors = self.wait_for(process)
        seconds = time.monotonic() - begin
        if process.returncode != 0:
            raise Failed(f"exit {process.returncode}: {self.text()}: {errors.strip()[-500:]}")
        return {"value": seconds} if self.program.wall else parsed(output, self.text())

    def wait_for(self, process):
        """What the process printed. One that does not end is asked to end, as launchers end ranks, then killed."""
        try:
            return process.communicate(timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired as e:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failed(f"no end within {TIME_LIMIT} s: {self.text()}") from e


def parsed(output, command):
    found = [line for line in output.splitlines() if line.startswith("{")]
    try:
        result = json.loads(found[-1])
    except (IndexError, ValueError) as e:
        raise Failed(f"no line of result from {command}") from e
    if result.get("check") != "ok":
        raise Failed(f"check says {result.get('check')!r}: {command}")
    return result


def measure(row, build, options):
    """The row's object, ready to print; it has "error" or "skipped" in place of figures where it has none."""
    head = {"key": row.key, "ours": None, "peer": None, "peer_name": row.peer_name, "unit": row.unit, "ratio": None,
            "runs": 0, "spread": None, "bar": row.bar}
    floor = row.floor.program if row.floor else None
    programs = {"ours": None if options.peers else row.ours, "peer": row.peer, "or_peer": row.or_peer, "floor": floor}
    programs = {name: p for name, p in programs.items() if p}
    lacking = packages.lacking(programs_of([row], options.peers))
    try:
        with tempfile.TemporaryDirectory() as scratch, placing.prepared({p.place for p in programs.values()}):
            starts = {n: Start(p, build, pathlib.Path(scratch), options) for n, p in programs.items()}
            return {**head, **summary(row, repeated(row, starts, options), starts, options.quick)}
    except placing.Skipped as e:
        return {**head, "skipped": str(e) + lacking}
    except Failed as e:
        return {**head, "error": str(e) + lacking}


def repeated(row, starts, options):
    """Interleaves the processes: ours, peer, floor, ours, peer, floor … Returns the values by role, and those of the
    parts, where programs have several, by role and part."""
    runs = 1 if options.quick else options.runs or row.runs or RUNS
    values = {name: [] for name in starts}
    parts = {"ours": {}, "peer": {}}
    for _ in range(runs):
        results = {}
        for name, start in starts.items():
            result = results[name] = start.run()
            values[name].append(result["value"])
            if name == "ours" and row.peer is None:
                values.setdefault("peer", []).append(result["peer"])
                note_parts(parts["peer"], result.get("peer_parts"))
            if name in parts:
                note_parts(parts[name], result.get("parts"))
        check_same_result(results)
        if row.allowed and "ours" in results:
            values.setdefault("allowed", []).append(results["peer"][row.allowed] / results["ours"][row.allowed])
        if row.compare and "ours" in starts and not filecmp.cmp(starts["ours"].out, starts["peer"].out, shallow=False):
            raise Failed(f"the outputs differ: {starts['ours'].text()}; {starts['peer'].text()}")
    return of_worst_part(row, values, parts)


def note_parts(noted, found):
    for part, value in (found or {}).items():
        noted.setdefault(part, []).append(value)


def of_worst_part(row, values, parts):
    """Where both sides have parts, the row is the part with the ratio that is worst for ours."""
    both = [part for part in parts["ours"] if part in parts["peer"]]
    if not both:
        return values

    def ratio(part):
        return over(row, *(statistics.median(parts[role][part]) for role in ("ours", "peer")))
    worst = (max if row.bar.startswith("<=") else min)(both, key=ratio)
    ratios = {part: significant(ratio(part)) for part in both}
    return {**values, "ours": parts["ours"][worst], "peer": parts["peer"][worst], "parts": ratios}


def check_same_result(results):
    """Programs that print a "result" of their work must agree on it, but for rounding."""
    found = {name: r["result"] for name, r in results.items() if "result" in r}
    if found and max(found.values()) - min(found.values()) > 1e-9 * abs(max(found.values())):
        raise Failed(f"the results differ: {found}")


def summary(row, values, starts, quick):
    if row.or_peer:
        values["peer"] = (max if row.rate else min)(values["peer"], values["or_peer"], key=statistics.median)
    ours, peer = values.get("ours"), values.get("peer")
    result = {"ours": middle(ours), "peer": middle(peer), "runs": len(ours or peer or [])}
    if ours and peer:
        allowed = values.get("allowed", [1] * len(ours))
        ratios = [over(row, a, b) / c for a, b, c in zip(ours, peer, allowed)]
        ratio = over(row, statistics.median(ours), statistics.median(peer)) / statistics.median(allowed)
        result.update(ratio=significant(ratio), spread=significant((max(ratios) - min(ratios)) / ratio),
                      bar=row.bar, met=meets(ratio, row.bar),
                      **({"allowed": middle(allowed)} if row.allowed else {}))
    if "parts" in values:
        result["parts"] = values["parts"]
    if peer and row.floor and not (quick and row.floor.figure):
        result.update(floor_keys(row, values, statistics.median(peer)))
    result["command"] = {name: start.text() for name, start in starts.items()}
    return result


def floor_keys(row, values, peer):
    floor = statistics.median(values["floor"]) * row.floor.scale if "floor" in values else row.floor.figure
    ratio = peer / floor if row.rate else floor / peer
    return {"floor": significant(floor), "floor_ratio": significant(ratio), "floor_met": ratio >= row.floor.fraction}


def over(row, ours, peer):
    return peer / ours if row.inverse else ours / peer


def meets(ratio, bar):
    sign, limit = bar.split()
    return ratio <= float(limit) if sign == "<=" else ratio >= float(limit)


def middle(values):
    return significant(statistics.median(values)) if values else None


def significant(value):
    return float(f"{value:.4g}")
