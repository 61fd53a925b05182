// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace sheaf {

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
