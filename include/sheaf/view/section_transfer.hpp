// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "sheaf/memory/transfer.hpp"
#include "sheaf/view/distributed_array.hpp"

namespace sheaf {

// One-sided transfers of a section of a distributed array, or of all of one, as those of global pointers in
// transfer.hpp: the owners take no part. Any member of the array's team calls them. They cost a few strided transfers
// to each owner of some of it.
//
//   put   returns when the local memory may be used again; done at the owners by the next fence_all()
//   get   returns with the values
//
// The local memory has as many elements as the section: what converts to a span of T, dense in C order; a section<T*,
// N> of N dimensions with the section's extents; or one T. Throws usage_error where a slice is out of range, or shapes
// differ.

namespace detail {

[[noreturn]] void refuse_shape(std::span<slice const> checked, std::span<std::size_t const> local, char const* what,
                               call_site from);

template <class L>
inline constexpr bool is_section = false;
template <class T, std::size_t M>
inline constexpr bool is_section<section<T*, M>> = true;

template <class T, std::size_t M>
plain_memory plain_memory_of(section<T*, M> const& local, std::span<slice const> checked, char const* what,
                             call_site from) {
  plain_memory memory{const_cast<std::byte*>(reinterpret_cast<std::byte const*>(local.first)), {}};
  bool fits = M == checked.size();
  for (std::size_t d = 0; fits && d < M; ++d) {
    fits = local.extents[d] == checked[d].count;
    memory.steps.push_back(local.steps[d] * static_cast<std::ptrdiff_t>(sizeof(T)));
  }
  if (!fits) refuse_shape(checked, local.extents, what, from);
  return memory;
}

/// Put does not write through it.
template <class T, class L>
plain_memory local_memory_of(L&& local, std::span<slice const> checked, char const* what, call_site from) {
  if constexpr (is_section<std::remove_cvref_t<L>>) {
    return plain_memory_of(local, checked, what, from);
  } else {
    auto const part = local_part<T>(local);
    std::size_t all = 1;
    for (slice const& one : checked) all *= one.count;
    std::size_t const given = count_of(part);
    if (given != all) refuse_shape(checked, {&given, 1}, what, from);
    return plain_memory::dense(const_cast<std::byte*>(part.strided().first), checked, sizeof(T));
  }
}

}  // namespace detail

/// Stores values at the owners.
template <detail::sectioned To, detail::local_source<detail::section_element<To>> L>
void put(To const& to, L const& from, call_site where = call_site::here()) {
  auto const part = detail::section_of(to);
  auto const slices = detail::checked_slices(part.core(), "put", where);
  using element = detail::section_element<To> const;
  detail::put({part.core().array, slices}, detail::local_memory_of<element>(from, slices, "put", where), where);
}

/// Loads values from the owners.
template <detail::sectioned From, detail::local_target<detail::section_element<From>> L>
void get(From const& from, L&& to, call_site where = call_site::here()) {
  auto const part = detail::section_of(from);
  auto const slices = detail::checked_slices(part.core(), "get", where);
  using element = detail::section_element<From>;
  detail::get({part.core().array, slices}, detail::local_memory_of<element>(to, slices, "get", where), where);
}

}  // namespace sheaf
