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

unsigned processes_here() { return first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"}); }

unsigned processes() { return first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}); }

unsigned process_here() {
  return first_number({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID", "PMI_RANK"});
}

}  // namespace sheaf::detail
