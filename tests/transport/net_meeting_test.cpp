// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/meeting.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sheaf/base/error.hpp"

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
  sheaf::net::wire* open_wire() override { return nullptr; }
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

}  // namespace
