// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Random puts, gets and accumulates of Global Arrays against a model: patches in 1 to 7 dimensions, strided,
// non-blocking, periodic, scattered, of all types.
//
// Every process can compute the operations of every other one. So each keeps the whole array as a model, applies what
// all do, and compares. In a phase of puts each process writes in its own slab of one dimension, since overlapping puts
// of two processes have no order; in a phase of accumulates all write everywhere.
#include "check.h"

enum { puts_per_phase = 6, gets_per_phase = 6, accs_per_phase = 6, most_points = 40, limit = 50 };

typedef enum { way_plain, way_plain64, way_strided, way_nonblocking, way_periodic, way_scattered, way_flat } way;
enum { way_count = way_flat + 1 };
typedef enum { do_put, do_get, do_acc } action;

static char const* const way_names[] = {"plain", "64-bit", "strided", "non-blocking", "periodic", "scattered", "flat"};
static char const* const action_names[] = {"put", "get", "acc"};

typedef struct {
  int handle, ndim, number, slab;  // slab: the dimension that puts share out
  int dims[most_dims];
  kind const* of;
  number* model;
} array;

// Indices lo, lo + skip, ... <= hi in each dimension, modulo the dimensions.
typedef struct {
  action what;
  way how;
  box over;
  int skip[most_dims], pad[most_dims];
  int salt;
  number scale;
} operation;

typedef struct {
  void* buffer;
  ga_nbhdl_t wait;
  operation op;
} pending;

static int counts_of(array const* a, operation const* op, int counts[]) {
  int n = 1;
  for (int d = 0; d < a->ndim; ++d) {
    counts[d] = (op->over.hi[d] - op->over.lo[d]) / op->skip[d] + 1;
    n *= counts[d];
  }
  return n;
}

// Positions of an operation's elements, 0 .. count - 1 in each dimension.
static box steps_of(array const* a, operation const* op) {
  int counts[most_dims];
  counts_of(a, op, counts);
  return whole(a->ndim, counts);
}

static size_t model_place(array const* a, operation const* op, int const step[]) {
  int index[most_dims];
  for (int d = 0; d < a->ndim; ++d) {
    int const raw = op->over.lo[d] + step[d] * op->skip[d];
    index[d] = ((raw % a->dims[d]) + a->dims[d]) % a->dims[d];
  }
  return place(a->ndim, a->dims, index);
}

// Where the element lies in the caller's buffer, whose dimensions but the first are padded.
static size_t buffer_place(array const* a, operation const* op, int const step[]) {
  int padded[most_dims];
  counts_of(a, op, padded);
  for (int d = 0; d < a->ndim; ++d) {
    padded[d] += op->pad[d];
  }
  return place(a->ndim, padded, step);
}

static box slab_of(array const* a, int rank) {
  box b = whole(a->ndim, a->dims);
  int const n = a->dims[a->slab], ranks = GA_Nnodes();
  b.lo[a->slab] = n * rank / ranks;
  b.hi[a->slab] = n * (rank + 1) / ranks - 1;
  return b;
}

// The part of a box that one process owns, which may be empty. Global Arrays' own strided calls are wrong where a
// section has several owners, over any ARMCI.
static box with_one_owner(array const* a, int owner, box within) {
  box own;
  NGA_Distribution(a->handle, owner, own.lo, own.hi);
  for (int d = 0; d < a->ndim; ++d) {
    own.lo[d] = own.lo[d] > within.lo[d] ? own.lo[d] : within.lo[d];
    own.hi[d] = own.hi[d] < within.hi[d] ? own.hi[d] : within.hi[d];
  }
  return own;
}

// Moves a box out of the array, so that it wraps; a slab's dimension by whole periods only.
static void shift(array const* a, uint64_t* state, operation* op) {
  for (int d = 0; d < a->ndim; ++d) {
    int by = (pick(state, 3) - 1) * a->dims[d];
    if (op->what != do_put || d != a->slab) {
      by += pick(state, a->dims[d]);
    }
    op->over.lo[d] += by;
    op->over.hi[d] += by;
  }
}

// A scatter of few points: strides grow until they are few.
static void thin_out(array const* a, operation* op) {
  int counts[most_dims];
  while (counts_of(a, op, counts) > most_points) {
    for (int d = 0; d < a->ndim; ++d) {
      op->skip[d] *= 2;
    }
  }
}

