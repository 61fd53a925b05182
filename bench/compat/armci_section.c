// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Sections of another process's array of doubles: --count pieces of --width doubles, --stride doubles apart, moved to
/// or from a dense local block; GB/s. --op get, put, acc, or both: get and put, each a part. --form strided (ARMCI_GetS
/// …), vector (ARMCI_GetV …), pieces (an ARMCI_NbGet for each, then a wait for all) or contiguous (one ARMCI_Get, for
/// which pieces lie side by side); acc takes acc_both, strided and contiguous, each a part. --beside loop measures, in
/// turn with that, a loop of memcpy over the same rows, or x += a·y for acc, as the peer.
#include "compat/armci_process.h"

enum form { strided, vector, pieces, contiguous };
enum op { get, put, acc };
enum { line = 64 };

struct work {
  struct process self;
  enum form form;
  int width, count, stride;  // of the section, in doubles
  void** bases;
  double *local, *near;  // the dense block; the section's begin, where a loop reaches it
  armci_giov_t vector;
  double scale;
};

/// A section is the same in all forms but for the distance of its pieces.
static int distance(struct work const* work) { return work->form == contiguous ? work->width : work->stride; }

static int bytes_of(struct work const* work) { return work->width * (int)sizeof(double); }

static double* remote(struct work const* work) { return work->bases[1]; }

static void move_strided(struct work* work, enum op op) {
  int far[] = {work->stride * (int)sizeof(double)}, here[] = {bytes_of(work)}, count[] = {bytes_of(work), work->count};
  if (op == get) ARMCI_GetS(remote(work), far, work->local, here, count, 1, 1);
  if (op == put) ARMCI_PutS(work->local, here, remote(work), far, count, 1, 1);
  if (op == acc) ARMCI_AccS(ARMCI_ACC_DBL, &work->scale, work->local, here, remote(work), far, count, 1, 1);
}

static void move_vector(struct work* work, enum op op) {
  if (op == get) ARMCI_GetV(&work->vector, 1, 1);
  if (op == put) ARMCI_PutV(&work->vector, 1, 1);
  if (op == acc) ARMCI_AccV(ARMCI_ACC_DBL, &work->scale, &work->vector, 1, 1);
}

static void move_piece(struct work* work, enum op op, double* local, double* far) {
  if (op == get) ARMCI_NbGet(far, local, bytes_of(work), 1, NULL);
  if (op == put) ARMCI_NbPut(local, far, bytes_of(work), 1, NULL);
  if (op == acc) ARMCI_NbAcc(ARMCI_ACC_DBL, &work->scale, local, far, bytes_of(work), 1, NULL);
}

static void move_pieces(struct work* work, enum op op) {
  for (int i = 0; i < work->count; ++i) {
    move_piece(work, op, work->local + (size_t)i * (size_t)work->width,
               remote(work) + (size_t)i * (size_t)work->stride);
  }
  ARMCI_WaitAll();
}

static void move_contiguous(struct work* work, enum op op) {
  int const bytes = bytes_of(work) * work->count;
  if (op == get) ARMCI_Get(remote(work), work->local, bytes, 1);
  if (op == put) ARMCI_Put(work->local, remote(work), bytes, 1);
  if (op == acc) ARMCI_Acc(ARMCI_ACC_DBL, &work->scale, work->local, remote(work), bytes, 1);
}

static void move(struct work* work, enum op op) {
  static void (*const moves[])(struct work*, enum op) = {move_strided, move_vector, move_pieces, move_contiguous};
  moves[work->form](work, op);
}

static void move_get(void* work, int number) {
  (void)number;
  move(work, get);
}

static void move_put(void* work, int number) {
  (void)number;
  move(work, put);
}

static void move_acc(void* work, int number) {
  (void)number;
  move(work, acc);
}

