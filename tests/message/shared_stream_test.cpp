// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// A stream into which several threads write records at a time, without the gate.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "message/shared_location.hpp"
#include "sheaf/message/stream.hpp"

namespace {

using namespace sheaf_test;
using sheaf::detail::admission;
using sheaf::detail::outbox;
using sheaf::detail::stream;

sheaf::detail::record_form const form{tag_of<probe_value>(), 8, 8};

void put(shared_location& l, outbox& box, std::uint64_t value) {
  sheaf::detail::placed const room(l.here, box, form, {});
  std::memcpy(room.at(), &value, 8);
}

outbox& shared_box(shared_location& l) {
  admission const inside(l.here.gate());
  constexpr std::uint32_t bytes = 1U << 20U;  // so much that it is not full before another thread gets a core
  sheaf::detail::buffer_sizes const large{bytes, bytes, bytes};
  sheaf::detail::size_policy const sizes{large, large};
  return l.here.out().make_stream({.sizes = sizes, .by = sheaf::sending_threads::lock_free}).box(1);
}

std::vector<std::uint64_t> values_sent(shared_location const& l) {
  std::vector<std::uint64_t> all;
  for (auto const& entry : l.net.sent) {
    for (auto const& run : runs_of(entry.data)) {
      for (std::size_t at = 0; at != run.records.size(); at += 8) {
        std::uint64_t value = 0;
        std::memcpy(&value, run.records.data() + at, 8);
        all.push_back(value);
      }
    }
  }
  return all;
}

bool places_a_three(outbox& box) {
  std::byte* const at = box.owner->place(box.filled(), form);
  if (at == nullptr) return false;
  std::uint64_t const value = 3;
  std::memcpy(at, &value, 8);
  box.owner->let_go();
  return true;
}

/// Places nothing once somebody else has begun to flush; false: it always could.
bool is_refused_while_flushed(outbox& box) {
  while (box.filled().takes(form.tag)) {
    if (!places_a_three(box)) return true;
    std::this_thread::yield();
  }
  return false;
}

TEST(shared_stream, does_not_leave_while_a_record_is_written_and_takes_no_other_meanwhile) {
  shared_location l;
  outbox& box = shared_box(l);
  put(l, box, 1);  // opens the buffer
  std::atomic<bool> flushed{false};
  std::thread other;
  {
    sheaf::detail::placed const room(l.here, box, form, {});
    EXPECT_TRUE(places_a_three(box));
    other = std::thread([&] {
      admission const inside(l.here.gate());
      l.here.out().flush();
      flushed = true;
    });
    EXPECT_TRUE(is_refused_while_flushed(box));
    EXPECT_FALSE(flushed.load());
    std::uint64_t const value = 2;
    std::memcpy(room.at(), &value, 8);
  }
  other.join();
  put(l, box, 4);
  l.here.out().flush();
  auto const all = values_sent(l);
  EXPECT_EQ(std::set<std::uint64_t>(all.begin(), all.end()), (std::set<std::uint64_t>{1, 2, 3, 4}));
}

TEST(shared_stream, takes_a_record_of_another_scope_inside_the_gate_alone) {
  shared_location l;
  outbox& box = shared_box(l);
  put(l, box, 1);
  std::byte* const at = box.owner->place(box.filled(), form);
  ASSERT_NE(at, nullptr);
  std::memset(at, 0, 8);
  box.owner->let_go();
  sheaf::detail::sending_in const in(l.here.out(), sheaf::run_scope(0, 1, 0));
  EXPECT_EQ(box.owner->place(box.filled(), form), nullptr);
}

TEST(shared_stream, sends_each_record_of_all_threads_once) {
  shared_location l;
  outbox& box = shared_box(l);
  constexpr std::uint64_t threads = 3, each = 20'000;
  std::atomic<bool> done{false};
  std::thread flusher([&] {
    while (!done) {
      admission const inside(l.here.gate());
      l.here.out().flush();
    }
  });
  std::vector<std::thread> senders;
  for (std::uint64_t t = 0; t < threads; ++t) {
    senders.emplace_back([&l, &box, t] {
      for (std::uint64_t i = 0; i < each; ++i) put(l, box, t * each + i + 1);
    });
  }
  for (auto& one : senders) one.join();
  done = true;
  flusher.join();
  l.here.out().flush();
  auto const all = values_sent(l);
  std::set<std::uint64_t> const different(all.begin(), all.end());
  EXPECT_EQ(all.size(), threads * each);
  EXPECT_EQ(different.size(), threads * each);
  EXPECT_EQ(*different.begin(), 1u);
  EXPECT_EQ(*different.rbegin(), threads * each);
  EXPECT_EQ(l.here.registered().world().sent, threads * each);
}

}  // namespace
