// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Every position is in one progression, or shared run, with the right place: all small cases, and random larger ones.
#include "view/progressions.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace {

using sheaf::block_cyclic_partition;
using sheaf::slice;
using sheaf::detail::common;
using sheaf::detail::owned_positions;
using sheaf::detail::progression;
using sheaf::detail::shared_run;

/// One distributed dimension and a slice of it.
struct dimension {
  block_cyclic_partition map;
  slice of;

  [[nodiscard]] std::uint64_t index(std::uint64_t position) const {
    return static_cast<std::uint64_t>(of.first + static_cast<std::int64_t>(position) * of.step);
  }
};

using places = std::map<std::int64_t, std::int64_t>;  ///< by position

places model_of(dimension const& in, std::uint64_t coordinate) {
  places found;
  for (std::uint64_t k = 0; k < in.of.count; ++k) {
    std::uint64_t const index = in.of.count == 1 ? static_cast<std::uint64_t>(in.of.first) : in.index(k);
    if (in.map.owner(index) == coordinate)
      found[static_cast<std::int64_t>(k)] = static_cast<std::int64_t>(in.map.local(index));
  }
  return found;
}

void add_once(places& to, std::int64_t position, std::int64_t place) {
  EXPECT_TRUE(to.emplace(position, place).second) << "position " << position << " is there twice";
}

places places_of(std::vector<progression> const& some) {
  places found;
  for (progression const& p : some) {
    EXPECT_TRUE(p.run > 0 && p.repeats > 0);
    for (std::int64_t j = 0; j < p.repeats; ++j) {
      for (std::int64_t i = 0; i < p.run; ++i) {
        add_once(found, p.first + j * p.period + i, p.at + j * p.stride + i * p.step);
      }
    }
  }
  return found;
}

/// Pairs of places.
using meetings = std::map<std::pair<std::int64_t, std::int64_t>, int>;

meetings meetings_of(std::vector<shared_run> const& some) {
  meetings found;
  for (shared_run const& r : some) {
    for (std::int64_t j = 0; j < r.repeats; ++j) {
      for (std::int64_t i = 0; i < r.run; ++i) {
        ++found[{r.a.at + j * r.a.stride + i * r.a.step, r.b.at + j * r.b.stride + i * r.b.step}];
      }
    }
  }
  return found;
}

meetings model_of(places const& a, places const& b) {
  meetings expected;
  for (auto const& [position, place] : a) {
    if (auto const other = b.find(position); other != b.end()) ++expected[{place, other->second}];
  }
  return expected;
}

void check_common(dimension const& a, dimension const& b) {
  for (std::uint64_t c = 0; c < a.map.members(); ++c) {
    auto const in_a = owned_positions(a.map, a.of, c);
    places const model = model_of(a, c);
    ASSERT_EQ(places_of(in_a), model);
    for (std::uint64_t d = 0; d < b.map.members(); ++d) {
      ASSERT_EQ(meetings_of(common(in_a, owned_positions(b.map, b.of, d))), model_of(model, model_of(b, d)));
    }
  }
}

/// Every slice of so many indices.
std::vector<slice> slices_of(std::uint64_t extent) {
  std::vector<slice> all;
  auto const end = static_cast<std::int64_t>(extent);
  for (std::int64_t first = 0; first < end; ++first) {
    for (std::int64_t step = -5; step <= 5; ++step) {
      std::int64_t const room = step > 0 ? (end - 1 - first) / step + 1 : step < 0 ? first / -step + 1 : 1;
      for (std::int64_t count = 0; count <= room; ++count) {
        all.emplace_back(first, static_cast<std::uint64_t>(count), step);
      }
    }
  }
  return all;
}

void check_slices(block_cyclic_partition const& map, std::vector<slice> const& slices) {
  for (slice const& of : slices) {
    for (std::uint64_t c = 0; c < map.members(); ++c) {
      ASSERT_EQ(places_of(owned_positions(map, of, c)), model_of(dimension{map, of}, c))
          << map.elements() << " " << map.members() << " " << map.block() << ": " << of.first << " " << of.count << " "
          << of.step;
    }
  }
}

TEST(progressions, have_each_position_of_a_slice_once) {
  for (std::uint64_t extent = 0; extent <= 13; ++extent) {
    auto const slices = slices_of(extent);
    for (std::uint64_t members = 1; members <= 4; ++members) {
      for (std::uint64_t block = 1; block <= extent + 1; ++block) check_slices({extent, members, block}, slices);
    }
  }
}

class dice {
 public:
  explicit dice(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }

  dimension with(std::uint64_t count) {
    auto step = static_cast<std::int64_t>(1 + below(4) * below(5));
    std::uint64_t const reach = count == 0 ? 1 : (count - 1) * static_cast<std::uint64_t>(step) + 1;
    std::uint64_t const extent = reach + below(20);
    std::uint64_t first = below(extent - reach + 1);
    if (below(2) == 0) {
      first += reach - 1;
      step = -step;
    }
    return {{extent, 1 + below(5), 1 + (below(3) == 0 ? extent / 2 : below(9))}, {first, count, step}};
  }

 private:
  std::mt19937_64 engine_;
};

TEST(progressions, of_two_sides_meet_where_both_have_a_position) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    dice d(seed);
    std::uint64_t const count = d.below(4) == 0 ? d.below(3) : d.below(150);
    dimension const a = d.with(count), b = d.with(count);
    ASSERT_NO_FATAL_FAILURE(check_common(a, b));
  }
}

/// As many pieces whatever the size: what makes transfers of few parts.
TEST(progressions, are_as_many_whatever_the_extent) {
  for (std::uint64_t const extent : {1000u, 100'000'000u}) {
    slice const whole{0, extent, 1};
    auto const of = [&](std::uint64_t members, std::uint64_t block) {
      return owned_positions(block_cyclic_partition(extent, members, block), whole, 0);
    };
    EXPECT_EQ(of(4, 1).size(), 1u);
    EXPECT_EQ(of(4, extent / 4).size(), 1u);
    EXPECT_EQ(common(of(4, extent / 4), of(3, 1)).size(), 1u);
    EXPECT_LE(common(of(4, 2), of(3, 5)).size(), 24u);
    EXPECT_LE(common(of(2, 64), of(2, extent / 2)).size(), 3u);
  }
}

TEST(progressions, need_not_be_in_the_middle_of_large_numbers) {
  std::uint64_t const extent = std::uint64_t{1} << 46U;
  block_cyclic_partition const map(extent, 3, 1000);
  slice const few{extent - 1, 4, -(std::int64_t{1} << 44U)};
  std::size_t all = 0;
  for (std::uint64_t c = 0; c < 3; ++c) all += places_of(owned_positions(map, few, c)).size();
  EXPECT_EQ(all, 4u);
}

}  // namespace
