// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>

namespace sheaf_test {

/// The text of the Error that f throws. Other exceptions pass.
template <class Error, class F>
std::string text_of(F f) {
  try {
    f();
  } catch (Error const& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace sheaf_test
