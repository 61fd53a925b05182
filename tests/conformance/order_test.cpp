// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "conformance/suite.hpp"

namespace {

using sheaf_test::suite;

/// What one location has seen of all objects: the number that each source's next request must have.
struct journal {
  explicit journal(suite& checks) : s(checks), expected(checks.size()) {}

  void arrive(std::uint32_t source, std::uint64_t number) {
    s.same(number, expected[source], "the number of the next request of location " + std::to_string(source));
    expected[source] = number + 1;
  }

  suite& s;
  std::vector<std::uint64_t> expected;
};

class listener : public sheaf::distributed<listener> {
 public:
  listener(sheaf::team const& on, journal& to) : distributed(on), journal_(to) {}

  void fixed(std::uint32_t source, std::uint64_t number) { journal_.arrive(source, number); }
  void varying(std::uint32_t source, std::uint64_t number, std::string const& filler) {
    journal_.s.same(filler, std::string(number % 97, 'x'), "the filler");
    journal_.arrive(source, number);
  }
  void large(std::uint32_t source, std::uint64_t number, std::vector<std::uint64_t> const& block) {
    bool right = true;
    for (std::size_t i = 0; i < block.size(); ++i) right = right && block[i] == i * (number + 1);
    journal_.s.that(right, "a large argument arrives as it was");
    journal_.arrive(source, number);
  }
  std::uint64_t answer(std::uint32_t source, std::uint64_t number) {
    journal_.arrive(source, number);
    return number * 3 + source;
  }

 private:
  journal& journal_;
};

std::vector<std::uint64_t> large_block(std::size_t words, std::uint64_t number) {
  std::vector<std::uint64_t> block(words);
  for (std::size_t i = 0; i < words; ++i) block[i] = i * (number + 1);
  return block;
}

/// One sender's side towards one destination: request `number` in a form that its number chooses.
class sender {
 public:
  sender(suite& s, listener& first, listener& second, std::uint32_t dest)
      : s_(s), first_(first), second_(second), dest_(dest), window_(s.world, 1024) {}

  void send(std::uint64_t number) {
    std::uint32_t const me = s_.rank();
    listener& object = number / 3 % 2 == 0 ? first_ : second_;
    auto const callable = [number](listener& to, std::uint32_t source) { to.fixed(source, number); };
    switch (number % 61 == 60 ? 6 : number % 6) {
      case 0:
        object.async<&listener::fixed>(dest_, me, number);
        break;
      case 1:
        object.async<&listener::varying>(dest_, me, number, std::string(number % 97, 'x'));
        break;
      case 2:
        object.async(dest_, callable, me);
        break;
      case 3:
        futures_.push_back({number, object.ask<&listener::answer>(dest_, me, number)});
        break;
      case 4:
        ask_window(object, number);
        break;
      case 5:
        object.async<&listener::fixed>(dest_, me, number);
        break;
      default:
        s_.same(object.sync<&listener::answer>(dest_, me, number), number * 3 + me, "a sync result");
    }
  }

  void send_large(std::uint64_t number, std::size_t words) {
    first_.async<&listener::large>(dest_, s_.rank(), number, large_block(words, number));
  }

  void check_answers() {
    for (auto& [number, future] : futures_) s_.same(future.get(), number * 3 + s_.rank(), "an opaque result");
    window_.wait();
    for (std::uint32_t i = 0; i < asked_.size(); ++i) {
      s_.same(window_[i], asked_[i] * 3 + s_.rank(), "a result in a window");
    }
  }

 private:
  void ask_window(listener& object, std::uint64_t number) {
    if (asked_.size() == window_.slots()) return object.async<&listener::fixed>(dest_, s_.rank(), number);
    object.ask_into<&listener::answer>(dest_, window_, static_cast<std::uint32_t>(asked_.size()), s_.rank(), number);
    asked_.push_back(number);
  }

  suite& s_;
  listener& first_;
  listener& second_;
  std::uint32_t dest_;
  sheaf::reply_window<std::uint64_t> window_;
  std::vector<std::uint64_t> asked_;
  std::vector<std::pair<std::uint64_t, sheaf::future<std::uint64_t>>> futures_;
};

}  // namespace

