// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Two wires over one MPI in each of two processes. `serialized`: one thread uses both in turn; `multiple`: MPI is
/// started with MPI_THREAD_MULTIPLE, and two threads use one each, at the same time. What is sent over a wire comes
/// over it, in order, and over no other.
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <string_view>
#include <thread>

#include "transport/net/engine.hpp"
#include "transport/net/wire_loader.hpp"

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
      std::memcpy(value, in->data, sizeof value);
      good = good && in->bytes == sizeof value && value[0] == mark && value[1] == came;
      ++came;
      packer.pop();
    }
  }
  [[nodiscard]] bool done() const { return came == packets && packer.done(); }
  void run() {
    while (!done()) step();
  }

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

int run(bool multiple) {
  int provided = 0;
  MPI_Query_thread(&provided);
  if (multiple && provided != MPI_THREAD_MULTIPLE) return 77;
  auto const job = sheaf::net::load_bootstrap("", sheaf::net::thread_level::one_at_a_time);
  auto const level = multiple ? sheaf::net::thread_level::one_for_each_wire : sheaf::net::thread_level::one_at_a_time;
  if (job->level() != level) return complain("the level of threads is not that of MPI");
  way left(job, 1), right(job, 2);
  if (multiple) {
    std::thread beside([&] { left.run(); });
    right.run();
    beside.join();
  } else {
    while (!left.done() || !right.done()) left.step(), right.step();
  }
  while (!job->sum(0)) left.step(), right.step();
  return left.good && right.good ? 0 : complain("a packet is wrong, or came another way");
}

}  // namespace

int main(int argc, char** argv) {
  bool const multiple = argc > 1 && std::string_view(argv[1]) == "multiple";
  int provided = 0;
  MPI_Init_thread(&argc, &argv, multiple ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED, &provided);
  int const code = run(multiple);
  MPI_Finalize();
  return code;
}
