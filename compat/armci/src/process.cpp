// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "process.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace sheaf_armci {

constinit process here;

namespace {

bool mpi_runs() {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0;
}

[[noreturn]] void end_job(std::string const& text, int code) {
  int rank = here.self;
  bool const runs = mpi_runs();
  if (here.count == 0 && runs) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fflush(stdout);
  std::fprintf(stderr, "[%d] ARMCI Error: %s\n", rank, text.c_str());
  std::fflush(stderr);
  if (runs) MPI_Abort(here.count != 0 ? here.world.comm : MPI_COMM_WORLD, code);
  std::_Exit(code == 0 ? 1 : code);
}

}  // namespace

void fail(char const* function, std::string const& what) { end_job(std::string(function) + ": " + what, 1); }

void fail_caught(char const* function) {
  try {
    throw;
  } catch (std::exception const& problem) {
    fail(function, problem.what());
  } catch (...) {
    fail(function, "an unknown exception");
  }
}

void refuse_process(char const* function, int number) {
  if (here.count == 0) fail(function, "called before ARMCI_Init or after ARMCI_Finalize; call it between them");
  fail(function, "there is no process " + std::to_string(number) + "; they are 0 to " + std::to_string(here.count - 1) +
                     " (ARMCI_Absolute_id translates ranks of a group)");
}

void refuse_negative(char const* function, char const* what, long value) {
  fail(function, std::to_string(value) + " " + what + "; pass 0 or more");
}

std::vector<std::uint64_t> exchanged(std::uint64_t mine, MPI_Comm among) {
  int size = 0;
  MPI_Comm_size(among, &size);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(size));
  MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, among);
  return all;
}

}  // namespace sheaf_armci

using namespace sheaf_armci;

void ARMCI_Error(char const* msg, int code) { end_job(std::string(msg) + " (" + std::to_string(code) + ")", code); }
void armci_msg_abort(int code) { end_job("armci_msg_abort(" + std::to_string(code) + ")", code); }
