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

bytes sent_add(member& from, char c) {
  return from.sent([&](auto& words) { words.template async<&word::add>(first_of_zero, c); });
}

// Where the parts of the first record are.
constexpr std::size_t id_at = 20, origin_at = 28, sequence_at = 32, bytes_at = 36;

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
  ASSERT_EQ(runs.size(), 2u) << "the object, and what was held";
  EXPECT_TRUE(std::equal(runs[1].records.begin(), runs[1].records.end(), b.begin() + 20, b.end())) << "untouched";
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

TEST(migrating_wire, wrong_bytes_are_refused) {
  expect_part("it was accepted", refusal(sequence_at, std::uint32_t{0}));
  expect_part("it was accepted", refusal(sequence_at, std::uint32_t{7}));
  expect_part("came twice", refusal(sequence_at, ~std::uint32_t{0}));
  expect_part("it names a member beyond the team's", refusal(id_at, object_id(4, 1)));
  expect_part("it names a member beyond the team's", refusal(origin_at, std::uint32_t{4}));
  expect_part("never created there", refusal(id_at, object_id(0, 2)));
  expect_part("too short", refusal(bytes_at, std::uint32_t{2}));
  expect_part("for word::add from member 1 for object 1 of member 0 do not decode",
              refusal(bytes_at, std::uint32_t{0}));
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
