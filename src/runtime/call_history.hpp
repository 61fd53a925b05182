// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/message/location.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"

namespace sheaf::detail {

/// Members of a team called different collective operations. Ends the job.
class mismatched_calls : public usage_error, public ends_job {
 public:
  using usage_error::usage_error;
};

/// What one location tells another of one call.
struct told_call {
  std::uint16_t sequence = 0;
  std::uint32_t mark = 0;
  std::string text;
};

/// The collective operations that one location has begun on one team. Each has a mark, made of what it says and of all
/// that came before it; marks travel with the messages. Members whose marks of one operation are equal have called the
/// same ones so far. A message with another mark is taken by nobody: its receiver tells the sender what it has called,
/// and the sender finds the first call that differs, and ends the job with both. So a difference costs a message, and
/// equality none.
class call_history {
 public:
  /// Members are apart by fewer operations than are kept.
  static constexpr std::size_t kept = 128;

  /// `first`: the number of the team's first operation.
  explicit call_history(std::uint16_t first = 0) : count_(first), first_(first) {}

  /// Returns the mark of this call, the next one.
  std::uint32_t add(collective_call const& call);

  /// Whether a message of an operation has the mark that it has here. True for one that is not kept.
  [[nodiscard]] bool agrees(std::uint16_t sequence, std::uint32_t mark) const {
    entry const* const own = find(sequence);
    return own == nullptr || own->mark == mark;
  }

  /// Tells the sender of a message whose mark is another one; once, as that ends the job.
  void tell(location& here, std::uint32_t team, location_id other);

  /// What `other` has called, which differs. Throws mismatched_calls, with the first calls that do.
  [[noreturn]] void compare(location_id here, std::uint32_t team, location_id other,
                            std::vector<told_call> const& theirs) const;

 private:
  struct entry {
    collective_said said;
    call_site from;
    std::uint32_t root;
    std::uint32_t object;
    std::uint32_t scope;
    std::uint32_t mark;
  };
  [[nodiscard]] entry const* find(std::uint16_t sequence) const;
  static std::string text(entry const& call);

  std::vector<entry> recent_;  // a ring
  std::uint32_t count_;        // the number of the next one
  std::uint32_t const first_;
  std::uint64_t state_ = 0;  // what marks are made of
  bool told_ = false;
};

}  // namespace sheaf::detail
