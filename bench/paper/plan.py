# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""What is measured: the papers' tables and figures, each a list of lines; the programs of one line run in turn."""

from dataclasses import dataclass, field

from harness import placing
from paper import cited
from rows import Program

LIBRARIES = {"openmpi": "Open MPI", "mpich": "MPICH"}


@dataclass(frozen=True)
class Against:
    """A column of ratios: one program's value over another's; `bar` is the most that it may be."""

    name: str
    ours: str
    peer: str
    bar: float = 0


@dataclass
class Line:
    """One line of a table: its label, its place on a picture's axis, and a program for each column. Programs that print
    several "parts" have a line for each `part`, and run once for all lines."""

    label: str
    x: float
    programs: dict
    cited: str = ""
    part: str = ""


@dataclass
class Table:
    """A `curve` is printed whole by each of its programs, as "points". `over` names the program of an only line that
    the others are compared with, each in a row of its own; what the paper had for them is `cited_calls`."""

    key: str
    title: str
    source: str
    unit: str
    label: str
    lines: list
    ratios: list = field(default_factory=list)
    cited: str = ""
    says: str = ""
    curve: bool = False
    over: str = ""
    cited_calls: dict = field(default_factory=dict)
    picture: str = ""
    runs: int = 3
    scale: float = 1.0

    def columns(self):
        return list(dict.fromkeys(name for line in self.lines for name in line.programs))


def openmp(threads):
    """As an expert starts OpenMP: bound and spinning where there is a core for each thread, else neither."""
    settings = (("OMP_NUM_THREADS", str(threads)),)
    return settings + (SPINNING if threads <= placing.CORES else (("OMP_WAIT_POLICY", "passive"),))


SPINNING = (("OMP_WAIT_POLICY", "active"), ("OMP_PROC_BIND", "true"))


class Sizes:
    """How much work a program gets: the papers', or next to none to see that everything runs."""

    def __init__(self, quick):
        self.quick = quick

    def of(self, paper, quick):
        return quick if self.quick else paper

    def program(self, command, place="threads:2", env=()):
        return Program(command + (" --reps 1" if self.quick else ""), place, env=env)

    def libraries(self):
        """For tables whose programs take the same way over each MPI library: a quick run has one."""
        return {"openmpi": LIBRARIES["openmpi"]} if self.quick else LIBRARIES


def method_calls(sizes):
    count = sizes.of("", " --count 100")
    calls = (("direct", "method_call --form direct"), ("method pointer", "method_call --form pointer"),
             ("virtual method", "method_call --form virtual"))
    ours = (("async, method named at compile time", "async"), ("async, named and bound for a loop", "bound"),
            ("async, given a pointer", "pointer"), ("async, given a pointer, bound for a loop", "bound_pointer"),
            ("ask, a thousand under way", "opaque"), ("sync", "sync"))
    programs = calls + tuple((name, f"rmi_local --form {form}") for name, form in ours)
    together = {name: sizes.program(command + count) for name, command in programs}
    yield Table("method-calls", "Method overhead", "ARMI, Table 1", "ns", "call",
                [Line("all", 0, together)], over="direct", picture="bars", cited_calls=cited.METHOD_CALLS,
                cited="the paper, on V2200 · O3800 · Regatta · RS6000",
                says="A method that adds to a number and is not inlined. Requests go from a location to itself.")


