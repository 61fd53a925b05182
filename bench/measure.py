# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Measures Sheaf beside its peers: builds what the rows need, runs ours and the peer in turn, and prints one JSON line
per row.

  bench/run sync_rmi.thread async_rmi      rows by key; a prefix means all rows below it
  bench/run --all --table                  everything, as a table for people
  bench/run --all --write                  everything, into docs/performance.md, and the papers' tables (bench/paper/run)
"""

import argparse
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import rows  # noqa: E402
from harness import building, counting, measuring, page, table  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("keys", nargs="*", metavar="KEY", help="rows to measure")
    parser.add_argument("--all", action="store_true", help="measure every row")
    parser.add_argument("--list", action="store_true", help="print the keys and stop")
    parser.add_argument("--table", action="store_true", help="print aligned columns instead of JSON")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/performance.md, with counts "
                        "of instructions and the README's picture; with --all, make docs/paper-measurements.md, too")
    parser.add_argument("--runs", type=int, help="pairs of processes per row (default 5, some rows differ)")
    parser.add_argument("--quick", action="store_true", help="one pair, few repetitions, small files: to see it run")
    parser.add_argument("--peers", action="store_true", help="measure only peers and floors")
    parser.add_argument("--build-dir", type=pathlib.Path, help="a configured build to use (default build/bench)")
    parser.add_argument("--no-build", action="store_true", help="measure what is built already")
    return parser.parse_args()


def main():
    options = parse()
    every = rows.all_rows()
    if options.write and (options.quick or options.peers):
        print("--write wants whole rows: leave out --quick and --peers", file=sys.stderr)
        return 2
    if options.list:
        print("\n".join(row.key for row in every))
        return 0
    chosen = [r for r in every if options.all or any(matches(r.key, k) for k in options.keys)]
    unknown = [k for k in options.keys if not any(matches(r.key, k) for r in every)]
    if unknown or not chosen:
        print(f"no row named {', '.join(unknown) or '(none given)'}; bench/run --list prints them", file=sys.stderr)
        return 2
    build = building.Build(options.build_dir)
    if not options.no_build:
        build.make(chosen + ([counting.ROW] if options.all and options.write else []), options.peers)
    results = []
    for row in chosen:
        results.append(measuring.measure(row, build, options))
        if not options.table:
            print(json.dumps(results[-1]), flush=True)
    if options.table:
        print(table.text(results))
    if options.write:
        write(build, every, results, options)
    for r in results:
        if "error" in r or "skipped" in r:
            print(f"not measured: {r['key']}: {r.get('error') or r['skipped']}", file=sys.stderr)
    return 1 if any("error" in r or "skipped" in r for r in results) else 0


def write(build, every, results, options):
    """Rows that were not measured keep the figures that the page has of them; it names those that this machine does not
    permit."""
    docs = building.REPOSITORY / "docs"
    kept, origin = page.read(docs), page.origin()
    kept.update({r["key"]: {**r, "origin": origin} for r in results if r.get("ratio") is not None})
    if options.all:
        counts = {f"count.{mode}": counting.count(build, mode) for mode in counting.REQUESTS}
        kept.update({name: {"value": value, "origin": origin} for name, value in counts.items()})
    skipped = {r["key"]: r["skipped"] for r in results if "skipped" in r and r["key"] not in kept}
    lacking = [row.key for row in every if row.key not in kept and row.key not in skipped]
    if lacking:
        print(f"docs/performance.md stays: not measured yet: {', '.join(lacking)}", file=sys.stderr)
        return
    page.write(docs, every, kept, skipped)
    if options.all:
        papers = [building.REPOSITORY / "bench" / "paper" / "run", "--build-dir", build.directory]
        subprocess.run([sys.executable, *papers, *(["--no-build"] if options.no_build else [])], check=True)


def matches(key, wanted):
    return key == wanted or key.startswith((wanted + ".", wanted + "/"))


if __name__ == "__main__":
    sys.exit(main())
