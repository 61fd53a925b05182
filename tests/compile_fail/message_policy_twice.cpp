// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a message_type has each policy once
#include "sheaf/messages.hpp"

void call(sheaf::team const& members) {
#ifdef SHEAF_CORRECT
  sheaf::message_type<int, sheaf::unordered, sheaf::unique<>> const type(members);
#else
  sheaf::message_type<int, sheaf::unordered, sheaf::unique<>, sheaf::unordered> const type(members);
#endif
}
