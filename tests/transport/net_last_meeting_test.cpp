// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/meeting.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "transport/fake_wire.hpp"

namespace sheaf::net {
namespace {

presence process_on(char const* host, std::uint32_t number, std::uint32_t threads = 1) {
  presence p;
  p.process = number;
  p.threads = threads;
  std::snprintf(p.host, sizeof p.host, "%s", host);
  return p;
}

constexpr char const* common =
    "the end of the job takes longer than 7 s (SHEAF_FINISH_LIMIT_S), with all requests executed: ";

TEST(last_meeting, names_the_locations_of_those_that_are_missing) {
  presence const all[] = {process_on("a", 1), process_on("a", 2), process_on("b", 3)};
  EXPECT_EQ(
      text_of_missing(all, {2}, 7),
      std::string(common) +
          "location 2 (host b, process 3) has not come to the last meeting. They are stopped, or stand in code of "
          "the program that runs when a thread or an object of static storage ends");
  EXPECT_EQ(text_of_missing(all, {1, 2}, 7)
                .find(std::string(common) + "location 1 (host a, process 2), location 2 (host b, process 3) have"),
            0u);
  EXPECT_EQ(text_of_missing(all, {}, 7),
            std::string(common) + "all processes have come to the last meeting, and MPI does not let them leave it");
}

TEST(last_meeting, names_eight_processes_and_the_number_of_the_rest) {
  std::vector<presence> const all(20, process_on("a", 1, 2));
  std::vector<std::uint32_t> missing;
  for (std::uint32_t i = 5; i < 17; ++i) missing.push_back(i);
  std::string const text = text_of_missing(all, missing, 7);
  EXPECT_NE(text.find("locations 24 to 25 (host a, process 1) and 4 more processes have not come"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("locations 26"), std::string::npos);
}

/// Processes in their last meeting, some of which never come.
class meeting_of final : public location_body {
 public:
  meeting_of(std::uint32_t size, std::vector<std::uint32_t> present) : present_(std::move(present)) {
    for (std::uint32_t i = 0; i < size; ++i) all_.push_back(process_on("h", i));
    for (std::uint32_t const i : present_) {
      engines_.push_back(std::make_unique<engine>(network_->processes(i), network_->at(i), limits{}));
      meetings_.push_back(std::make_unique<last_meeting>(*engines_.back(), all_, *this, 7, grace));
    }
  }

  static constexpr std::uint64_t grace = 1000;
  bool late = false;

  /// Plays these times; whose time each process sees is its number later.
  void play(std::uint64_t from, std::uint64_t until) {
    for (std::uint64_t now = from; now < until && failure().empty(); ++now) {
      for (std::size_t i = 0; i < present_.size(); ++i) look(i, now + i);
    }
  }
  [[nodiscard]] std::string failure() const { return failure_; }

 private:
  void run(endpoint&) override {}
  bool overdue() override { return late; }

  void look(std::size_t i, std::uint64_t now) {
    try {
      engines_[i]->poll();
      meetings_[i]->look(now);
    } catch (job_aborted const& ended) {
      failure_ = ended.what();
    }
  }

  std::vector<std::uint32_t> const present_;
  std::vector<presence> all_;
  std::unique_ptr<sheaf_test::fake_network> network_ =
      std::make_unique<sheaf_test::fake_network>(8, 1, sheaf_test::weather{}, [] {});
  std::vector<std::unique_ptr<engine>> engines_;
  std::vector<std::unique_ptr<last_meeting>> meetings_;
  std::string failure_;
};

TEST(last_meeting, says_nothing_before_the_time_is_up) {
  meeting_of m(4, {0, 1, 3});
  m.play(1, 10 * meeting_of::grace);
  EXPECT_EQ(m.failure(), "");
}

TEST(last_meeting, those_that_are_there_name_the_one_that_is_not) {
  for (std::uint32_t const missing : {0u, 1u, 3u}) {
    std::vector<std::uint32_t> present;
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (i != missing) present.push_back(i);
    }
    meeting_of m(4, present);
    m.late = true;
    m.play(1, meeting_of::grace / 2);
    EXPECT_EQ(m.failure(), "") << "all have time to call out";
    m.play(meeting_of::grace / 2, 4 * meeting_of::grace);
    EXPECT_EQ(m.failure(), text_of_missing(std::vector{process_on("h", 0), process_on("h", 1), process_on("h", 2),
                                                       process_on("h", 3)},
                                           {missing}, 7));
  }
}

TEST(last_meeting, one_whose_processes_are_all_there_blames_mpi) {
  meeting_of m(3, {0, 1, 2});
  m.late = true;
  m.play(1, 4 * meeting_of::grace);
  EXPECT_NE(m.failure().find("MPI does not let them leave it"), std::string::npos) << m.failure();
}

}  // namespace
}  // namespace sheaf::net
