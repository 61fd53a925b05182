// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/base/error.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf {

namespace detail {
class lending;
/// executor::keep and borrow of the ambient location. Without a location, keep copies.
kept_bytes keep_arrived(std::span<std::byte const> part, std::size_t align);
kept_bytes borrow_arrived(lent_bytes const& what, std::byte const* record);
/// Lends bytes to a location that can read them in place. `to` travels, in a request or answer for this location only;
/// `owner` has moved to `here`. After the receiver's lent has ended, `owner` ends on here's own thread, as a
/// continuation. If the job ends or fails before, it ends on the ending thread, when no location of the process runs
/// any more. False: `dest` cannot read the bytes, and nothing has happened.
bool lend(location& here, std::uint32_t dest, std::span<std::byte const> bytes, lease& owner, lent_bytes& to);
/// Takes back what was lent but not sent.
lease take_back(location& here, lent_bytes const& lent);
}  // namespace detail

/// An argument of remote methods, or a message: elements that are read in place and never written. Move-only.
///
/// The sender makes it from a span (or a vector): the call copies the elements once, into what is sent, before it
/// returns. Made with a `release`, they are not copied if the receiver can read them in place: in the same process, or
/// in memory of the process that the others of its host map (with a SHEAF_PROGRESS other than inline: only in the same
/// process, of a job that has no other). Then they must stay unchanged until `release` is called, once. It is called on
/// the sender's own thread, as a continuation, when the receiver's `lent` has ended; at once, by the caller, if they
/// were copied or the call threw; and if the job ends or fails before, when no location of the process runs any more.
/// So memory that dies with the program's function belongs into `release`.
///
/// The receiver reads the arrived entry, or the sender's memory, without a copy, while this lives. It may be moved and
/// kept after the method has returned (then it counts in the location's budget). It ends in the location, or a thread
/// attached to it, before the location does. data() is a multiple of alignof(T); otherwise misaligned elements are
/// copied: between hosts, where small messages share a packet, and where a request is passed on. So are entries of up
/// to 120 bytes, and those that a helping thread took off the transport.
///
/// A broadcast, a request to a migrating object, sync, try_async and a result always copy.
template <class T>
class lent {
  static_assert(
      std::is_trivially_copyable_v<T> && detail::wire<T>.image && alignof(T) <= 64,
      "sheaf: lent<T> is for types that travel as their bytes: trivially copyable, without pointers and bools");

 public:
  lent() = default;
  lent(std::span<T const> from) noexcept : all_(from) {}
  template <class Range>
  requires(!std::same_as<Range, lent> && std::convertible_to<Range const&, std::span<T const>>) lent(Range const& from)
      : all_(from) {}
  /// `release()` is called once, and throws nothing.
  template <std::invocable Release>
  lent(std::span<T const> from, Release release) : all_(from), owner_(owned_by(std::move(release))) {}

  [[nodiscard]] T const* data() const noexcept { return all_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] T const& operator[](std::size_t i) const noexcept { return all_[i]; }
  [[nodiscard]] T const* begin() const noexcept { return data(); }
  [[nodiscard]] T const* end() const noexcept { return data() + size(); }
  operator std::span<T const>() const noexcept { return all_; }

 private:
  friend struct codec<lent>;
  friend class detail::lending;

  explicit lent(detail::kept_bytes&& kept)
      : all_(reinterpret_cast<T const*>(kept.bytes.data()), kept.bytes.size() / sizeof(T)),
        owner_(std::move(kept.owner)) {}

  template <class Release>
  static lease owned_by(Release&& release) {
    auto const end = [](void* of) {
      (*static_cast<Release*>(of))();
      delete static_cast<Release*>(of);
    };
    return {end, new Release(std::move(release))};
  }

  std::span<T const> all_;
  mutable lease owner_;
  mutable detail::lent_bytes place_;  // where it is written as a loan
};

namespace detail {

template <class T>
inline constexpr bool is_lent = false;
template <class T>
inline constexpr bool is_lent<lent<T>> = true;

/// While a request is written, lends what its arguments own, if the receiver can read it; takes it back unless `sent`.
class lending {
 public:
  template <class Tuple>
  static constexpr bool concerns = false;

