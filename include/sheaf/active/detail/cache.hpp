// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// The tables of policies: direct-mapped ones, which forget what another key needs the place of, and one that grows.
namespace sheaf::detail {

/// Of a stage that holds nothing.
struct passes_all {
  static constexpr bool never_holds = true;
  void flush(auto const&) {}
  [[nodiscard]] static constexpr bool empty() { return true; }
};

/// What of a message a policy compares.
template <class Key, class T>
using key_of = std::remove_cvref_t<std::invoke_result_t<Key, T const&>>;

struct first_of_pair {
  auto const& operator()(auto const& pair) const { return pair.first; }
};

template <class K>
concept hashed = requires(K const& key) {
  { std::hash<K>{}(key) } -> std::convertible_to<std::size_t>;
};
constexpr std::uint64_t odd_factor = 0x9E3779B97F4A7C15U;

template <class K>
inline constexpr bool is_pair_of_small_numbers = false;
template <std::integral A, std::integral B>
inline constexpr bool is_pair_of_small_numbers<std::pair<A, B>> = sizeof(A) <= 4 && sizeof(B) <= 4;

/// std::hash; of pairs and tuples what it gives for their members.
template <class K>
std::uint64_t hash_of(K const& key) {
  if constexpr (hashed<K>) {
    return std::hash<K>{}(key);
  } else if constexpr (is_pair_of_small_numbers<K>) {
    return std::uint64_t{static_cast<std::uint32_t>(key.first)} << 32U | static_cast<std::uint32_t>(key.second);
  } else {
    static_assert(
        requires { std::tuple_size<K>::value; },
        "sheaf: a Key of a policy must give something that std::hash takes, or a pair or tuple of such");
    return std::apply(
        [](auto const&... each) {
          std::uint64_t all = 0;
          ((all = (all ^ hash_of(each)) * odd_factor, all ^= all >> 29U), ...);
          return all;
        },
        key);
  }
}

/// Equal where keys are, without a branch where that is possible.
template <class K>
decltype(auto) comparable(K const& key) {
  if constexpr (is_pair_of_small_numbers<K>) {
    return hash_of(key);
  } else {
    return (key);
  }
}

template <class Key, class T>
using comparable_of = std::remove_cvref_t<decltype(comparable(std::declval<key_of<Key, T> const&>()))>;

/// Spreads that: of a number it may be that number.
template <class K>
std::uint64_t mixed(std::uint64_t dest, K const& key) {
  return (hash_of(key) ^ dest << 48U) * odd_factor;
}

/// Whether a table saves enough to be asked: one hit in `least` messages, of twice as many as the table has slots, as
/// it may repeat what came one table ago. If not, it is passed over for `pauses` times as many.
class usefulness {
 public:
  explicit usefulness(std::size_t slots)
      : sample_(static_cast<std::int32_t>(std::clamp<std::size_t>(2 * slots, 1024, std::size_t{1} << 24U))) {}

  [[gnu::always_inline]] bool is_tried() {
    if (left_ > 0) return --left_, true;
    if (left_ < 0) return ++left_, false;
    return decide();
  }
  void note(bool hit) { hits_ += hit ? 1U : 0U; }
  [[nodiscard]] bool is_passed_over() const { return left_ < 0; }
  /// So many more messages have passed it over.
  void pass_over(std::uint32_t count) {
    left_ = static_cast<std::int32_t>(std::min<std::int64_t>(std::int64_t{left_} + count, 0));
  }

  [[nodiscard]] std::uint64_t looked_up() const {
    return looked_up_ + static_cast<std::uint64_t>(sampled_ && left_ >= 0 ? sample_ - left_ : 0);
  }
  [[nodiscard]] std::uint64_t all_hits() const { return all_hits_ + hits_; }

 private:
  static constexpr std::int32_t pauses = 64;
  static constexpr std::uint32_t least = 16;

  [[gnu::noinline]] bool decide() {
    if (sampled_) looked_up_ += static_cast<std::uint64_t>(sample_);
    bool const is_worth_it = !std::exchange(sampled_, true) || hits_ * least >= static_cast<std::uint32_t>(sample_);
    all_hits_ += std::exchange(hits_, 0U);
    left_ = is_worth_it ? sample_ - 1 : -pauses * sample_;
    if (!is_worth_it) sampled_ = false;
    return is_worth_it;
  }

