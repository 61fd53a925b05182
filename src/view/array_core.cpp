// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/view/detail/array_core.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/call_text.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "view/collective_sections.hpp"

namespace sheaf::detail {

std::uint64_t hash_of(array_layout const& layout, std::size_t bytes) {
  std::uint64_t hash = bytes;
  auto const add = [&](std::uint64_t number) {
    hash = (hash ^ number) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32U;
  };
  for (std::size_t d = 0; d < layout.dimensions(); ++d) {
    add(layout.map(d).elements());
    add(layout.map(d).members());
    add(layout.map(d).block());
  }
  return hash;
}

namespace {

constexpr std::uint64_t most_addresses = std::uint64_t{1} << 47U;

[[noreturn]] void refuse(std::string const& what, call_site from) {
  throw usage_error("sheaf: " + what + called_at(from));
}

std::string interval(std::uint64_t end) {
  return end == 0 ? "it has no indices" : "its indices are 0 to " + std::to_string(end - 1);
}

/// One that was negative once is told as that.
std::string text_of(std::span<std::uint64_t const> extents) {
  std::string text;
  for (std::uint64_t const one : extents) {
    auto const value = static_cast<std::int64_t>(one);
    text += (text.empty() ? "" : " x ") + (value < 0 ? std::to_string(value) : std::to_string(one));
  }
  return text;
}

void check_sizes(std::span<std::uint64_t const> extents, std::size_t formats, call_site from) {
  if (extents.empty() || extents.size() > array_layout::most_dimensions || extents.size() != formats) {
    refuse("a distributed array has " + std::to_string(extents.size()) + " extents and " + std::to_string(formats) +
               " distributions; give as many of both, 1 to " + std::to_string(array_layout::most_dimensions),
           from);
  }
  std::uint64_t elements = 1;
  for (std::uint64_t const extent : extents) {
    bool const fits = !__builtin_mul_overflow(elements, std::max(extent, std::uint64_t{1}), &elements);
    if (!fits || elements >= most_addresses)
      refuse("a distributed array has the extents " + text_of(extents) + ", more elements than there are addresses",
             from);
  }
}

/// Collective: the bytes of the caller's part. All members throw, or none.
std::uint64_t checked_bytes(team const& members, array_layout const& layout, std::size_t bytes, call_site from) {
  auto const hashes = all_gather(members, hash_of(layout, bytes), from);
  for (std::size_t r = 1; r < hashes.size(); ++r) {
    if (hashes[r] == hashes[0]) continue;
    refuse("a distributed array has other extents, distributions, grid or bytes of an element at rank " +
               std::to_string(r) + " than at rank 0; give the same on all members",
           from);
  }
  std::uint64_t const largest = layout.count(0);
  if (largest != 0 && bytes > (most_addresses - 1) / largest) {
    refuse("a distributed array has " + std::to_string(largest) + " elements of " + std::to_string(bytes) +
               " bytes at rank 0, more bytes than there are addresses; give smaller elements or extents",
           from);
  }
  return layout.count(members.rank()) * bytes;
}

slice checked(slice of, std::uint64_t extent, std::size_t dimension, char const* what, call_site from) {
  auto const end = static_cast<std::int64_t>(extent);
  auto const begin = [&] {
    return std::string(what) + ": a section's slice of dimension " + std::to_string(dimension);
  };
  bool const starts_inside = of.first >= 0 && of.first < end;
  if (of.count == slice::to_end && of.step == 0)
    refuse(begin() + " has a step of 0 and no count; give a count of 1", from);
  if (of.count == slice::to_end) {
    std::int64_t const ahead = of.step > 0 ? end - 1 - of.first : of.first;
    std::uint64_t const step = of.step > 0 ? static_cast<std::uint64_t>(of.step) : -static_cast<std::uint64_t>(of.step);
    bool const is_empty = of.step > 0 ? of.first == end : of.first == -1;
    of.count = is_empty ? 0 : starts_inside ? static_cast<std::uint64_t>(ahead) / step + 1 : 1;
  }
  if (of.count <= 1) of.step = 1;  // so that equal sections compare equal
  if (of.count == 0) return of;
  if (!starts_inside) {
    refuse(begin() + " begins with index " + std::to_string(of.first) + "; " + interval(extent), from);
  }
  std::int64_t way = 0, last = 0;
  bool const fits = of.count <= extent &&
                    !__builtin_mul_overflow(of.step, static_cast<std::int64_t>(of.count - 1), &way) &&
                    !__builtin_add_overflow(of.first, way, &last);
  bool const repeats = of.count > 1 && of.step == 0;
  if (fits && !repeats && last >= 0 && last < end) return of;
  refuse(begin() + " has " + std::to_string(static_cast<std::int64_t>(of.count)) + " indices from " +
             std::to_string(of.first) + " by " + std::to_string(of.step) +
             (repeats ? "; give a step that is not 0" : "; " + interval(extent)),
         from);
}

}  // namespace

array_layout::array_layout(std::uint32_t members, std::span<std::uint64_t const> extents,
                           std::span<distribution const> how, std::span<std::uint32_t const> grid, call_site from) {
  check_sizes(extents, how.size(), from);
  auto const shape = process_grid(members, how, grid, from);
  for (std::size_t d = 0; d < shape.size(); ++d) maps_.push_back(how[d].over(extents[d], shape[d], from));
  below_.resize(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; owners_ *= shape[d]) below_[d] = owners_;
}

std::vector<std::uint64_t> array_layout::part(std::uint32_t rank) const {
  std::vector<std::uint64_t> extents(dimensions());
  for (std::size_t d = 0; rank < owners_ && d < dimensions(); ++d) extents[d] = maps_[d].count(coordinate(rank, d));
  return extents;
}

std::uint64_t array_layout::count(std::uint32_t rank) const {
  std::uint64_t all = 1;
  for (std::uint64_t const extent : part(rank)) all *= extent;
  return all;
}

array_layout::spot array_layout::find(std::span<std::uint64_t const> indices) const {
  spot found{0, 0};
  for (std::size_t d = 0; d < dimensions(); ++d) {
    if (indices[d] >= maps_[d].elements()) {
      throw usage_error("sheaf: a distributed array was asked for index " +
                        std::to_string(static_cast<std::int64_t>(indices[d])) + " of dimension " + std::to_string(d) +
                        "; " + interval(maps_[d].elements()));
    }
    auto const at = static_cast<std::uint32_t>(maps_[d].owner(indices[d]));
    found.rank += at * below_[d];
    found.number = found.number * maps_[d].count(at) + maps_[d].local(indices[d]);
  }
  return found;
}

void array_layout::indices_of(spot const& of, std::span<std::uint64_t> indices) const {
  if (std::uint64_t const elements = count(of.rank); of.number >= elements) {
    throw usage_error("sheaf: a distributed array was asked for element " + std::to_string(of.number) +
                      " of the part of rank " + std::to_string(of.rank) + ", which has " + std::to_string(elements));
  }
  std::uint64_t left = of.number;
  for (std::size_t d = dimensions(); d-- > 0;) {
    std::uint64_t const at = coordinate(of.rank, d), here = maps_[d].count(at);
    indices[d] = maps_[d].index(at, left % here);
    left /= here;
  }
}

array_core::array_core(team const& of, array_layout where, std::size_t bytes, call_site from)
    : members(of), layout(std::move(where)), element(bytes), memory(of, checked_bytes(of, layout, bytes, from), from) {
  for (std::uint32_t r = 0; r < of.size(); ++r) identity = identity * 31 + memory.at(r).address();
}

std::vector<slice> checked_slices(core_section const& of, char const* what, call_site from) {
  array_layout const& layout = of.array->layout;
  std::vector<slice> all;
  for (std::size_t d = 0; d < layout.dimensions(); ++d) {
    all.push_back(checked(of.slices[d], layout.map(d).elements(), d, what, from));
  }
  return all;
}

std::string shape_text(std::span<slice const> slices) {
  std::string text;
  for (slice const& one : slices) text += (text.empty() ? "" : " x ") + std::to_string(one.count);
  return text;
}

}  // namespace sheaf::detail
