// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace sheaf::detail {

/// Values by number, where few of many numbers are used: its memory grows with those that are. A value stays where it
/// is. Looking one up is a multiplication, a load and a comparison, as a rule.
template <class T>
class sparse_table {
 public:
  sparse_table& operator=(sparse_table&&) = delete;

  [[nodiscard]] std::size_t size() const { return values_.size(); }

  /// Null where the number has no value.
  [[nodiscard]] T* find(std::uint32_t key) const { return first_[place_of(key)].value; }

  /// The number's value; made by T() on first use.
  T& operator[](std::uint32_t key) {
    if (T* const known = find(key); known != nullptr) [[likely]]
      return *known;
    return add(key);
  }

  /// Calls visit(number, value) for each, in the order of their first use. The visit may add others.
  void each(auto visit) const {
    for (std::size_t i = 0; i < values_.size(); ++i) visit(values_[i].first, *values_[i].second);
  }

  [[nodiscard]] std::vector<std::uint32_t> sorted_keys() const {
    std::vector<std::uint32_t> keys;
    each([&](std::uint32_t key, T&) { keys.push_back(key); });
    std::sort(keys.begin(), keys.end());
    return keys;
  }

 private:
  struct slot {
    std::uint32_t key;
    T* value;  ///< null: the slot is free
  };

  /// Where the number is, or where it would go.
  [[nodiscard]] std::size_t place_of(std::uint32_t key) const {
    auto place = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ull >> shift_);
    while (first_[place].value != nullptr && first_[place].key != key) place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  [[gnu::noinline]] T& add(std::uint32_t key) {
    if (2 * (values_.size() + 1) > slots_.size()) grow();
    values_.emplace_back(key, std::make_unique<T>());
    T& value = *values_.back().second;
    slots_[place_of(key)] = {key, &value};
    return value;
  }

  void grow() {
    constexpr std::size_t least = 8;
    std::size_t const more = std::max(least, 2 * slots_.size());
    std::vector<slot> const old = std::exchange(slots_, std::vector<slot>(more));
    first_ = slots_.data();
    shift_ = 64 - static_cast<unsigned>(__builtin_ctzll(more));
    for (slot const& s : old) {
      if (s.value != nullptr) slots_[place_of(s.key)] = s;
    }
  }

  static constexpr slot no_slots[2] = {};

  std::vector<slot> slots_;       // a power of two of them, at most half of them taken
  slot const* first_ = no_slots;  // of these, or of an empty table
  unsigned shift_ = 63;
  std::vector<std::pair<std::uint32_t, std::unique_ptr<T>>> values_;
};

}  // namespace sheaf::detail
