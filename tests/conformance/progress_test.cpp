// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Concurrent methods and attached threads, over every transport and in every mode of progress.
#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "conformance/beside.hpp"

namespace {

struct tally : sheaf::distributed<tally> {
  explicit tally(sheaf::team const& on) : distributed(on), in_order(on.size()) {}

  std::atomic<std::uint64_t> sum{0};
  std::vector<std::vector<std::uint64_t>> in_order;  // by sender

  // Concurrent.
  void add(std::uint64_t value) { sum += value; }
  void add_text(std::string const& text) { sum += text.size(); }
  std::uint64_t asked(std::uint64_t value) { return value + 1; }
  std::string name(std::string const& whose) { return whose + "'s"; }
  void pass_on(std::uint32_t left) {
    ++sum;
    if (left != 0) async<&tally::pass_on>((rank() + 1) % members().size(), left - 1);
  }
  void refuse() { throw std::runtime_error("refused"); }
  std::uint64_t wait_in_it() { return sync<&tally::plain>(rank(), 1u); }

  // Not concurrent.
  void keep(std::uint32_t sender, std::uint64_t value) { in_order[sender].push_back(value); }
  std::uint64_t plain(std::uint64_t value) { return 2 * value; }
};

}  // namespace

template <>
inline constexpr bool sheaf::concurrent<&tally::add> = true;
template <>
inline constexpr bool sheaf::concurrent<&tally::add_text> = true;
template <>
inline constexpr bool sheaf::concurrent<&tally::asked> = true;
template <>
inline constexpr bool sheaf::concurrent<&tally::name> = true;
template <>
inline constexpr bool sheaf::concurrent<&tally::pass_on> = true;
template <>
inline constexpr bool sheaf::concurrent<&tally::refuse> = true;
template <>
inline constexpr bool sheaf::concurrent<&tally::wait_in_it> = true;

