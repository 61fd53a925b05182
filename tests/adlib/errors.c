/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The Sheaf authors
 *
 * Misuse, which ends the job with a text: the argument says which. */
#include <adlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t const ten[] = {10};
static adlib_distribution const block[] = {{ADLIB_BLOCK, 0}};
static adlib_array* array_of(size_t bytes) { return adlib_create(1, ten, block, NULL, bytes); }

static void too_early(void) { adlib_barrier(); }
static void wrong_dimensions(void) { adlib_create(16, ten, block, NULL, 8); }
static void wrong_kind(void) {
  adlib_distribution const how = {7, 0};
  adlib_create(1, ten, &how, NULL, 8);
}
static void wrong_grid(void) {
  int const grid[] = {-1};
  adlib_create(1, ten, block, grid, 8);
}
static void wrong_bytes(void) { array_of(0); }
static void wrong_slice(void) {
  adlib_slice const beyond[] = {{4, 7, 1}};
  double got[7];
  adlib_get(array_of(8), beyond, got, NULL);
}
static void wrong_shape(void) {
  adlib_slice const some[] = {{0, 5, 1}};
  adlib_remap(array_of(8), NULL, array_of(8), some);
}
static void wrong_element(void) { adlib_remap(array_of(8), NULL, array_of(4), NULL); }
static void wrong_subscript(void) {
  adlib_array* const at = array_of(4);
  adlib_subscript const by[] = {{at, NULL, 0}};
  ((int*)adlib_own(at, NULL))[3] = 10;
  adlib_gather(array_of(8), NULL, array_of(8), by);
}
static void wrong_integers(void) {
  adlib_subscript const by[] = {{array_of(3), NULL, 0}};
  adlib_gather(array_of(8), NULL, array_of(8), by);
}
static void wrong_array(void) { adlib_own(NULL, NULL); }
static void destroyed(void) {
  adlib_array* const a = array_of(8);
  adlib_destroy(a);
  adlib_destroy(a);
}
static void no_indices(void) { adlib_owner(array_of(8), NULL, NULL); }
static void no_room(void) { adlib_indices(array_of(8), 0, NULL); }
static void no_subscripts(void) { adlib_gather(array_of(8), NULL, array_of(8), NULL); }
static void no_source(void) { adlib_put(array_of(8), NULL, NULL, NULL); }
static void no_memory(void) {
  adlib_slice const none[] = {{0, 0, 1}}, two[] = {{0, 2, 1}};
  adlib_get(array_of(8), none, NULL, NULL);
  adlib_get(array_of(8), two, NULL, NULL);
}
static void negative_extent(void) {
  uint64_t const extents[] = {4, (uint64_t)-3};
  adlib_distribution const how[] = {{ADLIB_BLOCK, 0}, {ADLIB_BLOCK, 0}};
  adlib_create(2, extents, how, NULL, 8);
}
static void subscript_of_another_shape(void) {
  adlib_slice const some[] = {{0, 6, 1}};
  adlib_subscript const by[] = {{array_of(4), some, 0}};
  adlib_gather(array_of(8), NULL, array_of(8), by);
}
static void large_subscript(void) {
  adlib_array* const at = array_of(8);
  adlib_subscript const by[] = {{at, NULL, 1}};
  ((uint64_t*)adlib_own(at, NULL))[0] = UINT64_MAX;
  adlib_gather(array_of(8), NULL, array_of(8), by);
}
static void other_arrays(void) {
  adlib_array *const a = array_of(8), *const b = array_of(8);
  adlib_rank() == 0 ? adlib_destroy(a) : adlib_destroy(b);
}
static void forked(void) {
  int status = 1;
  pid_t const child = fork();
  if (child == 0) exit(0);
  waitpid(child, &status, 0);
  adlib_barrier();
  printf("the child's status is %d\n", status);
}
static void no_communicator(void) { adlib_init_mpi(NULL); }
static void different_calls(void) {
  if (adlib_rank() == 0) adlib_barrier();
  array_of(8);
}
static void wrong_number(void) {
  uint64_t at[1];
  adlib_indices(array_of(8), 10, at);
}
static void forgotten_finalize(void) { puts("all is well"); }

static struct {
  char const* name;
  void (*run)(void);
} const cases[] = {{"early", too_early},
                   {"dimensions", wrong_dimensions},
                   {"kind", wrong_kind},
                   {"grid", wrong_grid},
                   {"bytes", wrong_bytes},
                   {"slice", wrong_slice},
                   {"shape", wrong_shape},
                   {"element", wrong_element},
                   {"subscript", wrong_subscript},
                   {"integers", wrong_integers},
                   {"array", wrong_array},
                   {"number", wrong_number},
                   {"destroyed", destroyed},
                   {"indices", no_indices},
                   {"room", no_room},
                   {"subscripts", no_subscripts},
                   {"source", no_source},
                   {"memory", no_memory},
                   {"communicator", no_communicator},
                   {"calls", different_calls},
                   {"extent", negative_extent},
                   {"alike", subscript_of_another_shape},
                   {"unsigned", large_subscript},
                   {"arrays", other_arrays},
                   {"fork", forked},
                   {"forgotten", forgotten_finalize}};

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (strcmp(argv[1], "early") != 0) adlib_init();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(argv[1], cases[i].name) == 0) cases[i].run();
  }
  return 0;
}
