// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The way in: what a location does with the bytes of an entry, right ones and wrong ones.
#include <gtest/gtest.h>

#include <random>

#include "message/probe.hpp"
#include "sheaf/message/location.hpp"

namespace {

using sheaf::run_header;
using sheaf::run_tag;
using sheaf::traffic;
using sheaf_test::bytes;
using sheaf_test::entry_writer;
using sheaf_test::lone_location;
using sheaf_test::probe_answer;
using sheaf_test::probe_text;
using sheaf_test::probe_value;
using sheaf_test::tag_of;
using values = std::vector<std::uint64_t>;

template <class... T>
entry_writer one_run(run_tag tag, std::uint32_t count, T const&... records) {
  entry_writer w;
  w.run(tag, count, records...);
  return w;
}

std::uint64_t u(std::uint64_t v) { return v; }

/// The text of the wire_error that the entry ends in.
std::string refusal(bytes const& entry, traffic kind = traffic::request) {
  lone_location l;
  l.net.arrive(2, kind, entry);
  try {
    l.here.step();
  } catch (sheaf::wire_error const& e) {
    EXPECT_NE(std::string(e.what()).find("location 2"), std::string::npos) << e.what();
    return e.what();
  }
  return "it was accepted";
}

void expect_in(char const* part, std::string const& text) { EXPECT_NE(text.find(part), std::string::npos) << text; }

TEST(executing, runs_the_records_of_all_runs_in_order) {
  lone_location l;
  entry_writer w;
  w.run(tag_of<probe_value>(), 2, u(1), u(2)).run(tag_of<probe_text>(), 2, "\1a", char{0});
  // A string of one byte with the literal's own end behind it, then an empty one: lengths 1 and 0.
  bytes entry = one_run(tag_of<probe_value>(), 2, u(1), u(2)).data();
  entry_writer texts;
  texts.run(tag_of<probe_text>(), 2, char{1}, 'a', char{0});
  entry.insert(entry.end(), texts.data().begin(), texts.data().end());
  bytes const last = one_run(tag_of<probe_value>(), 1, u(3)).data();
  entry.insert(entry.end(), last.begin(), last.end());
  l.net.arrive(1, traffic::request, entry);
  EXPECT_TRUE(l.here.step());
  EXPECT_EQ(l.object.values, (values{1, 2, 3}));
  EXPECT_EQ(l.object.texts, (std::vector<std::string>{"a", ""}));
  EXPECT_FALSE(l.net.held(1, traffic::request)) << "consumed";
  EXPECT_EQ(l.here.registered().world().executed, 5u);
  EXPECT_FALSE(l.here.in().in_handler());
}

TEST(executing, counts_for_the_team_and_the_world) {
  lone_location l;
  auto& team = l.here.registered().add_team({2, 0}, std::vector{sheaf::location_id{0}});
  l.here.registered().add_object(team, &l.object, sheaf::detail::token_of<sheaf_test::probe>());
  l.net.arrive(1, traffic::request, one_run(tag_of<probe_value>(1, 2), 2, u(1), u(2)).data());
  l.net.arrive(1, traffic::request, one_run(tag_of<probe_value>(1, 0), 1, u(3)).data());
  l.work();
  EXPECT_EQ(team.executed, 2u);
  EXPECT_EQ(l.here.registered().world().executed, 3u);
}

TEST(executing, takes_answers_before_requests) {
  lone_location l;
  l.arrive(1, 1);
  l.net.arrive(1, traffic::answer, one_run(tag_of<probe_answer>(0), 2, u(8), u(9)).data());
  EXPECT_TRUE(l.here.step());
  EXPECT_EQ(probe_answer::arrived, (values{8, 9}));
  EXPECT_TRUE(l.object.values.empty());
  EXPECT_EQ(l.here.registered().world().executed, 0u);
}

TEST(executing, an_exception_leaves_the_rest_of_the_run_to_go_on) {
  lone_location l;
  l.object.on_value = [](std::uint64_t v) {
    if (v % 2 == 0) throw std::runtime_error("even " + std::to_string(v));
  };
  l.arrive(3, 1, 2, 3, 4, 5);
  l.work();
  EXPECT_EQ(l.object.values, (values{1, 2, 3, 4, 5}));
  EXPECT_EQ(l.here.registered().world().executed, 5u);
  EXPECT_EQ(l.here.registered().world().errors.count, 2u);
  expect_in("called by location 3: even 2", l.here.registered().world().errors.texts[0]);
}

TEST(executing, the_end_of_the_job_goes_through_handlers) {
  lone_location l;
  l.object.on_value = [](std::uint64_t) { throw sheaf::job_aborted("over"); };
  l.arrive(3, 1);
  EXPECT_THROW(l.here.step(), sheaf::job_aborted);
  EXPECT_FALSE(l.here.in().in_handler());
}

TEST(executing, marks_the_late) {
  lone_location l;
  auto& world = l.here.registered().world();
  run_tag const published = l.here.registered().publish(&l.object, sheaf::detail::token_of<sheaf_test::probe>());
  auto const is_late = [&](run_tag object, int ours, int theirs) {
    world.late = false;
    world.colour = static_cast<std::uint8_t>(ours);
    run_header h;
    h.tag = tag_of<probe_value>(object.object(), object.team());
    h.count = 1;
    h.bytes = 8;
    h.team_colour = h.world_colour = static_cast<std::uint8_t>(theirs);
    l.net.arrive(1, traffic::request, entry_writer().add(h, u(1)).data());
    l.work();
    return world.late;
  };
  for (auto const& [ours, theirs, late] : {std::tuple(0, 0, false), std::tuple(0, 1, true), std::tuple(5, 4, false),
                                           std::tuple(255, 0, true), std::tuple(0, 255, false)}) {
    EXPECT_EQ(is_late(tag_of<probe_value>(), ours, theirs), late) << ours << " " << theirs;
    EXPECT_EQ(is_late(published, ours, theirs), late) << ours << " " << theirs << ", a published object";
  }
}

TEST(executing, marks_what_is_late_for_a_team_alone) {
  lone_location l;
  auto& team = l.here.registered().add_team({7, 0}, std::vector{sheaf::location_id{0}, sheaf::location_id{1}});
  l.here.registered().add_object(team, &l.object, sheaf::detail::token_of<sheaf_test::probe>());
  for (std::uint8_t const theirs : {std::uint8_t{0}, std::uint8_t{1}}) {
    run_header h;
    h.tag = tag_of<probe_value>(1, 7);
    h.count = 1;
    h.bytes = 8;
    h.team_colour = theirs;
    l.net.arrive(1, traffic::request, entry_writer().add(h, u(1)).data());
    l.work();
    EXPECT_EQ(team.late, theirs == 1);
    EXPECT_FALSE(l.here.registered().world().late);
  }
}

// ---- Requests before registration ----------------------------------------------------------------------------------

TEST(executing, holds_requests_for_an_object_that_is_not_registered_yet_in_order) {
  lone_location l(sheaf_test::fake_settings(), false);
  l.arrive(1, 1, 2);
  l.arrive(1, 3);
  l.arrive(2, 10);
  l.work();
  EXPECT_TRUE(l.object.values.empty());
  EXPECT_EQ(l.here.registered().world().executed, 0u);
  EXPECT_TRUE(l.net.held(1, traffic::request)) << "nothing of the pair is executed";
  l.add_probe();
  l.work();
  EXPECT_EQ(l.object.values, (values{1, 2, 10, 3}));
  EXPECT_EQ(l.here.registered().world().executed, 4u);
  EXPECT_FALSE(l.net.held(1, traffic::request));
}

TEST(executing, holds_the_rest_of_an_entry_whose_first_run_it_executed) {
  lone_location l;
  entry_writer w;
  w.run(tag_of<probe_value>(1), 1, u(1)).run(tag_of<probe_value>(2), 1, u(2)).run(tag_of<probe_value>(3), 1, u(3));
  l.net.arrive(1, traffic::request, w.data());
  l.work();
  EXPECT_EQ(l.object.values, (values{1}));
  l.add_probe();
  l.work();
  EXPECT_EQ(l.object.values, (values{1, 2}));
  EXPECT_TRUE(l.net.held(1, traffic::request));
  l.add_probe();
  l.work();
  EXPECT_EQ(l.object.values, (values{1, 2, 3}));
  EXPECT_FALSE(l.net.held(1, traffic::request));
}

TEST(executing, holds_requests_for_a_team_that_is_not_made_yet) {
  lone_location l;
  l.net.arrive(1, traffic::request, one_run(tag_of<probe_value>(1, 9), 1, u(1)).data());
  l.work();
  auto& team = l.here.registered().add_team({9, 0}, std::vector{sheaf::location_id{0}});
  l.work();
  EXPECT_TRUE(l.object.values.empty()) << "the team has no object yet";
  l.here.registered().add_object(team, &l.object, sheaf::detail::token_of<sheaf_test::probe>());
  l.work();
  EXPECT_EQ(l.object.values, (values{1}));
}

TEST(executing, a_held_request_that_waits_lets_the_other_held_ones_go_on) {
  lone_location l(sheaf_test::fake_settings(), false);
  l.arrive(1, 1);
  l.arrive(2, 2);
  l.work();
  l.object.on_value = [&](std::uint64_t v) {
    if (v == 1) l.here.wait(sheaf::detail::wait_kind::answer, [&] { return l.object.values.size() == 2; });
  };
  l.add_probe();
  l.work();
  EXPECT_EQ(l.object.values, (values{1, 2}));
}

TEST(executing, a_request_after_the_objects_end_is_the_callers_error) {
  lone_location l;
  l.here.registered().remove_object(l.here.registered().world(), 1);
  l.arrive(3, 1);
  try {
    l.here.step();
    FAIL() << "accepted";
  } catch (sheaf::usage_error const& e) {
    expect_in("object 1 of team 0", e.what());
    expect_in("location 3", e.what());
    expect_in("fence before", e.what());
  }
}

// ---- Bytes that cannot be right ------------------------------------------------------------------------------------

TEST(executing, refuses_a_short_header) {
  bytes const whole = one_run(tag_of<probe_value>(), 1, u(1)).data();
  for (std::size_t size = 1; size < run_header::wire_bytes; ++size) {
    expect_in((std::to_string(size) + " bytes where a run header needs 20").c_str(),
              refusal(bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

bytes lone_record(run_tag tag, std::size_t size) {
  bytes entry(run_header::lone_bytes + size);
  run_header h;
  h.tag = tag;
  h.encode_lone(entry.data());
  return entry;
}

TEST(executing, runs_a_lone_record_to_the_end_of_its_entry) {
  lone_location l;
  l.net.arrive(1, traffic::request, lone_record(tag_of<probe_value>(), 8));
  bytes behind = one_run(tag_of<probe_value>(), 1, u(5)).data();
  bytes const lone = lone_record(tag_of<probe_value>(), 8);
  behind.insert(behind.end(), lone.begin(), lone.end());
  l.net.arrive(2, traffic::request, behind);
  l.work();
  EXPECT_EQ(l.object.values, (values{0, 5, 0}));
  EXPECT_EQ(l.here.registered().world().executed, 3u);
}

TEST(executing, refuses_a_lone_record_of_another_size) {
  for (std::size_t const size : {0u, 7u, 9u, 16u}) {
    expect_in("does not fit its handler", refusal(lone_record(tag_of<probe_value>(), size)));
  }
  bytes const whole = lone_record(tag_of<probe_value>(), 8);
  for (std::ptrdiff_t size = 3; size < static_cast<std::ptrdiff_t>(run_header::lone_bytes); ++size) {
    expect_in("bytes where a run header needs", refusal(bytes(whole.begin(), whole.begin() + size)));
  }
}

// What the last lone record was bound to is known; the next one with the same header must not get a wrong one by that.

TEST(executing, refuses_a_lone_record_of_another_size_than_the_last) {
  for (std::size_t const size : {0u, 7u, 9u, 16u}) {
    lone_location l;
    l.net.arrive(2, traffic::request, lone_record(tag_of<probe_value>(), 8));
    EXPECT_TRUE(l.here.step());
    l.net.arrive(2, traffic::request, lone_record(tag_of<probe_value>(), size));
    EXPECT_THROW(l.here.step(), sheaf::wire_error) << size;
  }
}

TEST(executing, refuses_a_lone_record_whose_object_has_gone_since_the_last) {
  lone_location l;
  l.net.arrive(2, traffic::request, lone_record(tag_of<probe_value>(), 8));
  EXPECT_TRUE(l.here.step());
  l.here.registered().remove_object(l.here.registered().world(), tag_of<probe_value>().object());
  l.net.arrive(2, traffic::request, lone_record(tag_of<probe_value>(), 8));
  EXPECT_THROW(l.here.step(), sheaf::stray_request);
}

TEST(executing, a_lone_record_goes_to_what_has_taken_the_place_of_its_object_since_the_last) {
  lone_location l;
  sheaf_test::probe grave;
  l.net.arrive(2, traffic::request, lone_record(tag_of<probe_value>(), 8));
  EXPECT_TRUE(l.here.step());
  l.here.registered().world().fade_object(tag_of<probe_value>().object(), &grave);
  l.net.arrive(2, traffic::request, lone_record(tag_of<probe_value>(), 8));
  EXPECT_TRUE(l.here.step());
  EXPECT_EQ(l.object.values.size(), 1u);
  EXPECT_EQ(grave.values.size(), 1u);
}

TEST(executing, a_lone_record_of_another_team_than_the_last_is_counted_there) {
  lone_location l;
  sheaf_test::probe second;
  auto& team = l.here.registered().add_team({2, 0}, std::vector{sheaf::location_id{0}});
  std::uint32_t const number =
      l.here.registered().add_object(team, &second, sheaf::detail::token_of<sheaf_test::probe>());
  for (int i = 0; i < 3; ++i) {
    l.net.arrive(1, traffic::request, lone_record(tag_of<probe_value>(), 8));
    l.net.arrive(2, traffic::request, lone_record(tag_of<probe_value>(number, 2), 8));
    l.net.arrive(3, traffic::request, lone_record(tag_of<probe_value>(number, 2), 8));
  }
  l.work();
  EXPECT_EQ(l.object.values.size(), 3u);
  EXPECT_EQ(second.values.size(), 6u);
  EXPECT_EQ(team.executed, 6u);
  EXPECT_EQ(l.here.registered().world().executed, 9u);
}

TEST(executing, a_lone_record_waits_where_the_team_of_the_last_is_forgotten) {
  lone_location l;
  sheaf_test::probe second;
  auto& team = l.here.registered().add_team({2, 0}, std::vector{sheaf::location_id{0}});
  auto const tag = tag_of<probe_value>(
      l.here.registered().add_object(team, &second, sheaf::detail::token_of<sheaf_test::probe>()), 2);
  l.net.arrive(1, traffic::request, lone_record(tag, 8));
  l.work();
  l.here.registered().forget_team(team);
  l.net.arrive(1, traffic::request, lone_record(tag, 8));
  l.work();
  EXPECT_EQ(second.values.size(), 1u);
}

TEST(executing, marks_each_late_lone_record) {
  lone_location l;
  auto& world = l.here.registered().world();
  run_header h;
  h.tag = tag_of<probe_value>();
  h.team_colour = h.world_colour = 1;
  bytes entry(run_header::lone_bytes + 8);
  h.encode_lone(entry.data());
  for (int i = 0; i < 3; ++i) {
    world.late = false;
    l.net.arrive(1, traffic::request, entry);
    l.work();
    EXPECT_TRUE(world.late) << i;
  }
  EXPECT_EQ(l.object.values.size(), 3u);
}

TEST(executing, refuses_a_run_beyond_its_entry) {
  bytes const whole = one_run(tag_of<probe_value>(), 2, u(1), u(2)).data();
  for (std::size_t size = run_header::wire_bytes; size < whole.size(); ++size) {
    expect_in("a run of 16 bytes where",
              refusal(bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

TEST(executing, refuses_a_rest_too_short_for_another_run) {
  auto w = one_run(tag_of<probe_value>(), 1, u(1));
  expect_in("3 bytes where a run header", refusal(w.raw("abc", 3).data()));
}

TEST(executing, refuses_a_count_that_does_not_fit_the_bytes) {
  for (std::uint32_t const count : {0u, 1u, 3u, 0x20000002u, ~0u}) {
    expect_in("does not fit its handler", refusal(one_run(tag_of<probe_value>(), count, u(1), u(2)).data()));
  }
  expect_in("does not fit its handler", refusal(one_run(tag_of<probe_value>(), 1, char{1}).data()));
}

TEST(executing, refuses_an_empty_run) {
  expect_in("does not fit", refusal(one_run(tag_of<probe_value>(), 0).data()));
  expect_in("came in no bytes", refusal(one_run(tag_of<probe_text>(), 1).data()));
  expect_in("does not fit", refusal(one_run(tag_of<probe_text>(), 0, char{0}).data()));
}

TEST(executing, refuses_a_count_of_varying_records_that_is_not_theirs) {
  EXPECT_EQ(refusal(one_run(tag_of<probe_text>(), 2, char{0}, char{0}).data()), "it was accepted");
  for (std::uint32_t const count : {1u, 3u, ~0u}) {
    expect_in("records", refusal(one_run(tag_of<probe_text>(), count, char{0}, char{0}).data()));
  }
}

TEST(executing, refuses_a_handler_that_does_not_exist) {
  for (std::uint32_t const handler : {0u, (1u << run_tag::handler_bits) - 1}) {
    expect_in(("has the number " + std::to_string(handler)).c_str(),
              refusal(one_run(run_tag(handler, 1, 0), 1, u(1)).data()));
  }
}

TEST(executing, refuses_a_handler_in_the_wrong_class_of_traffic) {
  expect_in("takes requests, and a record for it came in class 1",
            refusal(one_run(tag_of<probe_value>(), 1, u(1)).data(), traffic::answer));
  expect_in("takes answers, and a record for it came in class 0",
            refusal(one_run(tag_of<probe_answer>(0), 1, u(1)).data(), traffic::request));
}

TEST(executing, refuses_an_object_of_another_type) {
  lone_location l;
  int other = 0;
  l.here.registered().add_object(l.here.registered().world(), &other, sheaf::detail::token_of<int>());
  l.net.arrive(1, traffic::request, one_run(tag_of<probe_value>(2), 1, u(1)).data());
  try {
    l.here.step();
    FAIL() << "accepted";
  } catch (sheaf::wire_error const& e) {
    expect_in("object 2 of team 0 has another type", e.what());
  }
}

TEST(executing, holds_what_names_no_object_of_this_life) {
  // Object numbers and teams of the future cannot be told from wrong ones.
  lone_location l;
  l.net.arrive(1, traffic::request, one_run(tag_of<probe_value>(0), 1, u(1)).data());
  l.net.arrive(2, traffic::request, one_run(tag_of<probe_value>(1, run_tag::teams - 1), 1, u(1)).data());
  l.work();
  EXPECT_TRUE(l.object.values.empty());
}

TEST(executing, knows_published_objects_by_place_and_generation) {
  lone_location l(sheaf_test::fake_settings(), true, 8);
  auto const published = [&] {
    return l.here.registered().publish(&l.object, sheaf::detail::token_of<sheaf_test::probe>());
  };
  auto arrive = [&, source = 0U](run_tag tag) mutable {  // each from another one: an error ends its pair
    l.net.arrive(++source, traffic::request, one_run(tag_of<probe_value>(tag.object(), tag.team()), 1, u(1)).data());
    l.work();
  };
  run_tag const first = published();
  arrive(first);
  EXPECT_EQ(l.object.values, values{1});
  EXPECT_EQ(l.here.registered().world().executed, 1u);
  EXPECT_THROW(arrive(run_tag::of_published(first.object(), 1)), sheaf::usage_error) << "never published";
  EXPECT_THROW(arrive(run_tag::of_published(first.object() + 1, 0)), sheaf::usage_error) << "never published";
  l.here.registered().withdraw(first);
  EXPECT_EQ(published(), run_tag::of_published(first.object(), 1));
  EXPECT_THROW(arrive(first), sheaf::usage_error) << "withdrawn, though its place is used again";
  run_tag const other = l.here.registered().publish(&l, sheaf::detail::token_of<lone_location>());
  EXPECT_THROW(arrive(other), sheaf::wire_error) << "another type";
}

TEST(executing, uses_no_place_again_whose_generations_are_used_up) {
  lone_location l;
  run_tag last;
  for (std::uint32_t i = 0; i < 1U << run_tag::generation_bits; ++i) {
    last = l.here.registered().publish(&l.object, sheaf::detail::token_of<sheaf_test::probe>());
    ASSERT_EQ(last, run_tag::of_published(0, i));
    l.here.registered().withdraw(last);
  }
  EXPECT_EQ(l.here.registered().publish(&l.object, sheaf::detail::token_of<sheaf_test::probe>()),
            run_tag::of_published(1, 0));
}

TEST(executing, survives_any_bytes) {
  std::mt19937_64 random(11);
  bytes seed = one_run(tag_of<probe_value>(), 2, u(1), u(2)).run(tag_of<probe_text>(), 2, char{1}, 'a', char{0}).data();
  bytes const last = lone_record(tag_of<probe_value>(), 8);
  seed.insert(seed.end(), last.begin(), last.end());
  std::uint64_t refused = 0, executed = 0;
  for (int i = 0; i < 20'000; ++i) {
    bytes entry = seed;
    for (auto n = random() % 4; n != 0; --n) entry[random() % entry.size()] = static_cast<std::byte>(random());
    entry.resize(1 + random() % entry.size());
    lone_location l;
    l.net.arrive(1, random() % 8 == 0 ? traffic::answer : traffic::request, entry);
    try {
      l.work();
      ++executed;
    } catch (sheaf::wire_error const&) {
      ++refused;
    } catch (sheaf::callback_error const&) {
      ++refused;  // the probe's own
    }
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(executed, 100u);
}

/// Handlers that layers get wrong.
template <int Mistake>
struct mistaken {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<sheaf_test::probe>();
  static constexpr traffic kind = traffic::request;
  static constexpr std::uint32_t record_bytes = 8;
  static void run(sheaf::detail::location& here, void*, sheaf::detail::execution& state) {
    if (Mistake == 0) throw std::runtime_error("unguarded");
    if (Mistake == 1) run_guarded(here, state, [] { throw std::runtime_error("acts first"); });
    if (Mistake == 2) state.at += 8;
  }
};

template <int Mistake>
std::string ending_of_mistake() {
  lone_location l;
  l.net.arrive(2, traffic::request, one_run(tag_of<mistaken<Mistake>>(), 2, u(1), u(2)).data());
  try {
    l.here.step();
  } catch (sheaf::callback_error const& e) {
    return e.what();
  }
  return "the job went on";
}

TEST(executing, a_handler_that_throws_ends_the_job) {
  expect_in("threw, but must not throw: unguarded", ending_of_mistake<0>());
}

TEST(executing, a_handler_that_throws_before_it_moves_on_does_not_run_for_ever) {
  expect_in("had not moved on", ending_of_mistake<1>());
}

TEST(executing, a_handler_that_leaves_records_loses_none_in_silence) {
  expect_in("left 8 bytes of it", ending_of_mistake<2>());
}

}  // namespace
