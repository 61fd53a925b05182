// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/run_header.hpp"

namespace sheaf::detail {

/// What a wait is for.
enum class awaited : std::uint8_t {
  something,  ///< not told
  answer,     ///< of the location `on`, or of several
  request,    ///< of any location
  members,    ///< of the team of `tag`
  room        ///< at the location `on`, for requests
};

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
};
inline constexpr wait_site wait_site::unknown{};

}  // namespace sheaf::detail
