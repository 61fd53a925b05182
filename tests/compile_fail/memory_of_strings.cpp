// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// One-sided operations move bytes: an element that owns memory elsewhere has no value there.
// expect: memory_type
#include <array>
#include <string>

#include "sheaf/memory.hpp"

#ifdef SHEAF_CORRECT
using element = std::array<char, 16>;
#else
using element = std::string;
#endif

std::uint64_t address_of(sheaf::global_ptr<element> p) { return p.address(); }
