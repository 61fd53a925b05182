// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "process.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/runtime/job.hpp"

namespace sheaf_dmcs {
namespace {

/// What dmcs_init makes. It lives beyond static destruction where the program exits without dmcs_shutdown.
struct running {
  sheaf::job job;
  std::optional<sheaf::team> world;  // ends before the job, as does what uses it
  std::optional<engine> by;
  std::thread::id const owner = std::this_thread::get_id();
  std::atomic<bool> ends{false};
  std::vector<std::thread> pool;

  running(sheaf::options const& settings, bool with_threads)
      : job(settings), world(job.world()), by(std::in_place, *world, with_threads) {}
};
running* all = nullptr;

void poll_until_end() {
  constexpr std::uint32_t yields = 1000, longest_us = 500;
  for (std::uint32_t idle = 0; !all->ends.load(std::memory_order_relaxed); ++idle) {
    if (translated("dmcs_poll", [](engine& by) { return by.poll("dmcs_poll"); }) != 0) {
      idle = 0;
    } else if (idle < yields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(std::min(idle / 10, longest_us)));
    }
  }
}

sheaf::options settings_of(bool with_threads) {
  sheaf::options asked = sheaf::options::from_environment();
  if (asked.progress != sheaf::progress_kind::inlined) {
    throw sheaf::option_error(std::string("SHEAF_PROGRESS=") + name(asked.progress) +
                              ": messages of DMCS take effect in dmcs_poll alone; unset it, and start with "
                              "dmcs_init_threads, whose pool polls");
  }
  asked.threads_take_turns = with_threads;
  return asked;
}

pid_t process = 0;  // which has the job; one that it forks has not

void refuse_exit() {
  if (only != nullptr && getpid() == process) fail("exit", "the program ends before dmcs_shutdown; call that first");
}

void begin(bool with_threads, int pool) {
  all = new running(settings_of(with_threads), with_threads);
  only = &*all->by;
  process = getpid();
  static bool const told = std::atexit(refuse_exit) == 0;
  static_cast<void>(told);
  try {
    for (int i = 0; i < pool; ++i) all->pool.emplace_back(poll_until_end);
  } catch (std::system_error const& none) {
    throw sheaf::usage_error("thread " + std::to_string(all->pool.size() + 1) + " of a pool of " +
                             std::to_string(pool) + " cannot begin (" + none.what() + "); ask for fewer");
  }
}

void end() {
  translated("dmcs_shutdown", [](engine& by) { by.fence("dmcs_shutdown", true); });
  all->ends = true;
  for (std::thread& one : all->pool) one.join();
  translated("dmcs_shutdown", [](engine&) {});  // this thread is the location's own again
  only = nullptr;
  all->by.reset();
  all->world.reset();
  all->job.end();
  delete std::exchange(all, nullptr);
}

void start(char const* function, bool with_threads, int pool) {
  if (only != nullptr) fail(function, "DMCS runs already; call dmcs_init or dmcs_init_threads once");
  if (pool < 0) fail(function, std::to_string(pool) + " threads; pass 0 or more");
  try {
    begin(with_threads, pool);
  } catch (...) {
    fail_caught(function);
  }
}

}  // namespace
}  // namespace sheaf_dmcs

using namespace sheaf_dmcs;

void dmcs_init(int*, char***) { start("dmcs_init", false, 0); }
void dmcs_init_threads(int*, char***, int pool) { start("dmcs_init_threads", true, pool); }

void dmcs_shutdown() {
  if (only == nullptr)
    fail("dmcs_shutdown", "DMCS does not run: dmcs_init was not called, or dmcs_shutdown was already");
  if (std::this_thread::get_id() != all->owner)
    fail("dmcs_shutdown", "called by another thread than the one that called dmcs_init_threads; call it there");
  try {
    end();
  } catch (...) {
    fail_caught("dmcs_shutdown");
  }
}

int dmcs_my_proc() {
  return translated("dmcs_my_proc", [](engine& by) { return static_cast<int>(by.self()); });
}
int dmcs_num_procs() {
  return translated("dmcs_num_procs", [](engine& by) { return static_cast<int>(by.count()); });
}
int dmcs_poll() {
  return translated("dmcs_poll", [](engine& by) { return by.poll("dmcs_poll"); });
}
void dmcs_flush() {
  translated("dmcs_flush", [](engine& by) { by.flush(); });
}
void dmcs_barrier() {
  translated("dmcs_barrier", [](engine& by) { by.barrier("dmcs_barrier"); });
}
void dmcs_fence() {
  translated("dmcs_fence", [](engine& by) { by.fence("dmcs_fence"); });
}

static void check_request(char const* function, dmcs_request const* request) {
  if (request == nullptr) fail(function, "a null pointer; pass the address of the request of the calls to wait for");
}
int dmcs_test(dmcs_request const* request) {
  check_request("dmcs_test", request);
  return translated("dmcs_test", [&](engine& by) { return by.is_complete(*request) ? 1 : 0; });
}
void dmcs_wait(dmcs_request* request) {
  check_request("dmcs_wait", request);
  translated("dmcs_wait", [&](engine& by) { by.wait_for("dmcs_wait", *request); });
}
