// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <utility>

#include "sheaf/base/lease.hpp"

namespace sheaf::detail {

/// What one location lets others read where it is: each lease ends when it is taken back, or with this. Used by the
/// location, inside its gate where there is one.
class loans {
 public:
  struct loan {
    lease of;
    loan* next = nullptr;
    loan** from = nullptr;  ///< what points to this one
  };

  loans() = default;
  loans(loans const&) = delete;
  loans& operator=(loans const&) = delete;
  ~loans() { end_all(); }

  loan& add(lease&& of) {
    auto* const made = new loan{std::move(of), first_, &first_};
    if (first_ != nullptr) first_->from = &made->next;
    return *(first_ = made);
  }
  lease take_back(loan& one) noexcept {
    *one.from = one.next;
    if (one.next != nullptr) one.next->from = one.from;
    lease of = std::move(one.of);
    delete &one;
    return of;
  }
  void end_all() noexcept {
    while (first_ != nullptr) take_back(*first_);
  }

 private:
  loan* first_ = nullptr;
};

}  // namespace sheaf::detail
