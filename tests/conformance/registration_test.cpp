// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <memory>
#include <string>

#include "conformance/suite.hpp"

namespace {

using sheaf_test::suite;

class guest_book : public sheaf::distributed<guest_book> {
 public:
  guest_book(sheaf::team const& on, suite& checks) : distributed(on), s(checks), expected(on.size()) {}

  void enter(std::uint32_t source, std::uint64_t number, std::string const& name) {
    s.same(number, expected.at(source), "the number of the next entry of member " + std::to_string(source));
    s.same(name, "guest " + std::to_string(source), "the guest's name");
    expected[source] = number + 1;
    ++entries;
  }
  /// Waits until somebody else has been here.
  void wait_for_others(std::uint32_t source) {
    ++expected.at(source);
    while (entries == 0) sheaf::wait_for_request();
    ++waited;
  }

  suite& s;
  std::vector<std::uint64_t> expected;
  std::uint64_t entries = 0;
  std::uint64_t waited = 0;
};

void enter_often(suite& s, guest_book& book, std::uint64_t times) {
  std::string const name = "guest " + std::to_string(book.rank());
  for (std::uint64_t i = 0; i < times; ++i) {
    for (std::uint32_t d = 0; d < book.members().size(); ++d) book.async<&guest_book::enter>(d, book.rank(), i, name);
  }
  sheaf::flush();
  static_cast<void>(s);
}

/// Executes what comes while the object is not there yet.
void dawdle(suite& s) {
  for (std::uint32_t i = 0; i < 200 * s.rank(); ++i) sheaf::poll();
}

}  // namespace

SHEAF_CASE(registration, requests_that_come_before_it_are_held_in_order) {
  dawdle(s);
  guest_book book(s.world, s);
  std::uint64_t const each = s.scaled(400);
  std::string const name = "guest " + std::to_string(s.rank());
  for (std::uint64_t i = 0; i < each; ++i) {
    for (std::uint32_t d = 0; d < s.size(); ++d) book.async<&guest_book::enter>(d, s.rank(), i, name);
  }
  sheaf::fence(s.world);
  s.same(book.entries, each * s.size(), "the number of entries");
}

SHEAF_CASE(registration, of_a_team_that_is_not_made_here_yet) {
  sheaf::team const part = s.world.split(s.rank() % 2, s.size() - s.rank());
  guest_book book(part, s);
  enter_often(s, book, 20);
  sheaf::team const whole = part.split(0);
  dawdle(s);
  guest_book inner(whole, s);
  enter_often(s, inner, 20);
  sheaf::fence(s.world);
  s.same(book.entries, 20ULL * part.size(), "the number of entries");
  s.same(inner.entries, 20ULL * part.size(), "the number of entries");
}

SHEAF_CASE(registration, questions_wait_for_it) {
  dawdle(s);
  guest_book book(s.world, s);
  auto const rank_there = book.sync(s.next(), [](guest_book& there) { return there.rank(); });
  s.same(rank_there, s.next(), "the rank that the other one tells");
  sheaf::fence(s.world);
}

SHEAF_CASE(registration, a_held_handler_may_wait_for_another_held_one) {
  std::uint32_t const last = s.size() - 1;
  std::unique_ptr<guest_book> book;
  if (s.rank() != last) book = std::make_unique<guest_book>(s.world, s);
  // Both kinds of requests lie at the last location before its object is there.
  if (s.rank() + 1 == last || s.rank() == 0) sheaf::poll();
  if (s.rank() != last && s.rank() % 2 == 0) book->async<&guest_book::wait_for_others>(last, s.rank());
  if (s.rank() != last && s.rank() % 2 == 1) {
    book->async<&guest_book::enter>(last, s.rank(), 0u, "guest " + std::to_string(s.rank()));
  }
  // Where nobody else could enter. Not the last one itself: while it issues that, it may execute the one that waits.
  if (s.size() == 2 && s.rank() == 0) book->async<&guest_book::enter>(last, 0u, 1u, "guest 0");
  sheaf::flush();
  sheaf::barrier(s.world);
  if (s.rank() == last) {
    for (int i = 0; i < 300; ++i) sheaf::poll();
    book = std::make_unique<guest_book>(s.world, s);
  }
  sheaf::fence(s.world);
  if (s.rank() == last) s.same(book->waited, (s.size() + 0ULL) / 2, "the number of methods that waited");
}

SHEAF_CASE(registration, several_objects_and_types_by_number) {
  std::vector<std::unique_ptr<guest_book>> books;
  for (int i = 0; i < 5; ++i) books.push_back(std::make_unique<guest_book>(s.world, s));
  for (int i = 4; i >= 0; --i) {
    std::string const name = "guest " + std::to_string(s.rank());
    for (std::uint64_t k = 0; k <= static_cast<std::uint64_t>(i); ++k) {
      handle_of(*books[static_cast<std::size_t>(i)]).async<&guest_book::enter>(s.next(), s.rank(), k, name);
    }
  }
  sheaf::fence(s.world);
  for (std::uint64_t i = 0; i < 5; ++i) s.same(books[i]->entries, i + 1, "the entries in book " + std::to_string(i));
}
