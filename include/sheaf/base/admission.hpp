// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf::detail {

class gate;
void enter(gate& g) noexcept;
void leave(gate& g) noexcept;

/// In force while a thread is inside a location that other threads use, too (gate.hpp). May be nested. Does nothing
/// where there is no gate.
class admission {
 public:
  explicit admission(gate* g) noexcept : gate_(g) {
    if (gate_ != nullptr) [[unlikely]]
      enter(*gate_);
  }
  ~admission() {
    if (gate_ != nullptr) [[unlikely]]
      leave(*gate_);
  }
  admission(admission const&) = delete;
  admission& operator=(admission const&) = delete;

 private:
  gate* const gate_;
};

}  // namespace sheaf::detail
