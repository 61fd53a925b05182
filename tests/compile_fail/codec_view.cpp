// expect: pass a std::string, a std::vector or a handle
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <string_view>

#include "sheaf/message/codec.hpp"

std::size_t f(std::string_view v) { return sheaf::codec<std::string_view>::size(v); }