  std::int32_t const sample_;
  std::int32_t left_ = 0;  // messages until it decides again: to be looked up, or, below 0, to be passed on
  std::uint32_t hits_ = 0;
  bool sampled_ = false;
  std::uint64_t looked_up_ = 0, all_hits_ = 0;  // until the last decision
};

/// Of a table that is always asked.
class plain_counts {
 public:
  void note(bool hit) {
    ++looked_up_;
    all_hits_ += hit ? 1U : 0U;
  }
  [[nodiscard]] std::uint64_t looked_up() const { return looked_up_; }
  [[nodiscard]] std::uint64_t all_hits() const { return all_hits_; }

 private:
  std::uint64_t looked_up_ = 0, all_hits_ = 0;
};

/// At least two. Throws usage_error for more than 2^31.
std::size_t checked_slots(std::size_t wanted);

/// A power of two of slots, by destination and key.
template <class Slot>
class slots {
 public:
  explicit slots(std::size_t wanted)
      : all_(std::bit_ceil(checked_slots(wanted))), shift_(64 - std::countr_zero(all_.size())) {}

  template <class K>
  Slot& at(std::uint64_t dest, K const& key) {
    return all_[mixed(dest, key) >> shift_];
  }
  [[nodiscard]] std::vector<Slot>& all() { return all_; }
  [[nodiscard]] std::size_t bytes() const { return all_.size() * sizeof(Slot); }

 private:
  std::vector<Slot> all_;
  int shift_;
};

/// The keys that were set last at each place.
template <class K>
class direct_table {
  static_assert(std::is_default_constructible_v<K> && std::is_copy_assignable_v<K>,
                "sheaf: a policy that remembers messages needs keys that can be copied and made by default");

 public:
  struct slot {
    std::uint64_t dest = 0;  // above it the epoch of the table, from 1; 0: never set
    K key{};
  };

  explicit direct_table(std::size_t wanted) : slots_(wanted) {}

  slot& at(std::uint64_t dest, K const& key) { return slots_.at(dest, key); }
  [[nodiscard]] bool is(slot const& s, std::uint64_t dest, K const& key) const {
    return (s.dest == (dest | epoch_)) & (s.key == key);  // no branch
  }
  void set(slot& s, std::uint64_t dest, K const& key) {
    s.dest = dest | epoch_;
    s.key = key;
  }
  void forget() {
    if ((epoch_ += next_epoch) != 0) return;
    for (slot& s : slots_.all()) s.dest = 0;
    epoch_ = next_epoch;
  }
  [[nodiscard]] std::size_t bytes() const { return slots_.bytes(); }

 private:
  static constexpr std::uint64_t next_epoch = std::uint64_t{1} << 32U;

  slots<slot> slots_;
  std::uint64_t epoch_ = next_epoch;
};

/// All keys since it forgot: open addressing, at most half full.
template <class K>
class growing_set {
 public:
  /// Whether it is new.
  bool insert(std::uint64_t dest, K const& key) {
    if (2 * (count_ + 1) > table_.size()) grow();
    if (!put(dest, key)) return false;
    ++count_;
    return true;
  }
  void forget() {
    if (count_ == 0) return;
    table_ = std::vector<slot>(std::min(table_.size(), most_kept));
    shift_ = 64 - std::countr_zero(table_.size());
    count_ = 0;
  }
  [[nodiscard]] std::size_t bytes() const { return table_.size() * sizeof(slot); }

 private:
  static constexpr std::size_t most_kept = 4096;  // for the next epoch

  struct slot {
    std::uint32_t dest = 0;
    bool taken = false;
    K key{};
  };

  bool put(std::uint64_t dest, K const& key) {
    std::size_t place = static_cast<std::size_t>(mixed(dest, key) >> shift_);
    for (; table_[place].taken; place = (place + 1) & (table_.size() - 1)) {
      if (table_[place].dest == dest && table_[place].key == key) return false;
    }
    table_[place] = {static_cast<std::uint32_t>(dest), true, key};
    return true;
  }

  [[gnu::noinline]] void grow() {
    std::size_t const more = table_.empty() ? 64 : 2 * table_.size();
    std::vector<slot> const old = std::exchange(table_, std::vector<slot>(more));
    shift_ = 64 - std::countr_zero(more);
    for (slot const& s : old) {
      if (s.taken) put(s.dest, s.key);
    }
  }

