// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "check.h"

static long word;
static int strides[40], counts[41];

static void wrong_process(void) { ARMCI_Put(&word, &word, 8, nproc); }
static void negative_process(void) { ARMCI_Get(&word, &word, 8, -1); }
static void negative_bytes(void) { ARMCI_Put(&word, &word, -8, me); }
static void datatype(void) { ARMCI_Acc(6, &word, &word, &word, 8, me); }
static void partial_element(void) { ARMCI_Acc(ARMCI_ACC_DBL, NULL, &word, &word, 5, me); }
static void levels(void) { ARMCI_GetS(&word, strides, &word, strides, counts, 32, me); }
static void negative_count(void) {
  counts[0] = 8;
  counts[1] = -2;
  ARMCI_PutS(&word, strides, &word, strides, counts, 1, me);
}
static void operation(void) { ARMCI_Rmw(4, &word, &word, 1, me); }
static void unaligned(void) { ARMCI_Rmw(ARMCI_SWAP, &word, (char*)&word + 1, 1, me); }
static void no_mutexes(void) { ARMCI_Lock(0, me); }
static void mutex_range(void) {
  ARMCI_Create_mutexes(2);
  ARMCI_Lock(2, me);
}
static void locked_twice(void) {
  ARMCI_Create_mutexes(1);
  ARMCI_Lock(0, me);
  ARMCI_Lock(0, me);
}
static void unlocked_twice(void) {
  ARMCI_Create_mutexes(1);
  ARMCI_Unlock(0, me);
}
static void freed_twice(void) {
  void** const all = shared_zeros(8);
  ARMCI_Free(all[me]);
  ARMCI_Free(all[me]);
}
static void no_operation(void) { armci_msg_igop(&me, 1, "average"); }
static void bits_of_floats(void) {
  double d = 1;
  armci_msg_dgop(&d, 1, "or");
}
static void member(void) {
  ARMCI_Group group;
  int list[] = {nproc};
  ARMCI_Group_create(1, list, &group);
}
static void no_job(void) {
  ARMCI_Finalize();
  ARMCI_Put(&word, &word, 8, 0);
}
static void by_caller(void) { ARMCI_Error("the caller is not content", 3); }
static void aborted(void) { armci_msg_abort(5); }

static struct {
  char const* name;
  void (*run)(void);
} const all_errors[] = {{"wrong_process", wrong_process},
                        {"negative_process", negative_process},
                        {"negative_bytes", negative_bytes},
                        {"datatype", datatype},
                        {"partial_element", partial_element},
                        {"levels", levels},
                        {"negative_count", negative_count},
                        {"operation", operation},
                        {"unaligned", unaligned},
                        {"no_mutexes", no_mutexes},
                        {"mutex_range", mutex_range},
                        {"locked_twice", locked_twice},
                        {"unlocked_twice", unlocked_twice},
                        {"freed_twice", freed_twice},
                        {"no_operation", no_operation},
                        {"bits_of_floats", bits_of_floats},
                        {"member", member},
                        {"no_job", no_job},
                        {"by_caller", by_caller},
                        {"aborted", aborted}};

void provoke(char const* what) {
  for (size_t i = 0; i < sizeof all_errors / sizeof *all_errors; ++i) {
    if (strcmp(all_errors[i].name, what) == 0) all_errors[i].run();
  }
}
