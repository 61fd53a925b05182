// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sheaf/base/location_id.hpp"
#include "sheaf/base/route.hpp"
#include "sheaf/message/executor.hpp"
#include "sheaf/message/run_header.hpp"

/// Records on routes, as they lie in entries: docs/wire-format.md.
namespace sheaf::detail {

/// What the records of a run that is passed on have in common, as their origin sent it, and how many bytes the next one
/// has with all that stands in front of it. docs/wire-format.md has the layout.
struct hop_form {
  static constexpr std::size_t head_bytes = run_header::wire_bytes + 4;
  static constexpr std::size_t address_bytes = 4;
  static constexpr std::size_t size_bytes = 8;
  static constexpr std::uint32_t most_each = (1U << 28U) - 1;
  static constexpr std::uint32_t urgent = 1U << 28U;
  static constexpr unsigned path_from = 29;

  std::byte head[head_bytes];  ///< with a count and bytes of 0
  std::size_t bytes = 0;

  hop_form(run_header of, std::uint32_t each, route_kind path);
};

/// In front of each record. Location numbers have 16 bits.
struct address {
  std::uint16_t dest;
  std::uint16_t origin;
};
static_assert(sizeof(address) == hop_form::address_bytes);

/// What the records of an arrived run have in common.
struct hop_run {
  run_header header;
  std::uint32_t each = 0;  ///< bytes of each record; 0: they vary, and stand in front of it
  route_kind path{};
  bool urgent = false;
};

struct hop_record {
  std::uint32_t dest = 0;
  std::uint32_t origin = 0;
  std::span<std::byte const> payload;
  std::byte const* end = nullptr;
};

/// Records of one origin that have come by a route.
struct hop_piece {
  run_header header;
  location_id origin;
  std::span<std::byte const> records;
};

[[noreturn]] void throw_bad_hop(execution const& state, char const* what);

/// The run at the cursor; where it stands behind one, the next. Throws wire_error, as record_at.
[[nodiscard]] hop_run current_run(execution& state);
/// The record at the cursor, which stays.
[[nodiscard]] hop_record record_at(execution const& state, hop_run const& run, std::uint32_t locations);

}  // namespace sheaf::detail
