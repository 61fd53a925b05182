// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Traces that are broken, cut off, of several jobs, or of hosts with clocks of their own.
#include "sheaf/trace/trace_reader.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <sstream>

#include "sheaf/report.hpp"
#include "sheaf/trace/matrix.hpp"
#include "sheaf/trace/perfetto.hpp"
#include "sheaf/trace/summary.hpp"
#include "sheaf/trace/traced_job.hpp"
#include "sheaf/trace/words.hpp"
#include "tools/temporary_folder.hpp"

namespace {

using namespace sheaf::tool;
using sheaf::detail::trace_log;
using sheaf::detail::trace_origin;
using sheaf::test::error_of;
using sheaf::test::temporary_folder;

std::string file_of(trace_origin const& origin, std::vector<trace_log const*> const& logs) {
  std::ostringstream content;
  sheaf::detail::write_trace(origin, logs, content);
  return content.str();
}

/// The address of the text is the key.
std::uint32_t name(trace_log& log, trace_event what, char const* text) {
  return log.name_of(text, what, [&] { return text; });
}

trace_origin origin(std::string clock, std::uint64_t size, std::uint64_t job = 7) {
  return {"mpi", "host-" + clock, clock, 100, job, size};
}

/// One of everything.
std::string sample() {
  trace_log log(1, 5000, 4096);
  auto const wait = log.begin(5100, name(log, trace_event::wait, "for the team"));
  auto const run = log.begin_run(5200, name(log, trace_event::run, "t::\"m\"\xff"), {3, 4, 0, 12});
  log.mark(5250, log.name_of_text(trace_event::mark, "m"));
  log.end(5300, run);
  log.moved(5400, trace_event::sent, 2, 0, 900);
  log.moved(5500, trace_event::received, 0, 1, 40);
  log.end(6000, wait);
  auto const collective = log.begin(6100, name(log, trace_event::collective, "barrier"), 9);
  log.end(6200, collective);
  log.begin(6300, log.name_of_text(trace_event::scope, "open"));
  log.finish(7000);
  return file_of(origin("a", 3), {&log});
}

std::string refusal(std::string content) {
  return error_of<trace_error>([&] { parse_trace("F", std::move(content)); });
}

/// All that the command makes of a file.
void use(std::string content) {
  std::vector<traced_process> one;
  one.push_back(parse_trace("F", std::move(content)));
  traced_job const job = assemble(std::move(one));
  std::ostringstream to;
  write_perfetto(job, to);
  write_summary(job, 5, to);
  communication_matrix const m(job, counted::bytes);
  write_svg(m, "t", to);
  write_text(m, "t", to);
}

TEST(trace_reader, reads_what_was_written) {
  traced_process const p = parse_trace("F", sample());
  EXPECT_EQ(p.origin.host, "host-a");
  EXPECT_EQ(p.origin.size, 3u);
  EXPECT_EQ(p.origin.job, 7u);
  traced_location const& l = p.locations.at(0);
  EXPECT_EQ(l.number, 1u);
  EXPECT_EQ(l.event_count, 10u);
  event_reader events(l, 3);
  traced_event e;
  ASSERT_TRUE(events.next(e) && events.next(e));
  EXPECT_EQ(e.what, trace_event::run);
  EXPECT_EQ(e.time, 5200u);
  EXPECT_EQ(e.team, 3u);
  EXPECT_EQ(e.object, 4u);
  EXPECT_EQ(e.peer, 0u);
  EXPECT_EQ(e.size, 12u);
  while (events.next(e)) {
  }
  EXPECT_EQ(events.open().size(), 1u);
}

TEST(trace_reader, a_file_that_is_cut_off_anywhere_is_refused) {
  std::string const whole = sample();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::string const text = refusal(whole.substr(0, length));
    EXPECT_EQ(text.find("F is no whole trace: byte "), 0u) << length << ": " << text;
  }
  EXPECT_NE(refusal(whole + "x").find("it does not end as one"), std::string::npos);
}

