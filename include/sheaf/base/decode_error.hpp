// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <stdexcept>

namespace sheaf {

/// Received bytes are not an encoding of what was expected. The value under construction is gone; how far the reader
/// has advanced is unspecified.
struct decode_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sheaf
