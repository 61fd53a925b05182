// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/reserve.hpp"

#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

wanted reserve::allowed() const {
  if (!is_over()) return wanted::all;
  if (answers() > cap) return wanted::answers;
  std::size_t count = 1, before = 0;  // classes, and what is held back of requests in them
  for (traffic const kind : request_classes()) {
    if (kind == traffic::request || before > cap) break;
    ++count;
    before += held_[index(kind)];
  }
  return static_cast<wanted>(count);
}

std::size_t reserve::excess() const {
  if (requests_ > cap) return requests_;
  return answers() > cap ? answers() : 0;
}

void reserve::raise() {
  do {
    cap += step_;
    ++raises;
  } while (is_over());
}

}  // namespace sheaf::detail
