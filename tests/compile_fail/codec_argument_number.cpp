// expect: argument<2>
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/arguments_codec.hpp"

std::size_t f() { return sheaf::arguments_codec<int, char const*>::size(1, "literal"); }
