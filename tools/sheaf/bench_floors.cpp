// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/bench_floors.hpp"

#include <sched.h>

#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <thread>

#include "base/machine.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/bench_time.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::tool {
namespace {

struct alignas(128) line {
  std::atomic<std::uint64_t> value{0};
};

/// Spins, and lets others run where the core is shared.
std::uint64_t await(std::atomic<std::uint64_t> const& from, std::uint64_t least) {
  for (unsigned turns = 0;; ++turns) {
    std::uint64_t const seen = from.load(std::memory_order_acquire);
    if (seen >= least) return seen;
    if (turns % 4096 == 4095) std::this_thread::yield();
  }
}

/// Binds the calling thread to the n-th core that is allowed, where there are two.
void bind_to(std::size_t n) {
  std::vector<int> const cores = detail::allowed_cores();
  if (cores.size() < 2 || cores[n] >= CPU_SETSIZE) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(cores[n]), &one);
  sched_setaffinity(0, sizeof one, &one);
}

/// Between two threads of its own, so that no other keeps their cores.
std::vector<double> atomic_ping_pong(int repeats) {
  constexpr std::uint64_t stop = ~std::uint64_t{0};
  line there, back;
  std::vector<double> samples;
  std::thread answering([&] {
    bind_to(1);
    for (std::uint64_t seen = 0; (seen = await(there.value, seen + 1)) != stop;)
      back.value.store(seen, std::memory_order_release);
  });
  std::thread asking([&] {
    bind_to(0);
    std::uint64_t sent = 0;
    samples = paced_samples(repeats, [&] {
      there.value.store(++sent, std::memory_order_release);
      await(back.value, sent);
    });
    there.value.store(stop, std::memory_order_release);
  });
  asking.join();
  answering.join();
  return samples;
}

/// One packet of 8 bytes after the other over a wire, from slot 0 to slot 0.
class packets {
 public:
  packets(net::wire& over, std::uint32_t partner) : wire_(over), partner_(partner) {}

  void send(std::uint64_t number) {
    std::memcpy(out_.data(), &number, sizeof number);
    auto how = net::wire::sent::try_again;
    while ((how = wire_.start_send(0, partner_, out_)) == net::wire::sent::try_again) look();
    sent_ = how == net::wire::sent::ended;
    await(sent_);
  }
  void offer() {
    came_ = false;
    wire_.start_receive(0, in_);
  }
  std::uint64_t receive() {
    await(came_);
    std::uint64_t number = 0;
    std::memcpy(&number, in_.data(), sizeof number);
    return number;
  }

 private:
  void look() {
    std::array<net::completion, 2> done;
    std::size_t const ended = wire_.poll(done);
    for (std::size_t i = 0; i < ended; ++i) (done[i].what == net::direction::send ? sent_ : came_) = true;
  }
  void await(bool const& what) {
    for (unsigned turns = 0; !what; ++turns) {
      if (turns % 64 == 63) std::this_thread::yield();
      look();
    }
  }

  net::wire& wire_;
  std::uint32_t partner_;
  bool sent_ = false, came_ = false;
  std::array<std::byte, 8> in_{}, out_{};
};

/// 0 is the last.
std::vector<double> ask(packets& line, int repeats) {
  std::uint64_t sent = 0;
  auto samples = paced_samples(repeats, [&] {
    line.offer();
    line.send(++sent);
    if (line.receive() != sent) throw error("sheaf: a wrong packet came back");
  });
  line.send(0);
  return samples;
}

void answer(packets& line) {
  line.offer();
  for (std::uint64_t number = line.receive(); number != 0; number = line.receive()) {
    line.offer();
    line.send(number);
  }
}

/// Between the first process and the last: of the first; nothing where there is one process.
struct far_ping_pong {
  bool any;
  std::vector<double> samples;
};
far_ping_pong mpi_ping_pong(options const& job, int repeats) {
  bool const threads = job.transport == transport_kind::hybrid && job.threads > 1;
  auto const all =
      net::load_bootstrap(job.mpi_library, threads ? net::thread_level::one_at_a_time : net::thread_level::single);
  net::wire_ptr const wire = net::open_wire(all, job.wire);
  std::uint32_t const last = all->size() - 1;
  far_ping_pong found{last != 0, {}};
  packets line(*wire, all->rank() == 0 ? last : 0);
  if (last != 0 && all->rank() == 0) found.samples = ask(line, repeats);
  if (last != 0 && all->rank() == last) answer(line);
  while (!all->sum(0)) std::this_thread::yield();
  return found;
}

std::vector<double> copies(int repeats, std::size_t block) {
  std::vector<std::byte> from(std::size_t{64} << 20, std::byte{1}), to(from.size());
  std::size_t at = 0;
  auto const ns = sample(repeats, from.size() / block, [&] {
    std::memcpy(to.data() + at, from.data() + at, block);
    at = (at + block) % from.size();
  });
  if (to != from) throw error("sheaf: memcpy copied wrong bytes");
  return each_over(ns, static_cast<double>(block));
}

std::vector<double> increments(int repeats) {
  std::array<std::uint64_t, 1024> values{};
  std::uint64_t next = 0;
  constexpr std::uint64_t count = 5'000'000;
  auto const ns = sample(repeats, count, [&] {
    next = next * 6364136223846793005u + 1442695040888963407u;
    values[next >> 54] += 1;
  });
  std::uint64_t sum = 0;
  for (std::uint64_t const each : values) sum += each;
  if (sum != count * static_cast<std::uint64_t>(repeats)) throw error("sheaf: additions were lost");
  return each_over(ns, 1000.0);
}

}  // namespace

machine_floors measure_floors(options const& job, int repeats, std::size_t block) {
  machine_floors all;
  bool const over_mpi = job.transport == transport_kind::mpi || job.transport == transport_kind::hybrid;
  far_ping_pong const far = over_mpi ? mpi_ping_pong(job, repeats) : far_ping_pong{false, {}};
  if (far.any) all.ping_pong = "MPI messages";
  all.ping_pong_ns = far.any ? far.samples : atomic_ping_pong(repeats);
  all.copy_gb = copies(repeats, block);
  all.increments_m = increments(repeats);
  return all;
}

}  // namespace sheaf::tool