// The operation that a rank does as its turn-th of a phase.
static operation chosen(array const* a, int rank, action what, int turn) {
  uint64_t state = start_of(a->number * 100 + turn, rank, (int)what);
  operation op = {.what = what, .how = (way)((turn + rank + a->number) % way_count), .scale = {1, 0}};
  box within = what == do_put ? slab_of(a, rank) : whole(a->ndim, a->dims);
  if (op.how == way_strided) {
    box const owned = with_one_owner(a, pick(&state, GA_Nnodes()), within);
    op.how = volume(a->ndim, owned) > 0 ? way_strided : way_plain;
    within = op.how == way_strided ? owned : within;
  }
  op.over = random_box(&state, a->ndim, within);
  op.salt = pick(&state, 1 << 20);
  if (what == do_acc) {
    op.scale = value_of(a->of, op.salt, -1, 3);
  }
  int const scattered = op.how == way_scattered || op.how == way_flat;
  for (int d = 0; d < a->ndim; ++d) {
    op.skip[d] = op.how == way_strided || scattered ? 1 + pick(&state, 3) : 1;
    op.pad[d] = d == 0 || scattered ? 0 : pick(&state, 3);
  }
  if (op.how == way_periodic) {
    shift(a, &state, &op);
  }
  if (scattered) {
    thin_out(a, &op);
  }
  return op;
}

static void apply(array const* a, operation const* op) {
  box const steps = steps_of(a, op);
  int step[most_dims] = {0};
  long at = 0;
  do {
    number* const target = &a->model[model_place(a, op, step)];
    number const x = value_of(a->of, op->salt, at++, limit);
    *target = op->what == do_put ? x : sum(*target, product(op->scale, x));
  } while (advance(a->ndim, steps, step));
}

// --- Running them ------------------------------------------------------------------------------------------------

// A buffer as the operation wants it: filled for puts and accumulates.
static void* buffer_for(array const* a, operation const* op) {
  box const steps = steps_of(a, op);
  size_t const last = buffer_place(a, op, steps.hi);
  void* const buffer = allocate((last + 1) * a->of->size);
  memset(buffer, 0x5a, (last + 1) * a->of->size);
  int step[most_dims] = {0};
  long at = 0;
  do {
    if (op->what != do_get) {
      store(a->of, buffer, buffer_place(a, op, step), value_of(a->of, op->salt, at++, limit));
    }
  } while (advance(a->ndim, steps, step));
  return buffer;
}

static void compare_buffer(array const* a, operation const* op, void const* buffer) {
  box const steps = steps_of(a, op);
  int step[most_dims] = {0};
  do {
    number const got = load(a->of, buffer, buffer_place(a, op, step)), expected = a->model[model_place(a, op, step)];
    if (got.re != expected.re || got.im != expected.im) {
      FAIL("%s %s of %s, array %d with dimensions %s, box %s to %s, step %s: got (%g, %g), expected (%g, %g)",
           way_names[op->how], action_names[op->what], a->of->name, a->number, shown(a->ndim, a->dims),
           shown(a->ndim, op->over.lo), shown(a->ndim, op->over.hi), shown(a->ndim, step), got.re, got.im, expected.re,
           expected.im);
    }
  } while (advance(a->ndim, steps, step));
}

static void run_patch(array const* a, operation* op, void* buffer, int ld[], void* scale) {
  int* const lo = op->over.lo;
  int* const hi = op->over.hi;
  int const h = a->handle;
  switch (op->how * 3 + (int)op->what) {
    case way_plain * 3 + do_put:
      NGA_Put(h, lo, hi, buffer, ld);
      break;
    case way_plain * 3 + do_get:
      NGA_Get(h, lo, hi, buffer, ld);
      break;
    case way_plain * 3 + do_acc:
      NGA_Acc(h, lo, hi, buffer, ld, scale);
      break;
    case way_strided * 3 + do_put:
      NGA_Strided_put(h, lo, hi, op->skip, buffer, ld);
      break;
    case way_strided * 3 + do_get:
      NGA_Strided_get(h, lo, hi, op->skip, buffer, ld);
      break;
    case way_strided * 3 + do_acc:
      NGA_Strided_acc(h, lo, hi, op->skip, buffer, ld, scale);
      break;
    case way_periodic * 3 + do_put:
      NGA_Periodic_put(h, lo, hi, buffer, ld);
      break;
    case way_periodic * 3 + do_get:
      NGA_Periodic_get(h, lo, hi, buffer, ld);
      break;
    default:
      NGA_Periodic_acc(h, lo, hi, buffer, ld, scale);
  }
}

