// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The histogram of ../histogram.cpp in plain MPI: what a program has to do by hand for the same fine-grain updates. One
/// buffer per rank, sent when full; receiving in between; at the end all say how many messages they sent to each.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr std::uint64_t bins = 1 << 16, values = 1'000'000, batch = 1024;

struct histogram {
  histogram() : counts(bins) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    filling.resize(static_cast<std::size_t>(size));
    messages_to.resize(filling.size());
  }

  int rank = 0, size = 1;
  std::vector<std::uint64_t> counts;
  std::vector<std::vector<std::uint64_t>> filling;  // per rank
  std::vector<std::uint64_t> messages_to;           // per rank, how many were sent
  std::vector<std::uint64_t> in_flight;             // the buffer under way; one at a time
  MPI_Request sending = MPI_REQUEST_NULL;
  std::uint64_t received = 0;

  void receive() {
    int there = 0, words = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return;
    MPI_Get_count(&status, MPI_UINT64_T, &words);
    std::vector<std::uint64_t> arrived(static_cast<std::size_t>(words));
    MPI_Recv(arrived.data(), words, MPI_UINT64_T, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (auto const bin : arrived) ++counts[bin];
    ++received;
  }

  /// Receiving meanwhile, lest all wait for each other.
  void finish(MPI_Request& request) {
    for (int done = 0; done == 0; receive()) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }

  void send(int dest) {
    finish(sending);
    auto const to = static_cast<std::size_t>(dest);
    in_flight.swap(filling[to]);
    filling[to].clear();
    ++messages_to[to];
    MPI_Isend(in_flight.data(), static_cast<int>(in_flight.size()), MPI_UINT64_T, dest, 0, MPI_COMM_WORLD, &sending);
  }

  void count(std::uint64_t value) {
    auto const dest = static_cast<std::size_t>(value % static_cast<std::uint64_t>(size));
    filling[dest].push_back(value / static_cast<std::uint64_t>(size));
    if (filling[dest].size() == batch) send(static_cast<int>(dest));
  }

  /// The fence: sends what is left, learns how many messages must come, receives them.
  void fence() {
    for (int r = 0; r < size; ++r) send(r);
    std::uint64_t expected = 0;
    MPI_Request counting;
    MPI_Ireduce_scatter_block(messages_to.data(), &expected, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &counting);
    finish(counting);
    while (received < expected) receive();
    finish(sending);
  }
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  histogram bars;
  std::uint64_t random = static_cast<std::uint64_t>(bars.rank) + 1;
  for (std::uint64_t i = 0; i < values; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    bars.count(random >> 48);
  }
  bars.fence();
  std::uint64_t mine = 0, all = 0;
  for (auto const n : bars.counts) mine += n;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (bars.rank == 0) std::printf("%lu values in %lu bins on %d ranks\n", all, bins, bars.size);
  MPI_Finalize();
  return all == values * static_cast<std::uint64_t>(bars.size) ? 0 : 1;
}
