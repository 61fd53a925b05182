// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// For measuring programs in C what measure.hpp is for those in C++: command line, clock, medians, and parts of a
/// result.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_samples = 1000 };

/// Values of the same thing, each a median over what was timed.
struct samples {
  int count;
  double values[most_samples];
};

/// One thing of several that a program measures, with the peer's where it measures both; its peer has no samples else.
struct part {
  char const* name;
  struct samples ours, peer;
};

static inline void check(int good, char const* what) {
  if (good) return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}

/// The value of `--name` among the arguments.
static inline char const* text_of(int argc, char** argv, char const* name, char const* otherwise) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (strcmp(argv[i], name) == 0) return argv[i + 1];
  }
  return otherwise;
}

static inline int number_of(int argc, char** argv, char const* name, int otherwise) {
  char const* const text = text_of(argc, argv, name, NULL);
  if (text == NULL) return otherwise;
  char* end = NULL;
  long const parsed = strtol(text, &end, 10);
  check(end != text && *end == '\0' && parsed >= 0 && parsed < 1 << 30, "an argument is not a whole number from 0");
  return (int)parsed;
}

/// How many repetitions to measure: `--reps`, which the driver lowers for a quick look.
static inline int reps_of(int argc, char** argv, int otherwise) {
  int const reps = number_of(argc, argv, "--reps", otherwise);
  return reps < 1 ? 1 : reps > most_samples ? most_samples : reps;
}

/// Nanoseconds of the monotonic clock.
static inline long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline int compare_doubles(void const* a, void const* b) {
  double const x = *(double const*)a, y = *(double const*)b;
  return (x > y) - (x < y);
}

static inline double median(struct samples const* of) {
  struct samples sorted = *of;
  check(sorted.count > 0, "no samples");
  qsort(sorted.values, (size_t)sorted.count, sizeof sorted.values[0], compare_doubles);
  int const half = sorted.count / 2;
  return sorted.count % 2 == 1 ? sorted.values[half] : (sorted.values[half - 1] + sorted.values[half]) / 2;
}

static inline void add_sample(struct samples* to, double value) {
  check(to->count < most_samples, "too many samples");
  to->values[to->count++] = value;
}

/// Nanoseconds that one `operation(context, number)` takes: the median over `blocks` blocks of `each`. `after`, where
/// there is one, is what a block waits for at its end. A block is short, so that other programs disturb few of them.
static inline double ns_each(int blocks, int each, void (*operation)(void*, int), void (*after)(void*), void* context) {
  struct samples times = {0};
  for (int b = 0; b < blocks; ++b) {
    long long const start = now_ns();
    for (int i = 0; i < each; ++i) operation(context, i);
    if (after != NULL) after(context);
    add_sample(&times, (double)(now_ns() - start) / each);
  }
  return median(&times);
}

static inline void print_parts(char const* key, struct part const* parts, int count, int of_peer) {
  printf(", \"%s\": {", key);
  for (int i = 0; i < count; ++i) {
    struct samples const* const of = of_peer ? &parts[i].peer : &parts[i].ours;
    printf("%s\"%s\": %.6g", i == 0 ? "" : ", ", parts[i].name, median(of));
  }
  printf("}");
}

/// Prints the one line of a program that passed its checks. With several parts its value is the first's, and the driver
/// compares part by part.
static inline void print_result(char const* unit, struct part const* parts, int count) {
  struct samples const* const first = &parts[0].ours;
  int const has_peer = parts[0].peer.count > 0;
  printf("{\"value\": %.6g, \"unit\": \"%s\", \"samples\": [", median(first), unit);
  for (int i = 0; i < first->count; ++i) printf("%s%.6g", i == 0 ? "" : ", ", first->values[i]);
  printf("], \"check\": \"ok\"");
  if (has_peer) printf(", \"peer\": %.6g", median(&parts[0].peer));
  if (count > 1) print_parts("parts", parts, count, 0);
  if (count > 1 && has_peer) print_parts("peer_parts", parts, count, 1);
  printf("}\n");
  fflush(stdout);
}
