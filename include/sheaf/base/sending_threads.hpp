// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf {

/// How threads of a location fill buffers of a message type, where several may send (SHEAF_PROGRESS other than inline).
enum class sending_threads : std::uint8_t {
  apart,       ///< each has buffers of its own
  lock_free,   ///< they share buffers; a message takes its place in one by compare-and-swap, if its size is fixed
  locked,      ///< they share buffers, and wait for each other
  owner_alone  ///< only the location's own thread sends; its buffers leave when it flushes, polls or waits
};

}  // namespace sheaf