static void run_patch64(array const* a, operation const* op, void* buffer, int const ld[], void* scale) {
  int64_t lo[most_dims], hi[most_dims], wide[most_dims];
  for (int d = 0; d < a->ndim; ++d) {
    lo[d] = op->over.lo[d];
    hi[d] = op->over.hi[d];
    wide[d] = d + 1 < a->ndim ? ld[d] : 0;
  }
  switch (op->what) {
    case do_put:
      NGA_Put64(a->handle, lo, hi, buffer, wide);
      break;
    case do_get:
      NGA_Get64(a->handle, lo, hi, buffer, wide);
      break;
    default:
      NGA_Acc64(a->handle, lo, hi, buffer, wide, scale);
  }
}

static void start_nonblocking(array const* a, pending* p, int ld[], void* scale) {
  int* const lo = p->op.over.lo;
  int* const hi = p->op.over.hi;
  switch (p->op.what) {
    case do_put:
      NGA_NbPut(a->handle, lo, hi, p->buffer, ld, &p->wait);
      break;
    case do_get:
      NGA_NbGet(a->handle, lo, hi, p->buffer, ld, &p->wait);
      break;
    default:
      NGA_NbAcc(a->handle, lo, hi, p->buffer, ld, scale, &p->wait);
  }
}

// The operation's indices, one row of ndim for each element of the buffer.
static int* points_of(array const* a, operation const* op, int* count) {
  int counts[most_dims];
  *count = counts_of(a, op, counts);
  int* const points = allocate((size_t)(*count * a->ndim) * sizeof(int));
  box const steps = steps_of(a, op);
  int step[most_dims] = {0};
  int at = 0;
  do {
    for (int d = 0; d < a->ndim; ++d) {
      points[at++] = op->over.lo[d] + step[d] * op->skip[d];
    }
  } while (advance(a->ndim, steps, step));
  return points;
}

static void run_scattered(array const* a, operation const* op, void* buffer, void* scale) {
  int count;
  int* const points = points_of(a, op, &count);
  int** const rows = allocate((size_t)count * sizeof(int*));
  for (int i = 0; i < count; ++i) {
    rows[i] = points + i * a->ndim;
  }
  int const h = a->handle;
  switch (op->how * 3 + (int)op->what) {
    case way_scattered * 3 + do_put:
      NGA_Scatter(h, buffer, rows, count);
      break;
    case way_scattered * 3 + do_get:
      NGA_Gather(h, buffer, rows, count);
      break;
    case way_scattered * 3 + do_acc:
      NGA_Scatter_acc(h, buffer, rows, count, scale);
      break;
    case way_flat * 3 + do_put:
      NGA_Scatter_flat(h, buffer, points, count);
      break;
    case way_flat * 3 + do_get:
      NGA_Gather_flat(h, buffer, points, count);
      break;
    default:
      NGA_Scatter_acc_flat(h, buffer, points, count, scale);
  }
  free(rows);
  free(points);
}

static void launch(array const* a, pending* p) {
  operation* const op = &p->op;
  p->buffer = buffer_for(a, op);
  int ld[most_dims] = {0}, counts[most_dims];
  counts_of(a, op, counts);
  for (int d = 1; d < a->ndim; ++d) {
    ld[d - 1] = counts[d] + op->pad[d];
  }
  DoubleComplex scale;
  store(a->of, &scale, 0, op->scale);
  switch (op->how) {
    case way_plain64:
      run_patch64(a, op, p->buffer, ld, &scale);
      break;
    case way_nonblocking:
      start_nonblocking(a, p, ld, &scale);
      break;
    case way_scattered:
    case way_flat:
      run_scattered(a, op, p->buffer, &scale);
      break;
    default:
      run_patch(a, op, p->buffer, ld, &scale);
  }
}

static void settle(array const* a, pending* p) {
  if (p->op.how == way_nonblocking) {
    NGA_NbWait(&p->wait);
  }
  if (p->op.what == do_get) {
    compare_buffer(a, &p->op, p->buffer);
  }
  free(p->buffer);
}

