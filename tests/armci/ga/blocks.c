// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Arrays of Global Arrays that are dealt out in small blocks: in turn, over a grid of processes as ScaLAPACK does, and
// in tiles over such a grid.
//
// Over any ARMCI, Global Arrays mixes up the tiles of a grid with one row or one column, and GA_Get_proc_grid reverses
// the grid: these are left out. Each process has a block, since Global Arrays asks for a negative size where one has
// none.
#include "tables.h"

typedef enum { in_turn, over_grid, in_tiles } dealing;

static char const* const names[] = {"block-cyclic", "block-cyclic over a grid", "tiled"};
static int const extents[2] = {23, 22}, block[2] = {4, 3};
enum { block_rows = 6, block_columns = 8 };

static box bounds_of(int row, int column) {
  box b = {.lo = {row * block[0], column * block[1]}};
  for (int d = 0; d < 2; ++d) {
    b.hi[d] = b.lo[d] + block[d] - 1;
    b.hi[d] = b.hi[d] < extents[d] ? b.hi[d] : extents[d] - 1;
  }
  return b;
}

static void shape_of_grid(int grid[]) {
  int const ranks = GA_Nnodes();
  grid[0] = ranks % 2 == 0 ? 2 : 1;
  grid[1] = ranks / grid[0];
}

static table dealt(int of, dealing how, int salt) {
  table t = made_with_handle(of, 2, extents, salt);
  int size[2] = {block[0], block[1]}, grid[2];
  shape_of_grid(grid);
  if (how == in_turn) {
    GA_Set_block_cyclic(t.handle, size);
  } else if (how == over_grid) {
    GA_Set_block_cyclic_proc_grid(t.handle, size, grid);
  } else {
    GA_Set_tiled_proc_grid(t.handle, size, grid);
  }
  allocate_array(&t, names[how]);
  EQUAL(GA_Uses_proc_grid(t.handle), how != in_turn, "GA_Uses_proc_grid, %s", names[how]);
  return t;
}

static void check_facts(table const* t, dealing how) {
  int counts[2], sizes[2];
  EQUAL(GA_Total_blocks(t->handle), block_rows * block_columns, "GA_Total_blocks, %s", names[how]);
  GA_Get_block_info(t->handle, counts, sizes);
  EQUAL(counts[0], block_rows, "rows of blocks, %s", names[how]);
  EQUAL(counts[1], block_columns, "columns of blocks, %s", names[how]);
  for (int d = 0; d < 2; ++d) {
    EQUAL(sizes[d], block[d], "the size of blocks, %s", names[how]);
  }
}

// Writes the block into the memory of its owner, or compares it with what is there.
static void visit(table const* t, box b, void* memory, int const ld[], int writes) {
  if (writes) {
    write_box(t, b, memory, ld);
    return;
  }
  int index[2] = {b.lo[0], b.lo[1]};
  do {
    size_t const at = (size_t)((index[0] - b.lo[0]) * ld[0] + index[1] - b.lo[1]);
    number const got = load(t->of, memory, at), expected = t->model[place(2, extents, index)];
    NEAR(got.re, expected.re, 0, "%s of its owner", shown(2, index));
    NEAR(got.im, expected.im, 0, "%s of its owner", shown(2, index));
  } while (advance(2, b, index));
}

// Block number B is that of process B modulo their number. Numbers go along the rows.
static void visit_in_turn(table const* t, int writes) {
  for (int turn = GA_Nodeid(); turn < block_rows * block_columns; turn += GA_Nnodes()) {
    box b, expected = bounds_of(turn / block_columns, turn % block_columns);
    void* memory;
    int ld[1];
    NGA_Distribution(t->handle, turn, b.lo, b.hi);
    for (int d = 0; d < 2; ++d) {
      EQUAL(b.lo[d], expected.lo[d], "the begin of block %d", turn);
      EQUAL(b.hi[d], expected.hi[d], "the end of block %d", turn);
    }
    NGA_Access_block(t->handle, turn, &memory, ld);
    visit(t, b, memory, ld, writes);
    NGA_Release_update_block(t->handle, turn);
  }
}

static void visit_grid(table const* t, int writes) {
  int grid[2], mine[2];
  shape_of_grid(grid);
  GA_Get_proc_index(t->handle, GA_Nodeid(), mine);
  for (int row = mine[0]; row < block_rows; row += grid[0]) {
    for (int column = mine[1]; column < block_columns; column += grid[1]) {
      int index[2] = {row, column}, ld[1];
      void* memory;
      NGA_Access_block_grid(t->handle, index, &memory, ld);
      visit(t, bounds_of(row, column), memory, ld, writes);
      NGA_Release_update_block_grid(t->handle, index);
    }
  }
}

static void deal_out(int of, dealing how) {
  table t = dealt(of, how, 10 + how);
  check_facts(&t, how);
  if (how == in_turn) {
    visit_in_turn(&t, 1);
  } else {
    visit_grid(&t, 1);
  }
  GA_Sync();
  expect_table(names[how], &t);
  GA_Sync();
  exercise(names[how], &t, how);
  if (how == in_turn) {
    visit_in_turn(&t, 0);
  } else {
    visit_grid(&t, 0);
  }
  end_table(&t);
}

// From an array with blocks to one without, and back.
static void copies(void) {
  table t = made_table(kind_long, 2, extents, 20), cyclic = dealt(kind_long, in_turn, 20);
  GA_Copy(t.handle, cyclic.handle);
  expect_table("a copy with blocks", &cyclic);
  GA_Zero(t.handle);
  GA_Copy(cyclic.handle, t.handle);
  expect_table("a copy without", &t);
  end_table(&t);
  end_table(&cyclic);
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.blocks");
  deal_out(kind_double, in_turn);
  deal_out(kind_dcomplex, over_grid);
  if (GA_Nnodes() % 2 == 0 && GA_Nnodes() > 2) {
    deal_out(kind_int, in_tiles);
  }
  copies();
  return finish("armci.ga.blocks");
}
