// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "process.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/job.hpp"

namespace sheaf_shmem {
namespace {

sheaf::job* job = nullptr;  // beyond static destruction: programs may end in exit()

void begin() {
  job = new sheaf::job(sheaf::options::from_environment());
  here.world = job->world();
  here.memory = &one_sided::of(sheaf::detail::here_of(*here.world));
  here.count = here.world->size();
  here.self = here.world->rank();
  add_variables();
  begin_teams();
}

void end() {
  here.memory->fence_all();
  sheaf::barrier(*here.world);
  end_teams();
  end_heap();
  here.regions.clear();
  here.world.reset();
  job->end();
  delete std::exchange(job, nullptr);
  here = {};
}

void finish() {
  if (here.count != 0) translated("shmem_finalize", [](one_sided&) { end(); });
}

pid_t process = 0;  // which has the job; one that it forks has not

/// For a program that forgets shmem_finalize.
void finish_at_exit() {
  if (getpid() == process) finish();
}

void start() noexcept {
  if (here.count != 0) return;
  try {
    begin();
    process = getpid();
    std::atexit(finish_at_exit);
  } catch (...) {
    fail_caught("shmem_init");
  }
}

}  // namespace
}  // namespace sheaf_shmem

using namespace sheaf_shmem;

void shmem_init() { start(); }
int shmem_init_thread(int, int* provided) {
  start();
  shmem_query_thread(provided);
  return 0;
}
void shmem_query_thread(int* provided) { *provided = SHMEM_THREAD_FUNNELED; }
void shmem_finalize() { finish(); }
void start_pes(int) { start(); }

void shmem_global_exit(int status) {
  std::fflush(nullptr);
  std::_Exit(status);  // the launcher ends the others
}

int shmem_my_pe() { return static_cast<int>(here.self); }
int shmem_n_pes() { return static_cast<int>(here.count); }
int _my_pe() { return shmem_my_pe(); }
int _num_pes() { return shmem_n_pes(); }
int shmem_pe_accessible(int pe) { return static_cast<std::uint32_t>(pe) < here.count ? 1 : 0; }
int shmem_addr_accessible(void const* addr, int pe) {
  return shmem_pe_accessible(pe) != 0 && region_of(addr) != nullptr ? 1 : 0;
}

void* shmem_ptr(void const* dest, int pe) {
  if (shmem_addr_accessible(dest, pe) == 0) return nullptr;
  place const at = remote("shmem_ptr", dest, pe);
  return translated("shmem_ptr", [&](one_sided& by) { return by.local<void>(at.where, at.address); });
}

void shmem_info_get_version(int* major, int* minor) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}
void shmem_info_get_name(char* name) { std::strcpy(name, SHMEM_VENDOR_STRING); }
