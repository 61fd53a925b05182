// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory/allocation.hpp"

#include <cstring>
#include <limits>
#include <new>
#include <string>

#include "base/call_text.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

place allocate_elements(one_sided& by, location_id where, std::size_t count, std::size_t bytes, call_site from) {
  if (count > std::numeric_limits<std::size_t>::max() / bytes) {
    throw usage_error("sheaf: allocate: " + std::to_string(count) + " elements of " + std::to_string(bytes) +
                      " bytes are more than there are addresses" + called_at(from));
  }
  return by.allocate(where, count * bytes, one_sided::filled::with_zeros);
}

/// Where one has no memory, all throw, so that nobody waits for who has left.
std::vector<shared_part> allocate_together(team const& members, std::size_t count, std::size_t bytes, call_site from) {
  constexpr std::uint64_t nothing = ~std::uint64_t{0};
  one_sided& by = one_sided::of(here_of(members, from));
  shared_part own{nothing, count, by.here.id()};
  try {
    own.address = allocate_elements(by, own.where, count, bytes, from).address;
  } catch (std::bad_alloc const&) {  // told below
  } catch (usage_error const&) {
  }
  std::vector<shared_part> all = all_gather(members, own, from);
  for (shared_part const& one : all) {
    if (one.address != nothing) continue;
    if (own.address != nothing) by.deallocate({own.where, own.address}, count * bytes);
    throw error("sheaf: shared_array: there is no memory for " + std::to_string(one.count) + " elements of " +
                std::to_string(bytes) + " bytes at " + name_of(one.where) + called_at(from));
  }
  return all;
}

void give_back_own(shared_part const& own, std::size_t bytes) noexcept {
  if (ambient_location == nullptr || own.count == 0) return;  // the job has ended, and its memory with it
  ambient_location->connection().memory().give_back(reinterpret_cast<std::byte*>(own.address), own.count * bytes);
}

shared_part const& part_of(std::vector<shared_part> const& parts, std::uint64_t rank, call_site from) {
  if (rank < parts.size()) return parts[rank];
  if (parts.empty()) throw usage_error("sheaf: a shared_array has no parts: it was moved from" + called_at(from));
  throw usage_error("sheaf: a shared_array was asked for the part of rank " + std::to_string(rank) +
                    "; its team has ranks 0 to " + std::to_string(parts.size() - 1) + called_at(from));
}

}  // namespace sheaf::detail
