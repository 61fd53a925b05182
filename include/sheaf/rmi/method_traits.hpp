// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sheaf {

/// Whether calls to all methods of T, or to this one, run at once where the caller's own location is called. A program
/// says so beside its class, before the first request:
///
///     template <>
///     inline constexpr bool sheaf::at_once<&counter::add> = true;
///
/// Such a call to oneself costs a call. It runs inside of its caller, before requests that were issued earlier and have
/// not been executed; a chain of such calls lies on the stack. Its arguments are not encoded: what a copy of one
/// shares, such as a shared_ptr, the method shares with the caller. Nothing else changes: an exception of an
/// asynchronous one waits for the fence, that of a blocking one is thrown as remote_error; a coroutine begins at once.
/// It is no request: wait_for_request, statistics and traces do not know of it. Holds for async, bind, try_async,
/// sync, ask and reply windows that name the method at compile time, on objects of a team. Calls through
/// pointers, of callables, to published, migrating or not yet registered objects, and of attached threads are requests.
template <class T>
inline constexpr bool all_at_once = false;
template <auto Method>
inline constexpr bool at_once = false;

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
/// go where those of other methods go. Holds for async, bind, try_async, sync, ask, reply windows and
/// broadcasts that name the method at compile time; in a reduction, a collective call, a request to a migrating
/// object or one through a pointer the owner runs it, as any method. Another thread calls an object only after its
/// location has sent, waited or polled since the registration, so that the constructor has ended.
template <auto Method>
inline constexpr bool concurrent = false;

/// A method that says which memory `Method` will touch; null: none. A program names one beside its class:
///
///     template <>
///     inline constexpr auto sheaf::prefetch_for<&table::update> = &table::place_of;   // void const*
///     place_of(std::uint64_t)
///
/// It takes the method's arguments and returns an address, which is fetched into the cache; it is called some requests
/// ahead of the method in the same run (for the last ones of a run, just before the method), changes nothing, and the
/// address need not be valid. Only for arguments of fixed size.
template <auto Method>
inline constexpr decltype(nullptr) prefetch_for = nullptr;

/// Names a method in an overload.
template <auto Method>
struct method_tag {};

/// The arguments of consecutive requests as they lie in a buffer, unaligned. Valid until the method returns.
template <class T>
class packed {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  packed(std::byte const* from, std::size_t count) : from_(from), count_(count) {}
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] T operator[](std::size_t i) const {
    T value;
    std::memcpy(&value, from_ + i * sizeof(T), sizeof(T));
    return value;
  }
  /// The values in place, or null where they are not aligned for T.
  [[nodiscard]] T const* data() const {
    bool const aligned = reinterpret_cast<std::uintptr_t>(from_) % alignof(T) == 0;
    return aligned ? reinterpret_cast<T const*>(from_) : nullptr;
  }
  /// Copies all to size() elements from `to` on.
  void copy_to(T* to) const { std::memcpy(to, from_, count_ * sizeof(T)); }

 private:
  std::byte const* from_;
  std::size_t count_;
};

namespace detail {

/// Whether T says how a whole run of asynchronous requests for Method is taken at once:
///
///     void push_back_all(sheaf::packed<int> values);
///     static constexpr auto whole_run(sheaf::method_tag<&bucket::push_back>) { return &bucket::push_back_all; }
///
/// The companion does what the method would do for each value in turn, and neither waits nor sends. For methods with
/// one trivially copyable argument, used only if that travels as its memory image (not what has a bool in it), and
/// where requests are neither answered nor interleaved, so nobody can tell the difference.
template <class T, auto Method>
concept takes_whole_runs = requires {
  T::whole_run(method_tag<Method>{});
};

}  // namespace detail
}  // namespace sheaf
