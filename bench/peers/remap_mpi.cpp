// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of kernels/remap: the same by MPI_Alltoallw, whose types of parts of the matrices are made beforehand.
#include "harness/remap.hpp"
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

/// One side of the exchange: what each rank gets of this rank's matrix, or gives to it.
class parts {
 public:
  parts() = default;
  parts(parts const&) = delete;
  parts& operator=(parts const&) = delete;
  ~parts() {
    for (MPI_Datatype& one : types) {
      if (one != MPI_DOUBLE) MPI_Type_free(&one);
    }
  }
  void add(int rows, int columns, int first_row, int first_column, int part_rows, int part_columns) {
    int const shape[] = {rows, columns}, part[] = {part_rows, part_columns}, first[] = {first_row, first_column};
    bool const any = part_rows > 0 && part_columns > 0;
    MPI_Datatype type = MPI_DOUBLE;
    if (any) {
      MPI_Type_create_subarray(2, shape, part, first, MPI_ORDER_C, MPI_DOUBLE, &type);
      MPI_Type_commit(&type);
    }
    types.push_back(type);
    counts.push_back(any ? 1 : 0);
    displacements.push_back(0);
  }
  std::vector<MPI_Datatype> types;
  std::vector<int> counts, displacements;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  auto const n = static_cast<std::size_t>(args.number("--size", 1024));
  auto const p = static_cast<std::size_t>(mpi.size());
  index_block const all(n, 0, 1), mine(n, static_cast<std::size_t>(mpi.rank()), p);
  std::vector<double> a(mine.count * n), b(n * mine.count);
  parts sent, received;
  auto const number = [](std::size_t of) { return static_cast<int>(of); };
  for (std::size_t r = 0; r < p; ++r) {
    index_block const its(n, r, p);
    sent.add(number(n), number(mine.count), number(its.first), 0, number(its.count), number(mine.count));
    received.add(number(mine.count), number(n), 0, number(its.first), number(mine.count), number(its.count));
  }
  int const each = repeats_of(n * n / p);
  auto const samples = sample(2, args.reps(21), [&](int round) {
    fill_matrix(b, all, mine, n, round);
    mpi_rank::barrier();
    std::int64_t const start = now_ns();
    for (int i = 0; i < each; ++i) {
      MPI_Alltoallw(b.data(), sent.counts.data(), sent.displacements.data(), sent.types.data(), a.data(),
                    received.counts.data(), received.displacements.data(), received.types.data(), MPI_COMM_WORLD);
    }
    double const us = static_cast<double>(now_ns() - start) * 1e-3 / each;
    mpi.check(is_matrix(a, mine, all, n, round), "the matrix has not arrived");
    return us;
  });
  if (mpi.rank() == 0) print_result("us", samples);
}
