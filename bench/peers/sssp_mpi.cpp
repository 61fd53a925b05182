// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of graph.sssp.mpi: Δ-stepping (Meyer, Sanders 2003) over MPI, with parents. What shortens a path to an own
/// vertex counts at once, in the same bucket too. What shortens one to a vertex of another rank waits for the round's
/// end, so that each of them gets one message a round from each rank.
#include "peers/graph_checks.hpp"
#include "peers/mpi_graph.hpp"

namespace {

using namespace sheaf_bench;

class paths {
 public:
  paths(block_graph const& g, mpi_rank const& mpi, std::uint32_t delta)
      : g_(g),
        delta_(delta),
        size_(static_cast<std::size_t>(mpi.size())),
        best_(g.vertices()),
        parent_(g.vertices()),
        waits_(g.vertices()),
        far_ones_(size_),
        shorter_(mpi.size()) {
    roads_.reserve(g.edges());
    for (std::uint32_t v = 0; v < g.local(); ++v) {
      for (std::uint32_t const to : g.row(v)) roads_.push_back({to, graph_edges::weight(g.begin() + v, to)});
    }
  }

  void run(std::uint32_t root) {
    std::fill(best_.begin(), best_.end(), far);
    std::fill(parent_.begin(), parent_.end(), -1);
    if (g_.is_local(root)) lower(root, root, 0);
    for (std::size_t bucket = 0; bucket != none; bucket = first_of_all(bucket)) {
      work_on(bucket);
      exchange();
    }
    buckets_.clear();
  }
  /// Of own vertices.
  [[nodiscard]] std::vector<std::uint32_t> lengths() const { return own(best_); }
  [[nodiscard]] std::vector<std::int32_t> parents() const { return own(parent_); }

 private:
  struct road {
    std::uint32_t to, weight;
  };
  struct entry {
    std::uint32_t v, length;  // out of date once there is a shorter path
  };
  struct relaxation {
    std::uint32_t to, from, length;
  };
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  template <class T>
  [[nodiscard]] std::vector<T> own(std::vector<T> const& all) const {
    auto const from = all.begin() + g_.begin();
    return {from, from + g_.local()};
  }

  void lower(std::uint32_t v, std::uint32_t from, std::uint32_t length) {
    best_[v] = length;
    parent_[v] = static_cast<std::int32_t>(from);
    std::size_t const bucket = length / delta_;
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back({v, length});
  }
  void work_on(std::size_t bucket) {
    while (bucket < buckets_.size() && !buckets_[bucket].empty()) {
      now_.swap(buckets_[bucket]);
      for (entry const& one : now_) {
        if (best_[one.v] == one.length) relax(one.v, one.length);
      }
      now_.clear();
    }
  }
  void relax(std::uint32_t v, std::uint32_t from) {
    road const* const row = roads_.data() + g_.first(v - g_.begin());
    road const* const end = row + g_.degree(v - g_.begin());
    std::uint32_t* const best = best_.data();
    for (road const* one = row; one != end; ++one) {
      std::uint32_t const length = from + one->weight;
      if (length >= best[one->to]) continue;
      if (g_.is_local(one->to)) {
        lower(one->to, v, length);
        continue;
      }
      best[one->to] = length;
      parent_[one->to] = static_cast<std::int32_t>(v);
      if (waits_[one->to] != 0) continue;
      waits_[one->to] = 1;
      far_ones_[one->to / g_.block()].push_back(one->to);
    }
  }
  void exchange() {
    for (std::size_t r = 0; r < size_; ++r) {
      for (std::uint32_t const v : far_ones_[r]) {
        shorter_.add(r, {v, static_cast<std::uint32_t>(parent_[v]), best_[v]});
        waits_[v] = 0;
      }
      far_ones_[r].clear();
    }
    shorter_.exchange([this](std::span<relaxation const> list) {
      for (relaxation const& one : list) {
        if (one.length < best_[one.to]) lower(one.to, one.from, one.length);
      }
    });
  }
  /// A message may add to the bucket that was last, but to none before.
  [[nodiscard]] std::size_t first_of_all(std::size_t last) const {
    std::size_t mine = last;
    while (mine < buckets_.size() && buckets_[mine].empty()) ++mine;
    if (mine >= buckets_.size()) mine = none;
    std::size_t all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return all;
  }

  block_graph const& g_;
  std::uint32_t const delta_;
  std::size_t const size_;
  std::vector<road> roads_;
  std::vector<std::uint32_t> best_;  // of others' vertices: the best that was found here
  std::vector<std::int32_t> parent_;
  std::vector<std::uint8_t> waits_;  // for the round's end
  std::vector<std::vector<entry>> buckets_;
  std::vector<entry> now_;
  std::vector<std::vector<std::uint32_t>> far_ones_;
  mail<relaxation> shorter_;
};

/// The lengths are Dijkstra's, and a parent's edge makes the difference.
void check_paths(block_graph const& g, std::uint32_t root, std::vector<std::uint32_t> const& length,
                 std::vector<std::int32_t> const& parent) {
  check(length == distances(g, root), "a distance is wrong");
  for (std::uint32_t v = 0; v < g.vertices(); ++v) {
    if (v == root || length[v] == far) continue;
    auto const from = static_cast<std::uint32_t>(parent[v]);
    check(std::ranges::binary_search(g.row(v), from) && length[from] + graph_edges::weight(from, v) == length[v],
          "a parent is wrong");
  }
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  graph_edges const edges(args);
  block_graph const g(edges, mpi.rank(), mpi.size());
  paths one(g, mpi, static_cast<std::uint32_t>(args.number("--delta", edges.is_kron() ? 8 : 32)));
  auto const samples = search_samples(args, edges, 3, 8, mpi_rank::barrier,
                                      [&](std::uint64_t root) { one.run(static_cast<std::uint32_t>(root)); });
  std::vector<std::vector<std::uint32_t>> lengths;
  std::vector<std::vector<std::int32_t>> parents;
  for (std::uint64_t s = 0; s < 2; ++s) {
    one.run(static_cast<std::uint32_t>(edges.root(s)));
    lengths.push_back(gathered(g, mpi, one.lengths()));
    parents.push_back(gathered(g, mpi, one.parents()));
  }
  if (mpi.rank() != 0) return 0;
  block_graph const whole(edges, 0, 1);
  for (std::uint64_t s = 0; s < 2; ++s)
    check_paths(whole, static_cast<std::uint32_t>(edges.root(s)), lengths[s], parents[s]);
  print_result("ms", samples);
}