  template <class T>
  static void begin(location& here, std::uint32_t dest, lent<T> const& one) {
    if (one.owner_) static_cast<void>(lend(here, dest, std::as_bytes(one.all_), one.owner_, one.place_));
  }
  template <class T>
  static void end(location& here, lent<T> const& one, bool sent) noexcept {
    if (one.place_.data == nullptr) return;
    if (!sent) one.owner_ = take_back(here, one.place_);
    one.place_ = {};
  }
  /// For a method that is called here and now: elements that the caller owns are copied, since it may keep them.
  template <class T>
  static void own(lent<T>& one) {
    if (!one.owner_) one = lent<T>(keep_arrived(std::as_bytes(one.all_), alignof(T)));
  }
  static void own(auto const&) {}
  static void begin(location&, std::uint32_t, auto const&) {}
  static void end(location&, auto const&, bool) noexcept {}
};
template <class... V>
inline constexpr bool lending::concerns<std::tuple<V...>> = (is_lent<std::remove_cvref_t<V>> || ...);

/// Calls `put(values...)`, which writes a request for `dest`.
template <class Tuple, class Put>
[[gnu::always_inline]] inline void put_lending(location& here, std::uint32_t dest, Tuple const& values, Put put) {
  if constexpr (lending::concerns<Tuple>) {
    bool sent = false;
    at_end const over{[&] { std::apply([&](auto const&... v) { (lending::end(here, v, sent), ...); }, values); }};
    std::apply([&](auto const&... v) { (lending::begin(here, dest, v), ...); }, values);
    std::apply(put, values);
    sent = true;
  } else {
    std::apply(put, values);
  }
}

}  // namespace detail

/// A byte (the padding before the elements, or `by_place`), their number, then the elements, or where they are.
template <class T>
struct codec<lent<T>> {
  static constexpr std::uint8_t by_place = 255;
  static constexpr std::size_t padding = alignof(T) - 1;
  static constexpr std::size_t head = 1 + sizeof(std::uint64_t);

  [[nodiscard]] static std::size_t size(lent<T> const& value) {
    return head + (value.place_.data != nullptr ? sizeof(detail::lent_bytes) : padding + value.all_.size_bytes());
  }
  static void encode(byte_writer& to, lent<T> const& value) {
    std::uint64_t const count = value.size();
    if (value.place_.data != nullptr) {
      to.value(by_place);
      to.value(count);
      return to.value(value.place_);
    }
    std::size_t const in_front = (0 - reinterpret_cast<std::uintptr_t>(to.position()) - head) & padding;
    to.value(static_cast<std::uint8_t>(in_front));
    to.value(count);
    constexpr std::array<std::byte, padding> zeros{};
    to.bytes(zeros.data(), in_front);
    to.bytes(value.data(), value.all_.size_bytes());
    to.bytes(zeros.data(), padding - in_front);
  }
  [[nodiscard]] static lent<T> decode(byte_reader& from) {
    auto const in_front = from.value<std::uint8_t>();
    auto const count = from.value<std::uint64_t>();
    if (in_front == by_place) return borrow(count, from);
    if (in_front > padding) throw decode_error("sheaf: a message pads elements by more than their alignment");
    if (from.remaining() < padding || count > (from.remaining() - padding) / sizeof(T)) {
      detail::fail_count(count, sizeof(T), from.remaining());
    }
    std::byte const* const padded = from.take(padding + count * sizeof(T));
    return lent<T>(detail::keep_arrived({padded + in_front, count * sizeof(T)}, alignof(T)));
  }

 private:
  static lent<T> borrow(std::uint64_t count, byte_reader& from) {
    detail::lent_bytes what;
    std::byte const* const at = from.take(sizeof what);
    std::memcpy(static_cast<void*>(&what), at, sizeof what);
    bool const whole = what.size / sizeof(T) == count && what.size % sizeof(T) == 0;
    if (!whole) throw decode_error("sheaf: a message lends a number of bytes that does not fit its number of elements");
    if (reinterpret_cast<std::uintptr_t>(what.data) % alignof(T) != 0)
      throw decode_error("sheaf: a message lends elements at an address that is not a multiple of their alignment");
    return lent<T>(detail::borrow_arrived(what, at));
  }
};

}  // namespace sheaf
