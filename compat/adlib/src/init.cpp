// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "process.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/job.hpp"

namespace sheaf_adlib {

std::optional<sheaf::team> world;
std::unordered_set<adlib_array const*> arrays;

namespace {

sheaf::job* job = nullptr;  // beyond static destruction: programs may end in exit()

void finish() {
  if (!world) return;
  in_job("adlib_finalize", [] {
    sheaf::detail::one_sided::current("adlib_finalize", {}).fence_all();
    sheaf::barrier(*world, {"adlib_finalize", 0});  // nobody accesses what is left
    for (adlib_array const* const left : arrays) delete left;
    arrays.clear();
    world.reset();
    job->end();
    delete std::exchange(job, nullptr);
  });
}

pid_t process = 0;  // which has the job; one that it forks has not

/// For a program that forgets adlib_finalize.
void finish_at_exit() {
  if (getpid() == process) finish();
}

void start(char const* function, void const* communicator) noexcept {
  if (world) return;
  try {
    sheaf::options asked = sheaf::options::from_environment();
    asked.communicator = communicator;
    if (communicator != nullptr) asked.transport = sheaf::transport_kind::mpi;
    job = new sheaf::job(asked);
    world = job->world();
    process = getpid();
    std::atexit(finish_at_exit);
  } catch (...) {
    refuse_caught(function);
  }
}

}  // namespace

void refuse(char const* function, std::string const& what) {
  std::fflush(stdout);
  std::string const text = std::string("Adlib Error: ") + function + ": " + what;  // in one call: others write, too
  world ? std::fprintf(stderr, "[%u] %s\n", world->rank(), text.c_str()) : std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
  std::_Exit(1);  // the launcher ends the others
}

void refuse_caught(char const* function) {
  try {
    throw;
  } catch (std::exception const& thrown) {
    refuse(function, std::string(sheaf::without_prefix(thrown.what())));
  } catch (...) {
    refuse(function, "an exception of no known type");
  }
}

}  // namespace sheaf_adlib

using namespace sheaf_adlib;

void adlib_init() { start("adlib_init", nullptr); }
void adlib_init_mpi(void const* communicator) {
  constexpr auto function = "adlib_init_mpi";
  if (communicator == nullptr) refuse(function, "the communicator is NULL; pass a pointer to an MPI_Comm");
  start(function, communicator);
}
void adlib_finalize() { finish(); }
int adlib_rank() {
  return in_job("adlib_rank", [] { return static_cast<int>(world->rank()); });
}
int adlib_size() {
  return in_job("adlib_size", [] { return static_cast<int>(world->size()); });
}
void adlib_barrier() {
  in_job("adlib_barrier", [] { sheaf::barrier(*world, {}); });
}
void adlib_fence() {
  in_job("adlib_fence", [] { sheaf::detail::one_sided::current("adlib_fence", {}).fence_all(); });
}
