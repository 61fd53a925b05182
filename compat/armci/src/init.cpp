// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "parts.hpp"
#include "process.hpp"
#include "sheaf/runtime/job.hpp"

namespace sheaf_armci {
namespace {

sheaf::job* job = nullptr;  // lives beyond static destruction where the program exits without ARMCI_Finalize

bool mpi_has_ended() {
  int ended = 0;
  MPI_Finalized(&ended);
  return ended != 0;
}

pid_t process = 0;  // which has started MPI; one that it forks has not

/// Where ARMCI_Init has started MPI. A program that exits in the midst of a job leaves the end to its launcher.
void finalize_at_exit() {
  if (getpid() == process && !mpi_has_ended() && here.begun == 0) MPI_Finalize();
}

void start_mpi(int* argc, char*** argv, int requested) {
  int begun = 0, provided = 0;
  MPI_Initialized(&begun);
  if (mpi_has_ended()) fail("ARMCI_Init", "MPI has been finalized; call ARMCI_Init before MPI_Finalize");
  if (begun == 0) {
    MPI_Init_thread(argc, argv, requested, &provided);
    process = getpid();
    std::atexit(finalize_at_exit);
  }
  MPI_Query_thread(&provided);
  if (provided < requested) {
    fail("ARMCI_Init_thread", "thread level " + std::to_string(requested) + " is asked for, and MPI gives " +
                                  std::to_string(provided) + "; start MPI by MPI_Init_thread with that level");
  }
}

sheaf::options settings_of(MPI_Comm const& all, int level) {
  sheaf::options asked = sheaf::options::from_environment();
  asked.transport = sheaf::transport_kind::mpi;
  asked.locations = 0;
  asked.threads = 0;
  asked.communicator = &all;
  asked.mpi_library = SHEAF_ARMCI_MPI;
  asked.report_signals = false;  // they are the program's
  bool const one_at_a_time = asked.progress == sheaf::progress_kind::inlined;
  if (level == MPI_THREAD_MULTIPLE && one_at_a_time) asked.progress = sheaf::progress_kind::shared;
  return asked;
}

void begin(MPI_Comm all, int level) {
  MPI_Comm_dup(all, &here.world.comm);
  job = new sheaf::job(settings_of(here.world.comm, level));
  here.memory = &one_sided::of(sheaf::detail::here_of(job->world()));
  here.count = job->world().size();
  here.self = static_cast<int>(job->world().rank());
  describe_group(here.world);
  here.chosen = here.world;
  begin_domains();
  begin_notes();
}

void end() {
  here.memory->fence_all();
  MPI_Barrier(here.world.comm);
  end_mutexes();
  end_notes();
  end_allocations();
  end_domains();
  job->end();
  delete std::exchange(job, nullptr);
  here.memory = nullptr;
  here.count = 0;
  ARMCI_Group_free(&here.world);
}

void finish() {
  if (here.begun == 0) return;
  translated("ARMCI_Finalize", [](one_sided&) { end(); });
  here.begun = 0;
}

/// MPI_Finalize begins with this: a program that forgets ARMCI_Finalize ends in good order, too.
int finish_with_mpi(MPI_Comm, int, void*, void*) {
  finish();
  return MPI_SUCCESS;
}

void watch_mpi() {
  static int key = MPI_KEYVAL_INVALID;
  if (key != MPI_KEYVAL_INVALID) return;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish_with_mpi, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

int start(int* argc, char*** argv, int requested, MPI_Comm all) noexcept {
  if (here.begun++ > 0) return 0;
  try {
    start_mpi(argc, argv, requested);
    begin(all, requested);
    watch_mpi();
  } catch (...) {
    fail_caught("ARMCI_Init");
  }
  return 0;
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

int PARMCI_Init_thread_comm(int armci_requested, MPI_Comm comm) {
  return start(nullptr, nullptr, armci_requested, comm);
}
int PARMCI_Init_thread(int armci_requested) { return PARMCI_Init_thread_comm(armci_requested, MPI_COMM_WORLD); }
int PARMCI_Init_args(int* argc, char*** argv) { return start(argc, argv, MPI_THREAD_SINGLE, MPI_COMM_WORLD); }
int PARMCI_Init() { return PARMCI_Init_thread(MPI_THREAD_SINGLE); }
int ARMCI_Init_mpi_comm(MPI_Comm comm) { return PARMCI_Init_thread_comm(MPI_THREAD_SINGLE, comm); }
int PARMCI_Initialized() { return here.begun > 0 ? 1 : 0; }

int PARMCI_Finalize() {
  here.begun > 1 ? static_cast<void>(--here.begun) : finish();
  return 0;
}

void ARMCI_Cleanup() {}

SHEAF_ARMCI_NAME(Init);
SHEAF_ARMCI_NAME(Init_args);
SHEAF_ARMCI_NAME(Init_thread);
SHEAF_ARMCI_NAME(Init_thread_comm);
SHEAF_ARMCI_NAME(Initialized);
SHEAF_ARMCI_NAME(Finalize);
