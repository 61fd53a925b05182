// expect: its comparison or hash has a state
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <map>

#include "sheaf/message/codec.hpp"

using by_rule = std::map<int, int, bool (*)(int, int)>;

std::size_t f(by_rule const& m) { return sheaf::codec<by_rule>::size(m); }
