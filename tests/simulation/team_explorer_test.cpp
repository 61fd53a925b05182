// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Overlapping teams that fence at the same time, under many schedules: one after the other on each location, and two
// fences of one location at once.
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "runtime/fence_machine.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/runtime/fence.hpp"
#include "simulation/ambient_scope.hpp"
#include "simulation/seeds.hpp"

namespace {

using sheaf::team;
using sheaf::detail::fence_machine;
using sheaf::detail::location;
using sheaf::detail::scope_counts;
using sheaf::detail::sound_detector;
using sheaf::detail::team_state;
using sheaf::detail::wave_sum;

/// What all locations of a job know together of one team.
struct truth {
  std::uint64_t issued = 0;
  std::uint64_t finished = 0;
};

/// One location's representative on one team.
class juggler : public sheaf::distributed<juggler> {
 public:
  juggler(sheaf::team const& on, truth& of_team) : distributed(on), truth_(of_team) {}

  /// Passes it to the next member, `fan` times at first, in entries of their own.
  void toss(std::uint32_t hops, std::uint32_t fan) {
    for (std::uint32_t i = 0; hops != 0 && i < fan; ++i) send((rank() + 1) % members().size(), hops - 1, 1);
    ++truth_.finished;
  }
  void send(std::uint32_t to, std::uint32_t hops, std::uint32_t fan) {
    ++truth_.issued;
    async<&juggler::toss>(to, hops, fan);
    here_of(members()).request_box(number(members().location_of(to))).flush();
  }
  void broadcast(std::uint32_t hops) {
    truth_.issued += members().size();
    this->async<&juggler::toss>(sheaf::to_all, hops, 1u);
  }
  std::uint64_t one() { return 1; }

  void expect_done() const {
    if (truth_.issued == truth_.finished) return;
    throw std::runtime_error("the fence of team " + std::to_string(members().id()) + " returned on location " +
                             std::to_string(number(here_of(members()).id())) + " with " +
                             std::to_string(truth_.issued - truth_.finished) + " requests unfinished");
  }

 private:
  truth& truth_;
};

/// How a location's fences follow one another: each ends before the next, or two at a time.
enum class manner { in_turn, at_once };

struct program {
  char const* name;
  std::uint32_t locations;
  std::vector<std::vector<std::uint32_t>> teams;  ///< each location fences its own in this order
  std::uint32_t hops = 1;
  std::uint32_t fan = 1;
  manner how = manner::in_turn;
  bool broadcasts = false;
  bool by_list = true;   ///< made by subteam, with its messages; else known to all from the beginning
  unsigned threads = 1;  ///< locations of each process
};

program on_processes(program p, unsigned threads) {
  p.threads = threads;
  return p;
}

program at_once(program p) {
  p.how = manner::at_once;
  return p;
}
program known(program p) {
  p.by_list = false;
  return p;
}

program const triangle{"triangle", 3, {{0, 1}, {1, 2}, {0, 2}}, 2, 2};
program const chain{"chain", 4, {{0, 1}, {1, 2}, {2, 3}}, 3, 2};
program const inner{"inner", 3, {{1, 2}, {2, 0, 1}}, 2, 2};
program const same_members{"same_members", 2, {{0, 1}, {1, 0}}, 1, 2};
program const spreading{"spreading", 4, {{0, 1, 2}, {3, 2, 1}, {0, 1, 2, 3}}, 1, 1, manner::in_turn, true};

program const crossed{"crossed", 4, {{0, 1, 2, 3}, {0, 2, 1, 3}, {1, 3}, {3, 2, 0}}, 1, 1, manner::in_turn, true};

template <class Detector>
class played {
 public:
  played(sheaf::options const& settings, program const& p)
      : settings_(settings), program_(p), truths_(std::make_unique<std::vector<truth>>(p.teams.size())) {}

  void run(sheaf::endpoint& connection) {
    location here(connection, settings_);
    sheaf_test::ambient_scope const guard(here);
    play(here);
  }

  void check() const {
    for (truth const& t : *truths_) {
      if (t.issued != t.finished) throw std::runtime_error("requests are left");
    }
  }

 private:
  void play(location& here) {
    std::vector<std::unique_ptr<juggler>> mine;
    for (std::size_t i = 0; i < program_.teams.size(); ++i) {
      if (auto const t = make_team(here, i)) mine.push_back(std::make_unique<juggler>(*t, (*truths_)[i]));
    }
    if (program_.by_list) sheaf::barrier(team_of(here, here.registered().world()));
    for (auto& j : mine) {
      if (program_.broadcasts) {
        j->broadcast(program_.hops);
      } else {
        j->send((j->rank() + 1) % j->members().size(), program_.hops, program_.fan);
      }
    }
    if (program_.how == manner::in_turn) {
      for (auto& j : mine) fence(here, {j.get()});
    } else {
      for (std::size_t i = 0; i < mine.size(); i += 2)
        fence(here, {mine[i].get(), i + 1 < mine.size() ? mine[i + 1].get() : nullptr});
    }
    if (program_.broadcasts) ask(mine);
    here.wait(sheaf::detail::wait_kind::collective, [&] { return !here.out().of(sheaf::traffic::answer).overflows(); });
  }

