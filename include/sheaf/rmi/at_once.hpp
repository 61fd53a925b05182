// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

namespace sheaf {

/// Whether calls to all methods of T, or to this one, run at once where the caller's own location is called. A program
/// says so beside its class, before the first request:
///
///     template <>
///     inline constexpr bool sheaf::at_once<&counter::add> = true;
///
/// Such a call to oneself costs a call. It gives up its place in the order: it runs before requests that were issued
/// earlier and have not been executed. It runs inside of its caller, the program or a method, which sees its effect
/// when the call returns; a chain of such calls lies on the stack. Nothing else changes: a call to another location is
/// a request; an exception of an asynchronous one waits for the fence, that of a blocking one is thrown as
/// remote_error; a coroutine begins at once. It is no request: rmi_wait, statistics and traces do not know of it. Holds
/// for async_rmi, bind_rmi, try_rmi, sync_rmi, opaque_rmi and reply windows that name the method at compile time, on
/// objects of a team. Calls through pointers, of callables, to published or migrating objects, and of attached threads
/// are requests, as are calls of an object that is not registered yet.
template <class T>
inline constexpr bool all_at_once = false;
template <auto Method>
inline constexpr bool at_once = false;

}  // namespace sheaf
