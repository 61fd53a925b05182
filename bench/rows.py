# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""The rows that bench/run measures: what of ours, beside which peer, against which floor and bar.

A command's first word is a program in the build's bench/bin, or else a command of the system. The place says how it is
started: threads, openmpi, mpich (two ranks, one core each), crowded_openmpi, crowded_mpich, crowded (eight locations on
all cores), four_openmpi (four ranks, unbound), hosts (two hosts of the test-bed), plain (as it is),
or with a number, shape or rate (harness/placing.py). Figures are those of the reference machine, a two-core AVX-512
virtual machine; a floor measured in the same run is scaled by what the two figures were there.
"""

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Program:
    """One measured program: the command and its place; `wall` times the whole command instead of asking it."""

    command: str
    place: str = "threads"
    wall: bool = False
    env: tuple = ()


@dataclass(frozen=True)
class Floor:
    """What the peer must come near to: a program, whose value `scale` turns into the peer's unit, or a figure."""

    program: Optional[Program] = None
    scale: float = 1.0
    figure: Optional[float] = None
    fraction: float = 0.9


@dataclass(frozen=True)
class Row:
    """`rate` says that more is better, `inverse` that the ratio is the peer's over ours. Without a peer program, ours
    prints the peer's figure itself, as "peer". `or_peer` is the peer in another form; the better median counts.
    `allowed` names a cost that both print: the ratio is divided by what saving it allows, the peer's cost over ours."""

    key: str
    ours: Program
    peer: Optional[Program]
    peer_name: str
    unit: str
    bar: str
    rate: bool = False
    inverse: bool = False
    floor: Optional[Floor] = None
    runs: Optional[int] = None
    compare: Optional[str] = None
    allowed: Optional[str] = None
    or_peer: Optional[Program] = None


MPI_NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}
SPIN = (("OMP_WAIT_POLICY", "active"), ("OMP_PROC_BIND", "true"), ("OMP_NUM_THREADS", "2"))
LINE_ORDER = (("LC_ALL", "C"),)


def round_trips():
    yield Row("sync_rmi.thread", Program("sync_rmi"), Program("pingpong_atomic"), "bare atomic ping-pong", "ns",
              "<= 1.4", floor=Floor(Program("pingpong_atomic")))
    for mpi, bar in (("openmpi", "<= 1.4"), ("mpich", "<= 1.25")):
        yield Row(f"sync_rmi.mpi/{mpi}", Program("sync_rmi", mpi), Program(f"pingpong_mpi_{mpi}", mpi),
                  f"{MPI_NAMES[mpi]} Isend/Irecv/Test ping-pong", "ns", bar,
                  floor=Floor(Program(f"pingpong_mpi_{mpi} --blocking 1", mpi)))


def updates():
    for bits, scale in ((20, 140 / 140), (26, 55 / 57)):
        yield Row(f"async_rmi.thread/{bits}", Program(f"async_rmi --bits {bits}"),
                  Program(f"updates_thread --bits {bits}"), "hand-written pointer-trading aggregator", "M/s", ">= 1.0",
                  rate=True, floor=Floor(Program(f"floor_atomic_xor --bits {bits}"), scale))
    for mpi, figure in (("openmpi", 128), ("mpich", 125)):
        yield Row(f"async_rmi.mpi/{mpi}", Program("async_rmi --bits 20", mpi),
                  Program(f"updates_mpi_{mpi} --bits 20", mpi), f"hand-written Isend aggregator, {MPI_NAMES[mpi]}",
                  "M/s", ">= 0.9", rate=True, floor=Floor(Program("floor_atomic_xor --bits 20"), figure / 140))


def beside_aggregators(key, over_mpi, program, bar):
    """Random updates of one program beside those that aggregate by hand, on threads and over MPI."""
    for bits in (20, 26):
        yield Row(f"{key}/{bits}", Program(f"{program} --bits {bits}"), Program(f"updates_thread --bits {bits}"),
                  "hand-written pointer-trading aggregator", "M/s", bar, rate=True)
    for mpi in ("openmpi", "mpich"):
        yield Row(f"{over_mpi}/{mpi}", Program(f"{program} --bits 20", mpi), Program(f"updates_mpi_{mpi} --bits 20", mpi),
                  f"hand-written Isend aggregator, {MPI_NAMES[mpi]}", "M/s", bar, rate=True)