def latency(sizes):
    lines = [Line("threads", 0, {"explicit": sizes.program("pingpong_atomic"),
                                 "async": sizes.program("pingpong --form async"),
                                 "sync": sizes.program("pingpong --form sync")}, cited.LATENCY["threads"])]
    for mpi, name in LIBRARIES.items():
        place = f"{mpi}:2"
        lines.append(Line(name, 0, {"explicit": sizes.program(f"pingpong_mpi_{mpi} --blocking 1", place),
                                    "async": sizes.program("pingpong --form async", place),
                                    "sync": sizes.program("pingpong --form sync", place)}, cited.LATENCY["mpi"]))
    yield Table("latency", "Latency of a ping and its pong", "ARMI, Table 2; STAPL, Table 1", "ns", "over", lines,
                [Against("async / explicit", "async", "explicit"),
                 Against("sync / explicit", "sync", "explicit")],
                "the paper, us, explicit: async/sync, on V2200 · O3800 · Regatta · RS6000",
                "Explicit is an atomic variable each way, or MPI_Send and MPI_Recv. An async call waits in its buffer "
                "until its location has nothing else to do. A sync call goes at once. The time that a cache line "
                "takes between cores changes by the minute in a virtual machine: compare within a row.", picture="bars")
    lines = []
    for size in (8, 64, 512, 4096, 32768):
        both = {"shared memory": sizes.program(f"pingpong_shared --bytes {size}")}
        both["sync, threads"] = sizes.program(f"pingpong --form sync --bytes {size}")
        both["MPI_Send/Recv"] = sizes.program(f"pingpong_mpi_openmpi --blocking 1 --bytes {size}", "openmpi:2")
        both["sync, Open MPI"] = sizes.program(f"pingpong --form sync --bytes {size}", "openmpi:2")
        lines.append(Line(str(size), size, both))
    yield Table("latency-sizes", "Latency by size", "not in the papers", "ns", "bytes each way", lines,
                [Against("threads", "sync, threads", "shared memory"),
                 Against("Open MPI", "sync, Open MPI", "MPI_Send/Recv")],
                says="From 64 bytes on argument and answer are a new `std::vector`. The peers copy into existing memory.", picture="log")


def message_latency(sizes):
    lines = []
    for size in sizes.of((8, 64, 512, 4096, 32768, 262144, 1048576, 4194304), (8, 512)):
        both = {"shared memory": sizes.program(f"pingpong_shared --bytes {size}"),
                "messages, threads": sizes.program(f"pingpong --form message --bytes {size}")}
        for mpi, name in LIBRARIES.items():
            both[f"{name} Isend"] = sizes.program(f"pingpong_mpi_{mpi} --bytes {size}", f"{mpi}:2")
            both[f"messages, {name}"] = sizes.program(f"pingpong --form message --bytes {size}", f"{mpi}:2")
        lines.append(Line(str(size), size, both))
    ratios = [Against("threads", "messages, threads", "shared memory")]
    ratios += [Against(name, f"messages, {name}", f"{name} Isend") for name in LIBRARIES.values()]
    yield Table("message-latency", "Latency of typed messages by size", "AM++, Fig. 4", "ns", "bytes each way", lines, ratios,
                says="A message there and one back; divide twice the bytes by the time for the bandwidth. Blocks go from a "
                     "vector to a vector that exists. In the paper AM++'s latency was within 0.6 us of GASNet's over MPI, "
                     "and within 3.1 us of GASNet's over InfiniBand.", picture="log-log")


def aggregation(sizes):
    for place, name, peers in (
            ("threads:2", "threads", {"a ring, entry by entry": "pings_thread"}),
            ("openmpi:2", "Open MPI", {"MPI_Send each": "pings_mpi_openmpi --window 1",
                                       "MPI_Isend, 64 at a time": "pings_mpi_openmpi --window 64"})):
        programs = {n: sizes.program(p, place) for n, p in peers.items()}
        yield Table("aggregation-" + place.split(":")[0], f"Many pings before a pong, {name}", "ARMI, Fig. 6; STAPL, "
                    "Figs. 2 and 3", "us", "pings", [Line("all", 0, {"async": sizes.program("aggregation", place),
                                                                    **programs})],
                    curve=True, picture="log-log", cited="",
                    says="n pings of 8 bytes and one pong: by the default setting, by fixed numbers of pings in a buffer, and by "
                         "a peer without aggregation. In the paper ARMI over MPI was faster than MPI from 10 pings on, "
                         "15-fold at 10,000, and best with 256 in a buffer; with Pthreads 3-fold.")