SHEAF_CASE(order, of_a_pair_across_forms_and_objects) {
  journal seen(s);
  listener first(s.world, seen), second(s.world, seen);
  std::uint64_t const each = s.scaled(4000);
  std::size_t const words = s.size() <= 2 ? 700'000 : 70'000;
  std::vector<std::unique_ptr<sender>> to;
  for (std::uint32_t d = 0; d < s.size(); ++d) to.push_back(std::make_unique<sender>(s, first, second, d));
  for (std::uint64_t number = 0; number < each; ++number) {
    for (auto& one : to) {
      if (number == each / 2) {
        one->send_large(number, words);
      } else {
        one->send(number);
      }
    }
  }
  for (auto& one : to) one->check_answers();
  sheaf::fence(s.world);
  for (std::uint32_t source = 0; source < s.size(); ++source) {
    s.same(seen.expected[source], each, "the number of requests of location " + std::to_string(source));
  }
}

SHEAF_CASE(order, a_question_comes_behind_what_was_said) {
  journal seen(s);
  listener object(s.world, seen);
  std::uint64_t const each = s.scaled(2000);
  for (std::uint64_t i = 0; i + 1 < each; ++i) object.async<&listener::fixed>(s.next(), s.rank(), i);
  auto const answer = object.sync<&listener::answer>(s.next(), s.rank(), each - 1);
  s.same(answer, (each - 1) * 3 + s.rank(), "the answer");
  sheaf::fence(s.world);
}

SHEAF_CASE(order, of_requests_of_handlers) {
  journal seen(s);
  listener object(s.world, seen);
  // The handler's requests to its neighbour keep their order, too, among more than any cap lets through at once.
  auto const pass_on = [](listener& here, std::uint64_t from, std::uint64_t upto) {
    std::uint32_t const me = here.rank();
    for (auto i = from; i < upto; ++i) here.async<&listener::fixed>((me + 1) % here.members().size(), me, i);
  };
  std::uint64_t const each = s.scaled(4000);
  for (std::uint64_t i = 0; i < 20; ++i) object.async(s.rank(), pass_on, each * i / 20, each * (i + 1) / 20);
  sheaf::fence(s.world);
  s.same(seen.expected[(s.rank() + s.size() - 1) % s.size()], each, "the number of requests of the neighbour");
}

SHEAF_CASE(order, several_megabytes_both_ways) {
  journal seen(s);
  listener object(s.world, seen);
  if (s.rank() == 0 || s.rank() + 1 == s.size()) {
    std::uint32_t const other = s.size() - 1 - s.rank();
    for (std::uint64_t i = 0; i < 3; ++i) {
      object.async<&listener::large>(other, s.rank(), 2 * i, large_block(600'000, 2 * i));
      object.async<&listener::fixed>(other, s.rank(), 2 * i + 1);
    }
  }
  sheaf::fence(s.world);
  if (s.rank() == 0) s.same(seen.expected[s.size() - 1], 6u, "the number of requests");
}

namespace {

/// Counts who came how often.
class register_book : public sheaf::distributed<register_book> {
 public:
  register_book(suite& checks, std::uint64_t entries) : distributed(checks.world), count(entries) {}
  void enter(std::uint64_t entry) { ++count.at(entry); }
  void pass_on(std::uint64_t entry) {
    async<&register_book::enter>(entry % members().size(), entry / members().size());
  }
  std::vector<std::uint8_t> count;
};

}  // namespace

SHEAF_CASE(order, every_request_exactly_once) {
  std::uint64_t const each = s.scaled(20'000);
  register_book book(s, each * s.size());
  std::uint64_t random = s.rank() + 1;
  for (std::uint64_t i = 0; i < each * s.size(); ++i) {
    std::uint64_t const entry = s.rank() * each + i / s.size();  // once at every destination
    random = random * 6364136223846793005u + 1442695040888963407u;
    auto const by_way_of = static_cast<std::uint32_t>((random >> 33) % s.size());
    book.async<&register_book::pass_on>(by_way_of, entry * s.size() + i % s.size());
  }
  sheaf::fence(s.world);
  std::uint64_t wrong = 0;
  for (auto const times : book.count) wrong += times != 1 ? 1 : 0;
  s.same(wrong, 0u, "the number of requests that did not execute once");
}