def messages():
    """Typed messages: the receiver's loop is plain, and it knows what to fetch."""
    yield from beside_aggregators("message.unordered", "message.mpi", "message --unordered 1", ">= 0.95")
    yield Row("message.ordered", Program("message --bits 20"), Program("async_rmi --bits 20"),
              "a bound call that does the same", "M/s", ">= 1.0", rate=True)
    for key, stream, policy, bar in (("unique/host", "doubles", "unique", ">= 1.5"),
                                     ("combine/host", "zipf", "combine", ">= 1.5"),
                                     ("useless", "distinct", "both", ">= 0.8")):
        yield Row(f"message.{key}", Program(f"policies --stream {stream} --policy {policy}"),
                  Program(f"policies --stream {stream}"), "the same without policies", "M/s", bar, rate=True)
    for policy, stream in (("unique", "doubles"), ("combine", "zipf")):
        yield Row(f"message.{policy}/hosts", Program(f"policies --stream {stream} --policy {policy}", "hosts:1gbit"),
                  Program(f"policies --stream {stream}", "hosts:1gbit"),
                  "without policies, over a link of 1 Gbit/s, times what the saved bytes allow", "M/s", ">= 0.8",
                  rate=True, allowed="bytes")
    for path in ("grid", "hypercube"):
        yield Row(f"message.routed/{path}", Program(f"routed --path {path}"), None,
                  "straight, 4,096 simulated locations under LogGP costs", "us", ">= 3", inverse=True, runs=1)
    for size in (8, 512, 32768, 1048576):
        yield Row(f"message.latency/thread{size}", Program(f"pingpong --form message --bytes {size}"),
                  Program(f"pingpong_shared --bytes {size}"), "copies into shared memory and a flag", "ns", "<= 1.4")
        for mpi in ("openmpi", "mpich"):
            yield Row(f"message.latency/{mpi}{size}", Program(f"pingpong --form message --bytes {size}", mpi),
                      Program(f"pingpong_mpi_{mpi} --bytes {size}", mpi),
                      f"{MPI_NAMES[mpi]} Isend/Irecv/Test ping-pong", "ns", "<= 1.4")
    yield Row("message.parallel", Program("parallel", "threads:1", env=(("SHEAF_PROGRESS", "helper"),)),
              Program("parallel", "threads:1"), "one thread", "M/s", ">= 1.7", rate=True)
    for key, flat in (("depth0", " --flat 1"), ("any", "")):
        yield Row(f"epoch.busy/{key}", Program(f"epochs{flat}"), Program("allreduce_mpi_openmpi", "openmpi"),
                  "Open MPI MPI_Allreduce", "ns", "<= 2")


def graphs():
    """Kernels on graphs of 2^20 vertices and 2^24 edges, made undirected."""
    for graph in ("kron", "uniform"):
        yield Row(f"graph.bfs.thread/{graph}20", Program(f"bfs --graph {graph}"),
                  Program(f"bfs_libgomp --graph {graph}", env=SPIN), "direction-optimizing search by OpenMP", "ms",
                  "<= 1.2")
        for kernel, peer, bar in (("pagerank", "pull in place", "<= 1.2"), ("cc", "Afforest", "<= 1.4"),
                                  ("triangles", "marked rows", "<= 1.4")):
            work = f"--kernel {kernel} --graph {graph}"
            yield Row(f"graph.{kernel}.thread/{graph}20", Program(f"analyses {work}"),
                      Program(f"analyses_libgomp {work}", env=SPIN), f"{peer} by OpenMP", "ms", bar)
    for graph in ("uniform", "kron"):
        yield Row(f"graph.sssp.thread/{graph}20", Program(f"sssp --graph {graph}"),
                  Program(f"sssp_libgomp --graph {graph}", env=SPIN), "Δ-stepping by OpenMP", "ms", "<= 1.4")
    for graph, name in (("kron", "rmat20"), ("sweep", "sweep")):
        yield Row(f"graph.scc/{name}", Program(f"scc --graph {graph}"), None, "Tarjan's algorithm by one thread", "ms",
                  ">= 1.5", inverse=True)
    for name, work in (("build/kron20", "--graph kron"), ("build/uniform20", "--graph uniform"),
                       ("load", "--file {lines:edges}")):
        yield Row(f"graph.{name}", Program(f"build {work}"), Program(f"build_libgomp {work}", env=SPIN),
                  "the same by OpenMP", "ms", "<= 1.2")
    work = "--graph uniform --cycle 1"
    yield Row("graph.explore", Program(f"explore {work}", "openmpi"), Program(f"explore_mpi_openmpi {work}", "openmpi"),
              "hand-written over Open MPI", "M/s", ">= 0.9", rate=True)
    for kernel, program in (("bfs", "bfs"), ("pagerank", "analyses --kernel pagerank")):
        yield Row(f"graph.host/{kernel}", Program(program, "openmpi"), Program(program), "two threads", "ms", "<= 1.15")