def fences(sizes):
    lines = []
    for n in sizes.of((1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 5)):
        programs = {"libgomp barrier": sizes.program(f"barrier_libgomp --threads {n}", f"threads:{n}", openmp(n)),
                    "pthread barrier": sizes.program(f"barrier_pthread --threads {n}"),
                    "fence, threads": sizes.program("fence", f"threads:{n}")}
        lines.append(Line(str(n), n, programs))
    ratios = [Against("threads / libgomp", "fence, threads", "libgomp barrier"),
              Against("threads / pthread", "fence, threads", "pthread barrier")]
    yield Table("fence-threads", "A fence beside barriers, threads", "STAPL, Fig. 4", "ns", "locations", lines, ratios,
                picture="log-y", says="An idle fence, which also detects that no request is left. In the paper polling "
                "and this detection cost up to 23 %. Beyond two locations they share this machine's two cores.")
    lines = []
    for n in sizes.of((1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 5)):
        programs = {}
        for mpi, name in LIBRARIES.items():
            programs[f"{name} MPI_Barrier"] = sizes.program(f"barrier_mpi_{mpi}", f"{mpi}:{n}")
            programs[f"fence, {name}"] = sizes.program("fence", f"{mpi}:{n}")
        if n % 2 == 0:  # two processes of n/2 threads
            programs["fence, hybrid"] = sizes.program("fence", f"openmpi:2x{n // 2}")
        lines.append(Line(str(n), n, programs))
    ratios = [Against("Open MPI", "fence, Open MPI", "Open MPI MPI_Barrier"),
              Against("MPICH", "fence, MPICH", "MPICH MPI_Barrier"),
              Against("hybrid / Open MPI", "fence, hybrid", "Open MPI MPI_Barrier")]
    yield Table("fence-mpi", "A fence beside barriers, MPI", "STAPL, Fig. 5", "ns", "locations", lines, ratios,
                picture="log-y", says="An idle fence between processes. Hybrid is two processes of n/2 threads, over "
                "Open MPI.")


def inner_products(sizes):
    size = sizes.of(40_000_000, 40_000)
    lines = []
    for n in (1, 2, 4):
        lines.append(Line(str(n), n, {
            "OpenMP": sizes.program(f"inner_product_libgomp --size {size}", f"threads:{n}", openmp(n)),
            "threads": sizes.program(f"inner_product --size {size}", f"threads:{n}")}, cited.INNER_PRODUCT["threads"][n]))
    yield Table("inner-product-threads", "Inner product of 40 million doubles, threads", "STAPL, Table 2", "ms",
                "locations", lines, [Against("threads / OpenMP", "threads", "OpenMP")],
                "the paper, s, explicit: STAPL, on V2200 · O3800",
                "A vector with itself. All programs have one loop over a location's part, then all_reduce or OpenMP's "
                "reduction.", picture="bars")
    lines = []
    for n in (1, 2, 4):
        lines.append(Line(str(n), n, {
            "MPI_Allreduce": sizes.program(f"inner_product_mpi_openmpi --size {size}", f"openmpi:{n}"),
            "Open MPI": sizes.program(f"inner_product --size {size}", f"openmpi:{n}")}, cited.INNER_PRODUCT["mpi"][n]))
    yield Table("inner-product-mpi", "Inner product of 40 million doubles, MPI", "STAPL, Table 3", "ms", "locations",
                lines, [Against("Sheaf / hand-written", "Open MPI", "MPI_Allreduce")],
                "the paper, s, explicit: STAPL, on V2200 · O3800 · Cluster",
                "Between processes, with all_reduce or MPI_Allreduce.", picture="bars")


def sorts(sizes):
    for count, name, figure in ((1_000_000, "1 million", "ARMI, Fig. 7; STAPL, Figs. 6 and 7"),
                                (50_000_000, "50 million", "ARMI, Fig. 8")):
        work = f"--size {sizes.of(count, count // 500)}" + ("" if sizes.quick else " --reps 3")
        lines = []
        for n in (1, 2, 4):
            programs = {"MPI, std::sort": sizes.program(f"sort_ints_mpi_openmpi {work}", f"openmpi:{n}"),
                        "MPI, vqsort": sizes.program(f"sort_ints_mpi_openmpi --local vqsort {work}", f"openmpi:{n}"),
                        "Sheaf, Open MPI": sizes.program(f"sort_ints {work}", f"openmpi:{n}"),
                        "Sheaf, threads": sizes.program(f"sort_ints {work}", f"threads:{n}")}
            if n > 1:
                programs["Sheaf, hybrid"] = sizes.program(f"sort_ints {work}", f"openmpi:{n // 2}x2")
            lines.append(Line(str(n), n, programs))
        yield Table(f"sort-{name.split()[0]}M", f"Sample sort of {name} integers", figure, "ms", "locations", lines,
                    [Against("Open MPI / std::sort", "Sheaf, Open MPI", "MPI, std::sort"),
                     Against("Open MPI / vqsort", "Sheaf, Open MPI", "MPI, vqsort"),
                     Against("threads / vqsort", "Sheaf, threads", "MPI, vqsort")], scale=1000.0, picture="log-y",
                    says="Sheaf sends each integer as a request of its own. The hand-written program exchanges whole "
                         "buckets by MPI_Alltoallv, and sorts them by std::sort, or by the vqsort that Sheaf uses. All "
                         "allocate before. In the paper ARMI over threads was faster than hand-written MPI at both "
                         "sizes, ARMI over MPI slower at 50 million.")


