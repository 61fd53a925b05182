// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"

namespace sheaf::detail {

/// A collective operation of a team; `for_what` is awaited::fence where requests are waited for, too.
inline wait_site waits_for(collective_call const& call, awaited for_what = awaited::members) {
  wait_site site{call.said.what, for_what, wait_site::several, run_tag(0, 0, call.members.id()), call.from};
  site.object = call.object;
  site.root = call.root;
  if (call.object != 0) site.method = call.said.values;
  return site;
}

/// Executes until the state machine is done here and the transport has all its messages: the others need them, and this
/// location may compute for long, or end, before it moves anything again.
template <class Machine>
void finish(location& here, Machine& machine, wait_site const& site) {
  bool done = false;
  here.wait(wait_kind::collective, site, [&] {
    done = done || machine.advance();
    return done && !here.out().of(sheaf::traffic::answer).overflows();
  });
}

}  // namespace sheaf::detail
