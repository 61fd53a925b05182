// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf {

/// The version "major.minor.patch" of the library binary that the program runs with.
char const* version() noexcept;

}  // namespace sheaf
