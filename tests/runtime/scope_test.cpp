// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// More of scopes is in tests/message/scope_test.cpp, conformance/ and simulation/.
#include "sheaf/runtime/scope.hpp"

#include <functional>
#include <memory>
#include <string>

#include "runtime/grains.hpp"
#include "runtime/job.hpp"
#include "sheaf/base/error.hpp"

namespace {

using sheaf::team;
using sheaf_test::field;
using sheaf_test::run_job;

class scope : public sheaf_test::on_all {};

INSTANTIATE_TEST_SUITE_P(all, scope, testing::ValuesIn(sheaf_test::all_settings()), sheaf_test::test_name);

TEST_P(scope, fence_covers_what_was_sent_in_it_to_depth_8) {
  run([](team const& world) {
    field in(world), beside(world);
    sheaf::detail::scope const own(world);
    for (std::uint64_t round = 1; round <= 3; ++round) {
      {
        auto const sends = own.sending();
        if (world.rank() == 0) in.send(world.size() - 1, {.depth = 8, .fan = 3, .seed = round});
      }
      beside.send(0, {.depth = 3, .fan = 2, .seed = round});
      EXPECT_EQ(own.fence([&] { return in.finished; }, std::plus<>()), round * 9841u);  // (3^9 − 1) / 2
    }
    fence(world);
    EXPECT_EQ(all_reduce(world, beside.finished, std::plus<>()), 3u * 15 * world.size());
  });
}

TEST_P(scope, is_the_one_that_a_member_is_in_during_its_fence) {
  run([](team const& world) {
    sheaf::detail::scope const own(world);
    auto const where = [&] { return here_of(world).out().scope().number(); };
    EXPECT_EQ(own.fence(where, std::plus<>()), world.size() * own.number());
    EXPECT_EQ(where(), 0u);
  });
}

/// Sends on without an end, until its location says so.
struct restless {
  bool stops = false;
  std::uint32_t object = 0;
  struct handler {
    static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<restless>();
    static constexpr sheaf::traffic kind = sheaf::traffic::request;
    static constexpr std::uint32_t record_bytes = 1;
    static void run(sheaf::detail::location& here, void* object, sheaf::detail::execution& state) {
      while (state.at != state.run_end) {
        ++state.at;
        auto const& self = *static_cast<restless const*>(object);
        if (!self.stops) self.send((number(here.id()) + 1) % here.size());
      }
    }
  };
  void send(std::uint32_t dest) const {
    sheaf::detail::location& here = *sheaf::detail::ambient_location;
    *here.request_box(dest).append({sheaf::detail::handler_number<handler>, object, 0}, 1) = std::byte{0};
  }
};

TEST_P(scope, fence_ends_though_other_requests_never_do) {
  run([](team const& world) {
    restless other;
    auto& registered = here_of(world).registered();
    other.object = registered.add_object(state_of(world), &other, sheaf::detail::token_of<restless>());
    {
      field in(world);
      sheaf::detail::scope const own(world);
      other.send(world.rank());
      for (std::uint64_t round = 1; round <= 3; ++round) {
        auto const sends = own.sending();
        in.send(0, {.depth = 2, .fan = 2, .seed = round});
        EXPECT_EQ(own.fence([&] { return in.finished; }, std::plus<>()), round * 7u * world.size());
      }
      other.stops = true;
      fence(world);
    }
    registered.remove_object(state_of(world), other.object);
  });
}

TEST(scope_ends, after_the_job_too) {
  std::unique_ptr<sheaf::detail::scope> left;
  run_job(sheaf_test::setting{sheaf::transport_kind::sim, 1, sheaf::fence_form_kind::tree}.options(),
          [&](team const& world) { left = std::make_unique<sheaf::detail::scope>(world); });
  EXPECT_THROW(left->fence(), sheaf::usage_error);
  EXPECT_THROW(static_cast<void>(left->sending()), sheaf::usage_error);
  left.reset();
}

TEST_P(scope, fence_throws_what_its_requests_threw) {
  run([](team const& world) {
    field in(world);
    sheaf::detail::scope const own(world);
    {
      auto const sends = own.sending();
      if (world.rank() == 0) in.send(world.size() - 1, {.throws = 1});
    }
    std::string const text = sheaf_test::text_of<sheaf::remote_error>([&] { own.fence(); });
    EXPECT_NE(text.find("1 error in an epoch of team 0:"), std::string::npos) << text;
    own.fence();
    fence(world);
  });
}

}  // namespace
