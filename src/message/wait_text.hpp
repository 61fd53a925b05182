// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/message/team_state.hpp"
#include "sheaf/message/wait_site.hpp"
#include "transport/standstill.hpp"

namespace sheaf::detail {

using team_list = std::vector<team_state*>;

/// ", called at app.cpp:41,", or nothing where that is not known.
std::string place(call_site const& from);

/// What a wait is for, as the lines of reports have it.
struct awaited_text {
  std::string text{};                     ///< " for location 1's answer to …"
  std::uint32_t on = wait_site::several;  ///< the location that is waited for
  std::uint64_t call = 0;                 ///< the call whose answer it is
};
awaited_text purpose(wait_site const& site, team_list const& teams);

/// The method that a coroutine is, and who called it.
std::string coroutine_text(frame_origin const& of);

/// The coroutines of the list that are suspended, those that wait alike in one line.
void report_suspended(frame_list const& list, team_list const& teams, location_report& to);

}  // namespace sheaf::detail