def graphs_over_mpi():
    """Searches of two processes: ours in the form that is best there, beside searches written by hand and those of
    Boost's Parallel BGL."""
    best = {"bfs/er18": "direction", "bfs/rmat20": "direction", "sssp/er18": "delta", "sssp/rmat20": "messages"}
    written = {"bfs": "direction-optimizing search", "sssp": "Δ-stepping"}
    for graph, work in (("er18", "--graph uniform --scale 18 --degree 9"), ("rmat20", "--graph kron --scale 20")):
        for kernel, by_hand, beside_boost in (("bfs", "<= 1.1", ">= 4"), ("sssp", "<= 1.2", ">= 5")):
            ours = Program(f"{kernel} {work} --form {best[f'{kernel}/{graph}']}", "openmpi")
            yield Row(f"graph.{kernel}.mpi/{graph}", ours, Program(f"{kernel}_mpi_openmpi {work}", "openmpi"),
                      f"hand-written {written[kernel]}, Open MPI", "ms", by_hand)
            yield from beside_parallel_bgl(f"graph.{kernel}.pbgl/{graph}", ours, f"{kernel}_pbgl {work}", beside_boost)
        yield from beside_parallel_bgl(f"graph.bfs.messages/{graph}", Program(f"bfs {work} --form messages", "openmpi"),
                                       f"bfs_pbgl {work}", ">= 1.5")


def beside_parallel_bgl(key, ours, peer, bar):
    yield Row(key, ours, Program(peer, "openmpi"), "Boost's Parallel BGL, the better of 1 and 2 ranks", "ms", bar,
              inverse=True, runs=3, or_peer=Program(peer, "openmpi:1"))


def spelt_plainly():
    """The README's spelling: no bind, and no companion that says what to prefetch."""
    yield from beside_aggregators("async_rmi.plain", "async_rmi.plain", "async_rmi --bare 1", ">= 0.75")


def crowds():
    """More locations than cores: what all of them do together."""
    count = "--bits 20 --count 4194304 --total 1"
    yield Row("async_rmi.crowded/thread8", Program(f"async_rmi {count}", "crowded"), Program(f"async_rmi {count}"),
              "two threads", "M/s", ">= 0.85", rate=True)
    for ranks, place in ((4, "four_openmpi"), (8, "crowded_openmpi")):
        yield Row(f"async_rmi.crowded/openmpi{ranks}", Program(f"async_rmi {count}", place),
                  Program(f"updates_mpi_openmpi {count} --best 1", place),
                  "hand-written Isend aggregator at its best capacity", "M/s", ">= 0.9", rate=True)


def hosts():
    """Processes of one host beside as many threads."""
    updates = "async_rmi --bits 20"
    for mpi in ("openmpi", "mpich"):
        yield Row(f"host.async/{mpi}", Program(updates, mpi), Program(updates), "two threads", "M/s", ">= 0.9",
                  rate=True)
        yield Row(f"host.sync/{mpi}", Program("sync_rmi", mpi), Program("sync_rmi"), "two threads", "ns", "<= 1.15",
                  runs=9)
        yield Row(f"host.stream/{mpi}", Program("stream", mpi), Program("floor_memcpy"),
                  "cold memcpy by one core", "GB/s", ">= 0.7", rate=True)
    yield Row("host.stream/view", Program("stream --view 1", "openmpi"), Program("floor_memcpy"),
              "cold memcpy by one core", "GB/s", ">= 0.8", rate=True)
    yield Row("host.hybrid", Program(updates, "openmpi:2x2"), Program(updates, "threads:4"), "four threads", "M/s",
              ">= 0.9", rate=True)
    yield Row("host.fence/2", Program("fence", "openmpi"), Program("fence"), "two threads", "ns", "<= 1.5")
    yield Row("host.fence/8", Program("fence", "crowded_openmpi"), Program("fence", "crowded"), "eight threads", "ns",
              "<= 1.5")


