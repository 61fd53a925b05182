// expect: it has operator->
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <vector>

#include "sheaf/message/codec.hpp"

using place = std::vector<int>::iterator;

std::size_t f(place p) { return sheaf::codec<place>::size(p); }
