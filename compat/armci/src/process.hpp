// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <armci.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/memory/detail/one_sided.hpp"

/// Gives PARMCI_name, which this file defines, its weak name for programs.
#define SHEAF_ARMCI_NAME(name) \
  extern "C" decltype(PARMCI_##name) ARMCI_##name __attribute__((weak, alias("PARMCI_" #name)))

#pragma GCC visibility push(hidden)
namespace sheaf_armci {

using sheaf::location_id;
using sheaf::detail::one_sided;
using sheaf::detail::place;

/// This process between ARMCI_Init and ARMCI_Finalize.
struct process {
  one_sided* memory = nullptr;
  std::uint32_t count = 0;  ///< of all processes; 0 outside: no number is legal then
  int self = 0;
  int begun = 0;  ///< calls of ARMCI_Init without their ARMCI_Finalize
  ARMCI_Group world{};
  ARMCI_Group chosen{};  ///< the default group
};
extern constinit process here;

/// Ends the job with a text: this process's number, the function, what is wrong with which value, and the remedy.
[[noreturn, gnu::cold]] void fail(char const* function, std::string const& what);
/// Ends the job with the text of the exception that is being handled.
[[noreturn, gnu::cold]] void fail_caught(char const* function);
[[noreturn, gnu::cold]] void refuse_process(char const* function, int number);
[[noreturn, gnu::cold]] void refuse_negative(char const* function, char const* what, long value);

inline location_id checked_process(char const* function, int number) {
  if (static_cast<std::uint32_t>(number) >= here.count) [[unlikely]]
    refuse_process(function, number);
  return location_id{static_cast<std::uint32_t>(number)};
}
inline std::size_t checked_bytes(char const* function, long bytes) {
  if (bytes < 0) [[unlikely]]
    refuse_negative(function, "bytes", bytes);
  return static_cast<std::size_t>(bytes);
}
inline void check_begun(char const* function) { static_cast<void>(checked_process(function, 0)); }

/// Calls f(memory), where no exception leaves the C interface.
template <class F>
inline void translated(char const* function, F const& f) noexcept {
  try {
    f(*here.memory);
  } catch (...) {
    fail_caught(function);
  }
}

/// Everybody's number, by rank in the communicator. Collective.
std::vector<std::uint64_t> exchanged(std::uint64_t mine, MPI_Comm among);

}  // namespace sheaf_armci
#pragma GCC visibility pop