def pointers():
    for form, option in (("bound", ""), ("plain", " --plain 1")):
        yield Row(f"async_rmi.pointer/{form}", Program(f"async_rmi --bits 20 --pointer 1{option}"),
                  Program(f"async_rmi --bits 20{option}"), "the same with the method named at compile time", "M/s",
                  ">= 0.8", rate=True)
    for form, option in (("bound", ""), ("plain", " --plain 1")):
        yield Row(f"async_rmi.pointer.unnamed/{form}", Program(f"async_rmi --bits 20 --pointer 1 --unnamed 1{option}"),
                  Program(f"async_rmi --bits 20{option}"), "a method named at compile time; ours nowhere", "M/s",
                  ">= 0.8", rate=True)


def insight():
    yield Row("insight.cost", Program("async_rmi --bits 20"), Program("async_rmi_bare --bits 20"),
              "the same with SHEAF_INSIGHT=OFF", "M/s", ">= 0.97", rate=True)


def progress():
    yield Row("progress.helper", Program("progress_helper", env=(("SHEAF_PROGRESS", "helper"),)),
              Program("wakeup_condition"), "bare condition-variable wake-up, both ways", "ns", "<= 2.0")


def reads():
    for mode, bar in (("batch", ">= 0.7"), ("future", ">= 0.35")):
        yield Row(f"async_rmi.gather/{mode}", Program(f"gather --mode {mode}"), Program("gather_thread"),
                  "hand-written request/reply aggregator", "M/s", bar, rate=True,
                  floor=Floor(Program("floor_atomic_xor --bits 20"), 112 / 140))


def fences():
    yield Row("fence.thread", Program("fence"), Program("barrier_libgomp", env=SPIN), "libgomp barrier", "ns",
              "<= 2.0", floor=Floor(Program("pingpong_atomic"), 282 / 286))
    for mpi, scale in (("openmpi", 360 / 552), ("mpich", 870 / 790)):
        yield Row(f"fence.mpi/{mpi}", Program("fence", mpi), Program(f"barrier_mpi_{mpi}", mpi),
                  f"{MPI_NAMES[mpi]} MPI_Barrier", "ns", "<= 1.4",
                  floor=Floor(Program(f"pingpong_mpi_{mpi}", mpi), scale))
    yield Row("fence.crowded/thread", Program("fence", "crowded"),
              Program("barrier_mpi_openmpi", "crowded_openmpi"), "Open MPI MPI_Barrier of 8", "ns", "<= 0.5",
              floor=Floor(figure=16_000))
    for mpi, figure in (("openmpi", 16_000), ("mpich", 42_000_000)):
        yield Row(f"fence.crowded/{mpi}", Program("fence", f"crowded_{mpi}"),
                  Program(f"barrier_mpi_{mpi}", f"crowded_{mpi}"), f"{MPI_NAMES[mpi]} MPI_Barrier of 8", "ns",
                  "<= 1.3", floor=Floor(figure=figure))


def groups_of_locations():
    yield Row("broadcast.thread", Program("broadcast"), Program("broadcast_tree"), "hand-written tree of threads", "ns",
              "<= 1.5", floor=Floor(Program("pingpong_atomic"), 0.5))
    for mpi in ("openmpi", "mpich"):
        yield Row(f"reduce.mpi/{mpi}", Program("reduce", mpi), Program(f"allreduce_mpi_{mpi}", mpi),
                  f"{MPI_NAMES[mpi]} MPI_Allreduce", "ns", "<= 1.5")


def settings():
    for place, program in (("thread", Program("aggregation")), ("mpi", Program("aggregation", "openmpi")),
                           ("slow", Program("aggregation", "hosts"))):
        yield Row(f"aggregation.default/{place}", program, None, "best fixed factor", "us", "<= 1.15", runs=3)
    yield Row("poll.idle", Program("poll_idle"), None, "2 locations", "ns", "<= 4")


