// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The rules of DMCS (002 §3, §5), which are not those of remote method invocation: each in random schedules.
#include <dmcs.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "process.hpp"
#include "runtime/job.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "simulation/seeds.hpp"

namespace {

using sheaf_test::dice;
using sheaf_test::run_seeds;

constexpr std::uint64_t kinds = 24;

sheaf::options some_settings(std::uint64_t kind) {
  dice random(kind + 3);
  sheaf::options o;
  o.locations = 2 + static_cast<unsigned>(random.below(4));
  sheaf_test::tighten(o, random);
  if (random.one_in(3)) o.buffer_bytes = o.first_flush_bytes = 4096;  // messages of several kinds in a buffer
  return o;
}

/// What the handlers of one location see: they find it by their location.
struct notes {
  std::vector<dmcs_arg_t> seen;     ///< in the order of calls
  std::vector<dmcs_arg_t> last_of;  ///< by source
  dmcs_arg_t cell = 0;              ///< which others put into
  std::vector<unsigned char> area;  ///< as that
  bool polls = false;               ///< handlers may be called
  dmcs_arg_t after_wait = 0;        ///< the cell, when a handler that waits had waited
  std::string problem;
};
std::vector<notes> all_notes;
notes& mine() { return all_notes[static_cast<std::size_t>(dmcs_my_proc())]; }

void fail_unless(bool good, char const* what) {
  if (!good && mine().problem.empty()) mine().problem = what;
}

void note(int source, dmcs_arg_t number) {
  notes& here = mine();
  auto const from = static_cast<std::size_t>(source);
  fail_unless(here.polls, "a handler was called outside of a poll");
  fail_unless(number > here.last_of[from], "handlers of one process are out of order");
  here.last_of[from] = number;
  here.seen.push_back(number);
}
/// Of a put before it: it has taken effect.
void note_cell(int source, dmcs_arg_t number) {
  fail_unless(mine().cell >= number, "a request overtook the put before it");
  note(source, number);
}
/// Of a put of the whole area before it.
void note_area(int source, dmcs_arg_t number) {
  fail_unless(mine().area.front() >= number && mine().area.back() >= number, "a request overtook data before it");
  note(source, number);
}
void note_data(int source, void* data, std::size_t bytes) {
  dmcs_arg_t number = 0;
  std::memcpy(&number, data, sizeof number);
  fail_unless(bytes >= sizeof number && (bytes - sizeof number) % 3 == 0, "data of another size");
  note(source, number);
}
void note_nothing(int, dmcs_arg_t) {}
/// A handler that waits itself, for a process that does the same.
void note_and_tell(int source, dmcs_arg_t number) {
  note(source, number);
  mine().polls = false;
  dmcs_sync_rsr1(source, note, 1000 + number);
  mine().polls = true;
}

/// A handler that waits, and the next of the same process: only in the wait may a put behind both take effect.
void wait_and_look(int source, dmcs_arg_t number) {
  dmcs_sync_rsr1(source, note_nothing, number);
  mine().after_wait = mine().cell;
}
void look_again(int, dmcs_arg_t) {
  fail_unless(mine().cell == mine().after_wait, "a put overtook a request outside of a wait");
}

/// A handler that is called at the end of a fence, and sends both.
std::uintptr_t cell_of[8];
void send_both(int source, void*, std::size_t) {
  dmcs_arg_t const seven = 7;
  dmcs_async_rsr1(source, look_again, 0);
  dmcs_async_put(source, reinterpret_cast<void*>(cell_of[source]), &seven, sizeof seven, nullptr);
}

void poll_all() {
  mine().polls = true;
  dmcs_poll();
  mine().polls = false;
}

/// Runs `part(world, seed)` on each location, with DMCS around it.
class body final : public sheaf::location_body {
 public:
  using part = void (*)(sheaf::team const& world, std::uint64_t seed);

