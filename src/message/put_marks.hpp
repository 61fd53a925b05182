// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <unordered_map>

/// One-sided memory of other hosts has a wire of its own, which may be slower than that of requests. So that a request
/// sees what was put before it, it is behind a mark: a record that says how many messages the sender's process had sent
/// there by the side wire. Its handler waits until they have been taken in, which needs nothing of this location.
namespace sheaf::detail {

/// Messages that a process had sent by the side wire, by the location that they were for: at the last put, or at the
/// last mark of a stream.
struct put_counts {
  std::unordered_map<std::uint32_t, std::uint64_t> by_location;
};

/// A record. Its run is the world's.
struct put_mark {
  std::uint32_t process = 0;  ///< which has put
  std::uint32_t unused = 0;
  std::uint64_t messages = 0;
};

extern std::uint32_t const put_mark_handler;

}  // namespace sheaf::detail
