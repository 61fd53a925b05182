// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the value of a message_type must be a type that can travel
#include "sheaf/messages.hpp"

void call(sheaf::team const& members) {
#ifdef SHEAF_CORRECT
  sheaf::message_type<int> const type(members);
#else
  sheaf::message_type<int*> const type(members);
#endif
}
