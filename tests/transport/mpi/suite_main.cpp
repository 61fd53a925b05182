// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The endpoint suite over MPI, to be started by mpirun: each process checks its own part. Arguments: nothing for the
/// whole suite; `fail`: the last location ends the job; `late`: the same,
/// with a launcher that is stopped; `die`: it is killed; `large BYTES`: one entry of that size; `starve N`: the
/// suite, but this process's Nth allocation fails.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>

#include "harness/test_options.hpp"
#include "transport/endpoint_cases.hpp"

static std::atomic<long> allocations_left{-1};  // until the one that fails; negative: none does

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = allocations_left.fetch_sub(1) == 0 ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace sheaf_test {
namespace {

std::size_t large_bytes = 0;

std::byte mark(std::size_t at) { return static_cast<std::byte>(at / 4096 + at % 251); }

/// One entry of `large_bytes` from location 0 to the last one, with a small one behind it.
void play_large(player& p, options const&) {
  location_id const last{p.size() - 1};
  if (number(p.at().self()) == 0) {
    buffer b = p.at().acquire(last, large_bytes);
    for (std::size_t i = 0; i < large_bytes; i += 997) b.data()[i] = mark(i);
    b.set_size(large_bytes);
    p.expect(p.at().send(last, traffic::request, b), "refused");
    p.at().send_inline(last, traffic::request, std::as_bytes(std::span("x", 1)));
  }
  if (p.at().self() != last) return;
  for (std::size_t const bytes : {large_bytes, std::size_t{1}}) {
    arrival in;
    for (std::uint32_t round = 0; !p.at().receive(wanted::all, in);) p.at().idle(round++);
    p.expect(in.bytes.size() == bytes, "an entry of " + std::to_string(in.bytes.size()) + " bytes");
    bool same = true;
    for (std::size_t i = 0; i < large_bytes && bytes != 1; i += 997) same &= in.bytes[i] == mark(i);
    p.expect(same, "the large entry is damaged");
    p.at().consumed(in.source, in.kind);
  }
}

void play_death(player& p, options const&) {
  if (number(p.at().self()) == p.size() - 1) std::raise(SIGKILL);
  p.until([] { return false; });
}

/// The failure of play_failure while the launcher, our parent, does not run for a while: it then finds the line that
/// names the reason and the end of the job at once.
void play_late(player& p, options const& settings) {
  if (number(p.at().self()) == p.size() - 1) {
    pid_t const launcher = getppid();
    kill(launcher, SIGSTOP);
    if (fork() == 0) {
      timespec const while_it_stands{0, 300'000'000};
      nanosleep(&while_it_stands, nullptr);
      kill(launcher, SIGCONT);
      _exit(0);
    }
  }
  play_failure(p, settings);
}

/// As many locations share memory as the test expects: had the system refused it, all else would pass over the wire.
void play_near(player& p, options const&) {
  char const* const expected = std::getenv("SHEAF_TEST_NEAR");
  int near = 0;
  for (std::uint32_t i = 0; i < p.size(); ++i) near += p.at().near(location_id{i});
  p.expect(expected == nullptr || near == std::atoi(expected), std::to_string(near) + " locations share memory");
}

int run_one(endpoint_case const& what, options const& settings) {
  std::string const wrong = run_endpoint_case(what, sheaf::launch_mpi, settings);
  if (!wrong.empty()) std::fprintf(stderr, "%s: %s", what.name, wrong.c_str());
  return wrong.empty() ? 0 : 1;
}

int run(std::string const& mode, options const& settings) {
  if (mode == "fail") return run_one(failure_case, settings);
  if (mode == "late") return run_one({"late", sizes::any, play_late}, settings);
  if (mode == "die") return run_one({"death", sizes::any, play_death}, settings);
  if (mode == "large") return run_one({"large", sizes::any, play_large}, settings);
  int failed = run_one({"near", sizes::any, play_near}, settings);
  for (endpoint_case const& what : endpoint_cases) failed += run_one(what, settings);
  return failed;
}

}  // namespace
}  // namespace sheaf_test

int main(int argc, char** argv) {
  sheaf::options settings = sheaf_test::test_options();
  settings.transport = settings.threads > 1 ? sheaf::transport_kind::hybrid : sheaf::transport_kind::mpi;
  std::string const mode = argc > 1 ? argv[1] : "suite";
  std::size_t const number = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  sheaf_test::large_bytes = number;
  settings = settings.resolved();
  if (mode == "starve") allocations_left = static_cast<long>(number);
  try {
    return sheaf_test::run(mode, settings);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
