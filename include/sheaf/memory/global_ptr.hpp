// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sheaf/base/location_id.hpp"
#include "sheaf/memory/detail/one_sided.hpp"

namespace sheaf {

/// What one-sided operations move: its bytes are its value, on every location.
template <class T>
concept memory_type = std::is_trivially_copyable_v<std::remove_const_t<T>> && !std::is_volatile_v<T>;

/// The address of a T at a location: a value that may be sent anywhere. Arithmetic is in elements, as with a pointer.
/// It may point to any memory of the location: to what allocate() and shared_array give, which other locations of the
/// host reach without help, or to other memory, which costs them more. (ARMCI 2.1; UPC++'s type of that name.)
template <class T>
requires(memory_type<T>) class global_ptr {
 public:
  using element_type = T;

  constexpr global_ptr() = default;
  constexpr global_ptr(std::nullptr_t) noexcept {}  // NOLINT: converts on purpose
  /// Local; nothing checks that there is a T.
  constexpr global_ptr(location_id where, std::uint64_t address) noexcept : address_(address), where_(where) {}
  /// To memory of the calling location. Throws usage_error outside of sheaf::run.
  explicit global_ptr(T* mine, call_site from = call_site::here())
      : address_(detail::address_of(mine)), where_(detail::current("global_ptr", from).id()) {}
  template <class U>
  requires(std::is_same_v<T, U const>) constexpr global_ptr(
      global_ptr<U> const& other) noexcept  // NOLINT: as a pointer to const
      : address_(other.address()), where_(other.where()) {}

  /// The location whose memory it is.
  [[nodiscard]] constexpr location_id where() const noexcept { return where_; }
  /// The address there.
  [[nodiscard]] constexpr std::uint64_t address() const noexcept { return address_; }
  constexpr explicit operator bool() const noexcept { return address_ != 0; }

  /// A plain pointer, where the calling location can load from there and store: at home, and where the memory is shared
  /// within the host. Else null. Sends nothing.
  [[nodiscard]] T* local(call_site from = call_site::here()) const {
    return detail::one_sided::current("global_ptr::local", from).local<T>(where_, address_);
  }

  /// The same address as one of another type.
  template <class U>
  [[nodiscard]] constexpr global_ptr<U> as() const noexcept {
    return {where_, address_};
  }

  constexpr global_ptr& operator+=(std::ptrdiff_t n) noexcept {
    address_ += static_cast<std::uint64_t>(n) * sizeof(T);
    return *this;
  }
  constexpr global_ptr& operator-=(std::ptrdiff_t n) noexcept { return *this += -n; }
  constexpr global_ptr& operator++() noexcept { return *this += 1; }
  constexpr global_ptr& operator--() noexcept { return *this += -1; }
  friend constexpr global_ptr operator+(global_ptr p, std::ptrdiff_t n) noexcept { return p += n; }
  friend constexpr global_ptr operator+(std::ptrdiff_t n, global_ptr p) noexcept { return p += n; }
  friend constexpr global_ptr operator-(global_ptr p, std::ptrdiff_t n) noexcept { return p -= n; }
  /// Of two pointers into one array.
  friend constexpr std::ptrdiff_t operator-(global_ptr a, global_ptr b) noexcept {
    return static_cast<std::ptrdiff_t>(a.address_ - b.address_) / static_cast<std::ptrdiff_t>(sizeof(T));
  }
  /// By location, then by address.
  friend constexpr auto operator<=>(global_ptr a, global_ptr b) noexcept {
    auto const by_where = number(a.where_) <=> number(b.where_);
    return by_where != 0 ? by_where : a.address_ <=> b.address_;
  }
  friend constexpr bool operator==(global_ptr a, global_ptr b) noexcept = default;

 private:
  std::uint64_t address_ = 0;
  location_id where_{};
};

}  // namespace sheaf
