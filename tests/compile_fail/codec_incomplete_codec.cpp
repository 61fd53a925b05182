// expect: its sheaf::codec lacks one of
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <vector>

#include "sheaf/message/codec.hpp"

class secret {};

template <>
struct sheaf::codec<secret> {
  static std::size_t size(secret const&) { return 1; }
};

std::size_t f(std::vector<secret> const& s) { return sheaf::codec<std::vector<secret>>::size(s); }
