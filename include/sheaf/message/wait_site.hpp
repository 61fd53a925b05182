// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string_view>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {

/// What a wait is for.
enum class awaited : std::uint8_t {
  something,  ///< not told
  answer,     ///< of the location `on`, or of several
  request,    ///< of any location
  members,    ///< of the team of `tag`
  fence,      ///< the same, and for the requests on that team's objects
  room        ///< at the location `on`, for requests
};

/// Which kind of token names a call of a location's; these are counted apart.
enum class call_space : std::uint8_t { none, blocking, promised, windowed };

/// A call of a location's that somebody answers, for reports; 0 names none.
constexpr std::uint64_t call_number(call_space of, std::uint32_t token) {
  return std::uint64_t{static_cast<std::uint8_t>(of)} << 32U | token;
}

class future_state_base;

/// What a location waits for and where the program says so: for the report of a job that stands still. Lives as long as
/// the wait.
struct wait_site {
  static constexpr std::uint32_t several = ~std::uint32_t{0};
  static wait_site const unknown;

  char const* what = "a wait";  ///< the function that waits
  awaited for_what = awaited::something;
  std::uint32_t on = several;  ///< the location that it waits for
  run_tag tag{};               ///< of the request that waits for an answer; or its team alone
  call_site from{};
  std::uint64_t call = 0;                     ///< call_number of the request
  future_state_base const* future = nullptr;  ///< it waits for this one, which says the rest
  std::uint64_t object = 0;                   ///< where the tag does not say it: the object's number,
  std::uint32_t birth = 0;                    ///< and of one that migrates the rank of the member that created it
  std::string_view method{};                  ///< the name of the handler that `members` call; empty: of none
  std::uint32_t root = several;               ///< of what they call
};
inline constexpr wait_site wait_site::unknown{};

}  // namespace sheaf::detail
