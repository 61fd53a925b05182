// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Streams and sources of layers where credit is scarce.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "message/probe.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/stream.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/run.hpp"

namespace {

using sheaf::detail::flush_reason;

/// Two locations with little credit, in the simulator; location 0 sends `send(here, own)`.
template <class Send>
void with_little_credit(Send send) {
  sheaf::options o;
  o.transport = sheaf::transport_kind::sim;
  o.locations = 2;
  o.window = 1;
  sheaf::run(o, [&](sheaf::team const& world) {
    sheaf::detail::location& here = here_of(world);
    sheaf_test::probe object;
    std::uint32_t const number =
        here.registered().add_object(state_of(world), &object, sheaf::detail::token_of<sheaf_test::probe>());
    sheaf::barrier(world);
    if (world.rank() == 0) send(here, sheaf_test::tag_of<sheaf_test::probe_value>(number));
    fence(world);
    EXPECT_EQ(object.values.size(), world.rank() == 1 ? 100'000u : 0u);
    here.registered().remove_object(state_of(world), number);
  });
}

TEST(stream, of_a_layer_has_its_program_wait_for_credit) {
  with_little_credit([](sheaf::detail::location& here, sheaf::run_tag tag) {
    sheaf::detail::stream own(here.out());
    std::size_t most = 0;
    for (std::uint64_t i = 0; i < 100'000; ++i) {
      std::memcpy(own.box(1).append(tag, 8), &i, 8);
      most = std::max(most, here.out().held.requests());
    }
    EXPECT_LE(most, std::size_t{1} << 17) << "bytes that wait for credit";
  });
}

/// Appends what it keeps, where each buffer waits for credit.
class deep final : public sheaf::detail::source {
 public:
  deep(sheaf::detail::location& here, sheaf::run_tag tag) : here_(here), tag_(tag) { here_.out().add(*this); }
  ~deep() { here_.out().remove(*this); }

  void flush(flush_reason) override {
    deepest = std::max(deepest, ++depth_);
    while (release(true)) {
    }
    --depth_;
  }
  [[nodiscard]] bool empty() const override { return left == 0; }
  [[nodiscard]] bool may_leave() const override { return left != 0; }
  bool release(bool) override {
    if (left == 0) return false;
    std::uint64_t const value = --left;
    std::memcpy(here_.request_box(1).append(tag_, 8), &value, 8);
    return true;
  }

  std::uint64_t left = 100'000;
  int deepest = 0;

 private:
  sheaf::detail::location& here_;
  sheaf::run_tag tag_;
  int depth_ = 0;
};

TEST(source, that_waits_for_credit_as_it_is_flushed_is_not_flushed_within) {
  with_little_credit([](sheaf::detail::location& here, sheaf::run_tag tag) {
    deep cache(here, tag);
    here.out().flush();
    EXPECT_TRUE(cache.empty());
    EXPECT_EQ(cache.deepest, 1);
  });
}

}  // namespace
