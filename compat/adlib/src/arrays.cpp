// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <string_view>
#include <vector>

#include "process.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf_adlib {
namespace {

using sheaf::slice;
using sheaf::detail::array_core;
using sheaf::detail::array_layout;
using sheaf::detail::core_section;
using sheaf::detail::plain_memory;

constexpr sheaf::call_site nowhere{};

array_core const& checked(char const* function, adlib_array const* array) {
  if (array == nullptr) refuse(function, "an array is NULL; pass what adlib_create gives");
  if (!arrays.contains(array)) refuse(function, "an array is destroyed, or none; pass what adlib_create gives");
  return array->core;
}

std::vector<slice> slices_of(array_core const& of, adlib_slice const* given) {
  std::vector<slice> all(of.layout.dimensions());
  for (std::size_t d = 0; given != nullptr && d < all.size(); ++d) {
    all[d] = {given[d].first, given[d].count, given[d].step};
  }
  return all;
}

sheaf::distribution distribution_of(char const* function, adlib_distribution const& of) {
  switch (of.kind) {
    case ADLIB_COLLAPSED:
      return sheaf::distribution::collapsed();
    case ADLIB_BLOCK:
      return sheaf::distribution::block(of.length);
    case ADLIB_CYCLIC:
      return sheaf::distribution::cyclic(of.length);
    default:
      refuse(function, "a distribution of kind " + std::to_string(of.kind) +
                           "; pass ADLIB_COLLAPSED, ADLIB_BLOCK or ADLIB_CYCLIC");
  }
}

array_layout layout_of(int dimensions, uint64_t const* extents, adlib_distribution const* how, int const* grid) {
  constexpr auto function = "adlib_create";
  constexpr int most = array_layout::most_dimensions;
  if (dimensions < 1 || dimensions > most) {
    refuse(function, std::to_string(dimensions) + " dimensions; pass 1 to " + std::to_string(most));
  }
  if (extents == nullptr || how == nullptr) refuse(function, "extents or distributions are NULL; pass arrays of them");
  auto const count = static_cast<std::size_t>(dimensions);
  std::vector<sheaf::distribution> formats;
  std::vector<std::uint32_t> coordinates(count);
  for (std::size_t d = 0; d < count; ++d) {
    formats.push_back(distribution_of(function, how[d]));
    if (grid != nullptr && grid[d] < 0) refuse(function, std::to_string(grid[d]) + " coordinates; pass 0 or more");
    if (grid != nullptr) coordinates[d] = static_cast<std::uint32_t>(grid[d]);
  }
  return {world->size(), {extents, count}, formats, coordinates, nowhere};
}

template <class T>
std::span<T> checked_indices(char const* function, T* indices, array_core const& of) {
  std::size_t const count = of.layout.dimensions();
  if (indices == nullptr) refuse(function, "indices are NULL; pass an array of " + std::to_string(count));
  return {indices, count};
}

/// Calls f(checked slices, local memory).
template <class F>
void transfer(char const* function, adlib_array const* array, adlib_slice const* given, void const* local,
              ptrdiff_t const* steps, F const& f) {
  array_core const& of = checked(function, array);
  auto const open = slices_of(of, given);
  char const* const what = function + std::string_view("adlib_").size();
  auto const slices = sheaf::detail::checked_slices({&of, open}, what, nowhere);
  bool const is_empty = std::ranges::any_of(slices, [](slice const& one) { return one.count == 0; });
  if (local == nullptr && !is_empty) {
    refuse(function,
           "the local memory is NULL; pass the address of " + sheaf::detail::shape_text(slices) + " elements");
  }
  auto* const first = static_cast<std::byte*>(const_cast<void*>(local));  // a put does not write
  plain_memory memory = plain_memory::dense(first, slices, of.element);
  if (steps != nullptr) memory.steps.assign(steps, steps + slices.size());
  f(core_section{&of, slices}, memory);
}

}  // namespace
}  // namespace sheaf_adlib

