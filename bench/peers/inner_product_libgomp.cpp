// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of inner_product/thread: OpenMP's reduction over the threads' parts, milliseconds. Each thread has made its own
/// part, so that its memory lies near it. `--form loop` leaves the cutting to `parallel for simd reduction`.
#include <omp.h>

#include <memory>

#include "harness/inner_product.hpp"

namespace {

using namespace sheaf_bench;

double of_parts(std::vector<std::unique_ptr<part_of_vector>> const& parts) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    auto const mine = parts[static_cast<std::size_t>(omp_get_thread_num())]->values();
    sum += inner_product(mine, mine);
  }
  return sum;
}

double of_loop(double const* x, std::int64_t size) {
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
  for (std::int64_t i = 0; i < size; ++i) sum += x[i] * x[i];
  return sum;
}

template <class Product>
void measure(int reps, std::int64_t size, Product&& product) {
  double const expected = expected_inner_product(size);
  print_result("ms", sample(2, reps, [&](int) {
                 std::int64_t const start = now_ns();
                 double const sum = product();
                 double const ms = static_cast<double>(now_ns() - start) * 1e-6;
                 check(sum == expected, "a wrong sum");
                 return ms;
               }));
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  int const threads = omp_get_max_threads(), reps = args.reps(21);
  std::int64_t const size = args.number("--size", 40'000'000);
  if (args.text("--form", "parts") == "loop") {
    part_of_vector whole(size, 0, 1);
    return measure(reps, size, [&] { return of_loop(whole.values().data(), size); }), 0;
  }
  std::vector<std::unique_ptr<part_of_vector>> parts(static_cast<std::size_t>(threads));
#pragma omp parallel
  {
    int const me = omp_get_thread_num();
    parts[static_cast<std::size_t>(me)] = std::make_unique<part_of_vector>(size, me, threads);
  }
  measure(reps, size, [&] { return of_parts(parts); });
}
