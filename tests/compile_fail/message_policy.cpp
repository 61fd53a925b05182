// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: a policy of a message_type<T> is unordered, sent_by, routed, coalescing, parallel
#include "sheaf/messages.hpp"

void call(sheaf::team const& members) {
#ifdef SHEAF_CORRECT
  sheaf::message_type<int, sheaf::unordered> const type(members);
#else
  sheaf::message_type<int, double> const type(members);
#endif
}
