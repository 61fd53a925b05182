// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <optional>
#include <span>

#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// Values of members whose ranks follow one another, cyclically, from a root's on, put together in the order of ranks
/// although the root is not the first: what belongs to ranks from the root's up, and what belongs to ranks from 0 up to
/// the root's, are kept apart until all are there. So a tree may have any root, and the operation need not commute.
class cyclic_sum {
 public:
  /// One member's value; `from_root_up` says that its rank is not below the root's.
  void add(encoded value, bool from_root_up, encoded_operation op) {
    append(from_root_up ? upper_ : lower_, std::move(value), op);
  }

  /// What another has sent, whose members come after all that are here. Throws decode_error.
  void add(std::span<std::byte const> sent, encoded_operation op);

  /// As it is sent.
  [[nodiscard]] encoded to_send() const;

  /// All values by rank. There is at least one.
  [[nodiscard]] encoded take(encoded_operation op);

 private:
  static void append(std::optional<encoded>& to, encoded value, encoded_operation op);

  std::optional<encoded> upper_;
  std::optional<encoded> lower_;
};

}  // namespace sheaf::detail
