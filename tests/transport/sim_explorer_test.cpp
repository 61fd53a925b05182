// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "harness/explorer.hpp"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sheaf/base/error.hpp"

namespace {

using namespace sheaf;
using namespace sheaf_test;

simulation small(unsigned locations, unsigned slots, unsigned preemptions) {
  simulation s;
  s.job.locations = locations;
  s.job.ring_slots = s.job.window = slots;
  s.order = play::plain;
  s.preemptions = preemptions;
  s.step_limit = 10'000;
  return s;
}

/// What a small program does, written as it sees it: r<source><class><value> a receive, x a refusal, i an idle.
struct player {
  endpoint& at;
  std::string seen;

  void send(std::uint32_t dest, char value, traffic kind = traffic::request) {
    while (!at.send_inline(location_id{dest}, kind, std::as_bytes(std::span(&value, 1)))) {
      seen += 'x';
      if (!take()) idle();
    }
  }
  bool take(wanted which = wanted::all) {
    arrival in;
    if (!at.receive(which, in)) return false;
    seen += 'r' + std::to_string(number(in.source)) + (in.kind == traffic::answer ? 'a' : 'q');
    seen += static_cast<char>(in.bytes[0]);
    at.consumed(in.source, in.kind);
    ++taken;
    return true;
  }
  void idle() {
    at.idle(0);
    seen += 'i';
  }
  void take_all(int count) {
    while (taken < count) {
      if (!take()) idle();
    }
  }
  int taken = 0;
};

using program = void (*)(player&);

/// Runs a program and keeps what each location saw.
struct recorded final : repeated_body {
  program play;
  std::vector<std::string> seen;
  std::set<std::vector<std::string>>& outcomes;

