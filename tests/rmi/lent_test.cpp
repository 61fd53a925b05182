// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Arguments that are read in place, and the ends of what is lent.
#include "sheaf/message/lent.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "rmi/jobs.hpp"

namespace {

using sheaf::lent;
using words = std::vector<std::uint64_t>;

struct reader : sheaf::distributed<reader> {
  using distributed::distributed;
  void look(lent<std::uint64_t> const& one) { at = one.data(), size = one.size(); }
  void keep(lent<std::uint64_t> one) { kept.push_back(std::move(one)); }
  void fail(lent<std::uint64_t> const&) { throw std::runtime_error("deliberate"); }
  std::uint64_t const* at = nullptr;
  std::size_t size = 0;
  std::vector<lent<std::uint64_t>> kept;
};

class lent_over : public sheaf_test::over {};

TEST_P(lent_over, memory_with_a_release_is_read_where_it_is) {
  words const mine(1000, 7);
  std::atomic<int> released{0};
  run(2, [&](sheaf::team world) {
    reader all(world);
    if (world.rank() == 0) all.async<&reader::look>(1, lent<std::uint64_t>(mine, [&] { ++released; }));
    sheaf::fence(world);
    if (world.rank() == 1) {
      EXPECT_EQ(all.at, mine.data()) << "no copy";
      EXPECT_EQ(all.size, mine.size());
    }
    while (world.rank() == 0 && released == 0) sheaf::poll();
    sheaf::fence(world);
    EXPECT_EQ(released, 1);
  });
  EXPECT_EQ(released, 1);
}

TEST_P(lent_over, is_not_released_while_a_receiver_keeps_it) {
  words const mine(1000, 7);
  std::atomic<int> released{0};
  run(2, [&](sheaf::team world) {
    reader all(world);
    if (world.rank() == 0) all.async<&reader::keep>(1, lent<std::uint64_t>(mine, [&] { ++released; }));
    for (int i = 0; i < 3; ++i) sheaf::fence(world);
    EXPECT_EQ(released, 0);
    all.kept.clear();
    while (world.rank() == 0 && released == 0) sheaf::poll();
    sheaf::fence(world);
  });
  EXPECT_EQ(released, 1);
}

TEST_P(lent_over, is_released_once_though_the_job_fails) {
  for (bool const by_receiver : {true, false}) {
    std::atomic<int> released{0};
    auto const owned = [&released] {
      auto mine = std::make_unique<words>(1000, 7);
      std::span<std::uint64_t const> const all(*mine);
      return lent<std::uint64_t>(all, [&released, mine = std::move(mine)] { ++released; });
    };
    std::string const why = failure(2, [&](sheaf::team world) {
      reader all(world);
      if (world.rank() == 0) all.async<&reader::keep>(1, owned());
      sheaf::fence(world);
      if (world.rank() == (by_receiver ? 1u : 0u)) throw std::runtime_error("deliberate");
      sheaf::fence(world);
    });
    sheaf_test::expect_in("deliberate", why);
    EXPECT_EQ(released, 1);
  }
}

TEST_P(lent_over, is_released_though_the_method_throws_and_where_the_call_does) {
  std::atomic<int> released{0};
  words const mine(1000, 7);
  run(2, [&](sheaf::team world) {
    reader all(world);
    auto const one = [&] { return lent<std::uint64_t>(mine, [&] { ++released; }); };
    if (world.rank() == 0) {
      EXPECT_THROW(all.async<&reader::look>(9, one()), sheaf::usage_error);
      EXPECT_EQ(released, 1);
      EXPECT_THROW(all.ask<&reader::fail>(1, one()).get(), sheaf::remote_error);
      while (released == 1) sheaf::poll();
    }
    sheaf::fence(world);
  });
  EXPECT_EQ(released, 2);
}

/// Refuses to be written.
struct stubborn {};

}  // namespace

template <>
struct sheaf::codec<stubborn> {
  static std::size_t size(stubborn) { return 1; }
  static void encode(byte_writer&, stubborn) { throw std::runtime_error("stubborn"); }
  static stubborn decode(byte_reader& from) {
    static_cast<void>(from.take(1));
    return {};
  }
};

namespace {

struct other_reader : sheaf::distributed<other_reader> {
  using distributed::distributed;
  void look(lent<std::uint64_t> const&, stubborn) { ADD_FAILURE() << "it was never sent"; }
};

TEST_P(lent_over, comes_back_from_a_record_that_is_taken_back) {
  std::atomic<int> released{0};
  words const mine(1000, 7);
  run(2, [&](sheaf::team world) {
    other_reader all(world);
    if (world.rank() == 0) {
      lent<std::uint64_t> one(mine, [&] { ++released; });
      EXPECT_THROW(all.async<&other_reader::look>(1, std::move(one), stubborn{}), std::runtime_error);
      EXPECT_EQ(released, 1) << "by the caller";
    }
    sheaf::fence(world);
  });
  EXPECT_EQ(released, 1);
}

SHEAF_OVER_ALL(lent_over);

TEST(lent, damaged_bytes_do_not_decode) {
  using codec = sheaf::codec<lent<std::uint64_t>>;
  words const mine(3, 7);
  std::vector<std::byte> good(codec::size(mine));
  sheaf::byte_writer to(good.data(), good.data() + good.size());
  codec::encode(to, mine);
  sheaf::byte_reader whole(good);
  EXPECT_EQ(codec::decode(whole)[2], 7u);
  for (std::size_t size = 0; size < good.size(); ++size) {
    sheaf::byte_reader cut({good.data(), size});
    EXPECT_THROW(static_cast<void>(codec::decode(cut)), sheaf::decode_error) << size;
  }
  auto const with = [&](std::size_t at, int value) {
    std::vector<std::byte> bad = good;
    bad[at] = std::byte(value);
    sheaf::byte_reader from(bad);
    EXPECT_THROW(static_cast<void>(codec::decode(from)), sheaf::decode_error) << at;
  };
  with(0, 8);    // more padding than an alignment
  with(0, 255);  // lent by nobody
  with(1, 4);    // an element more
  with(8, 255);  // very many
}

}  // namespace