// --- Phases ------------------------------------------------------------------------------------------------------

// What this process put is there for it at once.
static void read_back(array const* a, operation const* put) {
  operation get = *put;
  get.what = do_get;
  get.how = put->how == way_nonblocking ? way_plain : put->how;
  pending p = {.op = get};
  launch(a, &p);
  settle(a, &p);
}

static int may_write(array const* a, action what, int rank) {
  return what == do_acc || volume(a->ndim, slab_of(a, rank)) > 0;
}

static void model_phase(array const* a, action what, int turns) {
  for (int rank = 0; rank < GA_Nnodes(); ++rank) {
    for (int turn = 0; turn < turns && may_write(a, what, rank); ++turn) {
      operation const op = chosen(a, rank, what, turn);
      apply(a, &op);
    }
  }
}

static void put_phase(array const* a) {
  model_phase(a, do_put, puts_per_phase);
  operation last;
  for (int turn = 0; turn < puts_per_phase && may_write(a, do_put, GA_Nodeid()); ++turn) {
    pending p = {.op = last = chosen(a, GA_Nodeid(), do_put, turn)};
    launch(a, &p);
    settle(a, &p);
  }
  if (may_write(a, do_put, GA_Nodeid())) {
    read_back(a, &last);
  }
}

// Accumulates and gets have no order among each other, so non-blocking ones all wait at the end.
static void unordered_phase(array const* a, action what, int turns) {
  pending started[accs_per_phase + gets_per_phase];
  if (what == do_acc) {
    model_phase(a, do_acc, turns);
  }
  for (int turn = 0; turn < turns; ++turn) {
    started[turn].op = chosen(a, GA_Nodeid(), what, turn);
    launch(a, &started[turn]);
  }
  for (int turn = turns - 1; turn >= 0; --turn) {
    settle(a, &started[turn]);
  }
}

static array made(int serial, int ndim, kind const* of) {
  static int const extents[most_dims][most_dims] = {
      {211}, {23, 17}, {7, 9, 11}, {5, 3, 9, 4}, {3, 4, 2, 7, 3}, {2, 3, 5, 2, 3, 4}, {3, 2, 2, 7, 2, 1, 3}};
  array a = {.ndim = ndim, .number = serial, .of = of};
  memcpy(a.dims, extents[ndim - 1], sizeof a.dims);
  for (int d = 1; d < ndim; ++d) {
    a.slab = a.dims[d] > a.dims[a.slab] ? d : a.slab;
  }
  a.model = allocate(volume(ndim, whole(ndim, a.dims)) * sizeof(number));
  a.handle = NGA_Create(of->id, ndim, a.dims, text_of("patches"), NULL);
  if (a.handle == 0) {
    FAIL("NGA_Create of %s with dimensions %s", of->name, shown(ndim, a.dims));
  }
  GA_Zero(a.handle);
  return a;
}

// Over the numbers of processes that the tests run with, each dimension has each type. Creating an array takes
// milliseconds for each process that has no core of its own.
static int make_all(array arrays[]) {
  int const ranks = GA_Nnodes(), halves = ranks < 3 ? 2 : 1;
  int n = 0;
  for (int ndim = 1; ndim <= most_dims; ++ndim) {
    for (int half = 0; half < halves; ++half) {
      arrays[n] = made(n, ndim, &kinds[(ndim + ranks % 7 + half * kind_count / 2) % kind_count]);
      ++n;
    }
  }
  return n;
}

int main(int argc, char** argv) {
  begin(argc, argv, "armci.ga.patches");
  array arrays[2 * most_dims];
  int const n = make_all(arrays);
  for (int i = 0; i < n; ++i) {
    put_phase(&arrays[i]);
  }
  GA_Sync();
  for (int i = 0; i < n; ++i) {
    unordered_phase(&arrays[i], do_get, gets_per_phase);
  }
  GA_Sync();
  for (int i = 0; i < n; ++i) {
    unordered_phase(&arrays[i], do_acc, accs_per_phase);
  }
  GA_Sync();
  for (int i = 0; i < n; ++i) {
    expect_all("after accumulates", arrays[i].handle, arrays[i].of, arrays[i].ndim, arrays[i].dims, arrays[i].model);
  }
  for (int i = 0; i < n; ++i) {
    free(arrays[i].model);  // the arrays end with Global Arrays
  }
  return finish("armci.ga.patches");
}
