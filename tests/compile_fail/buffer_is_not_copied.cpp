// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A buffer has one owner: it moves, and a copy is refused at compile time.
// expect: deleted
#include <utility>

#include "sheaf/transport/buffer.hpp"

#ifdef SHEAF_CORRECT
sheaf::buffer taken(sheaf::buffer& owned) { return std::move(owned); }
#else
sheaf::buffer taken(sheaf::buffer& owned) { return owned; }
#endif
