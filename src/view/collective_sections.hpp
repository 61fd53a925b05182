// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>

#include "sheaf/memory/detail/one_sided.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"
#include "sheaf/view/detail/array_core.hpp"

/// What remap and gather share. Slices are checked.
namespace sheaf::detail {

/// Of extents, distributions, grid and bytes of an element: what members must give alike.
std::uint64_t hash_of(array_layout const& layout, std::size_t bytes);

// Each throws usage_error, on all members alike.
/// One team, and one shape. `whose`: of `from`, for texts.
void check_alike(core_section const& to, core_section const& from, char const* what, call_site where,
                 std::string const& whose = "the source");
void check_elements_alike(core_section const& to, core_section const& from, char const* what, call_site where);
/// No element of one is an element of the other, or they are the same section.
void check_apart(core_section const& to, core_section const& from, char const* what, call_site where);

/// `said` with a mark of these sections, too, so that the job ends where members give different ones.
collective_said with_sections(collective_said said, std::initializer_list<core_section> sections);

/// The barrier of an operation. Collective.
void meet(team const& members, collective_said said, call_site where);

/// Collective: returns when all members have called it and their stores and puts can be read.
one_sided& begin_reading(team const& members, collective_said said, call_site where);

/// Gets what the caller owns of `to` from `from`, to where it lies in a part that begins at `first`. Complete here.
void get_own(core_section const& to, std::byte* first, core_section const& from);

}  // namespace sheaf::detail
