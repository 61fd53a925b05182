// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf {

/// Whether a method is declared concurrent (ARMI §3.4: not atomic). A program says so beside its class, before the
/// first request for it:
///
///     template <>
///     inline constexpr bool sheaf::concurrent<&counter::add> = true;
///
/// Such a method may run on another thread than its location's, while the location's program or its other methods run,
/// and several at once: what it touches is protected by the program (atomics, locks). It may issue asynchronous
/// requests, and must not wait (usage_error) or be a coroutine. Its requests give up their order, to each other and to
/// all others, unless SHEAF_PROGRESS is inline; each is executed exactly once, fences wait for it, and its exceptions
/// go where those of other methods go. Holds for async_rmi, bind_rmi, try_rmi, sync_rmi, opaque_rmi, reply windows and
/// broadcast_rmi that name the method at compile time; in a reduction, a collective call, a request to a migrating
/// object or one through a pointer the owner runs it, as any method. Another thread calls an object only after its
/// location has sent, waited or polled since the object's registration, so that its constructor, which does none of
/// these, has ended.
template <auto Method>
inline constexpr bool concurrent = false;

}  // namespace sheaf
