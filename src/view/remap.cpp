// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/view/remap.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/call_text.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "view/collective_sections.hpp"
#include "view/section_parts.hpp"

namespace sheaf::detail {
namespace {

/// Whether two checked slices of one dimension have an index in common.
bool meet(slice const& one, slice const& other) {
  if (one.count == 0 || other.count == 0) return false;
  struct ascending {
    std::int64_t first, last, step;
    explicit ascending(slice const& of) : first(of.first), last(of.first), step(of.step < 0 ? -of.step : of.step) {
      (of.step < 0 ? first : last) += of.step * static_cast<std::int64_t>(of.count - 1);
    }
  };
  ascending const a(one), b(other);
  std::int64_t const low = std::max(a.first, b.first), high = std::min(a.last, b.last);
  std::int64_t const tries = b.step / std::gcd(a.step, b.step);
  std::int64_t index = low + ((a.first - low) % a.step + a.step) % a.step;
  for (std::int64_t i = 0; i < tries && index <= high; ++i, index += a.step) {
    if ((index - b.first) % b.step == 0) return true;
  }
  return false;
}

}  // namespace

void check_apart(core_section const& to, core_section const& from, char const* what, call_site where) {
  if (to.array != from.array) return;
  bool all_meet = true, all_same = true;
  for (std::size_t d = 0; d < to.slices.size(); ++d) {
    all_meet = all_meet && meet(to.slices[d], from.slices[d]);
    all_same = all_same && to.slices[d] == from.slices[d];
  }
  if (!all_meet || all_same) return;
  throw usage_error("sheaf: " + std::string(what) +
                    ": both sections are of one array and have elements in common; go by way of a second array" +
                    called_at(where));
}

void check_alike(core_section const& to, core_section const& from, char const* what, call_site where,
                 std::string const& whose) {
  auto const refuse = [&](std::string const& why) {
    throw usage_error("sheaf: " + std::string(what) + ": " + why + called_at(where));
  };
  if (!(to.array->members == from.array->members)) refuse("the arrays belong to different teams; make both over one");
  bool alike = to.slices.size() == from.slices.size();
  for (std::size_t d = 0; alike && d < to.slices.size(); ++d) alike = to.slices[d].count == from.slices[d].count;
  if (!alike) {
    refuse("the target has " + shape_text(to.slices) + " elements, and " + whose + " " + shape_text(from.slices) +
           "; give sections of one shape");
  }
}

void check_elements_alike(core_section const& to, core_section const& from, char const* what, call_site where) {
  if (to.array->element == from.array->element) return;
  throw usage_error("sheaf: " + std::string(what) + ": the target's elements have " +
                    std::to_string(to.array->element) + " bytes, and the source's " +
                    std::to_string(from.array->element) + called_at(where));
}

void get_own(core_section const& to, std::byte* first, core_section const& from) {
  team const& members = to.array->members;
  near_part const own = near_part::owned_by(members.rank(), to, first);
  section_parts(from, own).get_all(one_sided::of(here_of(members)), members.rank() + 1);
}

collective_said with_sections(collective_said said, std::initializer_list<core_section> sections) {
  auto const add = [&](auto number) {
    said.mark = mark_of({reinterpret_cast<char const*>(&number), sizeof number}, said.mark);
  };
  for (core_section const& one : sections) {
    add(hash_of(one.array->layout, one.array->element));
    add(one.array->identity);
    for (slice const& each : one.slices) {
      add(each.first);
      add(each.count);
      add(each.step);
    }
  }
  return said;
}

void meet(team const& members, collective_said said, call_site where) {
  collective_values none;
  carry_out({members, said, where}, collective_kind::barrier, none, {});
}

void meet_to_end(array_core const& array, char const* what, call_site where) {
  meet(array.members, with_sections({what, {}, mark_of(what)}, {{&array, {}}}), where);
}

one_sided& begin_reading(team const& members, collective_said said, call_site where) {
  one_sided& by = one_sided::of(here_of(members, where));
  by.fence_all();
  meet(members, said, where);
  return by;
}

void remap(core_section const& to, core_section const& from, call_site where) {
  auto const to_slices = checked_slices(to, "remap", where), from_slices = checked_slices(from, "remap", where);
  core_section const target{to.array, to_slices}, source{from.array, from_slices};
  check_alike(target, source, "remap", where);
  check_elements_alike(target, source, "remap", where);
  check_apart(target, source, "remap", where);
  team const& members = to.array->members;
  begin_reading(members, with_sections(says("remap"), {target, source}), where);
  if (target.array != source.array || to_slices != from_slices) get_own(target, to.array->memory.own().data(), source);
  meet(members, says("remap"), where);
}

}  // namespace sheaf::detail
