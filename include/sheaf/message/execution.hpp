// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sheaf/message/handler.hpp"
#include "sheaf/message/run_scope.hpp"
#include "sheaf/message/team_state.hpp"

namespace sheaf::detail {

struct aside_entry;
class entry_keeper;

/// The cursor of one arrived entry that is being executed. It belongs to the location, and `at` moves on before each
/// handler is called, so that a handler that waits or throws leaves the rest of the run to go on in order.
struct execution {
  std::byte const* at = nullptr;       ///< next record of the current run
  std::byte const* run_end = nullptr;  ///< end of the current run
  std::byte const* entry_begin = nullptr;
  std::byte const* entry_end = nullptr;  ///< end of the entry
  std::byte const* run_begin = nullptr;
  std::uint32_t count = 0;      ///< records in the current run
  std::uint32_t begun = 0;      ///< records whose handler was called (runs of varying record size)
  std::uint32_t accounted = 0;  ///< records already added to the location's count of executed requests
  std::uint32_t orphans = 0;    ///< records of the current run whose object went away before their turn
  location_id source{};
  traffic kind{};
  bool consumed = false;            ///< the entry's credit has been returned (its bytes may be gone)
  std::uint32_t object_number = 0;  ///< of `object` in `team`, as the current run's header says
  handler_entry const* handler = nullptr;
  void* object = nullptr;
  team_state* team = nullptr;      ///< of the current run; null for answers
  run_scope scope;                 ///< in which the current run was sent
  execution* outer = nullptr;      ///< the one that this one interrupts
  aside_entry* kept = nullptr;     ///< the entry, where it was put aside (outside.hpp)
  entry_keeper* keeper = nullptr;  ///< of its bytes, where somebody has asked for them (lending.cpp)

  [[nodiscard]] bool finished() const { return at == run_end && run_end == entry_end; }
};

}  // namespace sheaf::detail
