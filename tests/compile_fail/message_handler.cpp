// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// expect: the handler of a message_type<T> must be callable as f(T), or as f(T, rank of the sender)
#include <string>

#include "sheaf/messages.hpp"

void call(sheaf::team const& members) {
#ifdef SHEAF_CORRECT
  sheaf::message_type<int> const type(members, [](int) {});
#else
  sheaf::message_type<int> const type(members, [](std::string const&) {});
#endif
}