using namespace sheaf_adlib;

adlib_array* adlib_create(int dimensions, uint64_t const extents[], adlib_distribution const how[], int const grid[],
                          size_t element_bytes) {
  return in_job("adlib_create", [&] {
    if (element_bytes == 0) refuse("adlib_create", "elements of 0 bytes; pass 1 or more");
    auto* const made =
        new adlib_array{array_core(*world, layout_of(dimensions, extents, how, grid), element_bytes, nowhere)};
    arrays.insert(made);
    return made;
  });
}

void adlib_destroy(adlib_array* array) {
  if (array == nullptr) return;
  in_job("adlib_destroy", [&] {
    checked("adlib_destroy", array);
    sheaf::detail::one_sided::current("adlib_destroy", nowhere).fence_all();  // the owners use the memory again
    sheaf::detail::meet_to_end(array->core, "adlib_destroy", nowhere);
    arrays.erase(array);
    delete array;
  });
}

void* adlib_own(adlib_array const* array, uint64_t extents[]) {
  return in_job("adlib_own", [&]() -> void* {
    array_core const& core = checked("adlib_own", array);
    if (extents != nullptr) std::ranges::copy(core.layout.part(world->rank()), extents);
    return core.memory.own().data();
  });
}

void adlib_indices(adlib_array const* array, uint64_t number, uint64_t indices[]) {
  in_job("adlib_indices", [&] {
    array_core const& core = checked("adlib_indices", array);
    core.layout.indices_of({world->rank(), number}, checked_indices("adlib_indices", indices, core));
  });
}

int adlib_owner(adlib_array const* array, uint64_t const indices[], uint64_t* number) {
  return in_job("adlib_owner", [&] {
    array_core const& core = checked("adlib_owner", array);
    auto const spot = core.layout.find(checked_indices("adlib_owner", indices, core));
    if (number != nullptr) *number = spot.number;
    return static_cast<int>(spot.rank);
  });
}

void adlib_remap(adlib_array* to, adlib_slice const to_slices[], adlib_array const* from,
                 adlib_slice const from_slices[]) {
  in_job("adlib_remap", [&] {
    array_core const &target = checked("adlib_remap", to), &source = checked("adlib_remap", from);
    auto const here = slices_of(target, to_slices), there = slices_of(source, from_slices);
    sheaf::detail::remap({&target, here}, {&source, there}, nowhere);
  });
}

void adlib_gather(adlib_array* to, adlib_slice const to_slices[], adlib_array const* from, adlib_subscript const at[]) {
  in_job("adlib_gather", [&] {
    array_core const &target = checked("adlib_gather", to), &source = checked("adlib_gather", from);
    std::size_t const dimensions = source.layout.dimensions();
    if (at == nullptr) refuse("adlib_gather", "subscripts are NULL; pass an array of " + std::to_string(dimensions));
    std::vector<std::vector<slice>> slices;
    std::vector<sheaf::detail::core_subscript> subscripts;
    slices.reserve(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
      array_core const& values = checked("adlib_gather", at[d].values);
      slices.push_back(slices_of(values, at[d].slices));
      subscripts.push_back({{&values, slices.back()}, at[d].is_unsigned == 0});
    }
    sheaf::detail::gather({&target, slices_of(target, to_slices)}, source, subscripts, nowhere);
  });
}

void adlib_put(adlib_array* to, adlib_slice const slices[], void const* from, ptrdiff_t const steps[]) {
  in_job("adlib_put", [&] {
    transfer("adlib_put", to, slices, from, steps,
             [](core_section const& part, plain_memory const& memory) { sheaf::detail::put(part, memory, nowhere); });
  });
}

void adlib_get(adlib_array const* from, adlib_slice const slices[], void* to, ptrdiff_t const steps[]) {
  in_job("adlib_get", [&] {
    transfer("adlib_get", from, slices, to, steps,
             [](core_section const& part, plain_memory const& memory) { sheaf::detail::get(part, memory, nowhere); });
  });
}
