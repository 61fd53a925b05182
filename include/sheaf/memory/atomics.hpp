// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "sheaf/memory/global_ptr.hpp"

namespace sheaf {

// Read-modify-write of a word of 32 or 64 bits at any location (ARMCI_Rmw). Atomic among these, and among accumulates
// of integers; in the order of the caller's other one-sided operations on that location. The address is a multiple of
// the word's size, else usage_error. Any location calls them, in the program and in remote methods. Within a host each
// is one instruction of the processor, and sends nothing; else a message to the target's process and one back, which
// takes part whatever the target does. std::atomic_ref works on the same words, where local() gives a pointer.

namespace detail {

template <class T>
T changed(global_ptr<T> at, change_kind how, T operand, T expected, char const* what, call_site where) {
  using word = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
  one_sided& by = one_sided::current(what, where);
  std::uint64_t const old = with_call_site(where, [&] {
    return by.change({at.where(), at.address()}, sizeof(T), how, std::bit_cast<word>(operand),
                     std::bit_cast<word>(expected));
  });
  return std::bit_cast<T>(static_cast<word>(old));
}

}  // namespace detail

/// The value, which other atomic operations may change.
template <class T>
requires(atomic_integer<std::remove_const_t<T>>)
    [[nodiscard]] std::remove_const_t<T> atomic_load(global_ptr<T> from, call_site where = call_site::here()) {
  using word = std::remove_const_t<T>;
  global_ptr<word> const at(from.where(), from.address());
  return detail::changed(at, detail::change_kind::load, word{}, word{}, "atomic_load", where);
}
/// Who loads the value sees what the caller has put at that location before.
template <atomic_integer T>
void atomic_store(global_ptr<T> to, std::type_identity_t<T> value, call_site where = call_site::here()) {
  detail::changed(to, detail::change_kind::store, value, T{}, "atomic_store", where);
}
/// Adds, and returns the value before. Wraps around.
template <atomic_integer T>
T fetch_add(global_ptr<T> at, std::type_identity_t<T> value, call_site where = call_site::here()) {
  return detail::changed(at, detail::change_kind::add, value, T{}, "fetch_add", where);
}
/// These return the value before, too.
template <atomic_integer T>
T fetch_and(global_ptr<T> at, std::type_identity_t<T> value, call_site where = call_site::here()) {
  return detail::changed(at, detail::change_kind::bit_and, value, T{}, "fetch_and", where);
}
template <atomic_integer T>
T fetch_or(global_ptr<T> at, std::type_identity_t<T> value, call_site where = call_site::here()) {
  return detail::changed(at, detail::change_kind::bit_or, value, T{}, "fetch_or", where);
}
template <atomic_integer T>
T fetch_xor(global_ptr<T> at, std::type_identity_t<T> value, call_site where = call_site::here()) {
  return detail::changed(at, detail::change_kind::bit_xor, value, T{}, "fetch_xor", where);
}
template <atomic_integer T>
T atomic_swap(global_ptr<T> at, std::type_identity_t<T> value, call_site where = call_site::here()) {
  return detail::changed(at, detail::change_kind::swap, value, T{}, "atomic_swap", where);
}
/// Stores the value where the old one is what is expected.
template <atomic_integer T>
T compare_swap(global_ptr<T> at, std::type_identity_t<T> expected, std::type_identity_t<T> value,
               call_site where = call_site::here()) {
  return detail::changed(at, detail::change_kind::swap_if, value, expected, "compare_swap", where);
}

/// Waits until `accepts` the value of this word of the caller's memory, which other locations change by atomic
/// operations or put_signal; returns it. All that they had put here before is there then. Executes requests meanwhile;
/// in a remote method it nests, as wait_until does.
template <atomic_integer T, std::predicate<T> Accepts>
T await_word(T const& word, Accepts const& accepts, call_site where = call_site::here()) {
  T value{};
  auto const look = [&] {
    value = std::atomic_ref<T>(const_cast<T&>(word)).load(std::memory_order_acquire);
    return static_cast<bool>(accepts(value));
  };
  detail::one_sided::current("await_word", where)
      .wait_for(
          "await_word", where, [](void const* of) { return (*static_cast<decltype(look)*>(of))(); }, &look);
  return value;
}

}  // namespace sheaf
