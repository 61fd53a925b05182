// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Requests to migrating objects on the wire, right and wrong.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <random>

#include "rmi/wire_bytes.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/rmi/migrating.hpp"

namespace {

using sheaf::object_id;
using sheaf::traffic;
using sheaf_test::bytes;
using sheaf_test::expect_part;
using sheaf_test::runs_of;

struct word {
  std::string text;
  void add(char c) { text += c; }
};

/// A member of a team of four, alone.
struct member {
  explicit member(std::uint32_t self) : net(4, self), here(net, how), words(team_of(here, here.registered().world())) {
    made.reset();
  }
  static sheaf::options settings() {
    sheaf::options o;
    o.transport = sheaf::transport_kind::thread;
    o.locations = 4;
    return o.resolved();
  }
  /// What it sends, one entry.
  template <class F>
  bytes sent(F calls) {
    sheaf::detail::restoring<sheaf::detail::location*> const ambient{sheaf::detail::ambient_location, &here};
    net.sent.clear();
    calls(words);
    here.out().flush();
    return net.sent.at(0).data;
  }
  object_id create(word w) {
    sheaf::detail::restoring<sheaf::detail::location*> const ambient{sheaf::detail::ambient_location, &here};
    return words.create(std::move(w));
  }
  word* find(object_id id) {
    sheaf::detail::restoring<sheaf::detail::location*> const ambient{sheaf::detail::ambient_location, &here};
    return words.find(id);
  }
  [[nodiscard]] std::size_t entries() {
    sheaf::detail::restoring<sheaf::detail::location*> const ambient{sheaf::detail::ambient_location, &here};
    return words.entries();
  }
  void take(std::uint32_t source, bytes const& entry) {
    sheaf::detail::restoring<sheaf::detail::location*> const ambient{sheaf::detail::ambient_location, &here};
    net.arrive(source, traffic::request, entry);
    while (here.step()) {
    }
  }