  std::optional<team> make_team(location& here, std::size_t i) {
    auto const& list = program_.teams[i];
    if (program_.by_list) return team_of(here, here.registered().world()).subteam(list);
    std::vector<sheaf::location_id> members;
    bool member = false;
    for (std::uint32_t const l : list) {
      members.push_back(sheaf::location_id{l});
      member = member || l == number(here.id());
    }
    if (!member) return std::nullopt;
    return team_of(here, here.registered().add_team({static_cast<std::uint32_t>(i + 1), 0}, std::move(members)));
  }

  /// Fences of one or two teams at a time.
  void fence(location& here, std::vector<juggler*> of) {
    std::vector<std::unique_ptr<fence_machine<Detector>>> machines;
    for (juggler* const j : of) {
      if (j != nullptr)
        machines.push_back(std::make_unique<fence_machine<Detector>>(
            sheaf::detail::collective_call{j->members(), sheaf::detail::says("a fence")}));
    }
    std::vector<bool> over(machines.size());
    here.wait(sheaf::detail::wait_kind::collective, [&] {
      bool all = true;
      for (std::size_t i = 0; i < machines.size(); ++i) {
        if (!over[i] && machines[i]->advance()) {
          over[i] = true;
          of[i]->expect_done();
        }
        all = all && over[i];
      }
      return all && !here.out().of(sheaf::traffic::answer).overflows();
    });
  }

  /// A sum of each team, while others still fence theirs.
  static void ask(std::vector<std::unique_ptr<juggler>>& mine) {
    for (auto& j : mine) {
      auto const plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
      if (j->reduce<&juggler::one>(sheaf::to_all, plus).get() != j->members().size())
        throw std::runtime_error("a wrong sum");
      sheaf::fence(j->members());
    }
  }

  sheaf::options settings_;
  program program_;
  std::unique_ptr<std::vector<truth>> truths_;
};

sheaf::simulation simulation_of(program const& p) {
  sheaf::simulation s;
  s.job.transport = sheaf::transport_kind::sim;
  s.job.locations = p.locations;
  s.job.threads = p.threads;
  s.job.tree_arity = 1;
  s.job = s.job.resolved();
  return s;
}

std::uint64_t schedules() { return sheaf_test::schedules(4'000); }

template <class Detector>
sheaf_test::exploration sampled(program const& p, sheaf::simulation const& s, std::uint64_t count = schedules()) {
  return sheaf_test::sample(
      s, [&] { return played<Detector>(s.job, p); }, sheaf_test::first_schedule(), count);
}

void expect_sound(program const& p, sheaf::simulation const& s) {
  auto const found = sampled<sound_detector>(p, s);
  EXPECT_FALSE(found.failed) << p.name << ": " << found.text << " seed " << found.seed << " choices " << found.choices;
}

TEST(team_explorer, fences_of_overlapping_teams_in_turn) {
  for (auto const& p : {triangle, chain, inner, same_members, spreading}) expect_sound(p, simulation_of(p));
}

TEST(team_explorer, fences_of_overlapping_teams_at_once) {
  for (auto const& p : {triangle, chain, inner, same_members, spreading}) {
    expect_sound(at_once(p), simulation_of(p));
  }
}

TEST(team_explorer, fences_by_way_of_leaders) {
  for (auto const& p : {triangle, chain, inner, spreading, crossed}) {
    for (auto const& one : {on_processes(p, 2), on_processes(at_once(p), 2)}) expect_sound(one, simulation_of(one));
  }
}

TEST(team_explorer, with_rings_and_windows_of_1) {
  for (auto const form : {sheaf::fence_form_kind::dissemination, sheaf::fence_form_kind::tree}) {
    for (auto const& p : {triangle, chain, inner, spreading}) {
      sheaf::simulation s = simulation_of(p);
      s.job.fence_form = form;
      s.job.ring_slots = s.job.window = 1;
      s.job.buffer_bytes = 128;
      expect_sound(p, s);
      expect_sound(at_once(p), s);
    }
  }
}

TEST(team_explorer, many_schedules_from_the_first_on) {
  for (auto const& p : {same_members, triangle, inner}) {
    auto const s = simulation_of(p);
    for (auto const& one : {known(p), known(at_once(p))}) {
      auto const found = sheaf_test::explore(
          s, [&] { return played<sound_detector>(s.job, one); }, 20'000);
      EXPECT_FALSE(found.failed) << p.name << ": " << found.text << " choices " << found.choices;
    }
  }
}

// ---- A wrong detector is found out in these programs, too -----------------------------------------------------------

/// The paper's: sums of sent and executed, over as soon as they are equal.
struct single_sum : sound_detector {
  static bool settled(location& here, team_state&, scope_counts&) {
    here.out().flush();
    return true;
  }
  static bool ends(wave_sum const& sum) { return sum.balance == 0; }
};

template <class Detector>
void expect_caught(program const& p) {
  constexpr std::uint64_t enough = 16'000;
  auto const found = sampled<Detector>(p, simulation_of(p), enough);
  EXPECT_TRUE(found.failed) << enough << " schedules of " << p.name << " found nothing";
  std::printf("%s: seed %llu: %s\n", p.name, static_cast<unsigned long long>(found.seed), found.text.c_str());
}

TEST(team_explorer, catches_the_papers_single_sum) {
  for (auto const& p : {inner, spreading}) {
    expect_caught<single_sum>(p);
    expect_caught<single_sum>(at_once(p));
  }
}

}  // namespace
