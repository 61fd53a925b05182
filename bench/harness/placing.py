# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""How a program is started in each place: environment, launcher, binding, and the hosts of the test-bed.

Beside the named places there are those with a number or a shape: threads:4, openmpi:4, mpich:4 (bound to cores where
there are enough), openmpi:2x4 (two processes of four threads, unbound), hosts:1gbit (each host sends at that rate)."""

import contextlib
import fcntl
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

HOSTS = pathlib.Path(__file__).resolve().parents[2] / "tests" / "harness" / "hosts"

OPENMPI = ["mpirun.openmpi"]
LAUNCHERS = {
    "openmpi": OPENMPI + ["--bind-to", "core", "-n", "2"],
    "mpich": ["mpiexec.mpich", "-bind-to", "core", "-n", "2"],
    "crowded_openmpi": OPENMPI + ["--oversubscribe", "--bind-to", "none", "-n", "8"],
    "crowded_mpich": ["mpiexec.mpich", "-bind-to", "none", "-n", "8"],
    "four_openmpi": OPENMPI + ["--oversubscribe", "--bind-to", "none", "-n", "4"],
    "hosts": [str(HOSTS), "run", "openmpi", "2"],
}
ENVIRONMENT = {
    "threads": {"SHEAF_LOCATIONS": "2"},
    "crowded": {"SHEAF_LOCATIONS": "8"},
    "openmpi": {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"},
}
for place in ("crowded_openmpi", "four_openmpi"):
    ENVIRONMENT[place] = ENVIRONMENT["openmpi"]

DROPPED = ("SHEAF_LOCATIONS", "SHEAF_THREADS", "SHEAF_TRANSPORT", "OMP_", "OMPI_", "PMI_")


CORES = len(os.sched_getaffinity(0))


class Skipped(Exception):
    """The row cannot be measured on this machine; the text says why."""


def launcher(place):
    """The words before the program's; none where it is started as it is."""
    kind, _, shape = place.partition(":")
    if not shape or kind in ("threads", "hosts"):
        return LAUNCHERS.get(kind, [])
    processes, _, threads = shape.partition("x")
    bound = "core" if not threads and int(processes) <= CORES else "none"
    if kind == "mpich":
        return ["mpiexec.mpich", "-bind-to", bound, "-n", processes]
    crowded = ["--oversubscribe"] if int(processes) > CORES else []
    return OPENMPI + crowded + ["--bind-to", bound, "-n", processes]


def settings_of(place):
    """The variables that a place sets."""
    kind, _, shape = place.partition(":")
    if not shape:
        return ENVIRONMENT.get(place, {})
    if kind == "threads":
        return {"SHEAF_LOCATIONS": shape}
    threads = shape.partition("x")[2]
    return {**ENVIRONMENT.get(kind, {}), **({"SHEAF_THREADS": threads, "OMP_NUM_THREADS": threads} if threads else {})}


def command_line(place, words):
    return launcher(place) + words


def environment(place, extra):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(DROPPED)}
    return {**kept, **settings_of(place), **dict(extra)}


def shell_text(place, words, extra):
    """The same start as one line for people to repeat."""
    settings = {**settings_of(place), **dict(extra)}
    text = " ".join([f"{k}={v}" for k, v in settings.items()] + [shlex.join(command_line(place, words))])
    return f"{shlex.join(up(place))} && {text}; {HOSTS} down" if is_hosts(place) else text


def is_hosts(place):
    return place.partition(":")[0] == "hosts"


def up(place):
    """What makes its two hosts. A burst holds the largest packet that TCP hands down, which is then not cut up."""
    rate = place.partition(":")[2]
    return [str(HOSTS), "up", "2"] + ([f"tbf rate {rate} burst 72kb latency 50ms"] if rate else [])


@contextlib.contextmanager
def prepared(places):
    """Everything the places need beyond a launcher, for as long as a row runs."""
    for place in places:
        words = launcher(place)
        if words and not shutil.which(words[0]):
            raise Skipped(f"{words[0]} is not installed")
    hosts = sorted(filter(is_hosts, places))
    if not hosts:
        yield
        return
    if len(hosts) > 1:
        raise ValueError(f"one row has hosts of several kinds: {', '.join(hosts)}")
    with open(pathlib.Path(tempfile.gettempdir()) / "sheaf-hosts.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        raise_hosts(hosts[0])
        try:
            yield
        finally:
            subprocess.run([HOSTS, "down"], check=False, capture_output=True)


def raise_hosts(place):
    if os.geteuid() != 0 or not shutil.which("ip"):
        raise Skipped("hosts of the test-bed need root and iproute2")
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=False)
    if "shf" in listed.stdout:
        raise Skipped("hosts of the test-bed are already up for somebody else; `hosts down` removes them")
    made = subprocess.run(up(place), capture_output=True, text=True, check=False)
    if made.returncode != 0:
        subprocess.run([HOSTS, "down"], check=False, capture_output=True)
        raise Skipped(f"`{shlex.join(up(place))}` is not permitted here: " +
                      (made.stderr.strip().splitlines() or ["?"])[-1])
