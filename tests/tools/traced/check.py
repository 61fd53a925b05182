#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Records a trace of the program in traced_main.cpp, makes everything of it that `sheaf trace` makes, and checks that.

    check.py SHEAF N [--fails] COMMAND...     COMMAND runs the program on N locations
"""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SHEAF, N = sys.argv[1], int(sys.argv[2])
FAILS = sys.argv[3] == "--fails"
COMMAND = sys.argv[4 if FAILS else 3:]


def need(condition, what):
    if not condition:
        sys.exit(f"check.py: {what}")


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=100, **more)


def sheaf(*arguments):
    done = run([SHEAF, "trace", *arguments])
    need(done.returncode == 0, f"trace {arguments}: {done.returncode}: {done.stderr}")
    return done.stdout


def expected(source, dest):
    return 100 * (source + 1) + dest + (3 if dest == (source + 1) % N else 0)


def nests(events):
    """Every begin has its end, times never go back, on each track; returns how many began."""
    depth, last, began = collections.Counter(), {}, 0
    for e in events:
        if e["ph"] == "M":
            continue
        track, time = (e["pid"], e["tid"]), float(e["ts"])
        need(0 not in track, f"taken for the idle thread: {e}")
        need(time >= last.get(track, 0), f"the time goes back: {e}")
        last[track] = time
        depth[track] += {"B": 1, "E": -1}.get(e["ph"], 0)
        began += e["ph"] == "B"
        need(depth[track] >= 0, f"an end without a begin: {e}")
    need(not +depth, f"without an end: {depth}")
    return began


def arrows(events):
    """Every arrow begins and ends once, and does not go back in time."""
    ends = {"s": {}, "f": {}}
    for e in events:
        if e["ph"] in ends:
            need(e["id"] not in ends[e["ph"]], f"twice: {e}")
            ends[e["ph"]][e["id"]] = float(e["ts"])
    need(ends["s"].keys() == ends["f"].keys() and ends["s"], "arrows with one end")
    for key, at in ends["s"].items():
        need(ends["f"][key] >= at, f"arrow {key} goes back")
    return len(ends["s"])


def check_perfetto(folder, whole=True):
    file = folder + "/trace.json"
    sheaf("perfetto", folder, "-o", file)
    with open(file, encoding="utf-8") as text:
        events = json.load(text)["traceEvents"]
    requests, entries = collections.Counter(), {"send": collections.Counter(), "receive": collections.Counter()}
    for e in events:
        if e["ph"] == "B" and e["cat"] == "run":
            requests[e["args"]["from location"], e["tid"] - 1] += e["args"]["requests"]
        if e["ph"] == "B" and e["cat"] == "entry" and e["args"]["class"] == "request":
            a = e["args"]
            out, self = e["name"] == "send", e["tid"] - 1
            entries[e["name"]][(self, a["to location"]) if out else (a["from location"], self)] += a["bytes"]
    began = nests(events)
    if not whole:
        return began, 0
    need(requests == {(s, d): expected(s, d) for s in range(N) for d in range(N)}, f"requests: {requests}")
    need(entries["send"] == entries["receive"] and entries["send"], f"sent is not received: {entries}")
    names = collections.Counter((e["ph"], e.get("name")) for e in events)
    need(names["i", "sent"] == N and names["B", "sending"] == N, f"marks and scopes: {names}")
    need(names["B", "fence"] >= 2 * N and names["B", "wait for an answer"] == 3 * N, f"waits: {names}")
    need(names["M", "thread_name"] == N, "tracks")
    return began, arrows(events)


def check_plot(folder):
    file = folder + "/matrix.svg"
    sheaf("plot", folder, "-o", file)
    root = xml.etree.ElementTree.parse(file).getroot()
    space = "{http://www.w3.org/2000/svg}"
    need(root.tag == space + "svg", root.tag)
    shown = {r.find(space + "title").text for r in root.iter(space + "rect") if r.get("class") == "cell"}
    need(shown == {f"{s} -> {d}: {expected(s, d)} requests" for s in range(N) for d in range(N)}, f"cells: {shown}")
    words = [t.text for t in root.iter(space + "text")]
    for word in ("to location", "from location", "(logarithmic)"):
        need(word in words, f"no {word} in {words}")
    rows = sheaf("plot", "--text", folder).splitlines()
    need(len(rows) == N + 3 and rows[2].split()[:2] == ["0", str(expected(0, 0))], f"text: {rows}")
    need("bytes" in sheaf("plot", "--what", "bytes", "--text", folder).splitlines()[0], "bytes")


def check_summary(folder):
    text = sheaf("summary", folder)
    lines = {line.split(" run ")[1].strip(): line for line in text.splitlines() if " run " in line and "counter" in line}
    need(set(lines) == {"counter::add", "counter::twice"}, text)
    need(re.search(rf"\b{3 * N}  run\b", lines["counter::twice"]) is not None, lines["counter::twice"])
    need("note:" not in text and "requests executed" in text, text)


def check_otf2(folder, began, messages):
    done = run([SHEAF, "trace", "otf2", folder, "-o", folder + "/otf2"])
    if done.returncode == 2 and "libopen-trace-format2-dev" in done.stderr:
        return
    need(done.returncode == 0, done.stderr)
    again = run([SHEAF, "trace", "otf2", folder, "-o", folder + "/otf2"])
    need(again.returncode == 2 and "exists already" in again.stderr, "an archive is overwritten")
    if shutil.which("otf2-print") is None:
        return
    printed = run(["otf2-print", folder + "/otf2/traces.otf2"])
    need(printed.returncode == 0, printed.stderr)
    kinds = collections.Counter(line.split()[0] for line in printed.stdout.splitlines() if line.strip())
    need(kinds["MPI_SEND"] == kinds["MPI_RECV"] == messages, f"messages: {kinds}, {messages}")
    need(kinds["ENTER"] == kinds["LEAVE"] == began - 2 * messages - unmatched(folder, messages) + N, f"{kinds}, {began}")
    need("counter::add" in printed.stdout, "names")


def unmatched(folder, messages):
    """Entries of which one end alone was recorded: what still travelled when its location ended."""
    with open(folder + "/trace.json", encoding="utf-8") as text:
        return sum(e["ph"] == "B" and e["cat"] == "entry" for e in json.load(text)["traceEvents"]) - 2 * messages


def main():
    with tempfile.TemporaryDirectory() as folder:
        done = run(COMMAND, env=dict(os.environ, SHEAF_TRACE=folder + "/new/folder"))
        folder += "/new/folder"
        if FAILS:
            need(done.returncode != 0 and "told to" in done.stderr, f"{done.returncode}: {done.stderr}")
            need(any(name.endswith(".sheaf-trace") for name in os.listdir(folder)), "nothing written")
            check_perfetto(folder, whole=False)
            need("counter::add" in sheaf("summary", folder), "no summary")
            return
        need(done.returncode == 0, f"{done.returncode}: {done.stderr}")
        began, messages = check_perfetto(folder)
        check_plot(folder)
        check_summary(folder)
        check_otf2(folder, began, messages)


main()