def jacobi(sizes):
    work = sizes.of("", " --size 20 --iterations 5")
    lines = []
    for n, shape in ((1, "1x1"), (2, "1x2"), (4, "2x2"), (8, "2x4")):
        spin = "" if n <= placing.CORES else " --spin 0"
        lines.append(Line(f"{n} ({shape})", n, {
            "hand-written MPI": sizes.program("jacobi_mpi_openmpi" + work, f"openmpi:{n}"),
            "hand-written MPI + OpenMP": sizes.program("jacobi_hybrid_mpi_openmpi" + spin + work, f"openmpi:{shape}"),
            "Sheaf, MPI": sizes.program("jacobi" + work, f"openmpi:{n}"),
            "Sheaf, hybrid": sizes.program("jacobi" + work, f"openmpi:{shape}")}))
    yield Table("jacobi", "Jacobi iteration in mixed mode", "ARMI, Fig. 10", "ms", "locations (processes × threads)",
                lines, [Against("MPI / MPI", "Sheaf, MPI", "hand-written MPI"),
                        Against("hybrid / hybrid", "Sheaf, hybrid", "hand-written MPI + OpenMP")], picture="log",
                says="500×500 points for each location, 200 iterations, the grid cut by rows. All programs have one loop "
                     "over a row, and give equal bits. In the paper mixed mode was a little faster than ARMI over MPI, "
                     "and both near hand-written MPI. On two cores more than two locations take turns.")


def explorations(sizes):
    for key, name, scales, source in (
            ("weak", "500,000 vertices each", {1: 19, 2: 20, 4: 21}, "5 million vertices a node"),
            ("strong", "2 million vertices", {1: 21, 2: 21, 4: 21}, "15 million vertices")):
        lines = []
        for n in (1, 2, 4):
            work = f"--graph uniform --degree 8 --cycle 1 --scale {sizes.of(scales[n], 8)}" + sizes.of(" --reps 3", "")
            programs = {"hand-written MPI": sizes.program(f"explore_mpi_openmpi {work}", f"openmpi:{n}")}
            for form in ("nested", "queue"):
                programs[f"{form}, Open MPI"] = sizes.program(f"explore --form {form} {work}", f"openmpi:{n}")
                programs[f"{form}, threads"] = sizes.program(f"explore --form {form} {work}", f"threads:{n}")
            lines.append(Line(str(n), n, programs))
        yield Table(f"explore-{key}", f"Exploration of a random graph, {name}", "AM++, Fig. 5", "M edges/s", "locations",
                    lines, [Against("nested / by hand", "hand-written MPI", "nested, Open MPI"),
                            Against("nested / queue, MPI", "queue, Open MPI", "nested, Open MPI"),
                            Against("nested / queue, threads", "queue, threads", "nested, threads")], picture="log-log",
                    says="Erdős–Rényi graphs of degree 8 and a cycle through all vertices; each is explored once. Nested: "
                         "a handler explores what it reaches here by a stack, and sends to others' vertices. Queue: it "
                         "puts its vertex into a queue, and answers, so that senders can count what is under way. Ratios "
                         f"are of times. The paper had {source}; its nested form was faster than its queue-based one.")


