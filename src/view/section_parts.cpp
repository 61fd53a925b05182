// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "view/section_parts.hpp"

#include <algorithm>

namespace sheaf::detail {
namespace {

/// How far places of a dense part are apart in each dimension, in bytes.
std::vector<std::ptrdiff_t> dense_steps(std::span<std::uint64_t const> extents, std::size_t element) {
  std::vector<std::ptrdiff_t> steps(extents.size());
  auto below = static_cast<std::ptrdiff_t>(element);
  for (std::size_t d = extents.size(); d-- > 0; below *= static_cast<std::ptrdiff_t>(extents[d])) steps[d] = below;
  return steps;
}

/// Two equal shapes, level by level from the innermost. What lies in a row on both sides becomes one, also where it is
/// not the innermost: elements may travel in any order.
struct two_shapes {
  static constexpr std::size_t most_levels = 2 * array_layout::most_dimensions;

  explicit two_shapes(std::size_t element) : row(element) {}

  std::size_t row, levels = 0;
  std::size_t counts[most_levels];
  std::ptrdiff_t far_steps[most_levels], near_steps[most_levels];

  void add(std::int64_t count, std::ptrdiff_t far_step, std::ptrdiff_t near_step) {
    if (count == 1) return;
    auto const bytes = static_cast<std::ptrdiff_t>(row);
    if (far_step == bytes && near_step == bytes) {
      row *= static_cast<std::size_t>(count);
      return;
    }
    counts[levels] = static_cast<std::size_t>(count);
    far_steps[levels] = far_step;
    near_steps[levels++] = near_step;
  }
  [[nodiscard]] strided far(std::byte* first) const { return {first, row, {counts, levels}, {far_steps, levels}}; }
  [[nodiscard]] strided near(std::byte* first) const { return {first, row, {counts, levels}, {near_steps, levels}}; }
};

}  // namespace

bool near_part::is_empty() const {
  return std::any_of(positions.begin(), positions.end(), [](auto const& some) { return some.empty(); });
}

near_part near_part::owned_by(std::uint32_t rank, core_section const& of, std::byte* first) {
  array_layout const& layout = of.array->layout;
  near_part own{first, std::vector<std::vector<progression>>(layout.dimensions()), {}};
  for (std::size_t d = 0; rank < layout.owners() && d < layout.dimensions(); ++d) {
    own.positions[d] = owned_positions(layout.map(d), of.slices[d], layout.coordinate(rank, d));
  }
  own.steps = dense_steps(layout.part(rank), of.array->element);
  return own;
}

plain_memory plain_memory::dense(std::byte* first, std::span<slice const> checked, std::size_t element) {
  std::vector<std::uint64_t> extents;
  for (slice const& one : checked) extents.push_back(one.count);
  return {first, dense_steps(extents, element)};
}

section_parts::section_parts(core_section const& checked, near_part const& near)
    : array_(*checked.array), slices_(checked.slices), near_(near), now_(slices_.size()) {
  for (std::size_t d = 0; d < slices_.size(); ++d) {
    shared_.emplace_back(static_cast<std::size_t>(array_.layout.map(d).members()));
  }
}

std::vector<shared_run> const& section_parts::shared(std::size_t dimension, std::uint32_t coordinate) {
  found& one = shared_[dimension][coordinate];
  if (!one.known) {
    one.runs = common(owned_positions(array_.layout.map(dimension), slices_[dimension], coordinate),
                      near_.positions[dimension]);
    one.known = true;
  }
  return one.runs;
}

/// Calls f(rank) for each owner that has something, with now_ about it.
template <class F>
void section_parts::each_owner(std::uint32_t first_rank, F const& f) {
  if (near_.is_empty()) return;
  std::uint32_t const owners = array_.layout.owners();
  for (std::uint32_t i = 0; i < owners; ++i) {
    std::uint32_t const rank = (first_rank + i) % owners;
    bool any = true;
    for (std::size_t d = 0; any && d < slices_.size(); ++d) {
      now_[d] = &shared(d, array_.layout.coordinate(rank, d));
      any = !now_[d]->empty();
    }
    if (any) f(rank);
  }
}

/// Calls f(far, near) for each piece of the owner: one shared run of each dimension.
template <class F>
void section_parts::each_piece(std::uint32_t rank, F const& f) {
  auto const far_steps = dense_steps(array_.layout.part(rank), array_.element);
  auto* const far_first = reinterpret_cast<std::byte*>(array_.memory.at(rank).address());
  std::size_t const dimensions = slices_.size();
  std::size_t which[array_layout::most_dimensions] = {};
  for (std::size_t d = 0; d < dimensions;) {
    two_shapes shapes(array_.element);
    std::ptrdiff_t far_at = 0, near_at = 0;
    for (std::size_t inner = dimensions; inner-- > 0;) {
      shared_run const& run = (*now_[inner])[which[inner]];
      std::ptrdiff_t const far = far_steps[inner], near = near_.steps[inner];
      shapes.add(run.run, run.a.step * far, run.b.step * near);
      shapes.add(run.repeats, run.a.stride * far, run.b.stride * near);
      far_at += run.a.at * far;
      near_at += run.b.at * near;
    }
    f(shapes.far(far_first + far_at), shapes.near(near_.first + near_at));
    for (d = 0; d < dimensions && ++which[d] == now_[d]->size(); ++d) which[d] = 0;
  }
}

void section_parts::put_all(one_sided& by, std::uint32_t first_rank) {
  one_sided::gathering const together(by);
  each_owner(first_rank, [&](std::uint32_t rank) {
    location_id const where = array_.memory.at(rank).where();
    each_piece(rank, [&](strided const& far, strided const& near) { by.put(where, far, near); });
  });
}

void section_parts::get_all(one_sided& by, std::uint32_t first_rank) {
  std::vector<location_id> asked;
  {
    one_sided::gathering const together(by);
    each_owner(first_rank, [&](std::uint32_t rank) {
      location_id const where = array_.memory.at(rank).where();
      each_piece(rank, [&](strided const& far, strided const& near) { by.async_get(where, far, near); });
      asked.push_back(where);
    });
  }
  for (location_id const where : asked) by.arrive(where);
}

}  // namespace sheaf::detail
