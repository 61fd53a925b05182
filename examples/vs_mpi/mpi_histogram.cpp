// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The histogram of ../histogram.cpp in plain MPI: what a program does by hand for the same fine-grain updates. One
/// buffer per rank, sent when full; receiving in between; at the end all learn how many messages must still come.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr std::uint64_t bins = 1 << 16, values = 1'000'000, batch = 1024;

struct histogram {
  explicit histogram(std::size_t ranks) : size(ranks), counts(bins / ranks + 1), filling(ranks), messages_to(ranks) {}

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

  void finish(MPI_Request& request) {  // receives meanwhile, lest all wait for each other
    for (int done = 0; done == 0; receive()) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }

  void send(std::size_t dest) {
    finish(sending);
    in_flight.swap(filling[dest]);
    filling[dest].clear();
    ++messages_to[dest];
    MPI_Isend(in_flight.data(), static_cast<int>(in_flight.size()), MPI_UINT64_T, static_cast<int>(dest), 0,
              MPI_COMM_WORLD, &sending);
  }

  void count(std::uint64_t value) {
    filling[value % size].push_back(value / size);
    if (filling[value % size].size() == batch) send(value % size);
  }

  void fence() {
    for (std::size_t r = 0; r < size; ++r) send(r);
    std::uint64_t expected = 0;
    MPI_Request counting;
    MPI_Ireduce_scatter_block(messages_to.data(), &expected, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &counting);
    finish(counting);
    while (received < expected) receive();
    finish(sending);
  }

  std::size_t size;
  std::vector<std::uint64_t> counts;
  std::vector<std::vector<std::uint64_t>> filling;  // per rank
  std::vector<std::uint64_t> in_flight;             // one buffer under way at a time
  std::vector<std::uint64_t> messages_to;           // sent so far, per rank
  MPI_Request sending = MPI_REQUEST_NULL;
  std::uint64_t received = 0;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  histogram bars(static_cast<std::size_t>(size));
  std::uint64_t random = static_cast<std::uint64_t>(rank) + 1, mine = 0, all = 0;
  for (std::uint64_t i = 0; i < values; ++i)
    bars.count((random = random * 6364136223846793005u + 1442695040888963407u) >> 48);
  bars.fence();
  for (auto const n : bars.counts) mine += n;
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%lu values in %lu bins on %d ranks\n", all, bins, size);
  MPI_Finalize();
  return all == values * static_cast<std::uint64_t>(size) ? 0 : 1;
}