def searches(sizes):
    graph = sizes.of("--graph uniform --scale 18 --degree 9", "--graph uniform --scale 8 --degree 4 --searches 2")
    for kernel, name, number in (("bfs", "Breadth-first search", 6), ("sssp", "Shortest paths by Δ-stepping", 7)):
        lines = []
        for n in (1, 2, 4):
            places = {"threads": f"threads:{n}", "Open MPI": f"openmpi:{n}"}
            programs = {"Parallel BGL": sizes.program(f"{kernel}_pbgl {graph}", places["Open MPI"]),
                        "by hand, MPI": sizes.program(f"{kernel}_mpi_openmpi {graph}", places["Open MPI"])}
            for over, place in places.items():
                programs[f"in rounds, {over}"] = sizes.program(f"{kernel} {graph}", place)
                programs[f"messages, {over}"] = sizes.program(f"{kernel} {graph} --form messages", place)
            lines.append(Line(str(n), n, programs))
        yield Table(f"search-{kernel}", f"{name} beside Parallel BGL", f"AM++, Fig. {number}", "ms", "locations", lines,
                    [Against("messages / Parallel BGL", "messages, Open MPI", "Parallel BGL"),
                     Against("rounds / Parallel BGL", "in rounds, Open MPI", "Parallel BGL")], picture="log-log",
                    says="An Erdős–Rényi graph of 2^18 vertices and 2.36 million edges, kept in both directions, the same "
                         "roots for all. Parallel BGL is Debian's, over Open MPI. In rounds: an epoch for each level or "
                         "bucket; messages: one epoch. Four locations share this machine's two cores. In the paper AM++ "
                         "was faster than Parallel BGL, which stopped scaling at 64 nodes or fewer.")


def duplicates(sizes):
    lines = []
    for graph in ("uniform", "kron"):
        for place, name in (("threads:2", "threads"), ("openmpi:2", "Open MPI")):
            work = f"bfs_duplicates --graph {graph} --scale {sizes.of(18, 8)}"
            removals = {"none": "none", "unique": "unique", "unique_exactly": "exact", "a bit per ghost": "ghosts"}
            lines.append(Line(f"{graph}, {name}", 0, {column: sizes.program(f"{work} --removal {removal}", place)
                                                      for column, removal in removals.items()}))
    yield Table("bfs-duplicates", "Removal of duplicates in a breadth-first search", "AM++, §4.3.1", "ms", "graph, over", lines,
                [Against("unique / none", "unique", "none"), Against("exactly / none", "unique_exactly", "none"),
                 Against("bit / none", "a bit per ghost", "none")], picture="bars",
                says="A message for each edge to another location; its handler looks whether the vertex is known. The "
                     "policies remove messages to a vertex that was sent to in the same level; the graph's ghosts have room "
                     "for a bit that says so for all levels. In the paper removal brought nothing.")


def strong_components(sizes):
    meshes = f"scc_meshes --meshes {sizes.of(10, 1)}"
    factors = {"none": 1, "5": 5, "10": 10, "25": 25, "50": 50, "75": 75, "100": 100, "250": 250, "default": 0}
    lines = []
    for n in sizes.of((1, 2, 4, 8, 16), (1, 3)):
        lines.append(Line(str(n), n, {name: sizes.program(f"{meshes} --factor {factor}", f"threads:{n}")
                                      for name, factor in factors.items()}))
    yield Table("scc-scaling", "Strongly connected components by aggregation", "ARMI, Fig. 9", "ms", "locations", lines,
                picture="log-log", says=MESHES + " Columns: requests in a buffer. Beyond two locations they share this "
                "machine's two cores. In the paper it was slow without aggregation, and slower with 100 in a buffer than with 75.")
    lines = []
    for factor in sizes.of((1, 5, 10, 25, 50, 75, 100, 250, 500), (1, 500)):
        lines.append(Line(str(factor), factor, {
            name: sizes.program(f"{meshes} --factor {factor}", place)
            for place, name in (("threads:2", "threads"), ("openmpi:2", "Open MPI"), ("mpich:2", "MPICH"))}))
    yield Table("scc-aggregation", "Strongly connected components on two locations", "ARMI, Fig. 9", "ms",
                "requests in a buffer", lines, [Against("Open MPI / threads", "Open MPI", "threads")],
                picture="log-log", says=MESHES)
    lines = []
    for n in sizes.of((1, 2, 4, 8, 16, 32, 64, 128), (1, 2, 5)):
        programs = {"simulated": sizes.program(f"{meshes} --count rounds", f"threads:{n}", SIMULATED)}
        if n <= 16:
            programs["threads"] = sizes.program(f"{meshes} --count rounds", f"threads:{n}")
        lines.append(Line(str(n), n, programs, cited.ROUNDS.get(n, "")))
    yield Table("scc-rounds", "Rounds to all strongly connected components", "ARMI, §5.3", "rounds", "locations", lines,
                picture="log-log", runs=1, cited="the paper", says=MESHES + " A round finds one component for each location.")


