// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of memory.hosts/stream and strided: the same bytes by Isend, up to eight at a time, and Recv from one rank to
/// the other and back, GB/s, the worse of both, which are also its parts. --strided 1: sections of 128 x 128 doubles,
/// packed and unpacked by hand.
#include <cstring>
#include <string>

#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

constexpr std::size_t side = 128, line = 1024, block = std::size_t{1} << 17;  // doubles

constexpr std::size_t window = 8;

using doubles = std::vector<double>;

/// What rank `from` sends is put into the other one's section.
struct exchange {
  bool strided;
  doubles memory = doubles(side * line + block);
  doubles packed = doubles(strided ? side * side : block);
  std::vector<doubles> sent = std::vector<doubles>(window, packed);  // packed, too
  std::vector<MPI_Request> requests = std::vector<MPI_Request>(window, MPI_REQUEST_NULL);

  void pack(doubles& into) const {
    for (std::size_t i = 0; i < side; ++i) std::memcpy(&into[i * side], &memory[i * line], side * sizeof(double));
  }
  void unpack() {
    for (std::size_t i = 0; strided && i < side; ++i)
      std::memcpy(&memory[i * line], &packed[i * side], side * sizeof(double));
  }
  void send(int to, std::size_t number) {
    std::size_t const slot = number % window;
    MPI_Wait(&requests[slot], MPI_STATUS_IGNORE);
    if (strided) pack(sent[slot]);
    MPI_Isend(strided ? sent[slot].data() : memory.data(), static_cast<int>(packed.size()), MPI_DOUBLE, to, 0,
              MPI_COMM_WORLD, &requests[slot]);
  }
  void finish() { MPI_Waitall(static_cast<int>(window), requests.data(), MPI_STATUSES_IGNORE); }
  void receive(int from) {
    MPI_Recv(strided ? packed.data() : memory.data(), static_cast<int>(packed.size()), MPI_DOUBLE, from, 0,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    unpack();
  }
};

/// GB/s of `count` messages, whose last one is acknowledged.
double rate_of(mpi_rank const& mpi, exchange& with, int from, int count) {
  MPI_Barrier(MPI_COMM_WORLD);
  std::int64_t const start = now_ns();
  for (int i = 0; i < count; ++i)
    mpi.rank() == from ? with.send(1 - from, static_cast<std::size_t>(i)) : with.receive(from);
  with.finish();
  int end = 0;
  mpi.rank() == from ? MPI_Recv(&end, 1, MPI_INT, 1 - from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
                     : MPI_Send(&end, 1, MPI_INT, from, 1, MPI_COMM_WORLD);
  auto const bytes = static_cast<double>(with.packed.size() * sizeof(double)) * count;
  return bytes / static_cast<double>(now_ns() - start);
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  mpi.check(mpi.size() == 2, "needs two ranks");
  int const reps = args.reps(7);
  exchange with{args.number("--strided", 0) != 0};
  int const count = with.strided ? 100 : 64;
  for (std::size_t i = 0; i < with.memory.size(); ++i) with.memory[i] = static_cast<double>(i);
  doubles puts, gets;
  for (int r = 0; r <= reps; ++r) {
    double const put = rate_of(mpi, with, 0, count), get = rate_of(mpi, with, 1, count);
    if (r == 0) continue;
    puts.push_back(put);
    gets.push_back(get);
  }
  mpi.check(with.memory[side - 1] == side - 1, "values came back changed");
  if (mpi.rank() != 0) return 0;
  double const put = median(puts), get = median(gets);
  print_result("GB/s", put < get ? puts : gets,
               ", \"parts\": {\"put\": " + std::to_string(put) + ", \"get\": " + std::to_string(get) + "}");
}
