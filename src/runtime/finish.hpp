// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// Executes until the state machine is done here and the transport has all its messages: the others need them, and this
/// location may compute for long, or end, before it moves anything again.
template <class Machine>
void finish(location& here, Machine& machine) {
  bool done = false;
  here.wait(wait_kind::collective, [&] {
    done = done || machine.advance();
    return done && here.answers_sent();
  });
}

}  // namespace sheaf::detail
