// expect: element<2, std::variant<int,
// expect: it is a pointer; pass the value or a handle
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <variant>

#include "sheaf/message/codec.hpp"

using choice = std::variant<int, char const*>;

std::size_t f(choice const& c) { return sheaf::codec<choice>::size(c); }