  std::vector<slot> table_;
  int shift_ = 63;
  std::size_t count_ = 0;
};

/// Messages that are held, or were. A held one that gives its place to another goes on first. One that is met often
/// keeps its place for a while, so that rare keys do not drive frequent ones out.
template <class T, class Key>
class holding_table {
  static_assert(std::is_default_constructible_v<T> && std::is_copy_assignable_v<T>,
                "sheaf: a policy that holds messages needs values that can be copied and made by default");

 public:
  enum class state : std::uint8_t { free, held, sent };
  struct slot {
    std::uint32_t dest = 0;
    state is = state::free;
    bool listed = false;
    std::uint8_t met = 0;  // so often, less the strangers that have come by
    T value{};
  };

  explicit holding_table(std::size_t wanted) : slots_(wanted) {}

  slot& at(std::uint64_t dest, key_of<Key, T> const& key) { return slots_.at(dest, key); }
  [[nodiscard]] bool is(slot const& s, std::uint64_t dest, key_of<Key, T> const& key) const {
    return s.is != state::free && s.dest == dest && Key{}(s.value) == key;
  }
  static void meet(slot& s) { s.met = static_cast<std::uint8_t>(s.met + (s.met < most_met ? 1 : 0)); }
  /// Whether a stranger is to leave it where it is.
  static bool stays(slot& s) {
    if (s.is == state::free || s.met == 0) return false;
    --s.met;
    return true;
  }

  template <class Op>
  static void combine(slot& s, T const& value, Op const& op) {
    if constexpr (std::is_same_v<Key, first_of_pair>) {
      s.value.second = op(s.value.second, value.second);
    } else {
      s.value = op(s.value, value);
    }
  }
  /// Whether that changes it.
  template <class Op>
  static bool improve(slot& s, T const& value, Op const& op) {
    T const before = s.value;
    combine(s, value, op);
    return !(s.value == before);
  }

  /// A new message takes the place; returns the held one that had it.
  std::optional<slot> replace(slot& s, std::uint64_t dest, T const& value) {
    std::optional<slot> old;
    if (s.is == state::held) {
      old.emplace(std::move(s));
      s.is = state::free;
      --held_;
    }
    remember(s, dest, value);
    hold(s);
    return old;
  }
  /// The place is free, or what had it has been sent.
  static void remember(slot& s, std::uint64_t dest, T const& value) {
    s.dest = static_cast<std::uint32_t>(dest);
    s.value = value;
    s.is = state::sent;
    s.met = 0;
  }
  void hold(slot& s) {
    if (std::exchange(s.is, state::held) != state::held) ++held_;
    if (!std::exchange(s.listed, true)) list_.push_back(static_cast<std::uint32_t>(&s - slots_.all().data()));
  }

  /// Gives all held ones to `use`, which may hold others.
  void take_all(auto use) { give(use, state::free); }
  /// As that, and remembers them.
  void send_all(auto use) { give(use, state::sent); }

  [[nodiscard]] bool empty() const { return held_ == 0; }
  void clear() {
    for (slot& s : slots_.all()) s.is = state::free;
    held_ = 0;
  }
  [[nodiscard]] std::size_t bytes() const { return slots_.bytes(); }

 private:
  static constexpr std::uint8_t most_met = 7;

  void give(auto& use, state becomes) {
    while (!list_.empty()) {
      slot& s = slots_.all()[list_.back()];
      list_.pop_back();
      s.listed = false;
      if (s.is != state::held) continue;
      slot const one = s;
      s.is = becomes;
      --held_;
      use(one);
    }
  }

  slots<slot> slots_;
  std::vector<std::uint32_t> list_;  // places of those that may be held
  std::size_t held_ = 0;
};

/// Of a stage with a table that is asked as long as that is worth it.
template <class Table>
class table_stage {
 public:
  explicit table_stage(std::size_t slots) : table_(slots), worth_(slots) {}
  [[nodiscard]] std::size_t bytes() const { return table_.bytes(); }
  [[nodiscard]] usefulness const& counts() const { return worth_; }
  [[nodiscard]] bool is_passed_over() const { return worth_.is_passed_over(); }
  void pass_over(std::uint32_t count) { worth_.pass_over(count); }

 protected:
  Table table_;
  usefulness worth_;
};

}  // namespace sheaf::detail
