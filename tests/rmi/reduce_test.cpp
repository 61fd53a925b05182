// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/distributed.hpp"

#include <optional>
#include <stdexcept>

#include "rmi/jobs.hpp"

namespace {

using sheaf::team;
using sheaf::to_all;
using sheaf_test::expect_in;
using sheaf_test::text_of;

struct shape {
  sheaf::transport_kind transport;
  unsigned locations;
  unsigned arity;
  sheaf::fence_form_kind form;
};
void PrintTo(shape const& s, std::ostream* to) {
  *to << name(s.transport) << "_n" << s.locations << "_arity" << s.arity << "_" << name(s.form);
}

class reductions : public testing::TestWithParam<shape> {
 protected:
  template <class F>
  static void run(F f) {
    sheaf::options o = sheaf_test::job_of(GetParam().transport, GetParam().locations);
    o.tree_arity = GetParam().arity;
    o.fence_form = GetParam().form;
    sheaf::run(o, f);
  }
};

std::vector<shape> shapes() {
  std::vector<shape> all;
  for (auto const transport : {sheaf::transport_kind::thread, sheaf::transport_kind::sim}) {
    for (unsigned const n : {1u, 2u, 3u, 4u, 7u, 8u}) {
      for (unsigned const arity : {1u, 2u, 4u}) {
        auto const form = arity == 2 ? sheaf::fence_form_kind::tree : sheaf::fence_form_kind::dissemination;
        all.push_back({transport, n, arity, form});
      }
    }
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(all, reductions, testing::ValuesIn(shapes()), testing::PrintToStringParamName());

constexpr auto joined = [](std::string const& a, std::string const& b) { return a + b; };
constexpr auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };

class source : public sheaf::distributed<source> {
 public:
  explicit source(sheaf::team const& on) : distributed(on) {}

  std::string word(std::uint32_t salt) { return word_of(rank(), salt); }
  std::uint64_t number() {
    ++asked;
    return rank() + 1;
  }
  std::uint64_t fail_at(std::uint32_t where) {
    if (rank() == where) throw std::runtime_error("no number here");
    return rank();
  }
  std::uint64_t raised(std::uint64_t by) { return rank() + by; }
  [[nodiscard]] std::uint64_t times(std::uint64_t by) { return rank() * by; }
  /// A question in the middle of a method, to all.
  std::uint64_t sum_of_all() { return this->reduce<&source::number>(sheaf::to_all, plus).get(); }
  std::uint64_t slow(std::uint32_t hops) {
    return hops == 0 ? 1 : 1 + sync<&source::slow>((rank() + 1) % members().size(), hops - 1);
  }
  void add(std::uint64_t n) { added += n; }

  static std::string word_of(std::uint32_t rank, std::uint32_t salt) {
    return std::string(salt % 3 * 20, 'x') + std::to_string(rank) + "." + std::to_string(salt) + ",";
  }
  static std::string all_words(std::uint32_t size, std::uint32_t salt) {
    std::string all;
    for (std::uint32_t r = 0; r < size; ++r) all += word_of(r, salt);
    return all;
  }

  std::uint64_t asked = 0;
  std::uint64_t added = 0;
};

TEST_P(reductions, one_location_asks_and_gets_the_order_of_ranks) {
  run([](team world) {
    source here(world);
    for (std::uint32_t asker = 0; asker < world.size(); ++asker) {
      if (world.rank() == asker) {
        EXPECT_EQ(here.reduce<&source::word>(sheaf::to_all, joined, asker).get(),
                  source::all_words(world.size(), asker));
        auto const all = here.ask<&source::word>(sheaf::to_all, asker).get();
        ASSERT_EQ(all.size(), world.size());
        for (std::uint32_t r = 0; r < world.size(); ++r) EXPECT_EQ(all[r], source::word_of(r, asker));
      }
      sheaf::barrier(world);
    }
  });
}

TEST_P(reductions, all_ask_many_questions_at_once) {
  run([](team world) {
    source here(world);
    std::vector<sheaf::future<std::string>> words;
    std::vector<sheaf::future<std::vector<std::uint64_t>>> numbers;
    for (std::uint32_t i = 0; i < 20; ++i) {
      words.push_back(here.reduce<&source::word>(sheaf::to_all, joined, i));
      numbers.push_back(here.ask<&source::number>(sheaf::to_all));
    }
    std::vector<std::uint64_t> expected;
    for (std::uint32_t r = 0; r < world.size(); ++r) expected.push_back(r + 1);
    for (std::uint32_t i = 0; i < 20; ++i) {
      EXPECT_EQ(words[i].get(), source::all_words(world.size(), i));
      EXPECT_EQ(numbers[i].get(), expected);
    }
    sheaf::fence(world);
    EXPECT_EQ(here.asked, 20 * world.size());
  });
}

TEST_P(reductions, callables_and_operations_with_values) {
  run([](team world) {
    source here(world);
    auto const n = world.size();
    std::uint64_t const modulus = n + 6u;
    auto const product = [modulus](std::uint64_t a, std::uint64_t b) { return a * b % modulus; };
    std::uint64_t expected = 1;
    for (std::uint32_t r = 0; r < n; ++r) expected = expected * (r + 3) % modulus;
    auto const more = [](source& s, std::uint64_t k) { return s.rank() + k; };
    EXPECT_EQ(here.reduce(sheaf::to_all, product, more, 3u).get() % modulus, expected);
    EXPECT_EQ(here.ask(sheaf::to_all, more, 3u).get().back(), n + 2);
    auto const method = n % 2 == 0 ? &source::raised : &source::times;
    auto const one = [&](std::uint64_t r) { return n % 2 == 0 ? r + 3 : r * 3; };
    EXPECT_EQ(here.ask(sheaf::to_all, method, 3u).get().back(), one(n - 1));
    EXPECT_EQ(here.reduce(sheaf::to_all, std::plus<>(), method, 0u).get(), n % 2 == 0 ? n * (n - 1) / 2 : 0);
    sheaf::fence(world);
  });
}

TEST_P(reductions, errors_come_to_who_asked) {
  run([](team world) {
    source here(world);
    std::uint32_t const n = world.size();
    auto failing = here.reduce<&source::fail_at>(sheaf::to_all, plus, n - 1);
    auto collected = here.ask<&source::fail_at>(sheaf::to_all, n / 2);
    expect_in("source::fail_at called by location", text_of<sheaf::remote_error>([&] { failing.get(); }));
    expect_in("no number here", text_of<sheaf::remote_error>([&] { collected.get(); }));
    EXPECT_EQ(here.reduce<&source::fail_at>(sheaf::to_all, plus, n).get(), n * (n - 1) / 2);
    auto const broken = [](std::uint64_t, std::uint64_t) -> std::uint64_t { throw std::runtime_error("cannot add"); };
    if (n > 1) {
      auto asked = here.reduce<&source::number>(sheaf::to_all, broken);
      expect_in("in the operation of a reduction: cannot add", text_of<sheaf::remote_error>([&] { asked.get(); }));
    }
    sheaf::fence(world);
  });
}

TEST_P(reductions, a_fence_waits_for_results_and_tells_what_nobody_asked) {
  run([](team world) {
    source here(world);
    // The continuation issues another request before the fence may end.
    auto told = here.reduce<&source::number>(sheaf::to_all, plus).then([&](std::uint64_t sum) {
      here.async<&source::add>(0, sum);
    });
    sheaf::fence(world);
    EXPECT_TRUE(told.ready());
    std::uint64_t const n = world.size();
    EXPECT_EQ(here.added, world.rank() == 0 ? n * n * (n + 1) / 2 : 0);
    if (world.rank() == 0) static_cast<void>(here.reduce<&source::fail_at>(sheaf::to_all, plus, 0u));
    expect_in("no number here", text_of<sheaf::remote_error>([&] { sheaf::fence(world); }));
  });
}

TEST_P(reductions, methods_ask_and_methods_wait) {
  run([](team world) {
    source here(world);
    std::uint64_t const n = world.size();
    EXPECT_EQ(here.sync<&source::sum_of_all>((world.rank() + 1) % n), n * (n + 1) / 2);
    EXPECT_EQ(here.reduce<&source::slow>(sheaf::to_all, plus, 3u).get(), 4 * n);
    sheaf::fence(world);
  });
}

TEST_P(reductions, of_teams_that_are_reversed_or_a_part) {
  run([](team world) {
    team const reversed = world.split(0, world.size() - world.rank());
    auto const odd = world.subteam_if([](std::uint32_t r) { return r % 2 == 1; });
    source in_reversed(reversed);
    std::optional<source> in_odd;
    if (odd) in_odd.emplace(*odd);
    auto word = in_reversed.reduce<&source::word>(sheaf::to_all, joined, 2u);
    if (odd) {
      EXPECT_EQ(in_odd->reduce<&source::word>(sheaf::to_all, joined, 1u).get(), source::all_words(odd->size(), 1));
    }
    EXPECT_EQ(word.get(), source::all_words(world.size(), 2));
    auto const there =
        in_reversed.ask(sheaf::to_all, [](source& s) { return number(here_of(s.members()).id()); }).get();
    for (std::uint32_t r = 0; r < world.size(); ++r) EXPECT_EQ(there[r], world.size() - 1 - r);
    sheaf::fence(world);
  });
}

}  // namespace
