// expect: it holds an address of this location in private
// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

#include <system_error>

#include "sheaf/message/codec.hpp"

std::size_t f(std::error_code const& e) { return sheaf::codec<std::error_code>::size(e); }
