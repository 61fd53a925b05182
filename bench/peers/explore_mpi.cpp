// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of graph.explore: the nested form by hand over MPI. What comes is explored at once by a local stack; vertices
/// of others are gathered in a few buffers for each rank, which rotate through Isend. The end is found by sums of what
/// was sent and received, twice the same (Mattern 1987).
#include <algorithm>
#include <array>

#include "harness/graph_edges.hpp"
#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

using vertex = std::uint32_t;

/// Rows of own vertices, a block of them; targets are vertices of the whole graph.
struct own_rows {
  std::uint64_t block, first_vertex;
  std::vector<std::uint64_t> first;
  std::vector<vertex> targets;

  own_rows(mpi_rank const& mpi, graph_edges const& edges)
      : block((edges.vertices() + static_cast<std::uint64_t>(mpi.size()) - 1) / static_cast<std::uint64_t>(mpi.size())),
        first_vertex(block * static_cast<std::uint64_t>(mpi.rank())) {
    std::vector<std::pair<vertex, vertex>> mine;
    for (std::uint64_t i = 0; i < edges.count(); ++i) {
      auto const [from, to] = edges[i];
      if (from / block != first_vertex / block || from == to) continue;
      mine.emplace_back(static_cast<vertex>(from - first_vertex), static_cast<vertex>(to));
    }
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    first.assign(block + 1, 0);
    for (auto const& [from, to] : mine) {
      ++first[from + 1];
      targets.push_back(to);
    }
    for (std::uint64_t v = 0; v < block; ++v) first[v + 1] += first[v];
  }
};

/// The buffers of one direction between two ranks, used in turn.
struct channel {
  static constexpr std::size_t depth = 16, capacity = 1000;
  std::array<std::vector<vertex>, depth> buffers;
  std::array<MPI_Request, depth> requests;
  std::size_t turn = 0, filled = 0;

  channel() {
    for (auto& each : buffers) each.resize(capacity);
    requests.fill(MPI_REQUEST_NULL);
  }
};

