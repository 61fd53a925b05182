// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What one request costs in instructions, issued and executed by one location. No row of bench/run: count with
///
///   SHEAF_LOCATIONS=1 valgrind --tool=callgrind bench/bin/one_request --mode future --count 30000
///
/// and with --count 10000, and divide the difference by 20000.
#include <cstdio>
#include <string>

#include "micro/table.hpp"
#include "sheaf/messages.hpp"

using namespace sheaf_bench;

namespace {

/// Futures or window slots under way at a time.
constexpr std::uint32_t ahead = 1024;

void futures(table const& all, std::uint32_t count) {
  std::vector<sheaf::future<std::uint64_t>> pending(ahead);
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& slot = pending[i % ahead];
    if (slot.valid()) static_cast<void>(slot.get());
    slot = all.ask<&table::read>(0, i);
  }
}

void window(table const& all, std::uint32_t count) {
  sheaf::reply_window<std::uint64_t> answers(all.members(), ahead);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i % ahead == 0) answers.wait();
    all.ask_into<&table::read>(0, answers, i % ahead, i);
  }
}

/// Methods that are coroutines.
struct coroutines : sheaf::distributed<coroutines> {
  explicit coroutines(sheaf::team const& on) : distributed(on) {}
  std::uint64_t sum = 0;
  std::uint64_t read(std::uint64_t index) { return sum + index; }
  sheaf::task<> update(std::uint64_t value) {
    sum += value;
    co_return;
  }
  sheaf::task<std::uint64_t> read_at_once(std::uint64_t index) { co_return sum + index; }
  sheaf::task<std::uint64_t> read_elsewhere(std::uint64_t index) {
    co_return co_await ask<&coroutines::read>(0, index);
  }
};

/// False: no such mode.
bool issue_to_coroutines(std::string const& mode, sheaf::team const& on, std::uint32_t count) {
  coroutines const all(on);
  if (mode == "coroutine_async") {
    for (std::uint32_t i = 0; i < count; ++i) all.async<&coroutines::update>(0, i);
  } else if (mode == "coroutine_sync") {
    for (std::uint32_t i = 0; i < count; ++i) all.sync<&coroutines::read_at_once>(0, i);
  } else if (mode == "coroutine_await") {
    for (std::uint32_t i = 0; i < count; ++i) all.sync<&coroutines::read_elsewhere>(0, i);
  } else {
    return false;
  }
  sheaf::fence(on);
  return true;
}

/// Typed messages that do what table::update does.
template <class... Policy>
void messages(table& all, std::uint32_t count) {
  sheaf::message_type<std::uint64_t, Policy...> type(all.members());
  type.set_handler([&](std::uint64_t value) noexcept { all.update(value); },
                   [&](std::uint64_t value) { return all.place_of(value); });
  sheaf::epoch(all.members(), [&] {
    for (std::uint32_t i = 0; i < count; ++i) type.send(0, i);
  });
}

/// The compiler does not know which method it is.
void through_pointer(bool plain, table const& all, void (table::*chosen)(std::uint64_t), std::uint32_t count) {
  auto const volatile unknown = chosen;
  auto const method = unknown;
  if (plain) {
    for (std::uint32_t i = 0; i < count; ++i) all.async(0, method, i);
  } else {
    auto const update = all.bind(method);
    for (std::uint32_t i = 0; i < count; ++i) update(0, i);
  }
}

void issue(std::string const& mode, table& all, std::uint32_t count) {
  if (mode == "async") {
    for (std::uint32_t i = 0; i < count; ++i) all.async<&table::update>(0, i);
  } else if (mode == "bound") {
    auto const update = all.bind<&table::update>();
    for (std::uint32_t i = 0; i < count; ++i) update(0, i);
  } else if (mode == "pointer" || mode == "bound_pointer") {
    through_pointer(mode == "pointer", all, &table::update, count);
  } else if (mode == "unnamed_pointer" || mode == "bound_unnamed_pointer") {
    through_pointer(mode == "unnamed_pointer", all, &table::update_unnamed, count);
  } else if (mode == "message") {
    messages(all, count);
  } else if (mode == "unordered_message") {
    messages<sheaf::unordered>(all, count);
  } else if (mode == "future") {
    futures(all, count);
  } else if (mode == "window") {
    window(all, count);
  } else if (mode == "sync") {
    for (std::uint32_t i = 0; i < count; ++i) all.sync<&table::read>(0, i);
  } else if (mode == "poll") {
    for (std::uint32_t i = 0; i < count; ++i) sheaf::poll();
  } else {
    check(mode == "fence",
          "--mode is async, bound, [bound_][unnamed_]pointer, [unordered_]message, window, future, sync, poll, fence, "
          "coroutine_async, coroutine_sync or coroutine_await");
    for (std::uint32_t i = 0; i < count; ++i) sheaf::fence(all.members());
  }
  sheaf::fence(all.members());
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  std::string const mode = args.text("--mode", "async");
  auto const count = static_cast<std::uint32_t>(args.number("--count", 100'000));
  return sheaf::run([&](sheaf::team world) {
    check(world.size() == 1, "start it with SHEAF_LOCATIONS=1: it counts the requests of one location to itself");
    table all(world, 10);
    if (!issue_to_coroutines(mode, world, count)) issue(mode, all, count);
    std::printf("%u x %s\n", count, mode.c_str());
  });
}
