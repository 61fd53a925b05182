// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of graph.bfs.mpi: direction-optimizing breadth-first search (Beamer, Asanović, Patterson, SC 2012) over MPI,
/// level by level. Downwards each remote vertex gets one message from each rank at most; upwards the ranks share a bit
/// for each vertex.
#include "peers/graph_checks.hpp"
#include "peers/mpi_graph.hpp"

namespace {

using namespace sheaf_bench;

class search {
 public:
  search(block_graph const& g, mpi_rank const& mpi)
      : g_(g),
        words_(g.block() / 64),
        own_first_(words_ * static_cast<std::size_t>(mpi.rank())),
        known_(words_ * static_cast<std::size_t>(mpi.size())),
        front_(known_.size()),
        lonely_(known_.size()),
        next_(words_),
        parent_(g.local()),
        level_(g.local()),
        visits_(mpi.size()) {
    for (std::uint32_t v = 0; v < g.local(); ++v) {
      if (g.degree(v) == 0) set(lonely_, g.begin() + v);
    }
    std::uint64_t const own = g.edges();
    MPI_Allreduce(&own, &all_edges_, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  }

  /// Parents of own vertices; -1: not reached. Levels are found, too.
  std::vector<std::int32_t> const& run(std::uint32_t root) {
    std::fill(parent_.begin(), parent_.end(), -1);
    std::fill(level_.begin(), level_.end(), -1);
    depth_ = 0;
    known_ = lonely_;
    queue_.clear();
    fresh_ = {};
    set(known_, root);
    if (g_.is_local(root)) reach(root - g_.begin(), root);
    std::uint64_t left = all_edges_;
    for (step last = sum(); last.vertices != 0; last = sum()) {
      if (last.edges > left / 15) {
        go_up(last.vertices);
      } else {
        left -= std::min(left, last.edges);
        step_down();
      }
    }
    return parent_;
  }

 private:
  struct visit {
    std::uint32_t to, from;
  };
  struct step {
    std::uint64_t vertices = 0, edges = 0;  // reached; that begin there
  };

  static void set(std::vector<std::uint64_t>& bits, std::uint32_t v) { bits[v / 64] |= std::uint64_t{1} << v % 64; }
  static bool has(std::vector<std::uint64_t> const& bits, std::uint32_t v) {
    return (bits[v / 64] >> v % 64 & 1U) != 0;
  }

  step sum() {
    step all;
    MPI_Allreduce(&fresh_, &all, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    fresh_ = {};
    return all;
  }
  void reach(std::uint32_t v, std::uint32_t from) {
    parent_[v] = static_cast<std::int32_t>(from);
    level_[v] = depth_;
    queue_.push_back(v);
    ++fresh_.vertices;
    fresh_.edges += g_.degree(v);
  }

  void step_down() {
    ++depth_;
    now_.swap(queue_);
    queue_.clear();
    for (std::uint32_t const v : now_) {
      for (std::uint32_t const to : g_.row(v)) {
        if (has(known_, to)) continue;
        set(known_, to);
        if (g_.is_local(to)) {
          reach(to - g_.begin(), g_.begin() + v);
        } else {
          visits_.add(to / g_.block(), {to, g_.begin() + v});
        }
      }
    }
    visits_.exchange([this](std::span<visit const> list) {
      for (visit const& one : list) {
        if (has(known_, one.to)) continue;
        set(known_, one.to);
        reach(one.to - g_.begin(), one.from);
      }
    });
  }

  /// As long as it pays; then the last ones reached are in the queue.
  void go_up(std::uint64_t awake) {
    std::fill(next_.begin(), next_.end(), 0);
    for (std::uint32_t const v : queue_) next_[v / 64] |= std::uint64_t{1} << v % 64;
    share();
    for (std::uint64_t before = 0; awake != 0 && (awake >= before || awake > g_.vertices() / 18);) {
      before = awake;
      step_up();
      awake = share();
    }
    queue_.clear();
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t left = next_[w]; left != 0; left &= left - 1) {
        queue_.push_back(static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(__builtin_ctzll(left))));
        fresh_.edges += g_.degree(queue_.back());
      }
    }
    fresh_.vertices = queue_.size();
  }
  void step_up() {
    ++depth_;
    for (std::size_t w = 0; w < words_; ++w) {
      fetch_rows(w + 1);
      std::uint64_t found = 0;
      for (std::uint64_t left = ~known_[own_first_ + w]; left != 0; left &= left - 1) {
        auto const v = static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(__builtin_ctzll(left)));
        if (v >= g_.local()) break;
        for (std::uint32_t const from : g_.row(v)) {
          if (!has(front_, from)) continue;
          parent_[v] = static_cast<std::int32_t>(from);
          level_[v] = depth_;
          found |= std::uint64_t{1} << v % 64;
          break;
        }
      }
      next_[w] = found;
    }
  }
  /// Those that are looked at next.
  [[gnu::always_inline]] void fetch_rows(std::size_t w) const {
    if (w == words_) return;
    for (std::uint64_t left = ~known_[own_first_ + w]; left != 0; left &= left - 1) {
      auto const v = static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(__builtin_ctzll(left)));
      if (v < g_.local()) __builtin_prefetch(g_.row(v).data());
    }
  }
  /// Tells all who was reached last, and counts them.
  std::uint64_t share() {
    int const words = static_cast<int>(words_);
    MPI_Allgather(next_.data(), words, MPI_UINT64_T, front_.data(), words, MPI_UINT64_T, MPI_COMM_WORLD);
    std::uint64_t count = 0;
    for (std::size_t w = 0; w < front_.size(); ++w) {
      known_[w] |= front_[w];
      count += static_cast<std::uint64_t>(__builtin_popcountll(front_[w]));
    }
    return count;
  }

  block_graph const& g_;
  std::size_t const words_, own_first_;                // of an own bitmap; where it begins in one of all vertices
  std::vector<std::uint64_t> known_, front_, lonely_;  // of all vertices: reached, or a message went there; …
  std::vector<std::uint64_t> next_;                    // of own ones
  std::vector<std::int32_t> parent_, level_;           // of own ones; -1: not reached
  std::int32_t depth_ = 0;
  std::vector<std::uint32_t> queue_, now_;
  mail<visit> visits_;
  step fresh_;
  std::uint64_t all_edges_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  graph_edges const edges(args);
  block_graph const g(edges, mpi.rank(), mpi.size());
  search one(g, mpi);
  auto const samples = search_samples(args, edges, 5, 16, mpi_rank::barrier,
                                      [&](std::uint64_t root) { one.run(static_cast<std::uint32_t>(root)); });
  std::vector<std::vector<std::int32_t>> found;
  for (std::uint64_t s = 0; s < 4; ++s)
    found.push_back(gathered(g, mpi, one.run(static_cast<std::uint32_t>(edges.root(s)))));
  if (mpi.rank() != 0) return 0;
  block_graph const whole(edges, 0, 1);
  for (std::uint64_t s = 0; s < 4; ++s) check_tree(whole, static_cast<std::uint32_t>(edges.root(s)), found[s]);
  print_result("ms", samples);
}
