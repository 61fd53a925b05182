// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/base/shared_word.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf {
class location;
}

namespace sheaf::detail {

/// When a location that finds nothing to do asks the runtime whether its job stands still.
class lookout {
 public:
  explicit lookout(endpoint& connection) : endpoint_(connection) {}

  /// The hook is called between requests while the location is stopped by its reserve, while `call_at_rest` is in
  /// force, and from rest number `look_from` of a wait on. It returns until when of now() the location may sleep; 0:
  /// for any time.
  void on_stall(std::uint64_t (*hook)(location&)) { hook_ = hook; }
  void call_at_rest(bool yes) { wanted_ = yes; }
  void look_from(std::uint32_t rest) { from_.relax(usual_ = rest); }

  /// Any thread: has the hook called as soon as the location rests or polls with nothing to do.
  void ask() {
    from_.release(0);
    endpoint_.wake();
  }
  [[nodiscard]] bool is_asked() const { return usual_ != 0 && from_.acquire() == 0; }
  /// Whether it was asked to, once: for the hook, or for who has asked and finds that it did not answer.
  bool was_asked() { return is_asked() && from_.exchange(usual_) == 0; }

  /// Any thread: as location::expect_from_outside.
  void expect(int delta) { outside_.add(delta); }
  [[nodiscard]] int expected() const { return outside_.acquire(); }

  /// Whether a location in this round of rests calls the hook; `stopped`: by its reserve.
  [[nodiscard]] bool is_due(bool stopped, std::uint32_t round) const {
    return hook_ != nullptr && (stopped || wanted_ || round >= from_.relaxed());
  }
  std::uint64_t look(location& here) const { return hook_(here); }

 private:
  endpoint& endpoint_;
  std::uint64_t (*hook_)(location&) = nullptr;
  std::uint32_t usual_ = ~0U;
  shared_word<std::uint32_t> from_{~0U};
  bool wanted_ = false;
  shared_word<int> outside_{0};
};

}  // namespace sheaf::detail