class exploration {
 public:
  exploration(mpi_rank const& mpi, own_rows const& rows)
      : mpi_(mpi), rows_(rows), known_(rows.block * static_cast<std::uint64_t>(mpi.size()), false) {
    out_.resize(static_cast<std::size_t>(mpi.size()));
    in_.resize(out_.size());
    for (std::size_t r = 0; r < in_.size(); ++r) {
      for (std::size_t k = 0; k < channel::depth; ++k) post_receive(r, k);
    }
  }
  ~exploration() {
    for (channel& each : in_) {
      for (MPI_Request& request : each.requests) {
        if (request == MPI_REQUEST_NULL) continue;
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
    }
  }
  exploration(exploration const&) = delete;
  exploration& operator=(exploration const&) = delete;

  void clear() {
    known_.assign(known_.size(), false);
    explored_ = 0;
  }
  void run() {
    if (rows_.first_vertex == 0) arrive(0);
    std::array<std::uint64_t, 2> before{1, 0}, now{};
    for (;; before = now) {
      while (receive()) continue;
      for (std::size_t r = 0; r < out_.size(); ++r) send(r);
      std::array<std::uint64_t, 2> const own{sent_, received_};
      MPI_Request sum = MPI_REQUEST_NULL;
      MPI_Iallreduce(own.data(), now.data(), 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &sum);
      while (!is_done(sum)) receive();
      if (now[0] == now[1] && now == before) return;
    }
  }
  [[nodiscard]] std::uint64_t explored() const { return explored_; }

 private:
  static constexpr std::size_t ahead = 2;  // in the stack, a vertex whose row is prefetched

  static bool is_done(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
    int done = 0;
    MPI_Test(&request, &done, status);
    return done != 0;
  }
  void post_receive(std::size_t r, std::size_t k) {
    if (static_cast<int>(r) == mpi_.rank()) return;
    MPI_Irecv(in_[r].buffers[k].data(), channel::capacity, MPI_UINT32_T, static_cast<int>(r), 0, MPI_COMM_WORLD,
              &in_[r].requests[k]);
  }

  /// True if something came.
  bool receive() {
    bool came = false;
    for (std::size_t r = 0; r < in_.size(); ++r) {
      channel& from = in_[r];
      MPI_Status status;
      while (from.requests[from.turn] != MPI_REQUEST_NULL && is_done(from.requests[from.turn], &status)) {
        int count = 0;
        MPI_Get_count(&status, MPI_UINT32_T, &count);
        received_ += static_cast<std::uint64_t>(count);
        std::size_t const k = from.turn;
        from.turn = (k + 1) % channel::depth;
        for (int i = 0; i < count; ++i) inbox_.push_back(from.buffers[k][static_cast<std::size_t>(i)]);
        post_receive(r, k);
        came = true;
      }
    }
    if (is_exploring_) return came;  // what it finds is explored by the call that waits for room
    for (std::vector<vertex> now; !inbox_.empty(); now.clear()) {
      now.swap(inbox_);
      for (vertex const each : now) arrive(each);
    }
    return came;
  }
  void arrive(vertex v) {
    if (known_[v]) return;
    known_[v] = true;
    is_exploring_ = true;
    stack_.push_back(v);
    while (!stack_.empty()) {
      std::uint64_t const local = stack_.back() - rows_.first_vertex;
      stack_.pop_back();
      if (stack_.size() >= ahead) {
        vertex const soon = stack_[stack_.size() - ahead];
        __builtin_prefetch(&rows_.targets[rows_.first[soon - rows_.first_vertex]]);
      }
      ++explored_;
      for (std::uint64_t k = rows_.first[local]; k < rows_.first[local + 1]; ++k) follow(rows_.targets[k]);
    }
    is_exploring_ = false;
  }
  void follow(vertex to) {
    if (known_[to]) return;
    known_[to] = true;
    if (to - rows_.first_vertex < rows_.block) {
      __builtin_prefetch(&rows_.first[to - rows_.first_vertex]);
      return stack_.push_back(to);
    }
    std::size_t const r = to / rows_.block;
    channel& its = out_[r];
    its.buffers[its.turn][its.filled++] = to;
    if (its.filled == channel::capacity) send(r);
  }
  void send(std::size_t r) {
    channel& its = out_[r];
    if (its.filled == 0) return;
    MPI_Isend(its.buffers[its.turn].data(), static_cast<int>(its.filled), MPI_UINT32_T, static_cast<int>(r), 0,
              MPI_COMM_WORLD, &its.requests[its.turn]);
    sent_ += its.filled;
    its.filled = 0;
    its.turn = (its.turn + 1) % channel::depth;
    while (!is_done(its.requests[its.turn])) receive();
  }

  mpi_rank const& mpi_;
  own_rows const& rows_;
  std::vector<bool> known_;
  std::vector<channel> out_, in_;
  std::vector<vertex> stack_, inbox_;
  bool is_exploring_ = false;
  std::uint64_t explored_ = 0, sent_ = 0, received_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  graph_edges const edges(args);
  own_rows const rows(mpi, edges);
  std::uint64_t const own = rows.targets.size();
  std::uint64_t all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  exploration one(mpi, rows);
  auto const samples = sample(1, args.reps(5), [&](int) {
    mpi_rank::barrier();
    std::int64_t const start = now_ns();
    one.clear();
    one.run();
    double const us = static_cast<double>(now_ns() - start) / 1e3;
    std::uint64_t explored = one.explored(), total = 0;
    MPI_Allreduce(&explored, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    mpi.check(total == edges.vertices(), "some vertices are explored not once");
    return static_cast<double>(all) / us;
  });
  if (mpi.rank() == 0) print_result("M/s", samples, ", \"result\": " + std::to_string(all));
  mpi_rank::barrier();
}
