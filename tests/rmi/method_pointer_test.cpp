// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/method_pointer.hpp"

#include <random>
#include <stdexcept>

#include "rmi/jobs.hpp"
#include "rmi/library/counter.hpp"
#include "sheaf/rmi/reply_window.hpp"

namespace {

using sheaf::team;
using sheaf_test::expect_in;
using sheaf_test::library_counter;
using sheaf_test::text_of;

class method_pointer : public sheaf_test::over {};
SHEAF_OVER_ALL(method_pointer);

struct base {
  virtual ~base() = default;
  virtual void shift(int by) { at += by; }
  int at = 0;
};
struct second_base {
  void add(int by) { sum += by; }
  [[nodiscard]] int total() const noexcept { return sum; }
  virtual int virtual_total() const { return sum; }
  virtual ~second_base() = default;
  int sum = 0;
};

struct machine : base, second_base, sheaf::distributed<machine> {
  explicit machine(sheaf::team const& t) : distributed(t) {}
  void shift(int by) override {
    if (by > 100) throw std::out_of_range("too far");
    at += 100 * by;
  }
  int virtual_total() const override { return 1000 + sum; }

  void put(int value) { last = value; }
  void put(std::string const& text) { words += text; }
  void put(int a, int b) const { seen = a * b; }
  [[nodiscard]] int get(int of) const { return last + of; }
  [[nodiscard]] std::string get(std::string const& of) const { return words + of; }
  std::vector<int> reversed(std::vector<int> v) { return {v.rbegin(), v.rend()}; }
  void fail(int) { throw std::runtime_error("as asked"); }
  std::uint32_t ask_next() { return sync((rank() + 1) % members().size(), &machine::own_rank); }
  [[nodiscard]] std::uint32_t own_rank() const { return rank(); }
  void nothing() noexcept { ++last; }

