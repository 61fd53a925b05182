// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "sheaf/view/distributed_array.hpp"

namespace sheaf {

// Collective copies between distributed arrays of one team. All members call them with equal arguments, else the job
// ends with what two of them called; a whole array is a section, too. Before, a member may store to its own elements
// and put to others': all of it is read. They return on no member before all elements are in place and the source may
// change. Requests are executed meanwhile.

/// to = from, element by element: sections of one shape, of arrays distributed in any two ways. (Adlib's Remap.)
/// Each member gets what it owns, from one owner after another, the next rank's first; within a host by copies from
/// memory to memory, else a few messages for each owner. Nothing is copied to a temporary. Two barriers. Throws
/// usage_error on all members, before anything is copied, where a slice is out of range, the shapes or teams differ, or
/// two different sections of one array have elements in common.
template <detail::sectioned To, detail::section_with<detail::section_element<To>> From>
void remap(To const& to, From const& from, call_site where = call_site::here()) {
  detail::remap(detail::section_of(to).core(), detail::section_of(from).core(), where);
}

/// The subscripts of a gather from N dimensions: arrays of integers of any type, or sections of such.
template <std::size_t N>
class subscripts {
 public:
  template <detail::sectioned... S>
  requires(sizeof...(S) == N && (std::integral<detail::section_element<S>> && ...))
      subscripts(S const&... of)  // NOLINT: converts on purpose
      : sections_{entry(detail::section_of(of))...} {}

  [[nodiscard]] std::array<detail::core_subscript, N> core() const {
    std::array<detail::core_subscript, N> all;
    for (std::size_t d = 0; d < N; ++d) all[d] = {{sections_[d].array, sections_[d].slices}, sections_[d].is_signed};
    return all;
  }

 private:
  struct one {
    detail::array_core const* array;
    std::vector<slice> slices;
    bool is_signed;
  };
  template <class T, std::size_t M>
  static one entry(array_section<T, M> const& of) {
    return {&of.array().core(), {of.slices().begin(), of.slices().end()}, std::is_signed_v<T>};
  }

  std::array<one, N> sections_;
};

/// to(i…) = from(s(i…), t(i…), …) for `gather(to, from, {s, t, …})`: one subscript for each dimension of the source, of
/// the shape of the target, each distributed in any way. (Adlib's Gather; Fortran's vector subscripts are the case
/// where each depends on one index alone.) Each member reads the subscripts of what it owns, after a remap of those
/// that are distributed otherwise than the target; loads what memory of its host has, one element after another; and
/// gets the rest in one transfer of pieces for each owner. Two barriers' messages. Throws usage_error on all members
/// where slices, shapes or teams do not fit, or the target is also read; and where a subscript is no index of the
/// source, naming one such element of the target, which then may have been written in part.
template <detail::sectioned To, std::size_t N>
void gather(To const& to, distributed_array<detail::section_element<To>, N> const& from,
            std::type_identity_t<subscripts<N>> const& at, call_site where = call_site::here()) {
  detail::gather(detail::section_of(to).core(), from.core(), at.core(), where);
}

}  // namespace sheaf
