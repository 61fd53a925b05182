// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What a job records, looked at through the reader of `sheaf trace`.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include "sheaf/sheaf.hpp"
#include "sheaf/trace/traced_job.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using sheaf::options;
using sheaf::transport_kind;
using sheaf::detail::trace_event;
using sheaf::test::error_of;
using sheaf::test::read_file;
using sheaf::test::temporary_folder;
using sheaf::tool::event_reader;
using sheaf::tool::read_traces;
using sheaf::tool::traced_event;
using sheaf::tool::traced_job;
using sheaf::tool::traced_location;

struct counter : sheaf::distributed<counter> {
  explicit counter(sheaf::team const& t) : distributed(t) {}
  std::uint64_t sum = 0;
  void add(std::uint64_t v) { sum += v; }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  std::uint64_t asked(std::uint32_t whom) { return sync<&counter::twice>(whom, 21); }
};

/// Whose method helpers execute.
struct shared_counter : sheaf::distributed<shared_counter> {
  explicit shared_counter(sheaf::team const& t) : distributed(t) {}
  std::atomic<std::uint64_t> sum{0};
  void add(std::uint64_t v) { sum += v; }
};

}  // namespace
template <>
inline constexpr bool sheaf::concurrent<&shared_counter::add> = true;
namespace {

options job_of(transport_kind transport, unsigned locations, std::string const& folder) {
  options o;
  o.transport = transport;
  o.locations = locations;
  o.trace = folder;
  return o;
}

/// Requests of location s to location d.
std::uint64_t issued(std::uint32_t s, std::uint32_t d) { return 50 + 10 * s + d; }

void program(sheaf::team const& world) {
  counter all(world);
  std::uint32_t const self = world.rank();
  sheaf::trace_scope const scope("all of it");
  for (std::uint32_t d = 0; d < world.size(); ++d) {
    for (std::uint64_t i = 0; i < issued(self, d); ++i) all.async<&counter::add>(d, 1);
  }
  sheaf::fence(world);
  sheaf::trace_mark("fenced");
}

void play(options const& o) {
  sheaf::run(o, [](sheaf::team world) { program(world); });
}

struct nesting {
  std::map<std::string, std::uint64_t> began;  ///< "kind name"
  std::set<std::string> inside;                ///< "outer > inner"
  std::uint64_t requests = 0;
  std::uint64_t events = 0;
};

nesting walk(traced_job const& job, traced_location const& l) {
  nesting found;
  event_reader events(l, job.size);
  std::vector<std::uint32_t> before;
  for (traced_event e; events.next(e); before = events.open()) {
    ++found.events;
    if (!sheaf::tool::is_named(e.what)) continue;
    ++found.began[l.names[e.name].text];
    if (!before.empty()) found.inside.insert(l.names[before.back()].text + " > " + l.names[e.name].text);
    if (e.what == trace_event::run) found.requests += e.size;
  }
  EXPECT_TRUE(events.open().empty());
  return found;
}

class recording : public testing::TestWithParam<std::pair<transport_kind, unsigned>> {
 protected:
  temporary_folder const folder;
  options settings() const { return job_of(GetParam().first, GetParam().second, folder / "t"); }
};

TEST_P(recording, what_the_program_issued_is_there) {
  play(settings());
  traced_job const job = read_traces(folder / "t");
  std::uint32_t const n = GetParam().second;
  ASSERT_EQ(job.locations.size(), n);
  EXPECT_TRUE(job.notes.empty());
  for (traced_location const& l : job.locations) {
    nesting const found = walk(job, l);
    std::uint64_t received = 0;
    for (auto const& p : l.peers) {
      EXPECT_EQ(p.requests, issued(p.number, l.number)) << p.number << " to " << l.number;
      received += p.requests;
    }
    EXPECT_EQ(found.requests, received);
    EXPECT_EQ(l.peers.size(), n);
    EXPECT_EQ(found.began.at("all of it"), 1u);
    EXPECT_EQ(found.began.at("fenced"), 1u);
    EXPECT_GE(found.began.at("fence"), 2u);
    EXPECT_TRUE(found.inside.contains("fence > for the team"));
    EXPECT_TRUE(found.inside.contains("all of it > fence"));
    EXPECT_EQ(found.events, l.event_count);
    EXPECT_GE(l.ended, l.began);
  }
}

TEST_P(recording, sums_say_what_events_say) {
  play(settings());
  traced_job const job = read_traces(folder / "t");
  for (traced_location const& l : job.locations) {
    std::map<std::uint32_t, std::uint64_t> bytes, entries;
    std::uint64_t in_scope = 0;
    event_reader events(l, job.size);
    std::uint64_t scope_began = 0;
    for (traced_event e; events.next(e);) {
      bool const scope = sheaf::tool::is_named(e.what) || e.what == trace_event::end
                             ? l.names[e.name].what == trace_event::scope
                             : false;
      if (scope && e.what == trace_event::scope) scope_began = e.time;
      if (scope && e.what == trace_event::end) in_scope = e.time - scope_began;
      if (e.what == trace_event::sent) bytes[e.peer] += e.size;
      if (e.what == trace_event::received) ++entries[e.peer];
    }
    for (auto const& p : l.peers) {
      EXPECT_EQ(p.bytes_sent[0] + p.bytes_sent[1], bytes[p.number]);
      EXPECT_EQ(p.entries_received[0] + p.entries_received[1], entries[p.number]);
    }
    for (auto const& name : l.names) {
      if (name.what != trace_event::scope) continue;
      EXPECT_EQ(name.total_ns, in_scope);
    }
  }
}

TEST(trace_of_a_helper, its_runs_are_in_the_sums) {
  temporary_folder const folder;
  options o = job_of(transport_kind::thread, 2, folder / "t");
  o.progress = sheaf::progress_kind::helper;
  std::atomic<bool> computes{false};  // location 1: it has polled for the last time
  sheaf::run(o, [&](sheaf::team world) {
    shared_counter all(world);
    sheaf::poll();  // it is made: others may call it
    if (world.rank() == 0) {
      while (!computes) std::this_thread::yield();
      for (int i = 0; i < 300; ++i) all.async<&shared_counter::add>(1, 1u);
      sheaf::flush();
    } else {
      computes = true;
      while (all.sum.load() != 300) std::this_thread::yield();  // computes: a helper executes them
    }
    sheaf::fence(world);
  });
  traced_job const job = read_traces(folder / "t");
  ASSERT_EQ(job.locations.size(), 2u);
  traced_location const& computed = job.locations[1];
  EXPECT_EQ(walk(job, computed).requests, 0u);
  std::uint64_t of_names = 0, of_peers = 0;
  for (auto const& name : computed.names) of_names += name.requests;
  for (auto const& peer : computed.peers) of_peers += peer.requests;
  EXPECT_EQ(of_names, 300u);
  EXPECT_EQ(of_peers, 300u);
}

INSTANTIATE_TEST_SUITE_P(trace, recording,
                         testing::Values(std::pair(transport_kind::thread, 1u), std::pair(transport_kind::thread, 3u),
                                         std::pair(transport_kind::sim, 1u), std::pair(transport_kind::sim, 4u),
                                         std::pair(transport_kind::sim, 8u)),
                         [](auto const& each) {
                           return std::string(name(each.param.first)) + std::to_string(each.param.second);
                         });

TEST(trace, two_simulated_runs_with_one_seed_write_the_same_bytes) {
  temporary_folder const folder;
  std::set<std::string> contents;
  for (std::uint64_t const seed : {1u, 1u, 2u, 2u}) {
    options o = job_of(transport_kind::sim, 5, folder / "t");
    o.seed = seed;
    play(o);
    contents.insert(read_file(folder / "t/00000.sheaf-trace"));
  }
  EXPECT_EQ(contents.size(), 2u);
}

TEST(trace, a_method_that_waits_and_what_runs_meanwhile_are_nested) {
  temporary_folder const folder;
  sheaf::run(job_of(transport_kind::sim, 2, folder / "t"), [](sheaf::team world) {
    counter all(world);
    if (world.rank() == 0) {
      EXPECT_EQ(all.sync<&counter::asked>(1, 0), 42u);
    }
    auto answer = all.ask<&counter::twice>(0, 4).then([](std::uint64_t v) { sheaf::trace_mark(std::to_string(v)); });
    sheaf::fence(world);
  });
  traced_job const job = read_traces(folder / "t");
  nesting const asked = walk(job, job.locations.at(1));
  EXPECT_TRUE(asked.inside.contains("counter::asked > for an answer"));
  nesting const asking = walk(job, job.locations.at(0));
  EXPECT_TRUE(asking.inside.contains("for an answer > counter::twice"));
  EXPECT_TRUE(asking.inside.contains("a continuation > 8"));
}

TEST(trace, what_does_not_fit_is_dropped_and_counted) {
  temporary_folder const folder;
  options o = job_of(transport_kind::thread, 2, folder / "t");
  o.trace_bytes = 4096;
  testing::internal::CaptureStderr();
  sheaf::run(o, [](sheaf::team world) {
    counter all(world);
    for (std::uint64_t i = 0; i < 3000; ++i) all.sync<&counter::twice>(1 - world.rank(), i);
    sheaf::fence(world);
  });
  std::string const told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("events of 2 locations did not fit into the trace, which keeps the oldest; raise "
                      "SHEAF_TRACE_BYTES above 4096"),
            std::string::npos)
      << told;
  traced_job const job = read_traces(folder / "t");
  EXPECT_EQ(job.notes.size(), 2u);
  for (traced_location const& l : job.locations) {
    EXPECT_GT(l.dropped, 1000u);
    EXPECT_GT(l.full_at, l.began);
    EXPECT_LE(l.events.size(), 4096u);
    for (auto const& p : l.peers) EXPECT_EQ(p.requests, p.number == l.number ? 0u : 3000u);
  }
}

