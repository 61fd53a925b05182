// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What Global Arrays has for sparse data: vectors with a mask of begins, segmented copies and sums over them, packing
// and unpacking, enumerations, of all types. Ends of the range lie within parts, and parts have no begin at all.
#include "tables.h"

enum { length = 101, low = 3, high = 96 };

static int const extents[1] = {length};

// A source, a mask, and a result that begins as the zeroes.
typedef struct {
  table from, mask, to;
} scene;

// Few begins, so that segments are longer than the parts of seven processes.
static scene make_scene(int of) {
  scene s = {.from = made_table(of, 1, extents, 1), .mask = planned(kind_int, 1, extents, 2)};
  for (int i = 0; i < length; ++i) {
    uint64_t state = start_of(i, 3, of);
    s.mask.model[i] = (number){i == low || pick(&state, 20) == 0, 0};
  }
  s.mask.handle = NGA_Create(C_INT, 1, s.mask.dims, text_of("mask"), NULL);
  write_own(&s.mask);
  s.to = made_table(of, 1, extents, 4);
  return s;
}

static void end_scene(scene* s) {
  end_table(&s->from);
  end_table(&s->mask);
  end_table(&s->to);
}

static int begins(scene const* s, int i) { return s->mask.model[i].re != 0; }

static void scan_copy(scene* s) {
  number last = {0, 0};
  for (int i = low; i <= high; ++i) {
    last = begins(s, i) ? s->from.model[i] : last;
    s->to.model[i] = last;
  }
  GA_Scan_copy(s->from.handle, s->to.handle, s->mask.handle, low, high);
  expect_table("GA_Scan_copy", &s->to);
}

// With EXCLUSIVE, the sum of those before in the segment.
static void scan_add(scene* s, int exclusive) {
  number total = {0, 0};
  for (int i = low; i <= high; ++i) {
    number const before = begins(s, i) ? (number){0, 0} : total;
    total = sum(before, s->from.model[i]);
    s->to.model[i] = exclusive ? before : total;
  }
  GA_Scan_add(s->from.handle, s->to.handle, s->mask.handle, low, high, exclusive);
  expect_table(exclusive ? "GA_Scan_add, exclusive" : "GA_Scan_add", &s->to);
}

static void pack(scene* s) {
  int count = -1, expected = 0;
  for (int i = low; i <= high; ++i) {
    if (begins(s, i)) {
      s->to.model[expected++] = s->from.model[i];
    }
  }
  GA_Pack(s->from.handle, s->to.handle, s->mask.handle, low, high, &count);
  EQUAL(count, expected, "how many GA_Pack packed");
  expect_table("GA_Pack", &s->to);
}

static void unpack(scene* s) {
  int count = -1, expected = 0;
  for (int i = low; i <= high; ++i) {
    if (begins(s, i)) {
      s->to.model[i] = s->from.model[expected++];
    }
  }
  GA_Unpack(s->from.handle, s->to.handle, s->mask.handle, low, high, &count);
  EQUAL(count, expected, "how many GA_Unpack unpacked");
  expect_table("GA_Unpack", &s->to);
}

static void enumerate(scene* s) {
  number const start = value_of(s->to.of, 5, 0, 9), step = value_of(s->to.of, 6, 0, 9);
  DoubleComplex first, by;
  store(s->to.of, &first, 0, start);
  store(s->to.of, &by, 0, step);
  for (int i = low; i <= high; ++i) {
    s->to.model[i] = sum(start, product((number){i - low, 0}, step));
  }
  GA_Patch_enum(s->to.handle, low, high, &first, &by);
  expect_table("GA_Patch_enum", &s->to);
}

static void all_of(int of) {
  scene s = make_scene(of);
  scan_copy(&s);
  scan_add(&s, 0);
  scan_add(&s, 1);
  pack(&s);
  unpack(&s);
  enumerate(&s);
  end_scene(&s);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.sparse");
  for (int of = 0; of < kind_count; ++of) {
    if (GA_Nnodes() < 3 || of % 3 == GA_Nnodes() / 2 % 3) {  // with few cores, synchronisation takes long
      all_of(of);
    }
  }
  return finish("armci.ga.sparse");
}
