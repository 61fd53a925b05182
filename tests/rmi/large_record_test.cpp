// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Records of 4 GiB and more. Their codec writes a few bytes of them, so that little of that memory is ever there.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rmi/jobs.hpp"
#include "sheaf/rmi/migrating.hpp"
#include "transport/host/sanitizers.hpp"

namespace {

constexpr std::uint64_t large = (std::uint64_t{1} << 32U) + 5;

/// Travels as `bytes` bytes, of which the first and the last are set.
struct hollow {
  std::uint64_t bytes = large;
};

}  // namespace

template <>
struct sheaf::codec<hollow> {
  static std::size_t size(hollow const& h) { return 8 + h.bytes; }
  static void encode(byte_writer& to, hollow const& h) {
    to.value(h.bytes);
    std::byte* const at = to.skip(h.bytes);
    at[0] = std::byte{1};
    at[h.bytes - 1] = std::byte{2};
  }
  static hollow decode(byte_reader& from) {
    auto const bytes = from.value<std::uint64_t>();
    std::byte const* const at = from.take(bytes);
    return {at[0] == std::byte{1} && at[bytes - 1] == std::byte{2} ? bytes : 0};
  }
};

namespace {

struct keeper : sheaf::distributed<keeper> {
  using distributed::distributed;
  void keep(hollow const& h) { kept.push_back(h.bytes); }
  void note(std::uint64_t n) { kept.push_back(n); }
  hollow echo(hollow const& h) { return h; }
  std::vector<std::uint64_t> kept;
};

/// Sanitizers keep notes of all of an allocation, and end a program that asks for too much.
class large_record : public testing::Test {
 protected:
  void SetUp() override {
    if (SHEAF_HAS_ASAN || SHEAF_HAS_TSAN) GTEST_SKIP() << "sanitizers take memory for what is never touched";
  }
};

TEST_F(large_record, of_more_than_4_GiB_arrives_between_small_ones_in_order) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 2), [](sheaf::team world) {
    keeper all(world);
    if (world.rank() == 0) {
      all.async<&keeper::note>(1, std::uint64_t{1});
      all.async<&keeper::keep>(1, hollow{});
      all.async<&keeper::keep>(1, hollow{3});
      all.async<&keeper::note>(1, std::uint64_t{4});
    }
    sheaf::fence(world);
    if (world.rank() == 1) EXPECT_EQ(all.kept, (std::vector<std::uint64_t>{1, large, 3, 4}));
  });
}

TEST_F(large_record, of_more_than_4_GiB_comes_back_as_an_answer) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 2), [](sheaf::team world) {
    keeper all(world);
    if (world.rank() == 0) {
      EXPECT_EQ(all.sync<&keeper::echo>(1, hollow{}).bytes, large);
      EXPECT_EQ(all.ask<&keeper::echo>(1, hollow{}).get().bytes, large);
    }
    sheaf::fence(world);
  });
}

TEST_F(large_record, of_more_than_4_GiB_arrives_at_a_migrating_object) {
  struct chest {
    std::uint64_t kept = 0;
    std::uint64_t keep(hollow const& h) { return kept = h.bytes; }
  };
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 2), [](sheaf::team world) {
    sheaf::migrating<chest> all(world);
    if (world.rank() == 0) all.create({});
    sheaf::object_id const first(0, 1);
    barrier(world);
    if (world.rank() == 1) EXPECT_EQ(all.sync<&chest::keep>(first, hollow{}), large);
    sheaf::fence(world);
  });
}

TEST_F(large_record, beyond_all_memory_is_a_bad_alloc_where_it_was_asked_for) {
  sheaf::run(sheaf_test::job_of(sheaf::transport_kind::thread, 2), [](sheaf::team world) {
    keeper all(world);
    if (world.rank() == 0) {
      EXPECT_THROW(all.async<&keeper::keep>(1, hollow{std::uint64_t{1} << 60U}), std::bad_alloc);
      all.async<&keeper::note>(1, std::uint64_t{1});
    }
    sheaf::fence(world);
    if (world.rank() == 1) EXPECT_EQ(all.kept, std::vector<std::uint64_t>{1});
  });
}

}  // namespace
