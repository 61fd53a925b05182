// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <utility>

namespace sheaf::detail {

/// Gives a variable another value for as long as this lives, and then the one that it had.
template <class T>
class restoring {
 public:
  restoring(T& place, T meanwhile) : place_(place), before_(std::exchange(place, std::move(meanwhile))) {}
  ~restoring() { place_ = std::move(before_); }
  restoring(restoring const&) = delete;
  restoring& operator=(restoring const&) = delete;

 private:
  T& place_;
  T before_;
};

}  // namespace sheaf::detail
