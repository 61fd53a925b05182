// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Methods named by pointers, published objects, requests that may be refused, and objects that migrate.
#include <map>
#include <random>

#include "conformance/suite.hpp"
#include "rmi/library/counter.hpp"
#include "sheaf/rmi/migrating.hpp"

namespace {

using sheaf_test::suite;

struct scale {
  virtual ~scale() = default;
  virtual void weigh(std::uint64_t by) { weight += by; }
  std::uint64_t weight = 0;
};

class tray : public sheaf::distributed<tray>, public scale {
 public:
  explicit tray(sheaf::team const& on) : distributed(on), next(on.size()) {}
  void weigh(std::uint64_t by) override { weight += 10 * by; }
  void put(std::uint32_t source, std::uint64_t number) {
    in_order = in_order && next[source] == number;
    next[source] = number + 1;
  }
  void put_text(std::uint32_t source, std::uint64_t number, std::string const&) { put(source, number); }
  [[nodiscard]] std::uint64_t total() const noexcept { return weight; }

  std::vector<std::uint64_t> next;
  bool in_order = true;
};

/// An object that moves, and what each member sent it last.
struct parcel {
  std::map<std::uint32_t, std::uint64_t> next;
  bool in_order = true;
  void stamp(std::uint32_t source, std::uint64_t number) {
    in_order = in_order && next[source] == number;
    next[source] = number + 1;
  }
  std::uint64_t stamps(std::uint32_t source) { return next[source]; }
};

}  // namespace

SHEAF_CASE(forms, methods_are_named_by_pointers) {
  tray t(s.world);
  std::uint64_t const each = s.scaled(300);
  void (tray::*const plain)(std::uint32_t, std::uint64_t) = &tray::put;
  for (std::uint64_t i = 0; i < each; ++i) {
    for (std::uint32_t d = 0; d < s.size(); ++d) {
      if (i % 3 == 0) t.async(d, plain, s.rank(), i);
      if (i % 3 == 1) t.async(d, &tray::put_text, s.rank(), i, std::string(i % 70, 'x'));
      if (i % 3 == 2) t.async<&tray::put>(d, s.rank(), i);
      if (i % 10 == 0) t.async(d, &scale::weigh, 1u);
    }
  }
  sheaf::fence(s.world);
  s.that(t.in_order, "the order of requests of one member");
  for (std::uint32_t r = 0; r < s.size(); ++r) s.same(t.next[r], each, "the requests of a member");
  std::uint64_t const weight = (each + 9) / 10 * 10 * s.size();
  s.same(t.weight, weight, "what the overriding method added");
  s.same(t.sync(s.next(), &tray::total), weight, "the weight at the next one");
  s.same(t.ask(s.next(), &tray::total).get(), weight, "the weight at the next one");
  sheaf::fence(s.world);
}

int twice(int n) { return 2 * n; }
void keep(tray& to, std::uint64_t grams) { to.weight += grams; }

/// Functions lie elsewhere in each process.
SHEAF_CASE(forms, functions_are_called_without_an_object_and_on_objects) {
  tray t(s.world);  // before the question to all (docs/specification/order.md, rule 9)
  for (std::uint32_t d = 0; d < s.size(); ++d) {
    s.same(s.world.sync<&twice>(d, 4), 8, "of a function that is named");
    s.same(s.world.ask(d, &twice, 5).get(), 10, "of one that a pointer names");
  }
  auto const all = s.world.ask<[](sheaf::team members) { return members.rank(); }>(sheaf::to_all).get();
  for (std::uint32_t r = 0; r < s.size(); ++r) s.same(all[r], r, "the rank of a member");
  t.async<&keep>(sheaf::to_all, 5u);
  t.async(s.next(), &keep, 7u);
  sheaf::fence(s.world);
  s.same(t.weight, 5ULL * s.size() + 7, "what functions added");
  sheaf::fence(s.world);
}

SHEAF_CASE(forms, methods_of_a_shared_library_are_named_by_pointers) {
  using sheaf_test::library_counter;
  library_counter c;
  sheaf::registration<library_counter> const everywhere(s.world, c);
  for (std::uint32_t d = 0; d < s.size(); ++d) {
    everywhere.async(d, &library_counter::add, 100);
    everywhere.async(d, &library_counter::grow, 3);
    everywhere.async(d, sheaf_test::subtract(), 30);
  }
  sheaf::fence(s.world);
  s.same(c.value(), 100ULL * s.size(), "the counter");
  s.same(everywhere.sync(s.next(), &library_counter::value), 100ULL * s.size(), "the next one's");
  sheaf::fence(s.world);
}

SHEAF_CASE(forms, published_objects_are_called_by_all) {
  scale own;
  sheaf::published<scale> const here(own);
  auto const handles = sheaf::all_gather(s.world, handle_of(here));
  for (auto const& h : handles) {
    s.world.async<&scale::weigh>(h, 1u);
    s.world.async(h, &scale::weigh, 2u);
  }
  sheaf::fence(s.world);
  s.same(own.weight, 3ULL * s.size(), "the weight");
  auto const there = sheaf::world().sync(handles[s.next()], [](scale& x) { return x.weight; });
  s.same(there, 3ULL * s.size(), "the weight at the next one");
  sheaf::fence(s.world);
}

SHEAF_CASE(forms, refused_requests_are_not_executed_and_others_are) {
  tray t(s.world);
  std::uint64_t const each = s.scaled(500);
  std::vector<std::uint64_t> number(s.size());
  for (std::uint64_t i = 0; i < each; ++i) {
    for (std::uint32_t d = 0; d < s.size(); ++d) {
      while (!t.try_async<&tray::put>(d, s.rank(), number[d])) sheaf::poll();
      ++number[d];
      if (t.try_async(d, &tray::put, s.rank(), number[d])) ++number[d];
    }
  }
  auto const all = sheaf::all_gather(s.world, number);
  sheaf::fence(s.world);
  s.that(t.in_order, "the order of requests of one member");
  for (std::uint32_t r = 0; r < s.size(); ++r) s.same(t.next[r], all[r][s.rank()], "the requests of a member");
}

SHEAF_CASE(forms, objects_migrate_and_execute_everything_once_in_order) {
  sheaf::migrating<parcel> post(s.world);
  auto const ids = sheaf::all_gather(s.world, post.create({}));
  std::mt19937_64 random(5 + s.rank());
  std::vector<std::uint64_t> number(s.size());
  for (std::uint64_t i = 0, steps = s.scaled(200); i < steps; ++i) {
    auto const which = static_cast<std::uint32_t>(random() % s.size());
    post.async<&parcel::stamp>(ids[which], s.rank(), number[which]++);
    if (random() % 8 == 0) post.move(ids[which], static_cast<std::uint32_t>(random() % s.size()));
    if (random() % 16 == 0)
      s.same(post.sync<&parcel::stamps>(ids[which], s.rank()), number[which], "the stamps that this member gave");
  }
  auto const all = sheaf::all_gather(s.world, number);
  sheaf::fence(s.world);
  for (auto const& id : post.ids_here()) {
    parcel& here = *post.find(id);
    s.that(here.in_order, "the order of requests of one member to one object");
    for (std::uint32_t r = 0; r < s.size(); ++r) s.same(here.next[r], all[r][id.birth()], "the stamps of a member");
  }
  auto const found = sheaf::all_reduce(s.world, static_cast<std::uint64_t>(post.ids_here().size()),
                                       [](std::uint64_t a, std::uint64_t b) { return a + b; });
  s.same(found, s.size() + 0ULL, "the number of objects");
}