  recorded(program p, unsigned locations, std::set<std::vector<std::string>>& all)
      : play(p), seen(locations), outcomes(all) {}
  void begin() override { seen.assign(seen.size(), ""); }
  void run(endpoint& connection) override {
    player p{connection, {}};
    try {
      play(p);
    } catch (job_aborted const&) {
      p.seen += 'D';
    }
    seen[number(connection.self())] = p.seen;
  }
  void check() override { outcomes.insert(seen); }
};

/// All decisions one after the other without any reduction.
class every_schedule final : public schedule {
 public:
  std::uint32_t choose(std::uint32_t alternatives) override {
    if (depth_ == path_.size()) path_.push_back({0, alternatives});
    EXPECT_EQ(path_[depth_].second, alternatives);
    return path_[depth_++].first;
  }
  [[nodiscard]] std::string describe() const override { return "every"; }
  bool next() {
    depth_ = 0;
    while (!path_.empty() && ++path_.back().first == path_.back().second) path_.pop_back();
    return !path_.empty();
  }

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;
  std::size_t depth_ = 0;
};

std::set<std::vector<std::string>> outcomes_of_all(simulation const& settings, program play, std::uint64_t& runs) {
  std::set<std::vector<std::string>> outcomes;
  recorded body(play, settings.job.locations, outcomes);
  simulator sim(settings);
  every_schedule decisions;
  do {
    body.begin();
    simulation_result const result = sim.run(decisions, body);
    if (result.how != ending::finished) {
      ADD_FAILURE() << result.text;
      break;
    }
    body.check();
  } while (++runs < 3'000'000 && decisions.next());
  return outcomes;
}

// Two locations send one entry each to a third.
void meet(player& p) {
  if (number(p.at.self()) != 0) return p.send(0, 'm');
  p.take_all(2);
}

// One location asks another, which answers; a third disturbs.
void ask(player& p) {
  switch (number(p.at.self())) {
    case 0:
      p.take_all(2);
      return p.send(1, 'a', traffic::answer);
    case 1:
      p.send(0, 'q');
      return p.take_all(1);
    default:
      return p.send(0, 'd');
  }
}

// One more entry than fits, and one the other way that the sender may see meanwhile.
void refused(player& p) {
  if (number(p.at.self()) == 0) {
    p.send(1, '1');
    p.send(1, '2');
    return p.take_all(1);
  }
  p.send(0, 'b');
  p.take_all(2);
}

// A third location says when the second entry is sent: before or after the credit for the first is known.
void refused_later(player& p) {
  switch (number(p.at.self())) {
    case 0:
      p.send(1, '1');
      p.take_all(1);
      return p.send(1, '2');
    case 1:
      return p.take_all(2);
    default:
      return p.send(0, 'g');
  }
}

// Two classes at once, and a look at how busy the other is.
void two_classes(player& p) {
  if (number(p.at.self()) == 1) return p.take_all(2);
  p.send(1, 'q');
  p.send(1, 'a', traffic::answer);
  while (std::uint32_t const left = p.at.backlog(location_id{1}, traffic::answer)) {
    p.seen += static_cast<char>('0' + left);
    p.idle();
  }
}

// A chain: 0 to 1 to 2, and 0 to 2 directly.
void overtake(player& p) {
  switch (number(p.at.self())) {
    case 0:
      p.send(2, 'd');
      return p.send(1, 'c');
    case 1:
      p.take_all(1);
      return p.send(2, 'i');
    default:
      return p.take_all(2);
  }
}

struct example {
  char const* name;
  program play;
  unsigned locations, slots, preemptions;
};

class explorer_sees_all : public testing::TestWithParam<example> {};

TEST_P(explorer_sees_all, that_full_enumeration_sees) {
  example const& e = GetParam();
  simulation const settings = small(e.locations, e.slots, e.preemptions);
  std::uint64_t runs = 0;
  auto const all = outcomes_of_all(settings, e.play, runs);

  std::set<std::vector<std::string>> seen;
  recorded body(e.play, e.locations, seen);
  exploration const found = explore_body(settings, body, 3'000'000);
  EXPECT_TRUE(found.complete) << found.text;
  EXPECT_EQ(seen, all);
  EXPECT_LT(found.schedules + found.repeated, runs);
  RecordProperty("runs_without_reduction", std::to_string(runs));
  RecordProperty("runs", std::to_string(found.schedules + found.repeated));
}

INSTANTIATE_TEST_SUITE_P(programs, explorer_sees_all,
                         testing::Values(example{"meet", meet, 3, 2, 0}, example{"meet_preempted", meet, 3, 2, 1},
                                         example{"ask", ask, 3, 1, 0}, example{"refused", refused, 2, 1, 0},
                                         example{"refused_later", refused_later, 3, 1, 0},
                                         example{"two_classes", two_classes, 2, 4, 0},
                                         example{"two_classes_preempted", two_classes, 2, 4, 1},
                                         example{"overtake", overtake, 3, 1, 0}),
                         [](auto const& i) { return std::string(i.param.name); });

// ---- What explore and sample report -------------------------------------------------------------------------------

/// Fails when location 0 receives from 2 before 1: in half of the schedules.
struct impatient {
  bool wrong = false;
  void run(endpoint& connection) {
    player p{connection, {}};
    meet(p);
    wrong |= p.seen.find("r2qm") < p.seen.find("r1qm") && p.taken == 2;
  }
  void check() const {
    if (wrong) throw std::runtime_error("2 came before 1");
  }
};

TEST(explore, reports_a_failed_check_so_that_it_can_be_replayed) {
  exploration const found = explore(
      small(3, 2, 0), [] { return impatient{}; }, 1000);
  ASSERT_TRUE(found.failed);
  EXPECT_FALSE(found.complete);
  EXPECT_NE(found.text.find("2 came before 1 [replay: SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=3"), std::string::npos)
      << found.text;
  EXPECT_NE(found.text.find("replay_schedule(\"" + found.choices + "\") with options::ring_slots=2 with play::plain"),
            std::string::npos)
      << found.text;

  replay_schedule again(found.choices);
  auto make = [] { return impatient{}; };
  made_body<decltype(make)> replayed(make);
  replayed.begin();
  EXPECT_EQ(simulate(small(3, 2, 0), again, replayed).how, ending::finished);
  EXPECT_THROW(replayed.check(), std::runtime_error);
}

TEST(explore, stops_at_its_limit) {
  exploration const found = explore(
      small(3, 2, 1), [] { return impatient{true}; }, 0);
  EXPECT_EQ(found.schedules, 0u);
  struct calm {
    void run(endpoint& connection) {
      player p{connection, {}};
      meet(p);
    }
  };
  exploration const some = explore(
      small(3, 2, 0), [] { return calm{}; }, 5);
  EXPECT_EQ(some.schedules + some.repeated, 5u);
  EXPECT_FALSE(some.complete);
  EXPECT_FALSE(some.failed);
}

TEST(explore, reports_a_deadlock_that_few_schedules_have) {
  // Location 1 forgets the request if the answer came first.
  struct forgetful {
    void run(endpoint& connection) {
      player p{connection, {}};
      if (number(connection.self()) == 0) {
        p.send(1, 'q');
        p.send(1, 'a', traffic::answer);
        p.take_all(1);
      } else {
        p.take_all(1);
        if (p.seen.find('q') != std::string::npos) p.send(0, 'r');
      }
    }
  };
  exploration const found = explore(
      small(2, 2, 0), [] { return forgetful{}; }, 1000);
  ASSERT_TRUE(found.failed);
  EXPECT_NE(found.text.find("deadlock"), std::string::npos) << found.text;
}

TEST(explore, notices_a_program_that_is_not_deterministic) {
  static int calls = 0;
  calls = 0;
  struct moody {
    void run(endpoint& connection) {
      player p{connection, {}};
      if (number(connection.self()) == 2) return p.send(0, 'm', ++calls % 2 == 0 ? traffic::request : traffic::answer);
      if (number(connection.self()) == 1) return p.send(0, 'z');
      p.take_all(2);
    }
  };
  exploration const found = explore(
      small(3, 2, 0), [] { return moody{}; }, 1000);
  EXPECT_TRUE(found.failed);
  EXPECT_NE(found.text.find("not deterministic"), std::string::npos) << found.text;
}

TEST(sample, reports_the_first_failing_seed) {
  simulation s = small(3, 2, 0);
  s.order = play::mixed;
  exploration const found = sample(
      s, [] { return impatient{}; }, 1, 1000);
  ASSERT_TRUE(found.failed);
  EXPECT_LT(found.schedules, 100u);
  EXPECT_NE(found.text.find("SHEAF_SEED=" + std::to_string(found.seed)), std::string::npos) << found.text;
}

}  // namespace