def sorts():
    size = "--size 50000000"
    yield Row("sort.ints/thread", Program(f"sort_ints {size}"), Program(f"sort_ints_tbb {size}"), "tbb::parallel_sort",
              "s", ">= 6", inverse=True, floor=Floor(Program(f"floor_vqsort {size}"), 2185 / 297))
    yield Row("sort.ints/mpi", Program(f"sort_ints {size}", "openmpi"),
              Program(f"sort_ints_mpi_openmpi {size}", "openmpi"), "hand-written MPI sample sort", "s", ">= 5",
              inverse=True, floor=Floor(Program(f"floor_vqsort {size}"), 2140 / 297))
    yield Row("sort.ints.same/thread", Program(f"sort_ints {size}"), Program(f"sort_ints_hand {size}"),
              "two threads partitioning by hand, vqsort", "s", "<= 1.5",
              floor=Floor(Program(f"floor_vqsort {size} --threads 2")))
    for lines, figure in (("random", 12.0), ("equal", 9.3), ("paths", 13.4)):
        yield Row(f"sort.lines/{lines}", Program(f"sheaf sort -o {{out}} {{lines:{lines}}}", wall=True),
                  Program(f"sort --parallel=2 -S 4G -o {{out}} {{lines:{lines}}}", "plain", True, LINE_ORDER),
                  "LC_ALL=C sort --parallel=2 -S 4G", "s", ">= 2.5", inverse=True, floor=Floor(figure=figure), runs=3,
                  compare=lines)


def compiling():
    command = "g++ -std=c++20 -O2 {includes} -c {bench}/harness/compile/%s.cpp -o {out}"
    plain = (("CCACHE_DISABLE", "1"),)
    yield Row("compile", Program(command % "with_sheaf", "plain", True, plain),
              Program(command % "with_std", "plain", True, plain), "<vector> and <string>", "s", "<= 2.0", runs=21)


def of_the_papers():
    """What the papers measure: bench/paper/run has all of it, these rows have bars."""
    yield Row("rmi.local", Program("rmi_local"), Program("method_call"), "direct call that is not inlined", "ns",
              "<= 5")
    yield Row("inner_product/thread", Program("inner_product"), Program("inner_product_libgomp", env=SPIN),
              "OpenMP reduction", "ms", "<= 1.05")
    yield Row("inner_product/mpi", Program("inner_product", "openmpi"),
              Program("inner_product_mpi_openmpi", "openmpi"), "Open MPI MPI_Allreduce", "ms", "<= 1.05")
    yield Row("jacobi/hybrid", Program("jacobi", "openmpi:2x2"),
              Program("jacobi_hybrid_mpi_openmpi --spin 0", "openmpi:2x2"), "hand-written OpenMP in Open MPI", "ms",
              "<= 1.05")
    yield Row("jacobi/mpi", Program("jacobi", "openmpi"), Program("jacobi_mpi_openmpi", "openmpi"),
              "hand-written Isend/Irecv, Open MPI", "ms", "<= 1.05")


def armci():
    """Programs over ARMCI and Global Arrays, linked with ours and with Debian's ARMCI-MPI."""
    for op, words in (("get8", "--op get"), ("put8", "--op put"), ("rmw", "--op rmw")):
        for mpi, bar in (("openmpi", ">= 3"), ("mpich", ">= 30")):
            yield beside_armci_mpi(f"armci.{op}/{mpi}", f"armci_word%s_{mpi} {words}", mpi, "ns", bar)
    for size, bar in ((8, ">= 0.4"), (32, ">= 0.85"), (128, ">= 0.9"), (512, ">= 0.95")):
        yield Row(f"armci.strided/{size}", Program(f"armci_section_openmpi --op both --size {size} --beside loop", "openmpi"),
                  None, "memcpy of the rows, the worse of get and put", "GB/s", bar, rate=True)
    work = "--op acc_both --size 512"
    yield Row("armci.accumulate/daxpy", Program(f"armci_section_openmpi {work} --beside loop", "openmpi"), None,
              "a local daxpy loop, the worse of contiguous and strided", "GB/s", ">= 0.8", rate=True)
    yield beside_armci_mpi("armci.accumulate/mpich", f"armci_section%s_mpich {work}", "mpich", "GB/s", ">= 8", rate=True)
    for mpi in ("openmpi", "mpich"):
        for size, bar in ((8, ">= 1.5"), (32, ">= 1.5"), (128, ">= 1.3"), (512, ">= 1.0")):
            yield beside_armci_mpi(f"ga.patch.{mpi}/{size}", f"ga_patch%s_{mpi} --size {size}", mpi, "ns",
                                   bar if mpi == "openmpi" else ">= 3")
        yield beside_armci_mpi(f"ga.scf/{mpi}", f"ga_scf%s_{mpi}", mpi, "ms", ">= 0")


