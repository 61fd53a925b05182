// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/outcome.hpp"

#include <cstring>

namespace sheaf::detail {

encoded outcome::of_exception(std::string const& text) {
  encoded one(1 + text.size());
  one[0] = exception;
  std::memcpy(one.data() + 1, text.data(), text.size());
  return one;
}

std::string outcome::text(std::span<std::byte const> one) {
  return one.empty() ? std::string() : std::string(reinterpret_cast<char const*>(one.data()) + 1, one.size() - 1);
}

void outcome::rethrow(std::span<std::byte const> one) {
  if (threw(one)) throw remote_error(text(one));
}

void outcome::append(void const*, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
  if (threw(left) || threw(right)) return keep_thrown(mine, left, right);
  if (left.data() == mine.data()) {
    mine.insert(mine.end(), right.begin() + 1, right.end());
  } else {
    mine.insert(mine.begin() + 1, left.begin() + 1, left.end());
  }
}

void outcome::keep_thrown(encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
  auto const kept = threw(left) ? left : right;
  if (kept.data() != mine.data()) mine.assign(kept.begin(), kept.end());
}

}  // namespace sheaf::detail
