// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

/// Maps from keys, or from indices 0…n−1, to the members of a team that own them. All members use equal maps. Maps of
/// indices also number each member's own indices, from 0; they do not check that there is such an index. Local.
namespace sheaf {

/// `owner(key)` is the rank that owns the key.
template <class P, class Key>
concept partition = requires(P const& map, Key const& key) {
  { map.owner(key) } -> std::convertible_to<std::uint64_t>;
};

/// Blocks of indices whose lengths differ by at most one, the longer ones first.
class block_partition {
 public:
  /// `elements` indices over `members` ≥ 1 ranks.
  block_partition(std::uint64_t elements, std::uint64_t members)
      : least_(elements / members), longer_(elements % members) {}

  [[nodiscard]] std::uint64_t owner(std::uint64_t index) const {
    std::uint64_t const in_longer = longer_ * (least_ + 1);
    return index < in_longer ? index / (least_ + 1)
                             : longer_ + (index - in_longer) / std::max(least_, std::uint64_t{1});
  }
  [[nodiscard]] std::uint64_t count(std::uint64_t rank) const { return least_ + (rank < longer_ ? 1 : 0); }
  [[nodiscard]] std::uint64_t first(std::uint64_t rank) const { return rank * least_ + std::min(rank, longer_); }
  [[nodiscard]] std::uint64_t local(std::uint64_t index) const { return index - first(owner(index)); }
  [[nodiscard]] std::uint64_t index(std::uint64_t rank, std::uint64_t local) const { return first(rank) + local; }

  bool operator==(block_partition const&) const = default;

 private:
  std::uint64_t least_, longer_;
};

/// Index i belongs to rank i modulo the number of members.
class cyclic_partition {
 public:
  cyclic_partition(std::uint64_t elements, std::uint64_t members) : elements_(elements), members_(members) {}

  [[nodiscard]] std::uint64_t owner(std::uint64_t index) const { return index % members_; }
  [[nodiscard]] std::uint64_t count(std::uint64_t rank) const { return (elements_ + members_ - 1 - rank) / members_; }
  [[nodiscard]] std::uint64_t local(std::uint64_t index) const { return index / members_; }
  [[nodiscard]] std::uint64_t index(std::uint64_t rank, std::uint64_t local) const { return local * members_ + rank; }

  bool operator==(cyclic_partition const&) const = default;

 private:
  std::uint64_t elements_, members_;
};

/// Blocks of `block` ≥ 1 indices dealt out in turn: block j belongs to rank j modulo the number of members. A block of
/// 1 deals out single indices; one of at least elements / members gives each member at most one block, the last ones
/// shorter ones or none. (High Performance Fortran's CYCLIC(block), and its BLOCK.)
class block_cyclic_partition {
 public:
  /// `elements` indices over `members` ≥ 1 ranks.
  block_cyclic_partition(std::uint64_t elements, std::uint64_t members, std::uint64_t block)
      : elements_(elements),
        members_(members),
        block_(members == 1 ? std::max(elements, std::uint64_t{1})
                            : std::min(block, std::max(elements, std::uint64_t{1}))) {}

  [[nodiscard]] std::uint64_t owner(std::uint64_t index) const { return index / block_ % members_; }
  [[nodiscard]] std::uint64_t count(std::uint64_t rank) const {
    std::uint64_t const whole = elements_ / block_;  // blocks
    std::uint64_t const own = whole / members_ + (rank < whole % members_ ? 1 : 0);
    return own * block_ + (rank == whole % members_ ? elements_ % block_ : 0);
  }
  [[nodiscard]] std::uint64_t local(std::uint64_t index) const {
    return index / block_ / members_ * block_ + index % block_;
  }
  [[nodiscard]] std::uint64_t index(std::uint64_t rank, std::uint64_t local) const {
    return (local / block_ * members_ + rank) * block_ + local % block_;
  }

  [[nodiscard]] std::uint64_t elements() const { return elements_; }
  [[nodiscard]] std::uint64_t members() const { return members_; }
  /// As given, but at most the number of elements; all of them with one member.
  [[nodiscard]] std::uint64_t block() const { return block_; }

  bool operator==(block_cyclic_partition const&) const = default;

 private:
  std::uint64_t elements_, members_, block_;
};

/// Blocks of indices of given lengths: rank r owns first[r]…first[r+1]−1.
class given_partition {
 public:
  /// One more bound than members, ascending, from 0.
  explicit given_partition(std::vector<std::uint64_t> bounds) : bounds_(std::move(bounds)) {}

  [[nodiscard]] std::uint64_t owner(std::uint64_t index) const {
    return static_cast<std::uint64_t>(std::upper_bound(bounds_.begin(), bounds_.end(), index) - bounds_.begin()) - 1;
  }
  [[nodiscard]] std::uint64_t count(std::uint64_t rank) const { return bounds_[rank + 1] - bounds_[rank]; }
  [[nodiscard]] std::uint64_t first(std::uint64_t rank) const { return bounds_[rank]; }
  [[nodiscard]] std::uint64_t local(std::uint64_t index) const { return index - first(owner(index)); }
  [[nodiscard]] std::uint64_t index(std::uint64_t rank, std::uint64_t local) const { return first(rank) + local; }

  bool operator==(given_partition const&) const = default;

 private:
  std::vector<std::uint64_t> bounds_;
};

/// Keys of any type with a Hash, spread evenly over fewer than 2^32 members whatever the hash. Hash must give the same
/// in all processes.
template <class Key, class Hash = std::hash<Key>>
class hash_partition {
 public:
  explicit hash_partition(std::uint64_t members, Hash hash = {}) : members_(members), hash_(std::move(hash)) {}

  [[nodiscard]] std::uint64_t owner(Key const& key) const {
    std::uint64_t mixed = static_cast<std::uint64_t>(hash_(key)) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ mixed >> 32U) * 0xD6E8FEB86659FD93U;
    return (mixed >> 32U) * members_ >> 32U;
  }

 private:
  std::uint64_t members_;
  Hash hash_;
};

}  // namespace sheaf
