// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <memory>
#include <utility>
#include <vector>

#include "conformance/suite.hpp"
#include "sheaf/messages.hpp"

namespace {

using sheaf::lent;
using sheaf_test::suite;
using words = std::vector<std::uint64_t>;

words words_of(std::size_t size, std::uint64_t number) {
  words all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = number * 1000003 + i;
  return all;
}

class reader : public sheaf::distributed<reader> {
 public:
  explicit reader(suite& checks) : distributed(checks.world), s(checks), next(checks.size()) {}

  void read(lent<std::uint64_t> const& all, std::uint32_t source, std::uint64_t number) {
    check(all, number);
    s.same(number, next[source]++, "the number of the next request of location " + std::to_string(source));
  }
  void text(lent<char> const& all, std::uint32_t source, std::uint64_t number) {
    s.that(std::string(all.begin(), all.end()) == std::string(number % 50, 'x'), "a text arrives as it was");
    s.same(number, next[source]++, "the number of the next request of location " + std::to_string(source));
  }
  void keep(lent<std::uint64_t> all, std::uint64_t number) { kept.emplace_back(std::move(all), number); }
  void check_kept() {
    for (auto const& [all, number] : kept) check(all, number);
    kept.clear();
  }
  void ask_and_read(lent<std::uint64_t> const& all, std::uint64_t number, std::uint32_t source) {
    s.same(sync<&reader::answer>(source, number), number, "an answer");
    check(all, number);
  }
  sheaf::task<void> await_and_read(lent<std::uint64_t> all, std::uint64_t number, std::uint32_t source) {
    s.same(co_await ask<&reader::answer>(source, number), number, "an answer");
    check(all, number);
  }
  std::uint64_t answer(std::uint64_t value) { return value; }

  void check(lent<std::uint64_t> const& all, std::uint64_t number) {
    s.same(reinterpret_cast<std::uintptr_t>(all.data()) % alignof(std::uint64_t), 0u, "the address, modulo 8");
    words const right = words_of(all.size(), number);
    s.that(std::equal(right.begin(), right.end(), all.begin()), "what was lent arrives as it was");
  }

  suite& s;
  words next;  // by source
  std::vector<std::pair<lent<std::uint64_t>, std::uint64_t>> kept;
};

constexpr std::size_t sizes[] = {0, 1, 5, 6, 100, 2000, 200000};

/// Releases are told, however late.
void await_releases(reader& object, std::uint64_t const& released, std::uint64_t all) {
  while (released < all) sheaf::poll();
  object.s.same(released, all, "the number of releases");
}

}  // namespace

SHEAF_CASE(lent, of_every_size_arrives_in_order_and_is_released_once) {
  reader object(s);
  std::uint64_t released = 0, number = 0;
  for (std::uint64_t round = 0; round < s.scaled(20); ++round) {
    for (std::size_t const size : sizes) {
      if (size > 2000 && round != 0) continue;
      object.async<&reader::read>(s.next(), words_of(size, number), s.rank(), number);
      ++number;
      object.async<&reader::text>(s.next(), std::string(number % 50, 'x'), s.rank(), number);
      ++number;
      auto mine = std::make_unique<words>(words_of(size, number));
      std::span<std::uint64_t const> const all(*mine);
      auto release = [&released, owned = std::move(mine)] { ++released; };
      object.async<&reader::read>(s.next(), lent<std::uint64_t>(all, std::move(release)), s.rank(), number);
      ++number;
    }
  }
  sheaf::fence(s.world);
  await_releases(object, released, number / 3);
}

/// In one process they are not copied.
SHEAF_CASE(lent, may_be_a_message) {
  std::uint64_t handled = 0, released = 0, in_place = 0, number = 0;
  words const own = words_of(2000, s.rank());
  sheaf::message_type<lent<std::uint64_t>> share(s.world, [&](lent<std::uint64_t> all, std::uint64_t sender) {
    words const right = words_of(all.size(), sender);
    s.that(std::equal(right.begin(), right.end(), all.begin()), "what was lent arrives as it was");
    in_place += sender == s.rank() && all.data() == own.data() ? 1 : 0;
    ++handled;
  });
  sheaf::epoch(s.world, [&] {
    for (std::uint64_t dest = 0; dest < s.size(); ++dest, ++number) {
      share.send(dest, lent<std::uint64_t>(std::span<std::uint64_t const>(own), [&] { ++released; }));
      share.send(dest, lent<std::uint64_t>(own));
    }
  });
  s.same(handled, 2 * s.size(), "messages");
  bool const copies =
      s.settings().progress != sheaf::progress_kind::inlined && here_of(s.world).connection().tells_near();
  s.same(in_place, copies ? 0u : 1u, "of the two to itself, those that were not copied");
  while (released < number) sheaf::poll();
  s.same(released, number, "releases");
}

SHEAF_CASE(lent, what_is_kept_stays_while_its_pair_goes_on) {
  reader object(s);
  std::uint64_t released = 0, lent_out = 0;
  std::uint64_t const rounds = s.scaled(40);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    std::size_t const size = sizes[i % 6];
    object.async<&reader::keep>(s.next(), words_of(size, i), i);
    auto mine = std::make_unique<words>(words_of(size, i + 7));
    std::span<std::uint64_t const> const all(*mine);
    auto release = [&released, owned = std::move(mine)] { ++released; };
    object.async<&reader::keep>(s.next(), lent<std::uint64_t>(all, std::move(release)), i + 7);
    ++lent_out;
  }
  sheaf::fence(s.world);
  s.same(object.kept.size(), 2 * rounds, "the number of what is kept");
  object.check_kept();
  sheaf::fence(s.world);
  await_releases(object, released, lent_out);
}

SHEAF_CASE(lent, a_method_that_waits_and_a_coroutine_read_on) {
  reader object(s);
  for (std::uint64_t i = 0; i < s.scaled(10); ++i) {
    object.async<&reader::ask_and_read>(s.next(), words_of(sizes[i % 6], i), i, s.rank());
    object.async<&reader::await_and_read>(s.next(), words_of(sizes[i % 6], i), i, s.rank());
  }
  sheaf::fence(s.world);
}

SHEAF_CASE(lent, comes_by_every_form_of_request) {
  reader object(s);
  words const all = words_of(700, 3);
  object.sync<&reader::check>(s.next(), all, std::uint64_t{3});
  object.ask<&reader::check>(s.next(), all, std::uint64_t{3}).get();
  std::uint64_t released = 0;
  lent<std::uint64_t> one(all, [&released] { ++released; });
  object.sync<&reader::check>(s.next(), std::move(one), std::uint64_t{3});
  lent<std::uint64_t> other(all, [&released] { ++released; });
  object.ask<&reader::check>(s.next(), std::move(other), std::uint64_t{3}).get();
  await_releases(object, released, 2);
  sheaf::fence(s.world);
}
