// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of kernels/array_gather: indices go to their owners and values come back, by MPI_Alltoall and MPI_Alltoallv.
#include "harness/remap.hpp"
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

std::vector<int> starts_of(std::vector<int> const& counts) {
  std::vector<int> starts(counts.size());
  for (std::size_t i = 1; i < counts.size(); ++i) starts[i] = starts[i - 1] + counts[i - 1];
  return starts;
}

class exchange {
 public:
  exchange(std::size_t extent, std::size_t ranks)
      : length_((extent + ranks - 1) / ranks), asked_(ranks), asking_(ranks) {}

  void gather(std::vector<double>& to, std::vector<double> const& from, std::vector<std::int64_t> const& at,
              std::size_t first) {
    std::ranges::fill(asked_, 0);
    for (std::int64_t const one : at) ++asked_[owner(one)];
    MPI_Alltoall(asked_.data(), 1, MPI_INT, asking_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    auto const starts = starts_of(asked_), their_starts = starts_of(asking_);
    ordered_.resize(at.size());
    values_.resize(at.size());
    wanted_.resize(static_cast<std::size_t>(their_starts.back() + asking_.back()));
    found_.resize(wanted_.size());
    auto next = starts;
    for (std::int64_t const one : at) ordered_[static_cast<std::size_t>(next[owner(one)]++)] = one;
    MPI_Alltoallv(ordered_.data(), asked_.data(), starts.data(), MPI_INT64_T, wanted_.data(), asking_.data(),
                  their_starts.data(), MPI_INT64_T, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < wanted_.size(); ++i) found_[i] = from[static_cast<std::size_t>(wanted_[i]) - first];
    MPI_Alltoallv(found_.data(), asking_.data(), their_starts.data(), MPI_DOUBLE, values_.data(), asked_.data(),
                  starts.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    next = starts;
    for (std::size_t i = 0; i < at.size(); ++i) to[i] = values_[static_cast<std::size_t>(next[owner(at[i])]++)];
  }

 private:
  std::size_t owner(std::int64_t index) const { return static_cast<std::size_t>(index) / length_; }

  std::size_t length_;
  std::vector<int> asked_, asking_;
  std::vector<std::int64_t> ordered_, wanted_;
  std::vector<double> values_, found_;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  auto const n = static_cast<std::size_t>(args.number("--size", 4'000'000));
  auto const p = static_cast<std::size_t>(mpi.size());
  index_block const mine(n, static_cast<std::size_t>(mpi.rank()), p);
  std::vector<double> to(mine.count), from(mine.count);
  auto const at = random_indices(mine, n);
  for (std::size_t i = 0; i < mine.count; ++i) from[i] = value_at(static_cast<std::int64_t>(mine.first + i));
  exchange with_all(n, p);
  auto const samples = sample(1, args.reps(11), [&](int) {
    std::ranges::fill(to, 0.0);
    mpi_rank::barrier();
    std::int64_t const start = now_ns();
    with_all.gather(to, from, at, mine.first);
    double const ms = static_cast<double>(now_ns() - start) * 1e-6;
    for (std::size_t i = 0; i < mine.count; ++i) mpi.check(to[i] == value_at(at[i]), "a wrong value came");
    return ms;
  });
  if (mpi.rank() == 0) print_result("ms", samples);
}