static void loop_get(void* context, int number) {
  struct work const* const work = context;
  (void)number;
  for (int i = 0; i < work->count; ++i) {
    memcpy(work->local + i * work->width, work->near + i * distance(work), (size_t)bytes_of(work));
  }
}

static void loop_put(void* context, int number) {
  struct work const* const work = context;
  (void)number;
  for (int i = 0; i < work->count; ++i) {
    memcpy(work->near + i * distance(work), work->local + i * work->width, (size_t)bytes_of(work));
  }
}

__attribute__((noinline)) static void daxpy(int n, double a, double const* restrict y, double* restrict x) {
  for (int i = 0; i < n; ++i) x[i] += a * y[i];
}

static void loop_acc(void* context, int number) {
  struct work const* const work = context;
  (void)number;
  if (work->form == contiguous) {
    daxpy(work->width * work->count, work->scale, work->local, work->near);
    return;
  }
  for (int i = 0; i < work->count; ++i) {
    daxpy(work->width, work->scale, work->local + i * work->width, work->near + i * distance(work));
  }
}

static void fence(void* work) {
  (void)work;
  ARMCI_Fence(1);
}

/// GB/s of `operation`, in blocks of about half a millisecond.
static double rate(struct work* work, void (*operation)(void*, int), void (*after)(void*)) {
  double const bytes = (double)bytes_of(work) * work->count;
  int const each = bytes > 500000 ? 4 : bytes > 2000 ? (int)(2000000 / bytes) : 1000;
  return bytes / ns_each(31, each, operation, after, work);
}

static void measure(struct work* work, enum op op, int beside, int reps, struct part* to) {
  static void (*const operations[])(void*, int) = {move_get, move_put, move_acc};
  static void (*const loops[])(void*, int) = {loop_get, loop_put, loop_acc};
  for (int r = -1; r < reps; ++r) {
    double const ours = rate(work, operations[op], op == get ? NULL : fence);
    double const peer = beside ? rate(work, loops[op], NULL) : 0;
    if (r < 0) continue;
    add_sample(&to->ours, ours);
    if (beside) add_sample(&to->peer, peer);
  }
}

/// One operation on known values. Those between the pieces must stay.
static void check_once(struct work* work, enum op op) {
  size_t const extent = (size_t)distance(work) * (size_t)work->count, dense = (size_t)work->width * (size_t)work->count;
  double* const far = malloc(extent * sizeof *far);
  for (size_t i = 0; i < extent; ++i) far[i] = (double)i;
  for (size_t i = 0; i < dense; ++i) work->local[i] = -2.0 * (double)i;
  ARMCI_Put(far, remote(work), (int)(extent * sizeof *far), 1);
  ARMCI_Fence(1);
  work->scale = 0.5;
  move(work, op);
  ARMCI_Fence(1);
  ARMCI_Get(remote(work), far, (int)(extent * sizeof *far), 1);
  for (size_t i = 0; i < extent; ++i) {
    size_t const row = i / (size_t)distance(work), column = i % (size_t)distance(work);
    size_t const at = row * (size_t)work->width + column;
    int const inside = column < (size_t)work->width;
    double const before = (double)i, moved = -2.0 * (double)at;
    double const wanted = !inside || op == get ? before : op == put ? moved : before + 0.5 * moved;
    check_in_job(far[i] == wanted, "the other process has a wrong value");
    if (inside && op == get) check_in_job(work->local[at] == before, "a get brought a wrong value");
  }
  free(far);
}

/// Fills the description of ARMCI_GetV or of its like.
static void describe(struct work* work, enum op op) {
  void** const far =
      realloc(op == get ? work->vector.src_ptr_array : work->vector.dst_ptr_array, (size_t)work->count * sizeof *far);
  void** const here =
      realloc(op == get ? work->vector.dst_ptr_array : work->vector.src_ptr_array, (size_t)work->count * sizeof *here);
  for (int i = 0; i < work->count; ++i) {
    far[i] = remote(work) + (size_t)i * (size_t)work->stride;
    here[i] = work->local + (size_t)i * (size_t)work->width;
  }
  work->vector = (armci_giov_t){.src_ptr_array = op == get ? far : here,
                                .dst_ptr_array = op == get ? here : far,
                                .bytes = bytes_of(work),
                                .ptr_array_len = work->count};
}