TEST(trace, a_folder_that_cannot_be_written_is_an_error_before_the_job) {
  temporary_folder const folder;
  std::string const file = folder.write("file", "");
  bool started = false;
  auto const text = error_of<sheaf::option_error>(
      [&] { sheaf::run(job_of(transport_kind::thread, 1, file + "/t"), [&] { started = true; }); });
  EXPECT_FALSE(started);
  EXPECT_EQ(text, "sheaf: SHEAF_TRACE is '" + file +
                      "/t', where no trace can be written: Not a directory. Set it to a "
                      "folder that this process may write to or make, or unset it.");
}

TEST(trace, a_job_that_fails_writes_what_it_has) {
  temporary_folder const folder;
  for (auto const transport : {transport_kind::thread, transport_kind::sim}) {
    std::string const place = folder / name(transport);
    auto const text = error_of<sheaf::job_failed>([&] {
      sheaf::run(job_of(transport, 3, place), [](sheaf::team world) {
        program(world);
        if (world.rank() == 1) throw std::runtime_error("told to");
        sheaf::barrier(world);
      });
    });
    EXPECT_NE(text.find("told to"), std::string::npos);
    traced_job const job = read_traces(place);
    ASSERT_EQ(job.locations.size(), 3u);
    for (traced_location const& l : job.locations) EXPECT_EQ(walk(job, l).began.at("all of it"), 1u);
    EXPECT_EQ(walk(job, job.locations[1]).began.at("fenced"), 1u);
  }
}

TEST(trace, without_the_setting_nothing_is_written_and_marks_do_nothing) {
  temporary_folder const folder;
  sheaf::trace_mark("outside of a job");
  sheaf::trace_scope const scope("outside of a job");
  play(job_of(transport_kind::thread, 2, ""));
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
}

TEST(trace, the_folder_is_no_part_of_what_a_replay_needs) {
  options o = job_of(transport_kind::sim, 3, "somewhere");
  o.trace_bytes = 8192;
  EXPECT_TRUE(sheaf::changed_from_default(o).empty());
  EXPECT_EQ(o.resolved().trace_bytes, 8192u);
  o.trace_bytes = 100;
  EXPECT_EQ(error_of<sheaf::option_error>([&] { static_cast<void>(o.resolved()); }),
            "sheaf: SHEAF_TRACE_BYTES is '100'; it must be a whole number from 4096 to 1099511627776. Set it so, or "
            "unset it for the default.");
}

}  // namespace