  sheaf::options const how = settings();
  sheaf_test::fake_endpoint net;
  sheaf::detail::location here;
  std::optional<sheaf::detail::restoring<sheaf::detail::location*>> made{std::in_place, sheaf::detail::ambient_location,
                                                                         &here};
  sheaf::migrating<word> words;
};

object_id const first_of_zero(0, 1);

// Where the parts of the first record are: of its third word, the least 19 bits are the handler. Behind it is what the
// head speaks of; of a notice its kind.
constexpr std::size_t id_at = 20, origin_at = 28, sequence_at = 32, word_at = 36, kind_at = 44;

bytes sent_add(member& from, char c) {
  return from.sent([&](auto& words) { words.template async<&word::add>(first_of_zero, c); });
}

TEST(migrating_wire, a_number_that_starts_is_no_reason_to_wait_and_one_from_before_it_came_twice) {
  member zero(0), one(1);
  object_id const id = zero.create({});
  bytes a = sent_add(one, 'a'), b = sent_add(one, 'b');
  std::uint32_t const later = sheaf::detail::request_number::starts | 7;
  std::memcpy(a.data() + sequence_at, &later, sizeof later);
  zero.take(1, a);
  EXPECT_EQ(zero.find(id)->text, "a");
  EXPECT_THROW(zero.take(1, b), sheaf::wire_error) << "its number is 1";
}

TEST(migrating_wire, numbers_count_round) {
  using namespace sheaf::detail::request_number;
  EXPECT_EQ(after(mask), 0u);
  EXPECT_EQ(after(0), 1u);
  EXPECT_TRUE(is_before(mask, 0));
  EXPECT_TRUE(is_before(3, 4));
  EXPECT_FALSE(is_before(4, 4));
  EXPECT_FALSE(is_before(0, mask));
}

template <class V>
std::string refusal(std::size_t at, V value) {
  member zero(0), one(1);
  zero.create({});
  bytes entry = sent_add(one, 'x');
  std::memcpy(entry.data() + at, &value, sizeof value);
  try {
    zero.take(1, entry);
  } catch (sheaf::error const& e) {
    return e.what();
  }
  return "it was accepted";
}

TEST(migrating_wire, a_request_that_comes_before_its_turn_is_held_and_no_request_for_wait_for_request_until_then) {
  member zero(0), one(1);
  object_id const id = zero.create({});
  EXPECT_EQ(id, first_of_zero);
  bytes const a = sent_add(one, 'a'), b = sent_add(one, 'b'), c = sent_add(one, 'c');
  zero.take(1, c);
  zero.take(1, b);
  EXPECT_EQ(zero.find(id)->text, "");
  EXPECT_EQ(zero.here.in().unclaimed_requests(), 0u);
  zero.take(1, a);
  EXPECT_EQ(zero.find(id)->text, "abc");
  EXPECT_EQ(zero.here.in().unclaimed_requests(), 3u);
  EXPECT_THROW(zero.take(1, b), sheaf::wire_error) << "twice";
}

TEST(migrating_wire, who_has_had_the_object_forwards_and_what_was_held_goes_behind_it) {
  member zero(0), one(1), two(2);
  object_id const id = zero.create({"0"});
  sent_add(one, 'a');
  bytes const b = sent_add(one, 'b');
  zero.take(1, b);  // before 'a': held
  bytes const move = two.sent([&](auto& words) { words.move(id, 3); });
  zero.take(2, move);
  EXPECT_EQ(zero.find(id), nullptr);
  zero.here.out().flush();
  auto const runs = runs_of(zero.net.sent.at(0).data);
  EXPECT_EQ(zero.net.sent.at(0).dest, 3u);
  ASSERT_EQ(runs.size(), 1u) << "the object, and what was held, in one run";
  std::size_t const length = b.size() - id_at;
  ASSERT_GT(runs[0].records.size(), length);
  EXPECT_TRUE(std::equal(runs[0].records.end() - static_cast<std::ptrdiff_t>(length), runs[0].records.end(),
                         b.begin() + id_at, b.end()))
      << "untouched";
  member three(3);
  three.take(0, zero.net.sent.at(0).data);
  ASSERT_NE(three.find(id), nullptr);
  EXPECT_EQ(three.find(id)->text, "0") << "'b' still waits for 'a'";
}

TEST(migrating_wire, what_comes_twice_is_refused_also_while_it_waits_and_an_object_too) {
  member zero(0), one(1), two(2);
  zero.create({"0"});
  sent_add(one, 'a');
  bytes const b = sent_add(one, 'b');
  zero.take(1, b);
  EXPECT_THROW(zero.take(1, b), sheaf::wire_error) << "held already";
  bytes const object = zero.sent([&](auto& words) { words.move(first_of_zero, 2); });
  zero.take(0, object);
  zero.here.out().flush();
  bytes const arrival = zero.net.sent.at(1).data;
  two.take(0, arrival);
  ASSERT_NE(two.find(first_of_zero), nullptr);
  try {
    two.take(0, arrival);
    ADD_FAILURE() << "it was accepted";
  } catch (sheaf::wire_error const& e) {
    expect_part("object 1 of member 0 arrived as of 1 moves, but is known as of 1", e.what());
  }
  EXPECT_EQ(two.find(first_of_zero)->text, "0");
}

TEST(migrating_wire, a_move_to_no_member_is_refused) {
  for (std::uint32_t const to : {4U, ~0U - 1, ~0U}) {
    member zero(0), two(2);
    zero.create({"0"});
    bytes const move = two.sent([&](auto& words) { words.move(first_of_zero, 3); });
    try {
      zero.take(2, sheaf_test::with(move, kind_at, to));
      ADD_FAILURE() << to << " was accepted";
    } catch (sheaf::wire_error const& e) {
      expect_part(("object 1 of member 0 is to move to member " + std::to_string(to)).c_str(), e.what());
    }
  }
}

TEST(migrating_wire, wrong_bytes_are_refused) {
  expect_part("it was accepted", refusal(sequence_at, std::uint32_t{0}));
  expect_part("it was accepted", refusal(sequence_at, std::uint32_t{7}));
  expect_part("it names a member beyond the team's", refusal(id_at, object_id(4, 1)));
  expect_part("it names a member beyond the team's", refusal(origin_at, std::uint32_t{4}));
  expect_part("never created there", refusal(id_at, object_id(0, 2)));
  bytes const good = [] {
    member one(1);
    return sent_add(one, 'x');
  }();
  std::uint64_t word = 0;
  std::memcpy(&word, good.data() + word_at, sizeof word);
  constexpr std::uint64_t handlers = (1U << sheaf::run_tag::handler_bits) - 1;
  std::uint64_t const one_byte = handlers + 1, handler = word & handlers;
  expect_part("a request is cut off", refusal(word_at, handler | 2 * one_byte));
  expect_part("for word::add from member 1 for object 1 of member 0 do not decode", refusal(word_at, handler));
  expect_part("it names no request to such an object", refusal(word_at, word | handlers));
  std::uint64_t const runs = sheaf::detail::handler_number<sheaf::detail::routed_run<sheaf::migrating<::word>>>;
  expect_part("it names no request to such an object", refusal(word_at, one_byte | runs));
}

/// Member 0 creates an object, which moves to member 1.
bytes sent_object(member& zero) {
  zero.create({});
  zero.take(0, zero.sent([&](auto& words) { words.move(first_of_zero, 1); }));
  zero.here.out().flush();
  return zero.net.sent.at(1).data;
}

/// What a member tells the home of an object that came to it from a third one. (A member that has it from its home
/// tells nothing.)
bytes sent_notice() {
  member zero(0), one(1), two(2), three(3);
  one.take(0, sent_object(zero));
  one.take(3, three.sent([&](auto& words) { words.move(first_of_zero, 2); }));
  one.here.out().flush();
  two.take(1, one.net.sent.at(0).data);
  two.here.out().flush();
  return two.net.sent.at(0).data;
}

/// A notice of that form with other contents.
bytes notice_of(sheaf::detail::notice const& n) {
  static bytes const good = sent_notice();
  bytes const head = sheaf_test::with(sheaf_test::with(good, id_at, n.id), origin_at, std::pair(n.rank, n.number));
  return sheaf_test::with(head, kind_at, std::pair(n.kind, n.from));
}

/// Where member one sends a request to the object that it gets from member three.
std::uint32_t way_of(member& one, member& three) {
  one.here.out().flush();
  one.net.sent.clear();
  one.take(3, sent_add(three, 'x'));
  one.here.out().flush();
  return one.net.sent.at(0).dest;
}

TEST(migrating_wire, who_has_had_the_object_forwards_until_its_home_knows_and_then_sends_home) {
  using sheaf::detail::notice_kind;
  member zero(0), one(1), two(2), three(3);
  bytes const arrival = sent_object(zero);
  EXPECT_EQ(way_of(one, three), 0u) << "it knows no better";
  one.net.sent.clear();
  one.take(0, arrival);
  ASSERT_NE(one.find(first_of_zero), nullptr);
  one.here.out().flush();
  EXPECT_TRUE(one.net.sent.empty()) << "its home knows where it sent the object";
  one.take(2, two.sent([&](auto& words) { words.move(first_of_zero, 2); }));
  EXPECT_EQ(one.entries(), 1u);
  EXPECT_EQ(way_of(one, three), 2u);
  one.take(0, notice_of({first_of_zero, notice_kind::home_knows, 1, 1, 1}));
  EXPECT_EQ(way_of(one, three), 2u) << "that was of an earlier place";
  one.take(0, notice_of({first_of_zero, notice_kind::home_knows, 2, 2, 2}));
  EXPECT_EQ(one.entries(), 0u);
  EXPECT_EQ(way_of(one, three), 0u);
}

TEST(migrating_wire, who_sends_the_object_home_need_not_remember_it) {
  member zero(0), one(1), two(2), three(3);
  one.take(0, sent_object(zero));
  one.take(2, two.sent([&](auto& words) { words.move(first_of_zero, 0); }));
  EXPECT_EQ(one.entries(), 0u);
  EXPECT_EQ(way_of(one, three), 0u) << "behind the object";
}

/// One run with the records of both, each of which is one run.
bytes together(bytes const& a, bytes const& b) {
  sheaf_test::read_run const first = runs_of(a).at(0), second = runs_of(b).at(0);
  sheaf::run_header header = first.header;
  header.count += second.header.count;
  header.bytes += second.header.bytes;
  sheaf_test::entry_writer both;
  both.add(header).raw(first.records.data(), first.records.size());
  return both.raw(second.records.data(), second.records.size()).data();
}

TEST(migrating_wire, a_request_behind_the_notice_that_ends_an_entry_looks_for_it_anew) {
  using sheaf::detail::notice_kind;
  member zero(0), one(1), two(2), three(3);
  one.take(0, sent_object(zero));
  one.take(2, two.sent([&](auto& words) { words.move(first_of_zero, 2); }));
  one.here.out().flush();
  one.net.sent.clear();
  EXPECT_EQ(one.entries(), 1u);
  one.take(0, together(notice_of({first_of_zero, notice_kind::home_knows, 2, 2, 2}), sent_add(three, 'x')));
  EXPECT_EQ(one.entries(), 0u);
  one.here.out().flush();
  ASSERT_EQ(one.net.sent.size(), 1u);
  EXPECT_EQ(one.net.sent.at(0).dest, 0u) << "home, not to where it went";
}

TEST(migrating_wire, what_is_before_a_damaged_record_is_executed) {
  member one(1);
  bytes const a = sent_add(one, 'a'), b = sent_add(one, 'b');
  auto const refusal_of = [](bytes const& entry) -> std::string {
    member zero(0);
    zero.create({});
    try {
      zero.take(1, entry);
    } catch (sheaf::wire_error const& e) {
      EXPECT_EQ(zero.find(first_of_zero)->text, "a");
      return e.what();
    }
    EXPECT_EQ(zero.find(first_of_zero)->text, "ab");
    return "it was accepted";
  };
  expect_part("it was accepted", refusal_of(together(a, b)));
  expect_part("beyond the team's", refusal_of(together(a, sheaf_test::with(b, id_at, object_id(4, 1)))));
  expect_part("a request is cut off", refusal_of(together(a, sheaf_test::with(b, word_at + 3, std::uint8_t{255}))));
  std::size_t const record = a.size() - id_at;
  for (std::size_t left = 1; left < sheaf::detail::routed_head::wire_bytes; ++left) {
    sheaf_test::read_run const run = runs_of(together(a, b)).at(0);
    sheaf::run_header header = run.header;
    header.bytes = static_cast<std::uint32_t>(record + left);
    sheaf_test::entry_writer cut;
    expect_part("the head of a request is cut off",
                refusal_of(cut.add(header).raw(run.records.data(), header.bytes).data()));
  }
}

TEST(migrating_wire, wrong_notices_are_refused) {
  using sheaf::detail::notice, sheaf::detail::notice_kind;
  auto const answer = [&](notice const& n) {
    member zero(0);
    zero.create({});
    try {
      zero.take(2, notice_of(n));
    } catch (sheaf::wire_error const& e) {
      return std::string(e.what());
    }
    return std::string("it was accepted");
  };
  for (notice_kind const kind :
       {notice_kind::is_at, notice_kind::home_knows, notice_kind::asks, notice_kind::executed, notice_kind::forgets}) {
    expect_part("it was accepted", answer({first_of_zero, kind, 1, 5, 1}));
    expect_part("it was accepted", answer({object_id(2, 9), kind, 1, 5, 1}));
    expect_part("a member beyond the team's", answer({first_of_zero, kind, 4, 5, 1}));
    expect_part("members are 0 to 3", answer({first_of_zero, kind, 1, 5, 4}));
    expect_part("a member beyond the team's", answer({object_id(4, 1), kind, 1, 5, 1}));
  }
  expect_part("said to be at member 0", answer({object_id(2, 9), notice_kind::is_at, 0, 5, 1}));
  expect_part("is said to have ended, but is here", answer({first_of_zero, notice_kind::ended, 0, 0, 0}));
  expect_part("in notice 9", answer({first_of_zero, notice_kind{9}, 1, 5, 1}));
}

TEST(migrating_wire, a_run_of_a_handler_that_comes_in_records_only_is_refused) {
  member zero(0), one(1);
  zero.create({});
  bytes entry = sent_add(one, 'x');
  std::uint64_t tag = 0, word = 0;
  constexpr std::uint64_t handlers = (1U << sheaf::run_tag::handler_bits) - 1;
  std::memcpy(&tag, entry.data(), sizeof tag);
  std::memcpy(&word, entry.data() + word_at, sizeof word);
  tag = (tag & ~handlers) | (word & handlers);
  std::memcpy(entry.data(), &tag, sizeof tag);
  EXPECT_THROW(zero.take(1, entry), sheaf::wire_error);
}

TEST(migrating_wire, survives_any_bytes) {
  std::mt19937_64 random(17);
  member one(1);
  bytes const good = sent_add(one, 'x');
  std::uint64_t executed = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    member zero(0);
    zero.create({});
    bytes entry = good;
    for (auto n = random() % 3; n != 0; --n) entry[20 + random() % (entry.size() - 20)] = std::byte(random());
    try {
      zero.take(1, entry);
      executed += zero.find(first_of_zero)->text.size();
    } catch (sheaf::error const&) {
      ++refused;
    }
  }
  EXPECT_GT(executed, 100u);
  EXPECT_GT(refused, 100u);
}

}  // namespace
