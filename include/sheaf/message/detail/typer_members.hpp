// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sheaf/message/detail/coder.hpp"
#include "sheaf/message/detail/explain.hpp"
#include "sheaf/message/typer.hpp"

namespace sheaf {

namespace detail {

[[noreturn, gnu::cold]] void fail_offset(std::size_t targets);
[[noreturn, gnu::cold]] void fail_read_offset();

template <class T, std::size_t>
constexpr bool explain_pointee() {
  using object = std::remove_const_t<T>;
  static_assert(std::is_object_v<object>, "sheaf: define_type: dynamic() of a pointer to void or to a function");
  static_assert(!std::is_polymorphic_v<object> || std::is_final_v<object>,
                "sheaf: define_type: dynamic() of a pointer to a polymorphic class, whose object may be of a derived "
                "class that the receiver does not know; make the class final, or send a std::variant of the classes");
  return true;
}

}  // namespace detail

template <class T>
void typer::local(T& member) {
  static_assert(!std::is_pointer_v<T>,
                "sheaf: define_type: local() of a pointer; use dynamic() for what it owns, offset() for an alias");
  static_assert(!std::is_const_v<T>, "sheaf: define_type: local() of a const member, which cannot be read into");
  value(member);
  name(member);
}

template <class T, std::size_t N, class Length>
void typer::local(T (&array)[N], Length length) {
  std::size_t const n = checked(length, N);
  same_length(n, detail::element_least<T>);
  elements(array, n);
  name(array, N);
}

template <class T>
void typer::dynamic(T*& pointer) {
  using object = std::remove_const_t<T>;
  static_assert(detail::explain_pointee<T, 0>());
  bool const there = present(pointer != nullptr);
  if (!there) {
    pointer = nullptr;
    return;
  }
  if (!reading()) {
    value(const_cast<object&>(*pointer));
  } else if constexpr (detail::wire<object>.kind == detail::wire_kind::defined) {
    auto* const fresh = new object();
    pointer = fresh;
    visit(*fresh);
  } else {
    pointer = new object(detail::wire_decode<object>(*from_));
  }
  name(pointer, 1);
}

template <class T, class Length>
void typer::dynamic(T*& array, Length length) {
  static_assert(detail::explain_pointee<T, 0>());
  array_of(const_cast<std::remove_const_t<T>*>(array), checked(length, SIZE_MAX), [&](auto* fresh) { array = fresh; });
}

template <class P, class Length>
requires detail::owns_array<P>
void typer::dynamic(P& array, Length length) {
  using object = std::remove_const_t<typename P::element_type>;
  array_of(const_cast<object*>(array.get()), checked(length, SIZE_MAX), [&](auto* fresh) { array.reset(fresh); });
}

void typer::visit(auto& object) {
  detail::level const deeper(state_);
  std::size_t const outside = targets_.size();
  object.define_type(*this);
  targets_.shrink(outside);
}

/// One value, without a name for offsets.
template <class T>
void typer::value(T& object) {
  static_assert(detail::explain<T>::done);
  if constexpr (detail::wire<T>.kind == detail::wire_kind::defined) {
    visit(object);
  } else if constexpr (detail::reach_of<T>.travels) {
    if (reading()) {
      detail::fill(*from_, object);
    } else {
      to_sink([&](auto& to) { detail::wire_encode(to, object); });
    }
  }
}

template <class T>
void typer::elements(T* array, std::size_t length) {
  if constexpr (detail::wire<T>.image && detail::wire<T>.least != 0) {
    if (!reading()) {
      to_sink([&](auto& to) { to.bytes(array, length * sizeof(T)); });
    } else if (length != 0) {
      std::memcpy(static_cast<void*>(array), from_->take(length * sizeof(T)), length * sizeof(T));
    }
  } else {
    for (std::size_t i = 0; i != length; ++i) {
      if constexpr (detail::filler<T> != 0) filler();
      value(array[i]);
    }
  }
}

/// A dynamic array of which `put` keeps a new one.
template <class T, class Put>
void typer::array_of(T* array, std::size_t length, Put put) {
  static_assert(std::is_default_constructible_v<T>,
                "sheaf: define_type: dynamic() of an array whose elements have no default constructor; use a "
                "std::vector");
  bool const there = present(array != nullptr);
  if (there) same_length(length, detail::element_least<T>);
  if (reading()) {
    array = nullptr;
    if constexpr (detail::wire<T>.image) {
      if (there) array = new T[length];
    } else {
      if (there) array = new T[length]();
    }
    put(array);
  }
  if (!there) return;
  elements(array, length);
  name(array, length);
}

template <class Length>
std::size_t typer::checked(Length length, std::size_t most) {
  static_assert(std::integral<Length>, "sheaf: define_type: the length of an array must be an integer");
  bool const negative = length < Length{0};
  if (negative || static_cast<std::uint64_t>(length) > most) [[unlikely]]
    fail_length(negative,
                negative ? std::uint64_t{0} - static_cast<std::uint64_t>(length) : static_cast<std::uint64_t>(length),
                most);
  return static_cast<std::size_t>(length);
}

/// Makes the elements of an array or of a contiguous container, else the member itself, a target.
template <class T>
void typer::name(T const& member) {
  if constexpr (std::is_array_v<T>) {
    name(member, std::extent_v<T>);
  } else if constexpr (requires { name(member.data(), member.size()); }) {
    name(member.data(), member.size());
  } else {
    name(&member, 1);
  }
}

template <class T>
void typer::point(T*& pointer, bool anywhere, T const* begin) {
  static_assert(std::is_object_v<T>, "sheaf: define_type: offset() of a pointer to void or to a function");
  if (reading()) {
    pointer = read_place<T>(anywhere, begin);
    return;
  }
  if (pointer == nullptr) return count(0);
  place const at = find(pointer, {anywhere ? nullptr : begin, 0, detail::token_of<std::remove_cv_t<T>>()}, sizeof(T));
  if (at.number == targets_.size() || (!anywhere && begin == nullptr)) detail::fail_offset(targets_.size());
  count(at.number + 1);
  count(at.element);
}

template <class T>
T* typer::read_place(bool anywhere, T const* begin) {
  std::uint64_t const number = from_->number();
  if (number == 0) return nullptr;
  if (number > targets_.size()) detail::fail_read_offset();
  target const& to = targets_[static_cast<std::size_t>(number) - 1];
  std::uint64_t const element = from_->number();
  if (to.type != detail::token_of<std::remove_cv_t<T>>() || element > to.length || (!anywhere && begin != to.begin))
    detail::fail_read_offset();
  return const_cast<T*>(static_cast<T const*>(to.begin)) + element;
}

}  // namespace sheaf
