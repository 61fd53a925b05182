# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""What the papers measured, on their machines: ARMI (PPoPP 2003) and its first form, the STAPL communication
infrastructure. V2200: 16 PA-8200 of 200 MHz; O3800: R14000 of 500 MHz; Regatta: 16 Power4 of 1.3 GHz; RS6000: nodes of
four PowerPC 604e of 332 MHz; Cluster: nodes of two Pentium III of 1 GHz. And DMCS, over LAM on Fast Ethernet; Linux: Pentium
III of 1 GHz; Solaris: Ultra 5 of 333 MHz, for netsort of 296 MHz."""

# ARMI, Table 1, ns.
METHOD_CALLS = {
    "direct": "65 · 12 · 8 · 60",
    "method pointer": "132 · 26 · 14 · 121",
    "async, given a pointer": "933 · 325 · 197 · 842",
}

# ARMI, Table 2, us: explicit, then async/sync.
LATENCY = {
    "threads": "15: 21/18 · 4: 6/5 · 2: 3/3 · 6: 16/11",
    "mpi": "16: 45/49 · 13: 15/16 · 6: 10/11 · 29: 66/71",
}

# STAPL, Tables 2 and 3, s: explicit, then STAPL's.
INNER_PRODUCT = {
    "threads": {1: "10.658: 10.218 · 2.123: 2.290", 2: "5.329: 5.287 · 1.086: 1.159", 4: "2.665: 2.736 · 0.544: 0.578"},
    "mpi": {1: "10.008: 10.558 · 2.301: 2.300 · 0.964: 0.964", 2: "4.996: 5.149 · 1.165: 1.164 · 0.577: 0.574",
            4: "2.678: 2.567 · 0.583: 0.581 · 0.285: 0.284"},
}

# ARMI, §5.3, by locations.
ROUNDS = {2: "half of those of one location"}

# DMCS, Tables 1 to 4, us: its own overhead + MPI's: in all. Table 3 has 7.400e-4 s for rsr3, surely a slip.
DMCS = "the paper, us, DMCS + MPI: in all, on Linux · Solaris"
RSR = {
    "rsr0": "1 + 7: 10 · 2 + 67: 73",
    "rsr1": "1 + 10: 13 · 2 + 64: 69",
    "rsr2": "1 + 11: 14 · 2 + 70: 75",
    "rsr3": "1 + 9: 12 · 2 + 69: 740",
    "rsr4": "1 + 10: 12 · 2 + 63: 68",
}
PUT_OP = {
    "1": "1 + 37: 39 · 3 + 118: 126",
    "64": "1 + 37: 40 · 3 + 117: 125",
    "512": "1 + 56: 60 · 5 + 477: 487",
    "4096": "1 + 232: 236 · 3 + 643: 649",
    "8192": "2 + 389: 395 · 3 + 916: 924",
}

# DMCS, Tables 7 and 8, s, by processors.
NETSORT = "the paper, s, DMCS + MPI: in all, on Linux · Solaris"
NETSORT_STATIC = {
    2: "0.0141 + 3.225: 4.010 · 0.0287 + 7.228: 9.451",
    4: "0.0191 + 3.312: 5.716 · 0.0432 + 13.222: 25.920",
    8: "0.384 + 41.744: 65.756 · 0.0411 + 43.717: 62.871",
}
NETSORT_MOBILE = {
    2: "0.0222 + 4.377: 21.209 · 0.0592 + 23.167: 176.405",
    4: "0.0263 + 4.361: 19.161 · 0.0459 + 20.302: 160.671",
    8: "0.0220 + 7.158: 22.989 · 0.0549 + 24.562: 159.220",
}