def sections(sizes):
    """ARMCI's paper: sections of a matrix of 1024 rows, the gather of every third double, and its introduction's example."""
    squares = [(str(n), n, f"--size {n}") for n in sizes.of((1, 2, 4, 8, 16, 32, 64, 128, 256, 512), (32,))]
    thirds = [(str(n), n, f"--width 1 --stride 3 --count {n}") for n in sizes.of((1, 10, 100, 1000, 10000, 100000), (100,))]
    for mpi, name in sizes.libraries().items():
        for op in ("get", "put", "acc"):
            yield section_table(f"armci-{op}-{mpi}", f"Strided {op} of square sections, {name}", "ARMCI, Fig. 4",
                                "rows and columns", section_lines(sizes, mpi, op, "strided", squares), SQUARES)
        yield section_table(f"armci-gather-{mpi}", f"Gather of every third double, {name}", "ARMCI, Fig. 5", "doubles",
                            section_lines(sizes, mpi, "get", "vector", thirds), THIRDS)
        example = [(op, 0, "--width 2 --count 100 --stride 10") for op in ("get", "put", "acc")]
        lines = [line for row in example for line in section_lines(sizes, mpi, row[0], "strided", [row])]
        yield section_table(f"armci-columns-{mpi}", f"A section of 2×100 of 10×300 doubles, {name}", "ARMCI, Section 1",
                            "operation", lines, COLUMNS, picture="bars")


def section_lines(sizes, mpi, op, form, works):
    place = f"{mpi}:2"
    return [Line(label, x, {
        "Sheaf": sizes.program(f"armci_section_{mpi} --op {op} --form {form} {work}", place),
        "ARMCI-MPI": sizes.program(f"armci_section_debian_{mpi} --op {op} --form {form} {work}", place),
        "ARMCI-MPI, pieces": sizes.program(f"armci_section_debian_{mpi} --op {op} --form pieces {work}", place),
        "MPI, datatype": sizes.program(f"section_mpi_{mpi} --op {op} --form vector {work}", place),
        "MPI, pieces": sizes.program(f"section_mpi_{mpi} --op {op} --form pieces {work}", place),
        "loop": sizes.program(f"section_mpi_{mpi} --op {op} --form loop {work}", place)}) for label, x, work in works]


def section_table(key, title, source, label, lines, says, picture="log-log"):
    others = ("ARMCI-MPI", "MPI, datatype", "MPI, pieces", "loop")
    return Table(key, title, source, "GB/s", label, lines, [Against(f"over {other}", "Sheaf", other) for other in others],
                 says=says + PIECES, picture=picture)


def words_of_others(sizes):
    for key, title, source, count, states, ops in (
            ("armci-targets", "Eight bytes of a process that does something else", "not in the papers", 2,
             {"waiting in a barrier": "wait", "sleeping": "sleep", "computing": "compute"}, ("get", "put", "rmw")),
            ("armci-three", "Eight bytes of three sleeping processes in turn", "not in the papers", 4,
             {"sleeping": "sleep"}, ("get", "put", "rmw"))):
        lines = []
        for op in ops:
            for state, option in states.items():
                programs, work = {}, f"--op {op} --target {option}"
                for mpi, name in sizes.libraries().items():
                    programs[f"Sheaf, {name}"] = sizes.program(f"armci_word_{mpi} {work}", f"{mpi}:{count}")
                    programs[f"ARMCI-MPI, {name}"] = sizes.program(f"armci_word_debian_{mpi} {work}", f"{mpi}:{count}")
                lines.append(Line(f"{op}, {state}", 0, programs))
        yield Table(key, title, source, "ns", "operation, and the other", lines,
                    [Against(name, f"Sheaf, {name}", f"ARMCI-MPI, {name}") for name in sizes.libraries().values()],
                    says="Blocking get and fetch-and-add, and puts with one fence. The others sleep or compute for 20 ms "
                         "at a time without a call; operations of 5 ms of that, each with a look at the clock, are counted, "
                         "with what an operation waits for the end of that time. A waiting one polls in ARMCI_Barrier.")


