// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>

#include "sheaf/message/sparse_table.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf {

namespace detail {
class sender;
}  // namespace detail

/// Warns, once each time, when a location has taken none of the requests that wait for it for long. Looked at by a
/// sender with nothing else to do, or by threads that take requests off the transport. The clock is the endpoint's.
class silence_watch {
 public:
  /// `limit_ms` 0: never.
  explicit silence_watch(std::uint64_t limit_ms) : limit_(limit_ms * 1'000'000) {}

  [[nodiscard]] bool wanted() const { return limit_ != 0; }

  /// At requests, of all classes. Returns `deadline`, or when to look again if that is earlier (0: never).
  std::uint64_t look(detail::sender& from, std::uint64_t deadline);

  /// Looks at what threads have put aside for the location itself, which has taken `taken` entries of that so far.
  /// Moves `deadline` forward where it is to look earlier. Returns the warning; empty: none.
  [[nodiscard]] std::string look_aside(endpoint& own, std::size_t entries, std::size_t bytes, std::uint64_t taken,
                                       std::uint64_t& deadline);

 private:
  /// What was known of a destination when it last took something.
  struct note {
    std::uint64_t since = 0;
    std::uint16_t taken = 0;
    bool waits = false;
    bool told = false;
  };

  /// Whether to warn now.
  bool is_due(note& n, bool any, std::uint16_t taken, std::uint64_t now) const;
  bool look_at(detail::sender& from, std::uint32_t dest, std::uint64_t now);

  std::uint64_t const limit_;
  std::uint64_t next_ = 0;
  bool watching_ = false;             // at the last look something waited that no warning was given for
  detail::sparse_table<note> notes_;  // by destination
  note aside_;
};

}  // namespace sheaf
