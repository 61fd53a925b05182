// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/launched.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <string_view>

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

/// What Slurm's list of processes by host, such as "2(x3),1", has for a host; 0: nothing.
unsigned entry_for(unsigned host, std::string_view list) {
  while (!list.empty()) {
    std::string_view const item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    char const* const end = item.data() + item.size();
    unsigned count = 0, hosts = 1;
    std::from_chars(item.data(), end, count);
    if (auto const times = item.find("(x"); times != item.npos) std::from_chars(item.data() + times + 2, end, hosts);
    if (host < hosts) return count;
    host -= hosts;
  }
  return 0;
}

}  // namespace

/// Slurm's variables are those of its step: a launcher of MPI that runs inside of one comes first, where it says
/// something that is understood here.
unsigned processes_here() {
  unsigned const told = first_number({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"});
  char const* const slurm = variable("SLURM_STEP_TASKS_PER_NODE");
  return told == 0 && slurm != nullptr ? entry_for(first_number({"SLURM_NODEID"}), slurm) : told;
}

unsigned processes() { return first_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}); }

unsigned process_here() {
  return first_number({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID", "PMI_RANK"});
}

}  // namespace sheaf::detail