TEST(trace_reader, says_what_is_wrong_and_where) {
  EXPECT_EQ(refusal("#!/bin/sh"), "F is no whole trace: byte 0 of 9: it does not begin as one");
  EXPECT_NE(refusal("SHEAFTRC\x02").find("its format has version 2, this command reads 1"), std::string::npos);
  trace_log log(0, 0, 4096);
  log.moved(1, trace_event::sent, 5, 0, 1);
  log.finish(2);
  EXPECT_NE(refusal(file_of(origin("a", 3), {&log})).find("the number of a location is 5, and 2 at most"),
            std::string::npos);
  EXPECT_NE(refusal(file_of(origin("a", 0), {})).find("a job of no location"), std::string::npos);
}

TEST(trace_reader, damaged_files_are_refused_or_read_but_never_trusted) {
  char const* const given = std::getenv("SHEAF_SEED");
  std::uint64_t const seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20'030'614;
  std::mt19937_64 random(seed);
  SCOPED_TRACE("SHEAF_SEED=" + std::to_string(seed));
  std::string const whole = sample();
  int refused = 0;
  constexpr int files = 20'000;
  for (int i = 0; i < files; ++i) {
    std::string damaged = whole;
    for (auto left = 1 + random() % 4; left != 0; --left) {
      auto const at = random() % damaged.size();
      auto const how = random() % 4;
      if (how == 0) damaged[at] = static_cast<char>(random());
      if (how == 1) damaged[at] = static_cast<char>(damaged[at] ^ 1 << random() % 8);
      if (how == 2) damaged.insert(at, random() % 8, static_cast<char>(random()));
      if (how == 3) damaged.erase(at, random() % 4);
    }
    try {
      use(std::move(damaged));
    } catch (trace_error const&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, files / 2);
  EXPECT_LT(refused, files);
}

/// Two hosts; the second's clock is `ahead` of the first's and runs (1 + drift) times as fast.
traced_job two_hosts(std::int64_t ahead, double drift) {
  auto const far = [&](std::uint64_t t) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(t) + ahead +
                                      std::llround(static_cast<double>(t) * drift));
  };
  trace_log near(0, 1'000'000, 1 << 16), other(1, far(1'000'500), 1 << 16);
  for (std::uint64_t t = 2'000'000; t < 3'000'000; t += 1000) {
    near.moved(t, trace_event::sent, 1, 0, 8);
    other.moved(far(t + 300), trace_event::received, 0, 0, 8);
    other.moved(far(t + 400), trace_event::sent, 0, 0, 8);
    near.moved(t + 800, trace_event::received, 1, 0, 8);
  }
  near.finish(4'000'000);
  other.finish(far(4'000'000));
  std::vector<traced_process> all;
  all.push_back(parse_trace("A", file_of(origin("a", 2), {&near})));
  all.push_back(parse_trace("B", file_of(origin("b", 2), {&other})));
  return assemble(std::move(all));
}

TEST(trace_clocks, of_two_hosts_are_compared_by_what_they_sent) {
  for (std::int64_t const ahead : {0L, 123'456'789'000L, -900'000L}) {
    traced_job const job = two_hosts(ahead, 0);
    EXPECT_EQ(job.locations[0].shift, 0);
    EXPECT_NEAR(static_cast<double>(job.locations[1].shift), static_cast<double>(-ahead), 350);
    ASSERT_EQ(job.notes.size(), 1u);
    EXPECT_EQ(job.notes[0], "the clock of host host-b (location 1) is shifted, exact to 350 ns");
    EXPECT_EQ(job.since_start(job.locations[0], 1'000'000), 0u);
  }
}

TEST(trace_clocks, that_run_apart_are_told) {
  traced_job const job = two_hosts(0, 0.01);
  ASSERT_EQ(job.notes.size(), 1u);
  EXPECT_NE(job.notes[0].find("ran apart from that of location 0: entries seem to arrive up to "), std::string::npos);
}