  int last = 0;
  mutable int seen = 0;
  std::string words;
};

TEST_P(method_pointer, armis_spelling) {
  run(3, [](team const& world) {
    machine m(world);
    std::uint32_t const next = (world.rank() + 1) % 3;
    auto const h = handle_of(m);
    h.async(next, &machine::nothing);
    m.async(next, &machine::nothing);
    auto const bound = m.bind(&machine::nothing);
    bound(next);
    h.bind (&machine::nothing)(next);
    EXPECT_EQ(h.sync(next, &machine::own_rank), next);
    EXPECT_EQ(m.sync(next, &machine::own_rank), next);
    EXPECT_EQ(h.ask(next, &machine::own_rank).get(), next);
    EXPECT_EQ(m.ask(next, &machine::reversed, std::vector{1, 2, 3}).get(), (std::vector{3, 2, 1}));
    EXPECT_EQ(h.sync(next, &machine::reversed, std::vector{4, 5}), (std::vector{5, 4}));
    fence(world);
    EXPECT_EQ(m.last, 4);
    fence(world);
  });
}

TEST_P(method_pointer, virtual_and_inherited_methods) {
  run(2, [](team const& world) {
    machine m(world);
    std::uint32_t const next = 1 - world.rank();
    m.async(next, &base::shift, 1);
    m.async(next, &machine::shift, 1);
    m.async(next, &second_base::add, 5);
    m.async(next, &machine::add, 6);
    EXPECT_EQ(m.sync(next, &second_base::total), 11);
    EXPECT_EQ(m.sync(next, &second_base::virtual_total), 1011);
    fence(world);
    EXPECT_EQ(m.at, 200);
    EXPECT_EQ(m.sum, 11);
    fence(world);
  });
}

TEST_P(method_pointer, overloads_are_chosen_by_their_parameters) {
  run(2, [](team const& world) {
    machine m(world);
    std::uint32_t const next = 1 - world.rank();
    m.async(next, sheaf::overload<int>(&machine::put), 7);
    m.async<sheaf::overload<std::string const&>(&machine::put)>(next, std::string("ab"));
    m.async(next, sheaf::overload<int, int>(&machine::put), 2, 3);
    m.async(next, sheaf::overload<std::string const&>(&machine::put), "c");
    EXPECT_EQ(m.sync(next, sheaf::overload<int>(&machine::get), 1), 8);
    EXPECT_EQ(m.ask(next, sheaf::overload<std::string const&>(&machine::get), "d").get(), "abcd");
    fence(world);
    EXPECT_EQ(m.seen, 6);
    fence(world);
  });
}

TEST_P(method_pointer, of_a_shared_library) {
  run(2, [](team const& world) {
    library_counter c;
    sheaf::registration<library_counter> const r(world, c);
    std::uint32_t const next = 1 - world.rank();
    r.async(next, &library_counter::add, 100);
    r.async(next, &library_counter::grow, 3);
    r.async(next, sheaf_test::subtract(), 30);
    EXPECT_EQ(r.sync(next, &library_counter::value), 100u);
    fence(world);
  });
}

TEST_P(method_pointer, answers_may_go_to_a_window) {
  run(2, [](team const& world) {
    machine m(world);
    m.last = 10;
    sheaf::reply_window<int> answers(world, 50);
    auto const get = sheaf::overload<int>(&machine::get);
    barrier(world);
    for (int i = 0; i < 50; ++i) m.ask_into(i % 2, answers, static_cast<std::uint32_t>(i), get, i);
    answers.wait();
    for (int i = 0; i < 50; ++i) EXPECT_EQ(answers[static_cast<std::uint32_t>(i)], 10 + i);
    fence(world);
  });
}

TEST_P(method_pointer, a_method_through_a_pointer_may_wait) {
  run(3, [](team const& world) {
    machine m(world);
    for (int i = 0; i < 20; ++i) {
      std::uint32_t const next = (world.rank() + 1) % 3;
      EXPECT_EQ(m.sync(next, &machine::ask_next), (next + 1) % 3);
      m.async(next, &machine::nothing);
    }
    fence(world);
    EXPECT_EQ(m.last, 20);
    fence(world);
  });
}

TEST_P(method_pointer, what_it_throws_names_it) {
  run(2, [](team const& world) {
    machine m(world);
    if (world.rank() == 0) m.async(1, &machine::fail, 1);
    std::string const text = text_of<sheaf::remote_error>([&] { fence(world); });
    expect_in("a method of machine named by a pointer (the program + 0x", text);
    expect_in("called by location 0: as asked", text);
    if (world.rank() == 0) {
      expect_in("(virtual, at 16 in its table) called by location 0: too far",
                text_of<sheaf::remote_error>([&] { m.sync(1, &base::shift, 1000); }));
    }
    fence(world);
  });
}

TEST_P(method_pointer, one_that_cannot_travel_is_refused_before_anything_is_sent) {
  run(1, [](team const& world) {
    machine m(world);
    void (machine::*none)() noexcept = nullptr;
    expect_in("null pointer to a method or function", text_of<sheaf::usage_error>([&] { m.async(0, none); }));
    struct front {
      virtual ~front() = default;
      char room[4096] = {};
    };
    struct both : front, base {
      void own() {}
    };
    base b;
    sheaf::registration<base> const r(world, b);
    auto const of_derived = static_cast<void (base::*)()>(&both::own);
    expect_in("bytes, legal are 0 to 15; it is of a class derived",
              text_of<sheaf::usage_error>([&] { r.async(0, of_derived); }));
    EXPECT_EQ(here_of(world).registered().world().sent, here_of(world).registered().world().executed);
  });
}

/// Twenty methods that note their own number, in the order executed.
struct notes : sheaf::distributed<notes> {
  explicit notes(sheaf::team const& t) : distributed(t), from(t.size()) {}
  template <int N>
  void note(std::uint32_t source, std::uint64_t number) {
    from[source].push_back(number * 8 + N);
  }
  template <int N>
  void long_note(std::uint32_t source, std::uint64_t number, std::string const& text) {
    from[source].push_back(number * 8 + N + (text == "never" ? 1 : 0));
  }
  std::vector<std::vector<std::uint64_t>> from;
};

TEST_P(method_pointer, requests_keep_their_order_whatever_they_call) {
  using note = void (notes::*)(std::uint32_t, std::uint64_t);
  note const all[] = {&notes::note<0>, &notes::note<1>, &notes::note<2>, &notes::note<3>};
  auto const of_text = &notes::long_note<4>;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto job = sheaf_test::job_of(GetParam(), 3);
    job.seed = seed;
    if (seed % 2 == 0) job.ring_slots = job.window = 1, job.buffer_bytes = 256;
    sheaf::run(job, [&](team const& world) {
      notes n(world);
      std::mt19937_64 random(seed * 10 + world.rank());
      std::vector<std::vector<std::uint64_t>> issued(3);
      for (std::uint64_t i = 0; i < 300; ++i) {
        auto const dest = static_cast<std::uint32_t>(random() % 3);
        std::uint64_t const which = random() % 6;
        issued[dest].push_back(i * 8 + std::min<std::uint64_t>(which, 4 + (which == 5)));
        if (which < 4) n.async(dest, all[which], world.rank(), i);
        if (which == 4) n.async(dest, of_text, world.rank(), i, std::string(random() % 50, 'x'));
        if (which == 5) n.async<&notes::note<5>>(dest, world.rank(), i);
      }
      auto const expected = all_gather(world, issued);
      fence(world);
      for (std::uint32_t r = 0; r < 3; ++r) EXPECT_EQ(n.from[r], expected[r][world.rank()]) << "seed " << seed;
      fence(world);
    });
  }
}

TEST_P(method_pointer, wait_for_request_counts_its_requests_alone) {
  run(2, [](team const& world) {
    machine m(world);
    if (world.rank() == 0) {
      m.async(1, &machine::nothing);
      m.async(1, sheaf::overload<int>(&machine::put), 5);
    } else {
      sheaf::wait_for_request();
      EXPECT_GE(m.last, 1);
      sheaf::wait_for_request();
      EXPECT_EQ(m.last, 5);
      EXPECT_EQ(here_of(world).in().unclaimed_requests(), 0u);
    }
    fence(world);
  });
}

}  // namespace
