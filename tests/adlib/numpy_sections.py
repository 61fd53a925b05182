#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
"""Sections of distributed arrays against NumPy's of the same arrays: `numpy_sections.py LIBADLIB [SEED]`.

NumPy takes a section, with bounds that are missing, negative or outside. The slices given to libadlib are what NumPy
says of it: its address, shape and strides. Local memory is a section, too.
"""

import ctypes
import random
import sys

try:
    import numpy
except ImportError:
    sys.exit(77)  # skipped


class Distribution(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("length", ctypes.c_uint64)]


class Slice(ctypes.Structure):
    _fields_ = [("first", ctypes.c_int64), ("count", ctypes.c_uint64), ("step", ctypes.c_int64)]


def section_of(shape, dice):
    """Slices of each dimension, as NumPy's subscript."""
    def bound(extent):
        return dice.choice((None, dice.randint(-extent - 2, extent + 2)))
    return tuple(slice(bound(n), bound(n), dice.choice((None, 1, 2, 3, 7, -1, -2, -5))) for n in shape)


def slices_of(whole, part):
    """What a NumPy section of an array is, for libadlib."""
    offset = (part.ctypes.data - whole.ctypes.data) // whole.itemsize
    firsts = numpy.unravel_index(offset, whole.shape)
    steps = [of_part // of_whole for of_part, of_whole in zip(part.strides, whole.strides)]
    return (Slice * whole.ndim)(*(Slice(int(f), n, s) for f, n, s in zip(firsts, part.shape, steps)))


def local_of(shape, dice):
    """Memory of this shape whose elements lie apart, and backwards."""
    steps = [dice.choice((1, 2, -1, -3)) for _ in shape]
    room = numpy.zeros([n * abs(s) for n, s in zip(shape, steps)], numpy.int32)
    return room[tuple(slice(None, None, s) for s in steps)]


def steps_of(local):
    return local.ctypes.data_as(ctypes.c_void_p), (ctypes.c_ssize_t * local.ndim)(*local.strides)


def play(lib, dice):
    """All ranks make the same choices; the last one puts. Returns pairs of what NumPy has and what libadlib has."""
    shape = [dice.randint(1, 9) for _ in range(dice.randint(1, 4))]
    extents = (ctypes.c_uint64 * len(shape))(*shape)
    arrays, twins = [], []
    for start in (1, 100000):
        how = [dice.choice(((0, 0), (1, 0), (2, 1), (2, 3))) for _ in shape]
        arrays.append(lib.adlib_create(len(shape), extents, (Distribution * len(shape))(*how), None, 4))
        twins.append(numpy.arange(start, start + numpy.prod(shape), dtype=numpy.int32).reshape(shape))
    part = section_of(shape, dice)
    values = local_of(twins[0][part].shape, dice)
    values[...] = -1 - numpy.arange(values.size).reshape(values.shape)
    if lib.adlib_rank() == lib.adlib_size() - 1:
        for array, twin in zip(arrays, twins):
            lib.adlib_put(array, None, *steps_of(twin))
        lib.adlib_fence()
        lib.adlib_put(arrays[0], slices_of(twins[0], twins[0][part]), *steps_of(values))
    twins[0][part] = values
    back = tuple(slice(None, None, dice.choice((1, -1))) for _ in shape)  # of the same shape
    target, source = twins[1][part], twins[0][part][back]
    lib.adlib_remap(arrays[1], slices_of(twins[1], target), arrays[0], slices_of(twins[0], source))
    target[...] = source
    found = []
    for array, twin in zip(arrays, twins):
        for expected in (twin, twin[section_of(shape, dice)]):
            got = local_of(expected.shape, dice)
            lib.adlib_get(array, slices_of(twin, expected), *steps_of(got))
            found.append((expected, got))
        lib.adlib_destroy(array)
    return found


def main():
    lib = ctypes.CDLL(sys.argv[1])
    lib.adlib_create.restype = ctypes.c_void_p
    lib.adlib_put.argtypes = lib.adlib_get.argtypes = lib.adlib_remap.argtypes = [ctypes.c_void_p] * 4
    lib.adlib_destroy.argtypes = [ctypes.c_void_p]
    lib.adlib_init()
    for seed in [int(sys.argv[2])] if len(sys.argv) > 2 else range(300):
        for expected, got in play(lib, random.Random(seed)):
            if not numpy.array_equal(expected, got):
                sys.exit(f"rank {lib.adlib_rank()}: seed {seed}: NumPy has\n{expected}\nand libadlib\n{got}")
    lib.adlib_finalize()


main()
