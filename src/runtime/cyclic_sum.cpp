// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/cyclic_sum.hpp"

#include <utility>

namespace sheaf::detail {

using both_parts = std::pair<std::optional<encoded>, std::optional<encoded>>;

void cyclic_sum::append(std::optional<encoded>& to, encoded value, encoded_operation op) {
  if (to) {
    op.add_behind(*to, value);
  } else {
    to = std::move(value);
  }
}

void cyclic_sum::add(std::span<std::byte const> sent, encoded_operation op) {
  auto [upper, lower] = decode<both_parts>(sent);
  if (upper) append(upper_, std::move(*upper), op);
  if (lower) append(lower_, std::move(*lower), op);
}

encoded cyclic_sum::to_send() const { return encode(both_parts(upper_, lower_)); }

encoded cyclic_sum::take(encoded_operation op) {
  if (lower_ && upper_) op.add_behind(*lower_, *upper_);
  return std::move(lower_ ? *lower_ : *upper_);
}

}  // namespace sheaf::detail