TEST(trace_clocks, without_messages_both_begin_at_once) {
  trace_log a(0, 1000, 4096), b(1, 999'000, 4096);
  a.finish(2000);
  b.finish(1'000'000);
  std::vector<traced_process> all;
  all.push_back(parse_trace("A", file_of(origin("a", 2), {&a})));
  all.push_back(parse_trace("B", file_of(origin("b", 2), {&b})));
  traced_job const job = assemble(std::move(all));
  EXPECT_EQ(job.since_start(job.locations[1], 999'000), 0u);
  EXPECT_NE(job.notes.at(0).find("cannot be compared"), std::string::npos);
}

TEST(trace_folder, what_is_missing_double_or_of_another_job_is_told) {
  temporary_folder const folder;
  auto const put = [&](std::string const& name, std::uint32_t location, std::uint64_t job) {
    trace_log log(location, 10, 4096);
    log.finish(20);
    folder.write(name, file_of(origin("a", 4, job), {&log}));
    return folder / name;
  };
  EXPECT_NE(error_of<trace_error>([&] { read_traces(folder / ""); }).find("record one with SHEAF_TRACE="),
            std::string::npos);
  EXPECT_NE(error_of<trace_error>([&] { read_traces(folder / "none"); }).find("No such file"), std::string::npos);
  std::string const old = put("t/00003.sheaf-trace", 3, 6);
  std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  put("t/00000.sheaf-trace", 0, 7);
  put("t/00002.sheaf-trace", 2, 7);
  traced_job const job = read_traces(folder / "t");
  ASSERT_EQ(job.notes.size(), 2u);
  EXPECT_NE(job.notes[0].find("locations without a trace: 1, 3 (2 of 4)"), std::string::npos) << job.notes[0];
  EXPECT_EQ(job.notes[1], old + " is of another job and left out");
  put("t/00001.sheaf-trace", 2, 7);
  EXPECT_NE(error_of<trace_error>([&] { read_traces(folder / "t"); }).find("location 2 is recorded twice"),
            std::string::npos);
}

TEST(trace_matrix, of_many_locations_has_cells_for_several) {
  std::vector<std::unique_ptr<trace_log>> logs;
  std::vector<trace_log const*> all;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    logs.push_back(std::make_unique<trace_log>(i, 0, 4096));
    logs[i]->moved(1, trace_event::sent, (i + 1) % 1000, 0, 10);
    logs[i]->finish(2);
    all.push_back(logs[i].get());
  }
  std::vector<traced_process> one;
  one.push_back(parse_trace("F", file_of(origin("a", 1000), all)));
  traced_job const job = assemble(std::move(one));
  communication_matrix const m(job, counted::bytes);
  EXPECT_EQ(m.group(), 8u);
  EXPECT_EQ(m.rows(), 125u);
  EXPECT_EQ(m.total(), 10'000u);
  EXPECT_EQ(m.at(3, 3), 70u);
  EXPECT_EQ(m.at(3, 4), 10u);
  EXPECT_EQ(m.at(124, 0), 10u);
  EXPECT_EQ(m.label(3), "24 to 31");
  std::ostringstream svg;
  write_svg(m, "<t>", svg);
  EXPECT_NE(svg.str().find("24 to 31 -> 32 to 39: 10 bytes"), std::string::npos);
  EXPECT_NE(svg.str().find("each cell stands for up to 8 by 8"), std::string::npos);
  EXPECT_NE(svg.str().find("&lt;t>"), std::string::npos);
  EXPECT_LT(svg.str().size(), 200'000u);
}

TEST(trace_words, are_short) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(999), "999");
  EXPECT_EQ(short_number(1000), "1.00 k");
  EXPECT_EQ(short_number(1'234'567), "1.23 M");
  EXPECT_EQ(short_number(999'999), "1.00 M");
  EXPECT_EQ(short_time(12'345), "12.3 us");
  EXPECT_EQ(json_string("a\"\\\n\xc3\xa9\xff\xed\xa0\x80"),
            "\"a\\u0022\\u005c\\u000a\xc3\xa9\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

}  // namespace
