// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/route.hpp"

#include <algorithm>
#include <bit>

namespace sheaf {

char const* name(route_kind kind) noexcept {
  constexpr char const* names[] = {"automatic", "direct", "ring", "hypercube", "dissemination", "grid", "node_wise"};
  return names[static_cast<std::size_t>(kind)];
}

namespace {
std::uint32_t rounded_up(std::uint32_t count, std::uint32_t of) { return (count + of - 1) / of; }
}  // namespace

/// Columns of a grid are a power of two. Those of a hypercube are its locations if it had a power of two; who is beyond
/// enters and leaves it by the location whose number has one bit less.
route::route(route_kind kind, std::uint32_t locations, std::uint32_t per_host) : kind_(kind), count_(locations) {
  if (kind == route_kind::grid) {
    while (columns_ * columns_ < locations) columns_ *= 2;
  } else if (kind == route_kind::hypercube) {
    columns_ = std::bit_floor(locations);
  } else if (kind == route_kind::node_wise) {
    columns_ = per_host;
  }
}

/// Hypercube: the lowest bit that differs. Dissemination: the lowest bit of the distance.
std::uint32_t route::next_in_steps(std::uint32_t from, std::uint32_t dest) const noexcept {
  auto const lowest = [](std::uint32_t bits) { return bits & (0U - bits); };
  if (kind_ == route_kind::ring) return from + 1 == count_ ? 0 : from + 1;
  if (kind_ == route_kind::hypercube) {
    if (from >= columns_) return from - columns_;
    std::uint32_t const differ = from ^ (dest & (columns_ - 1));
    return differ != 0 ? from ^ lowest(differ) : dest;
  }
  std::uint32_t const distance = dest > from ? dest - from : dest + (count_ - from);
  std::uint32_t const step = lowest(distance);
  return step < count_ - from ? from + step : from - (count_ - step);
}

std::uint32_t route::stage(std::uint32_t from, std::uint32_t next) const noexcept {
  if (kind_ == route_kind::hypercube) return static_cast<std::uint32_t>(std::bit_width(from ^ next)) - 1;
  if (kind_ != route_kind::dissemination) return 0;
  return static_cast<std::uint32_t>(std::bit_width(next > from ? next - from : next + (count_ - from))) - 1;
}

std::uint32_t route::neighbours() const noexcept {
  std::uint32_t const others = count_ - 1;
  switch (kind_) {
    case route_kind::ring:
      return std::min(others, 1U);
    case route_kind::hypercube:
    case route_kind::dissemination:
      return static_cast<std::uint32_t>(std::bit_width(others));
    case route_kind::grid:
    case route_kind::node_wise:
      return std::min(columns_, count_) - 1 + rounded_up(count_, columns_) - 1;
    default:
      return others;
  }
}

std::uint32_t route::most_hops() const noexcept {
  if (count_ == 1) return 0;
  switch (kind_) {
    case route_kind::ring:
      return count_ - 1;
    case route_kind::hypercube:
      return neighbours() + (columns_ < count_ ? 1 : 0);
    case route_kind::dissemination:
      return neighbours();
    case route_kind::grid:
    case route_kind::node_wise:
      return columns_ == 1 || columns_ >= count_ ? 1 : 2;
    default:
      return 1;
  }
}

route_kind route::chosen(std::uint32_t locations, std::uint32_t per_host, std::size_t bytes) {
  auto const fits = [&](route_kind kind) {
    return route(kind, locations, per_host).neighbours() <= bytes / worth_sending;
  };
  if (locations <= few || fits(route_kind::direct)) return route_kind::direct;
  bool const hosts = per_host > 1 && per_host < locations;
  if (hosts && fits(route_kind::node_wise)) return route_kind::node_wise;
  return fits(route_kind::grid) ? route_kind::grid : route_kind::hypercube;
}

}  // namespace sheaf
