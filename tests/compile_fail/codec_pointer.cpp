// expect: it is a pointer; pass the value or a handle
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/message/codec.hpp"

std::size_t f(int* p) { return sheaf::codec<int*>::size(p); }
