// expect: it points to an array whose length it does not know
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include "sheaf/std.hpp"

void f(sheaf::byte_writer& to, std::unique_ptr<int[]> const& p) { sheaf::codec<std::unique_ptr<int[]>>::encode(to, p); }
