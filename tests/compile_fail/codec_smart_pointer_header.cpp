// expect: std::shared_ptr and std::weak_ptr include sheaf/std.hpp
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <memory>
#include <vector>

#include "sheaf/message/codec.hpp"

using several = std::vector<std::unique_ptr<int>>;

std::size_t f(several const& v) { return sheaf::codec<several>::size(v); }
