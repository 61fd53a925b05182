// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Two wires over one MPI in each of two processes, which one thread uses in turn. What is sent over a wire comes over
/// it, in order, and over no other.
#include <mpi.h>

#include <cstdio>
#include <cstring>

#include "transport/net/gateway.hpp"
#include "transport/net/wire.hpp"

namespace {

using sheaf::net::engine;

constexpr std::uint32_t packets = 2000;

/// One way to the other process, and back.
struct way {
  way(sheaf::net::bootstrap_ptr const& job, std::uint32_t of)
      : line(sheaf::net::open_wire(job)), packer(*job, *line, {}), other(1 - job->rank()), mark(of) {}

  void step() {
    if (sent != packets) {
      std::uint32_t const value[2] = {mark, sent++};
      sheaf::buffer packet = packer.take(sizeof value);
      std::memcpy(packet.data(), value, sizeof value);
      packet.set_size(sizeof value);
      packer.send(other, std::move(packet));
    }
    packer.poll();
    for (auto* in = packer.front(); in != nullptr; in = packer.front()) {
      std::uint32_t value[2] = {};
      std::memcpy(value, in->block.data(), sizeof value);
      good = good && in->block.size() == sizeof value && value[0] == mark && value[1] == came;
      ++came;
      packer.pop();
    }
  }
  [[nodiscard]] bool done() const { return came == packets && packer.done(); }

  sheaf::net::wire_ptr line;
  engine packer;
  std::uint32_t const other;
  std::uint32_t const mark;
  std::uint32_t sent = 0, came = 0;
  bool good = true;
};

int complain(char const* what) {
  std::fprintf(stderr, "two wires: %s\n", what);
  return 1;
}

int run() {
  auto const job = sheaf::net::load_bootstrap("", sheaf::net::thread_level::one_at_a_time);
  if (job->level() != sheaf::net::thread_level::one_at_a_time) return complain("the level of threads is not MPI's");
  way left(job, 1), right(job, 2);
  while (!left.done() || !right.done()) left.step(), right.step();
  while (!job->sum(0)) left.step(), right.step();
  return left.good && right.good ? 0 : complain("a packet is wrong, or came another way");
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  int const code = run();
  MPI_Finalize();
  return code;
}