namespace {

bool lets_others_in(sheaf_test::suite const& s) { return s.settings().progress != sheaf::progress_kind::inlined; }

SHEAF_CASE(progress, concurrent_requests_execute_once_and_leave_others_in_order) {
  tally all(s.world);
  std::uint64_t const count = s.scaled(4000);
  for (std::uint64_t i = 0; i < count; ++i) {
    auto const dest = static_cast<std::uint32_t>(i % s.size());
    all.async<&tally::keep>(dest, s.rank(), i);
    all.async<&tally::add>(dest, 1u);
    if (i % 16 == 0) all.async<&tally::add_text>(dest, std::string(i % 50, 'x'));
  }
  sheaf::fence(s.world);
  std::uint64_t texts = 0;
  for (std::uint64_t i = 0; i < count; i += 16) texts += i % 50;
  auto const total = sheaf::all_reduce(s.world, all.sum.load(), std::plus<>());
  s.same(total, (count + texts) * s.size(), "the sum of all concurrent requests");
  for (auto const& one : all.in_order) s.that(std::is_sorted(one.begin(), one.end()), "the order of a pair");
}

SHEAF_CASE(progress, concurrent_questions_are_answered_in_every_form) {
  tally all(s.world);
  for (std::uint64_t i = 0; i < s.scaled(400); ++i) {
    s.same(all.sync<&tally::asked>(s.next(), i), i + 1, "an answer");
    auto later = all.ask<&tally::asked>(s.next(), i);
    s.same(all.sync<&tally::name>(s.next(), "location"), std::string("location's"), "a text");
    s.same(later.get(), i + 1, "a later answer");
  }
  constexpr std::uint32_t slots = 100;
  sheaf::reply_window<std::uint64_t> answers(s.world, slots);
  for (std::uint32_t i = 0; i < slots; ++i) all.ask_into<&tally::asked>(s.next(), answers, i, i);
  answers.wait();
  for (std::uint32_t i = 0; i < slots; ++i) s.same(answers[i], i + 1u, "an answer in a window");
  sheaf::fence(s.world);
}

SHEAF_CASE(progress, fences_wait_for_what_concurrent_methods_send) {
  tally all(s.world);
  for (std::uint64_t round = 1; round <= s.scaled(20); ++round) {
    all.async<&tally::pass_on>(s.next(), 40u);
    sheaf::fence(s.world);
    auto const total = sheaf::all_reduce(s.world, all.sum.load(), std::plus<>());
    s.same(total, round * 41 * s.size(), "requests after the fence");
  }
}

SHEAF_CASE(progress, exceptions_of_concurrent_methods_travel) {
  tally all(s.world);
  s.throws<sheaf::remote_error>([&] { all.sync<&tally::refuse>(s.next()); }, {"refused", "location"});
  s.throws<sheaf::remote_error>([&] { all.ask<&tally::refuse>(s.next()).get(); }, {"refused"});
  if (s.rank() == 0) all.async<&tally::refuse>(s.next());
  s.throws<sheaf::remote_error>([&] { sheaf::fence(s.world); }, {"1 remotely invoked method threw", "refused"});
}

SHEAF_CASE(progress, concurrent_methods_must_not_wait) {
  tally all(s.world);
  s.throws<sheaf::remote_error>([&] { all.sync<&tally::wait_in_it>(s.next()); },
                                {"sync was called in a method", "declared concurrent", "may send, but not wait"});
  sheaf::fence(s.world);
}

SHEAF_CASE(progress, attached_threads_issue_and_wait) {
  if (!lets_others_in(s)) {
    sheaf_test::beside(s).run([&] {
      s.throws<sheaf::usage_error>([&] { sheaf::attached_thread const self(s.world); },
                                   {"SHEAF_PROGRESS is inline", "shared"});
    });
    return;
  }
  tally all(s.world);
  std::uint64_t const count = s.scaled(1000);
  std::atomic<int> running{2};
  std::atomic<std::uint64_t> wrong{0};
  sheaf_test::beside threads(s);
  for (int t = 0; t < 2; ++t) {
    threads.run([&] {
      sheaf::attached_thread const self(s.world);
      for (std::uint64_t i = 0; i < count; ++i) all.async<&tally::add>(static_cast<std::uint32_t>(i % s.size()), 1u);
      for (std::uint64_t i = 0; i < 20; ++i) {
        auto later = all.ask<&tally::plain>(s.next(), i);
        if (all.sync<&tally::asked>(s.next(), i) != i + 1 || later.get() != 2 * i) ++wrong;
      }
      --running;
    });
  }
  for (std::uint64_t i = 0; i < count; ++i) all.async<&tally::keep>(s.next(), s.rank(), i);
  while (running.load() != 0) sheaf::poll();  // others' threads ask this location
  sheaf::fence(s.world);
  s.same(wrong.load(), 0u, "wrong answers");
  auto const total = sheaf::all_reduce(s.world, all.sum.load(), std::plus<>());
  s.same(total, 2 * count * s.size(), "what attached threads have issued");
  for (auto const& one : all.in_order) s.that(std::is_sorted(one.begin(), one.end()), "the order of the program");
}

SHEAF_CASE(progress, a_thread_of_the_system_cannot_attach_to_a_simulated_location) {
  if (!lets_others_in(s) || s.settings().transport != sheaf::transport_kind::sim) return;
  std::thread([&] {
    s.throws<sheaf::usage_error>([&] { sheaf::attached_thread const self(s.world); },
                                 {"cannot attach", "simulated locations are fibers of one thread"});
  }).join();
}

/// Whether the last location is helped while it computes and all others wait.
bool last_is_helped(sheaf::options const& o) {
  if (o.progress == sheaf::progress_kind::helper) return true;
  bool const has_sibling = o.transport == sheaf::transport_kind::thread || o.transport == sheaf::transport_kind::sim ||
                           (o.transport == sheaf::transport_kind::hybrid && o.threads > 1);
  return o.progress == sheaf::progress_kind::hand_over && has_sibling;
}

SHEAF_CASE(progress, a_computing_location_is_helped) {
  if (s.size() == 1 || !last_is_helped(s.settings())) return;
  std::uint32_t const last = s.size() - 1;
  tally all(s.world);
  for (std::uint64_t round = 1; round <= 3; ++round) {
    sheaf::barrier(s.world);
    if (s.rank() == last) {
      all.async<&tally::keep>(0, last, round);
      while (all.sum.load() != round) sheaf::detail::yield(here_of(s.world).connection().threads);
    } else if (s.rank() == 0) {
      s.same(all.sync<&tally::asked>(last, round), round + 1, "an answer");
      while (all.in_order[last].size() != round) sheaf::poll();  // what it has not flushed
      if (round == 2) {
        all.async<&tally::add>(sheaf::to_others, 1u);
      } else {
        all.async<&tally::add>(last, 1u);
      }
    }
    sheaf::fence(s.world);
  }
}

}  // namespace
