// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/view/section_transfer.hpp"

#include <string>

#include "base/call_text.hpp"
#include "sheaf/base/error.hpp"
#include "view/section_parts.hpp"

namespace sheaf::detail {
namespace {

near_part all_of(std::span<slice const> checked, plain_memory const& memory) {
  near_part near{memory.first, {}, memory.steps};
  for (slice const& one : checked) near.positions.push_back(all_positions(one.count));
  return near;
}

}  // namespace

void refuse_shape(std::span<slice const> checked, std::span<std::size_t const> local, char const* what,
                  call_site from) {
  std::string text;
  for (std::size_t const one : local) text += (text.empty() ? "" : " x ") + std::to_string(one);
  throw usage_error("sheaf: " + std::string(what) + ": the section has " + shape_text(checked) +
                    " elements, and the local memory " + text + "; give as many" + called_at(from));
}

void put(core_section const& checked, plain_memory const& from, call_site where) {
  near_part const near = all_of(checked.slices, from);
  section_parts(checked, near).put_all(one_sided::current("put", where), checked.array->members.rank());
}

void get(core_section const& checked, plain_memory const& to, call_site where) {
  near_part const near = all_of(checked.slices, to);
  section_parts(checked, near).get_all(one_sided::current("get", where), checked.array->members.rank());
}

}  // namespace sheaf::detail
