// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sheaf {

/// Whether a call from a location to itself runs at once: for all methods of T, or for this one. A program says so
/// beside its class, before the first request:
///
///     template <>
///     inline constexpr bool sheaf::at_once<&counter::add> = true;
///
/// Such a call costs a function call. It runs inside its caller, before earlier requests that have not been executed; a
/// chain of such calls lies on the stack. Its arguments are not encoded: method and caller share what a copy of an
/// argument shares, such as a shared_ptr's object. Nothing else changes: an asynchronous call's exception waits for the
/// fence, a blocking call's is thrown as remote_error; a coroutine begins at once. It is no request: wait_for_request,
/// statistics and traces do not know of it. Holds for async, bind, try_async, sync, ask and reply windows that name the
/// method at compile time, on objects of a team. Calls through pointers, of callables, to published, migrating or not
/// yet registered objects, and of attached threads are requests.
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
/// Such a method may run on another thread than its location's, concurrently with the location's program, with its
/// other methods and with itself: the program protects what it touches (atomics, locks). It may issue asynchronous
/// requests, and must not wait (usage_error) or be a coroutine. Its requests have no order, among each other or with
/// others, unless SHEAF_PROGRESS is inline; each is executed exactly once, fences wait for it, and its exceptions are
/// treated as those of other methods. Holds for async, bind, try_async, sync, ask, reply windows and broadcasts that
/// name the method at compile time; in a reduction, a collective call, or a request to a migrating object or through a
/// pointer, the owner runs it, as any method. Another thread calls an object only after its location has sent, waited
/// or polled since the registration, so that the constructor has ended.
template <auto Method>
inline constexpr bool concurrent = false;

/// A method that returns the address that `Method` will touch; null: none. A program names one beside its class:
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

/// A tag that selects an overload for a method.
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

/// Whether T names a companion of Method that takes a whole run of asynchronous requests at once:
///
///     void push_back_all(sheaf::packed<int> values);
///     static constexpr auto whole_run(sheaf::method_tag<&bucket::push_back>) { return &bucket::push_back_all; }
///
/// The companion does what the method would do for each value in turn, and neither waits nor sends. For methods with
/// one trivially copyable argument. Used only if that travels as its memory image (no bool in it), and if requests are
/// neither answered nor interleaved, so nobody can tell the difference.
template <class T, auto Method>
concept takes_whole_runs = requires {
  T::whole_run(method_tag<Method>{});
};

}  // namespace detail
}  // namespace sheaf