def beside_mpi(sizes, title, count, command, peer):
    """Programs of columns for each MPI library: the peer's, called by the library's name and `title`, and ours."""
    programs = {}
    for mpi, name in sizes.libraries().items():
        programs[f"{name} {title}"] = sizes.program(peer.replace("MPI", mpi), f"{mpi}:{count}")
        programs[f"Sheaf, {name}"] = sizes.program(command, f"{mpi}:{count}")
    return programs


def over_mpi(sizes, title, bar):
    return [Against(name, f"Sheaf, {name}", f"{name} {title}", bar) for name in sizes.libraries().values()]


def remaps(sizes):
    for count, key, name in ((2, "adlib-remap", "two processes"), (4, "adlib-remap-four", "four processes")):
        lines = []
        for n in sizes.of((16, 64, 256, 1024, 4096), (65,)):
            work = f"--size {n}" + sizes.of(" --reps 5", "")
            lines.append(Line(str(n), n, beside_mpi(sizes, "MPI_Alltoallw", count, f"remap {work}", f"remap_mpi_MPI {work}")))
        yield Table(key, f"a(block, *) = b(*, block) of N×N doubles, {name}", "ARMCI, Fig. 6", "us", "N", lines,
                    over_mpi(sizes, "MPI_Alltoallw", 1 / 1.3), says=REMAP, picture="log-log")


def gathers(sizes):
    lines = []
    for n in sizes.of((4000, 40000, 400000, 4000000), (1000,)):
        work, few = f"--size {n}", sizes.of(" --reps 3", "")
        programs = {}
        for mpi, name in sizes.libraries().items():
            place, peer = f"{mpi}:2", f"array_gather_mpi_{mpi} {work}"
            programs[f"{name} Alltoallv"] = sizes.program(peer, place)
            programs[f"{name} Alltoallw"] = sizes.program(f"{peer} --form types{few}", place)
            programs[f"Sheaf, {name}"] = sizes.program(f"array_gather {work}", place)
        lines.append(Line(str(n), n, programs))
    ratios = [Against(f"{name} {form}", f"Sheaf, {name}", f"{name} {form}")
              for name in sizes.libraries().values() for form in ("Alltoallv", "Alltoallw")]
    yield Table("adlib-gather", "to(i) = from(at(i)) of N doubles, two processes", "not in the papers", "ms", "N", lines, ratios,
                says=GATHER, picture="log-log")


def services(sizes):
    """DMCS's paper: requests, and data with a handler, beside the MPI messages that it sends for them."""
    for form, key, title, source, labels, picture in (
            ("rsr", "dmcs-rsr", "Requests of DMCS with 0 to 4 arguments", "DMCS, Tables 1 and 3", cited.RSR, "bars"),
            ("put_op", "dmcs-put-op", "put_op of DMCS by size", "DMCS, Tables 2 and 4, Fig. 4", cited.PUT_OP, "log-log")):
        work = f"--form {form}" + sizes.of("", " --count 50")
        programs = beside_mpi(sizes, "Isend", 2, f"dmcs_messages {work}", f"messages_mpi_MPI {work}")
        lines = [Line(label, int(label) if label.isdigit() else 0, programs, had, label) for label, had in labels.items()]
        yield Table(key, title, source, "ns", "call" if form == "rsr" else "bytes", lines,
                    over_mpi(sizes, "Isend", 1.05), cited.DMCS, SERVICES[form] + ONE_WAY, picture=picture)


