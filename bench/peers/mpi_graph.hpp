// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The graph of peers over MPI: compressed sparse rows of 32-bit numbers, a block of consecutive vertices for each
/// rank. As edges are functions of their numbers, each rank makes all of them and keeps those of its own vertices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/graph_edges.hpp"
#include "peers/mpi_rank.hpp"

namespace sheaf_bench {

/// Undirected, rows sorted, without loops and parallel edges. Blocks are multiples of 64, the bits of a word.
class block_graph {
 public:
  /// The block of one rank; with rank 0 of 1, the whole graph.
  block_graph(graph_edges const& edges, int rank, int size)
      : n_(static_cast<std::uint32_t>(edges.vertices())),
        block_((n_ + static_cast<std::uint32_t>(size) * 64 - 1) / (static_cast<std::uint32_t>(size) * 64) * 64),
        begin_(std::min(n_, block_ * static_cast<std::uint32_t>(rank))),
        end_(std::min(n_, begin_ + block_)),
        first_(local() + 2) {
    each_own_end(edges, [&](std::uint32_t v, std::uint32_t) { ++first_[v + 2]; });
    for (std::size_t v = 2; v < first_.size(); ++v) first_[v] += first_[v - 1];
    targets_.resize(first_.back());
    each_own_end(edges, [&](std::uint32_t v, std::uint32_t to) { targets_[first_[v + 1]++] = to; });
    first_.pop_back();
    tidy();
  }

  [[nodiscard]] std::uint32_t vertices() const { return n_; }
  [[nodiscard]] std::uint32_t block() const { return block_; }  // vertices of each rank; of the last ones fewer
  [[nodiscard]] std::uint32_t begin() const { return begin_; }
  [[nodiscard]] std::uint32_t local() const { return end_ - begin_; }
  [[nodiscard]] bool is_local(std::uint32_t v) const { return v - begin_ < local(); }
  [[nodiscard]] std::uint64_t edges() const { return targets_.size(); }
  /// Of the own vertex begin() + v.
  [[nodiscard]] std::uint64_t first(std::uint32_t v) const { return first_[v]; }
  [[nodiscard]] std::uint64_t degree(std::uint32_t v) const { return first_[v + 1] - first_[v]; }
  [[nodiscard]] std::span<std::uint32_t const> row(std::uint32_t v) const {
    return {targets_.data() + first_[v], degree(v)};
  }

 private:
  template <class Use>
  void each_own_end(graph_edges const& edges, Use use) {
    for (std::uint64_t i = 0; i < edges.count(); ++i) {
      auto const from = static_cast<std::uint32_t>(edges[i].first), to = static_cast<std::uint32_t>(edges[i].second);
      if (from == to) continue;
      if (is_local(from)) use(from - begin_, to);
      if (is_local(to)) use(to - begin_, from);
    }
  }
  void tidy() {
    auto const at = [this](std::uint64_t k) { return targets_.begin() + static_cast<std::ptrdiff_t>(k); };
    std::uint64_t kept = 0, next = 0;
    for (std::uint32_t v = 0; v < local(); ++v) {
      std::uint64_t const from = next;
      next = first_[v + 1];
      std::sort(at(from), at(next));
      auto const last = std::unique(at(from), at(next));
      first_[v] = kept;
      kept = static_cast<std::uint64_t>(std::copy(at(from), last, at(kept)) - at(0));
    }
    first_[local()] = kept;
    targets_.resize(kept);
    targets_.shrink_to_fit();
  }

  std::uint32_t n_, block_, begin_, end_;
  std::vector<std::uint64_t> first_;
  std::vector<std::uint32_t> targets_;
};

/// Lists from each rank to each.
template <class T>
class mail {
 public:
  explicit mail(int size) : out_(static_cast<std::size_t>(size)), in_(out_.size()), sent_(out_.size()), got_(sent_) {}

  void add(std::size_t rank, T const& one) { out_[rank].push_back(one); }

  /// Collective. Calls `use(list)` for each list that another rank had for this one. What was added is sent.
  template <class Use>
  void exchange(Use use) {
    for (std::size_t r = 0; r < out_.size(); ++r) sent_[r] = static_cast<int>(out_[r].size() * sizeof(T));
    MPI_Alltoall(sent_.data(), 1, MPI_INT, got_.data(), 1, MPI_INT, MPI_COMM_WORLD);
    requests_.clear();
    for (std::size_t r = 0; r < out_.size(); ++r) {
      std::size_t const length = static_cast<std::size_t>(got_[r]) / sizeof(T);
      if (in_[r].size() < length) in_[r].resize(length);
      if (length != 0) MPI_Irecv(in_[r].data(), got_[r], MPI_BYTE, static_cast<int>(r), 0, MPI_COMM_WORLD, another());
      if (sent_[r] != 0)
        MPI_Isend(out_[r].data(), sent_[r], MPI_BYTE, static_cast<int>(r), 0, MPI_COMM_WORLD, another());
    }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    for (std::size_t r = 0; r < out_.size(); ++r) {
      out_[r].clear();
      if (got_[r] != 0) use(std::span<T const>(in_[r].data(), static_cast<std::size_t>(got_[r]) / sizeof(T)));
    }
  }

 private:
  MPI_Request* another() { return &requests_.emplace_back(); }

  std::vector<std::vector<T>> out_, in_;  // in_ never gets shorter, as what is new in a vector is written twice
  std::vector<int> sent_, got_;           // bytes
  std::vector<MPI_Request> requests_;
};

/// The values of all vertices, on rank 0 alone, from those of each rank's block.
template <class T>
std::vector<T> gathered(block_graph const& g, mpi_rank const& mpi, std::vector<T> mine) {
  mine.resize(g.block());
  std::vector<T> all(mpi.rank() == 0 ? mine.size() * static_cast<std::size_t>(mpi.size()) : 0);
  int const bytes = static_cast<int>(mine.size() * sizeof(T));
  MPI_Gather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (!all.empty()) all.resize(g.vertices());
  return all;
}

}  // namespace sheaf_bench
