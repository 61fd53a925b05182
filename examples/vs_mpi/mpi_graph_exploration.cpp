// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The exploration of ../graph_exploration.cpp in plain MPI. Each rank gathers vertices for each other rank, and sends
/// them when they are many, or when it has nothing else to do. The exploration has ended when two sums in a row say
/// that all vertices sent were received, and are equal.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <list>
#include <utility>
#include <vector>

constexpr std::uint64_t vertices = 200'000, degree = 8;
constexpr std::size_t many = 512;

std::uint64_t neighbour(std::uint64_t vertex, std::uint64_t edge) {
  if (edge == 0) return (vertex + 1) % vertices;
  std::uint64_t const mixed = (vertex * degree + edge) * 0x9E3779B97F4A7C15u;
  return (mixed ^ mixed >> 29) % vertices;
}

class exploration {
 public:
  exploration() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    to_.resize(static_cast<std::size_t>(size));
    block_ = (vertices + to_.size() - 1) / to_.size();
    explored_.resize(block_);
  }

  std::uint64_t run() {
    if (rank_ == 0) found_.push_back(0);
    while (!has_ended()) {
      receive();
      explore();
      for (std::size_t rank = 0; rank < to_.size(); ++rank) send(rank);
      sending_.remove_if([](auto& each) {
        int done = 0;
        MPI_Test(&each.first, &done, MPI_STATUS_IGNORE);
        return done != 0;
      });
    }
    std::uint64_t all = 0;
    MPI_Allreduce(&count_, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }
  [[nodiscard]] int rank() const { return rank_; }

 private:
  void receive() {
    MPI_Status status;
    for (int there = 0; MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status), there != 0;) {
      int size = 0;
      MPI_Get_count(&status, MPI_UINT64_T, &size);
      std::size_t const before = found_.size();
      found_.resize(before + static_cast<std::size_t>(size));
      MPI_Recv(&found_[before], size, MPI_UINT64_T, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      counts_[1] += static_cast<std::uint64_t>(size);
    }
  }

  void explore() {
    while (!found_.empty()) {
      std::uint64_t const vertex = found_.back();
      found_.pop_back();
      std::size_t const local = vertex - block_ * static_cast<std::size_t>(rank_);
      if (explored_[local]) continue;
      explored_[local] = true;
      ++count_;
      for (std::uint64_t edge = 0; edge < degree; ++edge) {
        std::uint64_t const next = neighbour(vertex, edge);
        std::size_t const owner = next / block_;
        if (owner == static_cast<std::size_t>(rank_)) {
          found_.push_back(next);
        } else {
          to_[owner].push_back(next);
          if (to_[owner].size() == many) send(owner);
        }
      }
    }
  }

  void send(std::size_t rank) {
    if (to_[rank].empty()) return;
    counts_[0] += to_[rank].size();
    auto& [request, buffer] = sending_.emplace_back(MPI_REQUEST_NULL, std::exchange(to_[rank], {}));
    MPI_Isend(buffer.data(), static_cast<int>(buffer.size()), MPI_UINT64_T, static_cast<int>(rank), 0, MPI_COMM_WORLD,
              &request);
  }

  /// A rank has nothing to do whenever it comes here.
  bool has_ended() {
    int done = 0;
    if (summing_ != MPI_REQUEST_NULL) {
      MPI_Test(&summing_, &done, MPI_STATUS_IGNORE);
      if (done == 0) return false;
      if (sums_[0] == sums_[1] && sums_[0] == last_[0] && sums_[1] == last_[1]) return true;
      last_[0] = sums_[0], last_[1] = sums_[1];
    }
    summed_[0] = counts_[0], summed_[1] = counts_[1];
    MPI_Iallreduce(summed_, sums_, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &summing_);
    return false;
  }

  int rank_ = 0;
  std::size_t block_ = 0;
  std::vector<bool> explored_;
  std::vector<std::uint64_t> found_;
  std::vector<std::vector<std::uint64_t>> to_;
  std::list<std::pair<MPI_Request, std::vector<std::uint64_t>>> sending_;
  std::uint64_t count_ = 0, counts_[2] = {}, summed_[2] = {}, sums_[2] = {}, last_[2] = {1, 0};
  MPI_Request summing_ = MPI_REQUEST_NULL;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  exploration graph;
  std::uint64_t const all = graph.run();
  if (graph.rank() == 0) std::printf("%lu of %lu vertices explored\n", all, vertices);
  MPI_Finalize();
  return all == vertices ? 0 : 1;
}