def netsorts(sizes):
    for form, size, table, bar, had in (("static", "count", 7, 1.05, cited.NETSORT_STATIC),
                                        ("mobile", "size", 8, 0.5, cited.NETSORT_MOBILE)):
        lines = []
        work = f"--{size} {sizes.of(1000, 40)}" + sizes.of(" --reps 3", "")
        for n in sizes.of((1, 2, 4, 8), (1, 3)):
            programs = beside_mpi(sizes, "Isend", n, f"netsort_{form} {work}", f"netsort_{form}_mpi_MPI {work}")
            if n > placing.CORES:  # MPICH's processes spin: half a minute for a sort of a tenth of a second
                programs = {name: program for name, program in programs.items() if "MPICH" not in name}
            lines.append(Line(str(n), n, programs, had.get(n, "")))
        yield Table(f"netsort-{form}", f"Netsort, {form}", f"DMCS, Table {table}", "ms", "processes", lines,
                    over_mpi(sizes, "Isend", bar), cited.NETSORT, NETSORT[form] + NETSORT_SIZE, picture="log-log")


PIECES = (" Bandwidth: with a ratio above 1 Sheaf is faster. MPI moves the section by a datatype, or each piece by a call of its "
          "own and a flush for all, of a window that it allocated; ARMCI-MPI, too, moves pieces without waiting for each. "
          "The loop is memcpy of each piece, or x += a·y, on shared memory.")
SQUARES = ("From, to and into a matrix of 1,024 doubles a row, and a dense block. In the paper the strided get on IBM SP was far "
           "ahead of a nonblocking get for each column, but for one column, and for large sections.")
THIRDS = ("By ARMCI_GetV. In the paper it was by far ahead of a nonblocking get for each double, but for very few.")
COLUMNS = ("The paper's example: 100 pieces of 16 bytes. In the paper 0.5 MB/s with a native get for each, 9 MB/s by a "
           "strided request, and 30 MB/s for as much that is contiguous.")
MESHES = ("ARMI's algorithm on ten meshes of 10,164 vertices and 29,084 edges, one after the other, with 338 components of "
          "several vertices. Each location marks from a pivot of its own. Each edge to another location that is counted, "
          "trimmed or marked is a request.")
REMAP = ("The matrix is distributed by columns, then by rows: all to all. The peer is MPI_Alltoallw with subarray types made "
         "before. Four processes share this machine's two cores. The paper had four processors of an SGI Power Challenge: "
         "over ARMCI remaps of large arrays were 20 % better than over MPICH, those of small ones slightly slower. "
         "The bar is set for 1,024 and 4,096 on two processes.")
GATHER = ("All three arrays are distributed by blocks; the subscripts are random. The peers exchange subscripts, then values: in "
          "buffers by MPI_Alltoallv, or in place by MPI_Alltoallw with indexed types, which are made for each gather.")
ONE_WAY = (" Half of a ping-pong between two processes of one host, in ordinary memory. The paper had a network between two "
           "machines, and the time of a send alone.")
SERVICES = {
    "rsr": "Asynchronous requests beside one MPI message with a head of 8 bytes and the arguments, by Isend, Irecv and Test.",
    "put_op": "Data for a handler beside the paper's two MPI messages, a head and the data, by Isend, Irecv and Test."}
NETSORT = {
    "static": "The positions of an array belong to random processes; each comparison of two processes is a request of DMCS "
              "each way. The peer is the same in C with an MPI_Isend for each, into receives that were posted before.",
    "mobile": "Integers that move to a random process after each comparison, as Sheaf's migrating objects in C++. The "
              "peer does it by hand: a directory at home, an MPI_Isend for each move, request and reply."}
NETSORT_SIZE = (" 1,000 integers by odd-even transposition; the paper does not say how many. More than two processes share "
                "this machine's two cores, for which MPICH's are left out: they wait for each other without yielding the core. "
                "The bar is set for two processes.")
SIMULATED = (("SHEAF_TRANSPORT", "sim"),)


def tables(quick):
    sizes = Sizes(quick)
    parts = (method_calls, latency, message_latency, aggregation, fences, inner_products, sorts, jacobi, explorations,
             searches, duplicates, strong_components, sections, words_of_others, remaps, gathers, services, netsorts)
    return [table for part in parts for table in part(sizes)]
