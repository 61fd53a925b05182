// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/remote_error.hpp"
#include "sheaf/runtime/team.hpp"

/// ARMI's synchronization (§3.4, §4.3). All of it executes others' requests while it waits.
namespace sheaf {

/// Collective. Returns on no member before all have called it and every request on the team's objects that was issued
/// before or meanwhile, and all that these caused in turn, has finished, replies and their continuations included. The
/// world's fence covers all teams. When methods that do not answer threw since the last fence, throws remote_error on
/// every member, with the number of exceptions and the first few texts; the fence is complete then, too. Not in a
/// remotely invoked method (usage_error). Without requests it costs one message to and from about log2 n members, at
/// once.
void rmi_fence(team const& members, call_site where = call_site::here());

/// The same for the world.
void rmi_fence(call_site where = call_site::here());

/// Waits until others' requests have been executed here. Each request executed since the last fence serves one call;
/// when one has been executed that served none yet, returns at once. Replies and whatever the library sends do not
/// count. In a remotely invoked method it nests, to SHEAF_NESTING_LIMIT (nesting_limit).
void rmi_wait(call_site where = call_site::here());

/// Executes what has arrived, up to a limit; true: there was something. Never waits. In the program, when there
/// was nothing, it hands over the open buffers, so that a loop of polls gets as far as a wait; in a remotely invoked
/// method it executes nothing.
bool rmi_poll();

/// Hands all requests issued here to the transport. In the program it waits until the transport has taken them.
void rmi_flush(call_site where = call_site::here());

}  // namespace sheaf