def one_sided_memory():
    """Operations on memory of other locations: of one host, and of another."""
    for name, place in (("thread", "threads"), ("openmpi", "openmpi")):
        yield Row(f"memory.fetch_add/{name}", Program("fetch_add", place), Program("contended_atomic"),
                  "two threads adding to one std::atomic", "ns", "<= 1.5")
    yield Row("memory.asleep", Program("asleep", "openmpi"), None,
              "the same while the target polls, the worst operation", "ns", "<= 2")
    for form, strided in (("stream", 0), ("strided", 1)):
        yield Row(f"memory.hosts/{form}", Program(f"far_memory --form {form}", "hosts"),
                  Program(f"far_mpi_openmpi --strided {strided}", "hosts"),
                  "Open MPI Isend/Recv of the same bytes, the worse of put and get", "GB/s", ">= 0.7", rate=True)
    for key, target, bar in (("poll8", "polls", "<= 1.4"), ("compute8", "computes", "<= 10")):
        yield Row(f"memory.hosts/{key}", Program(f"far_memory --form word --target {target}", "hosts"),
                  Program("pingpong_mpi_openmpi", "hosts"), "Open MPI Isend/Irecv/Test ping-pong", "ns", bar)


def distributed_arrays():
    """Adlib's collective copies, on two processes."""
    for mpi in ("openmpi", "mpich"):
        for size in (1024, 4096):
            yield Row(f"remap.{mpi}/{size}", Program(f"remap --size {size}", mpi),
                      Program(f"remap_mpi_{mpi} --size {size}", mpi),
                      f"{MPI_NAMES[mpi]} MPI_Alltoallw with subarray types", "us", ">= 1.3", inverse=True)
        peer = f"array_gather_mpi_{mpi}"
        yield Row(f"view.gather/{mpi}", Program("array_gather", mpi), Program(peer, mpi),
                  f"{MPI_NAMES[mpi]} MPI_Alltoallv, or MPI_Alltoallw with indexed types if that is better", "ms", ">= 0",
                  inverse=True, or_peer=Program(f"{peer} --form types --reps 3", mpi))


def beside_armci_mpi(key, command, mpi, unit, bar, rate=False):
    """One source, linked with ours and with the peer; where it has several parts, the worst counts."""
    return Row(key, Program(command % "", mpi), Program(command % "_debian", mpi), f"ARMCI-MPI over {MPI_NAMES[mpi]}",
               unit, bar, rate=rate, inverse=not rate)


def dmcs():
    """Messages of DMCS beside the MPI messages that its paper sends, and netsort beside the same over MPI."""
    for form, what in (("rsr", "one message"), ("put_op", "two messages")):
        for mpi, name in MPI_NAMES.items():
            yield Row(f"dmcs.{form}/{mpi}", Program(f"dmcs_messages --form {form}", mpi),
                      Program(f"messages_mpi_{mpi} --form {form}", mpi), f"{name} Isend/Irecv/Test, {what}", "ns", "<= 1.05")
        yield Row(f"dmcs.hosts/{form}", Program(f"dmcs_messages --form {form}", "hosts"),
                  Program(f"messages_mpi_openmpi --form {form}", "hosts"), f"Open MPI Isend/Irecv/Test, {what}", "ns",
                  "<= 1.1")
    yield Row("dmcs.rate", Program("dmcs_messages --form rate", "openmpi"),
              Program("messages_mpi_openmpi --form rate", "openmpi"), "Open MPI, a message for each", "M/s", ">= 10", rate=True)
    yield Row("netsort/static", Program("netsort_static", "openmpi"), Program("netsort_static_mpi_openmpi", "openmpi"),
              "the same in C over Open MPI, a message for each", "ms", "<= 1.05")
    yield Row("netsort/mobile", Program("netsort_mobile", "openmpi"), Program("netsort_mobile_mpi_openmpi", "openmpi"),
              "one message per move, request and reply, Open MPI", "ms", "<= 0.5")


def all_rows():
    groups = (spelt_plainly(), reads(), updates(), crowds(), round_trips(), fences(), groups_of_locations(), hosts(),
              pointers(), messages(), graphs(), graphs_over_mpi(), progress(), insight(), settings(), sorts(),
              one_sided_memory(), distributed_arrays(), armci(), dmcs(), of_the_papers(), compiling())
    return [row for group in groups for row in group]
