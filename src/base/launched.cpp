// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/launched.hpp"

#include <charconv>
#include <cstring>
#include <initializer_list>

#include "base/settings.hpp"

namespace sheaf::detail {
namespace {

/// The first of these variables that is a number; 0: none is.
unsigned first_number(std::initializer_list<char const*> names) {
  for (char const* const each : names) {
    char const* const text = variable(each);
    unsigned count = 0;
    if (text != nullptr && std::from_chars(text, text + std::strlen(text), count).ec == std::errc()) return count;
  }
  return 0;
}

}  // namespace

/// Slurm's variables are those of its step: a launcher of MPI that runs inside of one comes first. Slurm's processes
/// are taken to be spread evenly, so that each host comes to the same number.
unsigned processes_here() {
  unsigned const told = first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"});
  unsigned const hosts = first_number({"SLURM_STEP_NUM_NODES"});
  return told != 0 || hosts == 0 ? told : (first_number({"SLURM_STEP_NUM_TASKS"}) + hosts - 1) / hosts;
}

unsigned processes() { return first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}); }

unsigned process_here() {
  return first_number({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID", "PMI_RANK"});
}

}  // namespace sheaf::detail
