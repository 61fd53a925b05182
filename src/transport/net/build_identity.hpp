// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf::net {

/// A number that two processes share when they run the same program with the same libsheaf: from the build-ids of the
/// two files, or from their contents where a file has none.
std::uint64_t build_identity();

}  // namespace sheaf::net
