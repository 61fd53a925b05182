// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/meeting.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/buffer_budget.hpp"
#include "sheaf/base/error.hpp"
#include "transport/net/packet.hpp"

namespace {

using sheaf::progress_kind;
using sheaf::net::thread_level;

/// Processes of which nothing is known but their level.
class level_only final : public sheaf::net::bootstrap {
 public:
  explicit level_only(thread_level level) : level_(level) {}
  thread_level level() const noexcept override { return level_; }
  std::uint32_t rank() const noexcept override { return 0; }
  std::uint32_t size() const noexcept override { return 1; }
  void exchange(std::span<std::byte const>, std::span<std::byte>) override {}
  std::optional<std::int64_t> sum(std::int64_t mine) override { return mine; }
  void abort(std::uint32_t, std::string_view) noexcept override {}
  void close() noexcept override {}

 private:
  thread_level const level_;
};

/// What is said of a mode of progress where MPI gives this level; empty: it may be.
std::string complaint(progress_kind progress, thread_level level) {
  sheaf::options o;
  o.progress = progress;
  return sheaf::net::problem_of(level_only(level), o);
}

TEST(net_meeting, progress_by_others_needs_a_level_of_threads) {
  for (auto const level : {thread_level::single, thread_level::first_only, thread_level::one_at_a_time}) {
    EXPECT_EQ(complaint(progress_kind::inlined, level), "");
  }
  for (auto const mode : {progress_kind::shared, progress_kind::helper, progress_kind::hand_over}) {
    EXPECT_EQ(complaint(mode, thread_level::one_at_a_time), "");
    EXPECT_NE(complaint(mode, thread_level::single), "");
    EXPECT_NE(complaint(mode, thread_level::first_only), "");
  }
  EXPECT_EQ(complaint(progress_kind::helper, thread_level::single),
            "sheaf: SHEAF_PROGRESS is helper, for which more than one thread must call MPI, one at a time; but MPI was "
            "started with less (MPI_THREAD_SINGLE or MPI_THREAD_FUNNELED). Start it with MPI_Init_thread and "
            "MPI_THREAD_SERIALIZED, or let Sheaf start it, or set SHEAF_PROGRESS=inline");
}

sheaf::options far_job(unsigned threads, std::size_t budget = 0) {
  sheaf::options o;
  o.transport = sheaf::transport_kind::hybrid;
  o.threads = threads;
  o.buffer_budget = budget;
  return o.resolved();
}

TEST(net_meeting, a_packet_holds_a_whole_buffer_and_an_acknowledgement) {
  sheaf::options o = far_job(4);
  using namespace sheaf::net;
  std::size_t const around = slice::header_bytes + acknowledgement_bytes;
  for (auto const& [buffer, payload] :
       {std::pair<std::size_t, std::size_t>{128, 4096}, {65'536, 65'536}, {1 << 22, 1 << 20}}) {
    o.buffer_bytes = buffer;
    EXPECT_EQ(limits_for(o, 8).payload, payload + around);
  }
  o.buffer_bytes = 128;
  EXPECT_EQ(limits_for(o, 8).receives, 32u);
  o.buffer_bytes = 1 << 20;
  EXPECT_EQ(limits_for(o, 8).receives, 8u);
}

TEST(net_meeting, what_all_may_send_to_a_process_fits_into_half_of_its_budget) {
  for (unsigned const threads : {1u, 4u, 64u}) {
    for (std::uint32_t const processes : {2u, 16u, 1000u}) {
      sheaf::options const o = far_job(threads, std::size_t{256} << 20);
      auto const l = sheaf::net::limits_for(o, processes);
      std::uint64_t const pairs = std::uint64_t{processes} * threads * threads;
      std::uint64_t const one = sheaf::detail::far_buffer_bytes(o, threads);
      EXPECT_LE(l.window, o.window);
      EXPECT_GE(l.window, 1u);
      EXPECT_TRUE(l.window == 1 || pairs * l.window * one <= o.buffer_budget / 2) << threads << " x " << processes;
      EXPECT_TRUE(l.window == o.window || pairs * (l.window + 1) * one > o.buffer_budget / 2) << "no less than fits";
    }
  }
}

}  // namespace