/// What process 0 does: checks, then measures with values that stay finite.
static void run_part(struct work* work, enum op op, int beside, int reps, struct part* to) {
  describe(work, op);
  check_once(work, op);
  for (int i = 0; i < work->width * work->count; ++i) work->local[i] = i;
  work->scale = 1e-6;
  measure(work, op, beside, reps, to);
}

/// Runs --op in --form, and counts the parts.
static int run(struct work* work, char const* op, int beside, int reps, struct part* parts) {
  if (strcmp(op, "both") == 0) {
    parts[0].name = "get";
    parts[1].name = "put";
    run_part(work, get, beside, reps, &parts[0]);
    run_part(work, put, beside, reps, &parts[1]);
    return 2;
  }
  if (strcmp(op, "acc_both") == 0) {
    parts[0].name = "contiguous";
    parts[1].name = "strided";
    work->form = contiguous;
    run_part(work, acc, beside, reps, &parts[0]);
    work->form = strided;
    run_part(work, acc, beside, reps, &parts[1]);
    return 2;
  }
  parts[0].name = op;
  run_part(work, strcmp(op, "get") == 0 ? get : strcmp(op, "put") == 0 ? put : acc, beside, reps, &parts[0]);
  return 1;
}

/// The first begin of a cache line from there. A block that malloc laid 16 bytes behind a page's begin would be the
/// target of the C library's slowest copy, a tenth as fast as others, wherever rows are half a page apart.
static double* on_line(void* block) { return (double*)(((size_t)block + line - 1) / line * line); }

static enum form form_of(char const* name) {
  static char const* const names[] = {"strided", "vector", "pieces", "contiguous"};
  for (int i = 0; i < 4; ++i) {
    if (strcmp(name, names[i]) == 0) return (enum form)i;
  }
  check(0, "--form is strided, vector, pieces or contiguous");
  return strided;
}

int main(int argc, char** argv) {
  struct work work = {.self = start_armci(&argc, &argv)};
  int const size = number_of(argc, argv, "--size", 512);
  work.form = form_of(text_of(argc, argv, "--form", "strided"));
  work.width = number_of(argc, argv, "--width", size);
  work.count = number_of(argc, argv, "--count", size);
  work.stride = number_of(argc, argv, "--stride", 1024);
  check(work.width > 0 && work.count > 0 && work.stride >= work.width, "pieces do not fit their stride");
  work.bases = malloc_shared(&work.self, (size_t)work.stride * (size_t)work.count * sizeof(double));
  void* const block = ARMCI_Malloc_local((armci_size_t)((size_t)bytes_of(&work) * (size_t)work.count + line));
  work.local = on_line(block);
  memset(work.bases[work.self.rank], 0, (size_t)work.stride * (size_t)work.count * sizeof(double));
  // Where the library says that memory is shared, its pointers are good here; else the own part is laid out alike.
  work.near = work.bases[ARMCI_Uses_shm() && ARMCI_Same_node(1) ? 1 : 0];
  static struct part parts[2];
  int count = 0;
  ARMCI_Barrier();
  if (work.self.rank == 0) {
    int const beside = strcmp(text_of(argc, argv, "--beside", ""), "loop") == 0;
    count = run(&work, text_of(argc, argv, "--op", "get"), beside, reps_of(argc, argv, 9), parts);
  }
  ARMCI_Barrier();
  if (work.self.rank == 0) print_result("GB/s", parts, count);
  ARMCI_Free_local(block);
  free_shared(&work.self, work.bases);
  end_armci();
}
