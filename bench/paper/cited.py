# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""What the papers measured, on their machines: ARMI (PPoPP 2003) and its first form, the STAPL communication
infrastructure. V2200: 16 PA-8200 of 200 MHz; O3800: R14000 of 500 MHz; Regatta: 16 Power4 of 1.3 GHz; RS6000: nodes of
four PowerPC 604e of 332 MHz; Cluster: nodes of two Pentium III of 1 GHz."""

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