  body(sheaf::options const& job, part run_part, std::uint64_t seed) : job_(job), part_(run_part), seed_(seed) {
    all_notes.assign(job.locations, {});
    for (notes& each : all_notes) each.last_of.assign(job.locations, 0);
  }
  void run(sheaf::endpoint& connection) override {
    sheaf_test::play(connection, job_, [this](sheaf::team const& world) {
      sheaf_dmcs::session const dmcs(world);
      dmcs_register1(note);
      dmcs_register1(note_cell);
      dmcs_register1(note_area);
      dmcs_register_data(note_data);
      dmcs_register1(note_and_tell);
      dmcs_register1(note_nothing);
      dmcs_register1(wait_and_look);
      dmcs_register1(look_again);
      dmcs_register_data(send_both);
      dmcs_barrier();
      part_(world, seed_);
      mine().polls = true;
      dmcs_fence();
      sheaf::barrier(world);
    });
  }
  [[nodiscard]] std::string check() const {
    for (notes const& each : all_notes) {
      if (!each.problem.empty()) return each.problem;
    }
    return {};
  }

 private:
  sheaf::options const& job_;
  part part_;
  std::uint64_t seed_;
};

void explore(char const* test, body::part part) {
  run_seeds(test, 400, kinds, some_settings,
            [part](auto const& job, std::uint64_t seed) { return body(job, part, seed); });
}

/// Everybody sends to everybody at once, and each call waits for its receipt.
TEST(dmcs_rules, simultaneous_sync_sends_do_not_deadlock) {
  explore("dmcs_rules.simultaneous_sync_sends_do_not_deadlock", [](sheaf::team const& world, std::uint64_t) {
    int const count = static_cast<int>(world.size());
    for (dmcs_arg_t i = 1; i <= 5; ++i) {
      for (int to = 0; to < count; ++to) dmcs_sync_rsr1(to, note, i);
    }
    fail_unless(mine().seen.empty(), "a handler was called in a sync call");
    mine().polls = true;
    dmcs_fence();
    fail_unless(mine().seen.size() == 5u * world.size(), "a request was lost");
  });
}

/// Handlers wait for others' receipt in turn, and what is behind them in a message is not lost.
TEST(dmcs_rules, handlers_may_wait_for_each_other) {
  explore("dmcs_rules.handlers_may_wait_for_each_other", [](sheaf::team const& world, std::uint64_t) {
    int const count = static_cast<int>(world.size()), self = static_cast<int>(world.rank());
    for (int to = 0; to < count; ++to) {
      if (to == self) continue;
      std::array<dmcs_arg_t, 4> const data{3};
      dmcs_async_rsr1(to, note, 1);
      dmcs_async_rsr1(to, note_and_tell, 2);
      dmcs_async_put_op(to, note_data, data.data(), sizeof data, nullptr);
      dmcs_async_rsr1(to, note_and_tell, 4);
      dmcs_async_rsr1(to, note, 5);
    }
    auto const expected = 7u * (world.size() - 1);
    while (mine().seen.size() < expected) poll_all();
  });
}

/// A sync call returns while the target's handler still has not run, though the target never polls until then.
TEST(dmcs_rules, a_sync_call_waits_for_the_receipt_alone) {
  explore("dmcs_rules.a_sync_call_waits_for_the_receipt_alone", [](sheaf::team const& world, std::uint64_t) {
    if (world.rank() == 0) {
      dmcs_sync_rsr1(1, note, 1);
      dmcs_sync_put_op(1, note_data, "abcdefghijk", 11);
      fail_unless(all_notes[1].seen.empty(), "the handler ran in a barrier");
    }
    dmcs_barrier();  // which receives
    if (world.rank() == 1) {
      fail_unless(mine().seen.empty(), "the handler ran in a barrier");
      while (mine().seen.size() < 2) poll_all();
    }
  });
}

/// Puts, gets, requests and data of one process take effect in the order sent.
TEST(dmcs_rules, one_channel_keeps_the_order) {
  explore("dmcs_rules.one_channel_keeps_the_order", [](sheaf::team const& world, std::uint64_t seed) {
    dice random(seed + world.rank());
    auto const cells = sheaf::all_gather(world, reinterpret_cast<std::uintptr_t>(&mine().cell));
    auto const to = (world.rank() + 1) % world.size();
    auto* const there = reinterpret_cast<dmcs_arg_t*>(cells[to]);
    std::vector<std::byte> data(sizeof(dmcs_arg_t) + 3 * random.below(700));
    for (dmcs_arg_t i = 1; i <= 30; ++i) {
      switch (random.below(5)) {
        case 0:
          dmcs_async_put(static_cast<int>(to), there, &i, sizeof i, nullptr);
          break;
        case 1:
          dmcs_async_put(static_cast<int>(to), there, &i, sizeof i, nullptr);
          dmcs_async_rsr1(static_cast<int>(to), note_cell, i);
          break;
        case 2:
          std::memcpy(data.data(), &i, sizeof i);
          dmcs_async_put_op(static_cast<int>(to), note_data, data.data(), data.size(), nullptr);
          break;
        case 3: {
          dmcs_arg_t got = 0;
          dmcs_async_put(static_cast<int>(to), there, &i, sizeof i, nullptr);
          dmcs_sync_get(static_cast<int>(to), &got, there, sizeof got);
          fail_unless(got == i, "a get overtook the put before it");
          break;
        }
        default:
          dmcs_async_rsr1(static_cast<int>(to), note, i);
      }
      if (random.one_in(4)) poll_all();
    }
  });
}

/// Also in a fence, behind a handler that waits.
TEST(dmcs_rules, puts_overtake_handlers_in_waits_only) {
  explore("dmcs_rules.puts_overtake_handlers_in_waits_only", [](sheaf::team const& world, std::uint64_t seed) {
    dice random(seed + world.rank());
    auto const cells = sheaf::all_gather(world, reinterpret_cast<std::uintptr_t>(&mine().cell));
    auto const to = (world.rank() + 1) % world.size();
    bool const in_fence = random.one_in(2);
    for (dmcs_arg_t i = 1; i <= 10; ++i) {
      dmcs_async_rsr1(static_cast<int>(to), wait_and_look, i);
      dmcs_async_rsr1(static_cast<int>(to), look_again, i);
      if (random.one_in(2)) dmcs_flush();
      dmcs_async_put(static_cast<int>(to), reinterpret_cast<void*>(cells[to]), &i, sizeof i, nullptr);
      if (!in_fence && random.one_in(3)) poll_all();
    }
    dmcs_fence();
    fail_unless(mine().cell == 10, "a put was not here after a fence");
  });
}

/// Data that the target reads where they are take effect in their place among what comes behind them.
TEST(dmcs_rules, what_is_fetched_keeps_the_order) {
  explore("dmcs_rules.what_is_fetched_keeps_the_order", [](sheaf::team const& world, std::uint64_t seed) {
    dice random(seed + world.rank());
    mine().area.assign(70'000, 0);
    auto const areas = sheaf::all_gather(world, reinterpret_cast<std::uintptr_t>(mine().area.data()));
    auto const to = (world.rank() + 1) % world.size();
    std::vector<std::vector<unsigned char>> all;
    dmcs_request request = DMCS_REQUEST_INIT;
    for (dmcs_arg_t i = 1; i <= 6; ++i) {
      all.emplace_back(70'000, static_cast<unsigned char>(i));
      dmcs_async_put(static_cast<int>(to), reinterpret_cast<void*>(areas[to]), all.back().data(), 70'000, &request);
      dmcs_async_rsr1(static_cast<int>(to), note_area, i);
      if (random.one_in(2)) dmcs_flush();
      if (random.one_in(3)) poll_all();
    }
    if (random.one_in(2)) dmcs_wait(&request);
    while (mine().seen.size() < 6) poll_all();
    dmcs_wait(&request);
    fail_unless(mine().area.back() == 6 && mine().area.front() == 6, "puts are out of order");
  });
}

/// A fence returns when bytes that were asked for are here, and their handler has run.
TEST(dmcs_rules, a_fence_waits_for_gets) {
  explore("dmcs_rules.a_fence_waits_for_gets", [](sheaf::team const& world, std::uint64_t) {
    auto const cells = sheaf::all_gather(world, reinterpret_cast<std::uintptr_t>(&mine().cell));
    auto const to = (world.rank() + 1) % world.size();
    mine().cell = 1 + world.rank();
    dmcs_arg_t got[3] = {};
    dmcs_barrier();
    for (dmcs_arg_t& each : got)
      dmcs_async_get(static_cast<int>(to), &each, reinterpret_cast<void*>(cells[to]), sizeof each, nullptr);
    dmcs_arg_t with_handler = 0;
    dmcs_async_get_op(static_cast<int>(to), note_data, &with_handler, reinterpret_cast<void*>(cells[to]),
                      sizeof with_handler, nullptr);
    mine().polls = true;
    dmcs_fence();
    fail_unless(got[0] == 1 + to && got[1] == 1 + to && got[2] == 1 + to, "a get was not here after a fence");
    fail_unless(mine().seen.size() == 1, "the handler of a get did not run before a fence returned");
    dmcs_barrier();
  });
}

/// What the last handlers of a fence send takes effect in its order, too: no put before the request in front of it.
TEST(dmcs_rules, handlers_of_a_fence_send_in_order) {
  explore("dmcs_rules.handlers_of_a_fence_send_in_order", [](sheaf::team const& world, std::uint64_t) {
    cell_of[world.rank()] = reinterpret_cast<std::uintptr_t>(&mine().cell);
    sheaf::barrier(world);  // in that of DMCS the put might overtake
    auto const to = (world.rank() + 1) % world.size();
    dmcs_arg_t got = 0;
    dmcs_async_get_op(static_cast<int>(to), send_both, &got, &all_notes[to].after_wait, sizeof got, nullptr);
    dmcs_fence();
    fail_unless(mine().cell == 7, "a put of a handler was not here after a fence");
  });
}

/// What others send behind a fence does not take effect within it.
TEST(dmcs_rules, a_fence_ends_before_what_is_behind_it) {
  explore("dmcs_rules.a_fence_ends_before_what_is_behind_it", [](sheaf::team const& world, std::uint64_t) {
    cell_of[world.rank()] = reinterpret_cast<std::uintptr_t>(&mine().cell);
    dmcs_arg_t const one = 1;
    auto const to = (world.rank() + 1) % world.size();
    for (int round = 0; round < 5; ++round) {
      dmcs_fence();
      fail_unless(mine().cell == 0, "a put from behind a fence took effect within it");
      dmcs_async_put(static_cast<int>(to), reinterpret_cast<void*>(cell_of[to]), &one, sizeof one, nullptr);
      while (mine().cell == 0) poll_all();
      mine().cell = 0;
    }
  });
}

/// Nothing takes effect where nobody polls or waits, whatever its own sends receive meanwhile.
TEST(dmcs_rules, nothing_takes_effect_without_a_poll) {
  explore("dmcs_rules.nothing_takes_effect_without_a_poll", [](sheaf::team const& world, std::uint64_t) {
    auto const cells = sheaf::all_gather(world, reinterpret_cast<std::uintptr_t>(&mine().cell));
    auto const to = (world.rank() + 1) % world.size();
    dmcs_arg_t const value = 7;
    for (dmcs_arg_t i = 1; i <= 60; ++i) {
      dmcs_async_put(static_cast<int>(to), reinterpret_cast<void*>(cells[to]), &value, sizeof value, nullptr);
      dmcs_async_rsr1(static_cast<int>(to), note, i);
      fail_unless(mine().cell == 0 && mine().seen.empty(), "something took effect in an async call");
    }
    while (mine().seen.size() < 60) poll_all();
    fail_unless(mine().cell == 7, "a put was lost");
  });
}

}  // namespace
