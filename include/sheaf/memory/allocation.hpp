// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sheaf/memory/global_ptr.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {
namespace detail {

/// One member's memory.
struct shared_part {
  std::uint64_t address = 0;
  std::uint64_t count = 0;
  location_id where{};
};

place allocate_elements(one_sided& by, location_id where, std::size_t count, std::size_t bytes, call_site from);
std::vector<shared_part> allocate_together(team const& members, std::size_t count, std::size_t bytes, call_site from);
void give_back_own(shared_part const& own, std::size_t bytes) noexcept;
shared_part const& part_of(std::vector<shared_part> const& parts, std::uint64_t rank, call_site from);

}  // namespace detail

/// Memory for `count` elements at any location, its bytes zero; the pointer may be sent anywhere. Local within a host:
/// the target takes no part. Zero elements: a null pointer. Throws std::bad_alloc where there is none.
template <memory_type T>
[[nodiscard]] global_ptr<T> allocate(location_id where, std::size_t count, call_site from = call_site::here()) {
  detail::place const made =
      detail::allocate_elements(detail::one_sided::current("allocate", from), where, count, sizeof(T), from);
  return {made.where, made.address};
}
/// At the calling location.
template <memory_type T>
[[nodiscard]] global_ptr<T> allocate(std::size_t count, call_site from = call_site::here()) {
  return allocate<T>(detail::current("allocate", from).id(), count, from);
}
/// Gives back what allocate() gave for this count, to any location. Nobody may use it any more. A null pointer:
/// nothing.
template <memory_type T>
void deallocate(global_ptr<T> memory, std::size_t count, call_site from = call_site::here()) {
  detail::one_sided::current("deallocate", from).deallocate({memory.where(), memory.address()}, count * sizeof(T));
}

/// Memory of all members of a team, made together: each knows the others' parts. (ARMCI_Malloc, ARMCI_Free.)
template <memory_type T>
class shared_array {
 public:
  /// Collective over the team. `count`: the elements of this member, their bytes zero; members may differ. Costs one
  /// all_gather, and memory for a pointer and a count of each member. Complete on return.
  shared_array(team const& members, std::size_t count, call_site from = call_site::here())
      : parts_(detail::allocate_together(members, count, sizeof(T), from)), rank_(members.rank()) {}
  shared_array(shared_array&& other) noexcept : parts_(std::exchange(other.parts_, {})), rank_(other.rank_) {}
  shared_array& operator=(shared_array&& other) noexcept {
    std::swap(parts_, other.parts_);
    std::swap(rank_, other.rank_);
    return *this;
  }
  /// Local: gives back this member's part. Before, all members have ended their operations on it: let a barrier or a
  /// fence of the team stand in front.
  ~shared_array() {
    if (!parts_.empty()) detail::give_back_own(parts_[rank_], sizeof(T));
  }

  /// The first element of a member. Throws usage_error where the rank does not exist.
  [[nodiscard]] global_ptr<T> at(std::uint64_t rank, call_site from = call_site::here()) const {
    detail::shared_part const& one = detail::part_of(parts_, rank, from);
    return {one.where, one.address};
  }
  /// How many elements a member has.
  [[nodiscard]] std::size_t size_of(std::uint64_t rank, call_site from = call_site::here()) const {
    return detail::part_of(parts_, rank, from).count;
  }
  /// The caller's own elements.
  [[nodiscard]] std::span<T> own() const noexcept {
    if (parts_.empty()) return {};  // another one has them
    return {reinterpret_cast<T*>(parts_[rank_].address), parts_[rank_].count};
  }

 private:
  std::vector<detail::shared_part> parts_;  ///< by rank
  std::uint32_t rank_;
};

}  // namespace sheaf
