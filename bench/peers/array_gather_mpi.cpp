// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of kernels/array_gather: indices go to their owners, by MPI_Alltoall and MPI_Alltoallv, and values come back:
/// by MPI_Alltoallv, in order, from and to buffers; or with `--form types` by MPI_Alltoallw, from where they are to
/// where they go, with indexed types.
#include "harness/remap.hpp"
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

std::vector<int> starts_of(std::vector<int> const& counts) {
  std::vector<int> starts(counts.size());
  for (std::size_t i = 1; i < counts.size(); ++i) starts[i] = starts[i - 1] + counts[i - 1];
  return starts;
}

/// Of each rank a part: doubles at places of an array.
class scattered_parts {
 public:
  scattered_parts(std::vector<int> const& places, std::vector<int> const& counts, std::vector<int> const& starts)
      : ones(counts.size()), nowhere(counts.size(), 0), types(counts.size(), MPI_DOUBLE) {
    for (std::size_t r = 0; r < counts.size(); ++r) {
      if (counts[r] == 0) continue;
      MPI_Type_create_indexed_block(counts[r], 1, &places[static_cast<std::size_t>(starts[r])], MPI_DOUBLE, &types[r]);
      MPI_Type_commit(&types[r]);
      ones[r] = 1;
    }
  }
  scattered_parts(scattered_parts const&) = delete;
  scattered_parts& operator=(scattered_parts const&) = delete;
  ~scattered_parts() {
    for (std::size_t r = 0; r < types.size(); ++r) {
      if (ones[r] != 0) MPI_Type_free(&types[r]);
    }
  }
  std::vector<int> ones, nowhere;
  std::vector<MPI_Datatype> types;
};

class exchange {
 public:
  exchange(std::size_t extent, std::size_t ranks, bool by_types)
      : length_((extent + ranks - 1) / ranks), by_types_(by_types), asked_(ranks), asking_(ranks) {}

  void gather(std::vector<double>& to, std::vector<double> const& from, std::vector<std::int64_t> const& at,
              std::size_t first) {
    send_indices(at);
    by_types_ ? bring_by_types(to, from, at, first) : bring_in_order(to, from, at, first);
  }

 private:
  std::size_t owner(std::int64_t index) const { return static_cast<std::size_t>(index) / length_; }

  void send_indices(std::vector<std::int64_t> const& at) {
    std::ranges::fill(asked_, 0);
    for (std::int64_t const one : at) ++asked_[owner(one)];
    MPI_Alltoall(asked_.data(), 1, MPI_INT, asking_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    starts_ = starts_of(asked_);
    their_starts_ = starts_of(asking_);
    ordered_.resize(at.size());
    wanted_.resize(static_cast<std::size_t>(their_starts_.back() + asking_.back()));
    auto next = starts_;
    for (std::int64_t const one : at) ordered_[static_cast<std::size_t>(next[owner(one)]++)] = one;
    MPI_Alltoallv(ordered_.data(), asked_.data(), starts_.data(), MPI_INT64_T, wanted_.data(), asking_.data(),
                  their_starts_.data(), MPI_INT64_T, MPI_COMM_WORLD);
  }

  void bring_in_order(std::vector<double>& to, std::vector<double> const& from, std::vector<std::int64_t> const& at,
                      std::size_t first) {
    values_.resize(at.size());
    found_.resize(wanted_.size());
    for (std::size_t i = 0; i < wanted_.size(); ++i) found_[i] = from[static_cast<std::size_t>(wanted_[i]) - first];
    MPI_Alltoallv(found_.data(), asking_.data(), their_starts_.data(), MPI_DOUBLE, values_.data(), asked_.data(),
                  starts_.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    auto next = starts_;
    for (std::size_t i = 0; i < at.size(); ++i) to[i] = values_[static_cast<std::size_t>(next[owner(at[i])]++)];
  }

  void bring_by_types(std::vector<double>& to, std::vector<double> const& from, std::vector<std::int64_t> const& at,
                      std::size_t first) {
    here_.resize(wanted_.size());
    there_.resize(at.size());
    for (std::size_t i = 0; i < wanted_.size(); ++i) here_[i] = static_cast<int>(wanted_[i]) - static_cast<int>(first);
    auto next = starts_;
    for (std::size_t i = 0; i < at.size(); ++i) {
      there_[static_cast<std::size_t>(next[owner(at[i])]++)] = static_cast<int>(i);
    }
    scattered_parts const sent(here_, asking_, their_starts_), received(there_, asked_, starts_);
    MPI_Alltoallw(from.data(), sent.ones.data(), sent.nowhere.data(), sent.types.data(), to.data(),
                  received.ones.data(), received.nowhere.data(), received.types.data(), MPI_COMM_WORLD);
  }

  std::size_t length_;
  bool by_types_;
  std::vector<int> asked_, asking_, starts_, their_starts_;
  std::vector<std::int64_t> ordered_, wanted_;
  std::vector<double> values_, found_;
  std::vector<int> here_, there_;  // places of what is sent and received
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
  exchange with_all(n, p, args.text("--form", "order") == "types");
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
