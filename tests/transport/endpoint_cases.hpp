// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The cases of the endpoint suite, each with what it proves. Every transport runs all of them, with default settings
/// and with every limit at 1, at 1 2 3 4 7 and 8 locations.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "sheaf/transport/endpoint.hpp"
#include "transport/endpoint_suite.hpp"

namespace sheaf_test {

inline location_id next_of(player& p) { return location_id{(number(p.at().self()) + 1) % p.size()}; }

/// How many entries each ordered pair exchanges: about the same work for every number of locations, or a part of that,
/// as SHEAF_TEST_DIVISOR says.
inline std::uint64_t share(player& p) {
  char const* const asked = std::getenv("SHEAF_TEST_DIVISOR");
  std::uint64_t const divisor = asked == nullptr ? 1 : std::strtoull(asked, nullptr, 10);
  return std::max<std::uint64_t>(16, 800 / divisor / p.size() / p.size());
}

/// All to all, itself included, in all classes at once: everything arrives once, whole and in order.
inline void play_all_to_all(player& p, options const&) {
  std::uint64_t const each = share(p);
  for (std::uint64_t i = 0; i < each; ++i) {
    for (std::uint32_t d = 0; d < p.size(); ++d) {
      for (std::size_t k = 0; k < sheaf::traffic_classes; ++k) p.post(location_id{d}, static_cast<traffic>(k));
    }
    p.step(wanted::all, [](arrival const&) {});
  }
  p.until([&] {
    bool all = true;
    for (std::size_t k = 0; k < sheaf::traffic_classes; ++k) {
      all = all && p.received(static_cast<traffic>(k)) >= each * p.size();
    }
    return all;
  });
  p.finish(each * p.size());
}

/// Each class has its own credit, and all but answers are held back where only answers are wanted.
inline void play_classes(player& p, options const& settings) {
  auto const others = sheaf::classes_of(wanted::all).subspan(1);
  for (traffic const kind : others) {
    std::byte const mark{static_cast<unsigned char>(kind)};
    for (std::uint32_t i = 0; i < settings.ring_slots; ++i) {
      p.expect(p.at().send_inline(next_of(p), kind, std::span(&mark, 1)), "one class used up another's credit");
    }
  }
  p.at().send_inline(next_of(p), traffic::answer, std::as_bytes(std::span("y", 1)));
  arrival in;
  for (std::uint32_t round = 0; !p.at().receive(wanted::answers, in);) p.at().idle(round++);
  p.expect(in.kind == traffic::answer, "what is not an answer was delivered");
  p.at().consumed(in.source, in.kind);
  std::vector<std::uint64_t> got(sheaf::traffic_classes);
  for (std::uint64_t i = 0; i < others.size() * settings.ring_slots; ++i) {
    for (std::uint32_t round = 0; !p.at().receive(wanted::all, in);) p.at().idle(round++);
    p.expect(in.bytes[0] == std::byte{static_cast<unsigned char>(in.kind)}, "an entry of another class");
    ++got[static_cast<std::size_t>(in.kind)];
    p.at().consumed(in.source, in.kind);
  }
  for (traffic const kind : others)
    p.expect(got[static_cast<std::size_t>(kind)] == settings.ring_slots, "some are missing");
}

/// Requests to random destinations, each echoed by an answer while the request is still held.
inline void play_echo(player& p, options const&) {
  std::uint64_t const each = share(p);
  std::uint64_t random = number(p.at().self());
  auto const echo = [&](arrival const& in) {
    if (in.kind == traffic::request) p.post(in.source, traffic::answer);
  };
  std::vector<std::uint64_t> left(p.size(), each);
  for (std::uint64_t i = 0; i < each * p.size(); ++i) {
    random = mix(random);
    std::size_t d = random % p.size();
    while (left[d] == 0) d = (d + 1) % p.size();
    --left[d];
    p.post(location_id{static_cast<std::uint32_t>(d)}, traffic::request);
    p.step(random % 3 == 0 ? wanted::answers : wanted::all, echo);
  }
  std::uint64_t const all = each * p.size();
  p.until([&] { return p.received(traffic::request) == all && p.received(traffic::answer) >= all; }, wanted::all, echo);
  p.finish(all);
}

/// A token goes round, each location waiting for it with nothing else to do: a receiver that sleeps is woken every
/// time.
inline void play_token(player& p, options const&) {
  constexpr std::uint64_t rounds = 50;
  for (std::uint64_t r = 1; r <= rounds; ++r) {
    if (number(p.at().self()) == 0) p.post(next_of(p), traffic::request);
    p.until([&] { return p.received(traffic::request) >= r; });
    if (number(p.at().self()) != 0) p.post(next_of(p), traffic::request);
  }
  p.finish(0);
}

/// One location floods the next, which answers nothing: a sender that waits for credit alone is woken when it comes.
inline void play_flood(player& p, options const&) {
  constexpr std::uint64_t amount = 300;
  if (number(p.at().self()) == 0) {
    for (std::uint64_t i = 0; i < amount; ++i) p.post(next_of(p), traffic::request);
  }
  bool const target = number(p.at().self()) == 1 % p.size();
  p.until([&] { return p.received(traffic::request) == (target ? amount : 0); });
  p.finish(0);
}

/// Sends marked entries of class request until one is refused; returns how many were taken.
template <class Send>
std::uint64_t fill(player& p, std::uint64_t right, Send&& send) {
  std::uint64_t taken = 0;
  while (taken <= right && send(static_cast<std::byte>(taken))) ++taken;
  p.expect(taken == right, std::to_string(taken) + " entries were taken before the first refusal");
  p.expect(p.at().backlog(next_of(p), traffic::request) == taken, "the backlog is not the number of entries taken");
  p.expect(p.at().counts().refused == 1, "the refusal was not counted");
  return taken;
}

/// Sends an answer behind the requests that are taken by nobody yet: it passes them, and then they arrive in order.
inline void drain(player& p, std::uint64_t taken) {
  p.at().send_inline(next_of(p), traffic::answer, std::as_bytes(std::span("y", 1)));
  arrival in;
  for (std::uint32_t round = 0; !p.at().receive(wanted::answers, in);) p.at().idle(round++);
  p.expect(in.kind == traffic::answer && in.bytes[0] == std::byte{'y'}, "the answer did not pass the requests");
  p.at().consumed(in.source, in.kind);
  for (std::uint64_t i = 0; i < taken; ++i) {
    for (std::uint32_t round = 0; !p.at().receive(wanted::all, in);) p.at().idle(round++);
    p.expect(in.kind == traffic::request && in.bytes[0] == static_cast<std::byte>(i), "a wrong entry");
    p.at().consumed(in.source, in.kind);
  }
}

/// Exactly `ring_slots` inline entries are in flight when the receiver takes none.
inline void play_ring_full(player& p, options const& settings) {
  drain(p, fill(p, settings.ring_slots,
                [&](std::byte mark) { return p.at().send_inline(next_of(p), traffic::request, std::span(&mark, 1)); }));
}

/// Exactly `window` buffers are in flight, fewer where the ring is shorter.
inline void play_window_full(player& p, options const& settings) {
  drain(p, fill(p, std::min(settings.window, settings.ring_slots), [&](std::byte mark) {
          buffer b = p.at().acquire(next_of(p), 100);
          b.data()[0] = mark;
          b.set_size(100);
          return p.at().send(next_of(p), traffic::request, b);
        }));
}

/// While a request is held, its pair delivers no further request; answers of the same pair pass.
inline void play_held(player& p, options const&) {
  arrival held;
  auto const not_held = [&](arrival const& in) {
    p.expect(in.kind == traffic::answer, "delivered behind a held arrival");
  };
  for (int i = 0; i < 2; ++i) p.post(next_of(p), traffic::request);
  for (std::uint32_t round = 0; !p.at().receive(wanted::all, held) || held.kind == traffic::answer;) {
    if (held.bytes.empty()) {
      p.at().idle(round++);
    } else {
      p.verify(held);
      p.at().consumed(held.source, held.kind);
      held = {};
    }
  }
  p.verify(held);
  std::vector<std::byte> const right(held.bytes.begin(), held.bytes.end());
  p.post(next_of(p), traffic::answer);
  p.until([&] { return p.received(traffic::answer) >= 1; }, wanted::all, not_held);
  p.expect(std::equal(right.begin(), right.end(), held.bytes.begin(), held.bytes.end()), "a held arrival changed");
  p.at().consumed(held.source, held.kind);
  p.until([&] { return p.received(traffic::request) == 2; });
  p.finish(1);
}

/// Arrivals that are kept stay as they are while their pair goes on, beyond any credit; then their blocks are used
/// again.
inline void play_keep(player& p, options const& settings) {
  struct one {
    buffer block;
    std::span<std::byte const> bytes;
  };
  std::uint64_t const each = 2 * settings.window + 3;
  for (std::uint64_t const size : {300U, 9000U, 300U, 9000U}) {
    std::vector<one> kept;
    std::uint64_t sent = 0;
    for (std::uint32_t round = 0; sent < each || kept.size() < each;) {
      std::uint64_t const before = sent + kept.size();
      buffer b = p.at().acquire(next_of(p), size);
      std::memset(b.data(), static_cast<int>(sent % 256), size);
      b.set_size(size);
      if (sent < each && p.at().send(next_of(p), traffic::request, b)) ++sent;
      arrival in;
      if (p.at().receive(kept.size() < each ? wanted::all : wanted::answers, in)) {
        if (in.kind == traffic::answer) {  // somebody has come to the end
          p.verify(in);
          p.at().consumed(in.source, in.kind);
          continue;
        }
        kept.push_back({p.at().keep(in.source, in.kind), in.bytes});
      }
      sent + kept.size() == before ? p.at().idle(round++) : void(round = 0);
    }
    for (std::uint64_t i = 0; i < each; ++i) {
      bool const same = std::all_of(kept[i].bytes.begin(), kept[i].bytes.end(),
                                    [i](std::byte one) { return one == std::byte(i % 256); });
      p.expect(same && kept[i].bytes.size() == size, "entry " + std::to_string(i) + " changed while it was kept");
    }
  }
  p.take_leave(0);
}

/// An idle with a deadline ends although nothing ever comes.
inline void play_deadline(player& p, options const&) {
  std::uint64_t const deadline = p.at().now() + 2'000'000;
  for (std::uint32_t round = 0; p.at().now() < deadline;) p.at().idle(round++, deadline);
  p.finish(0);
}

/// A job that fails wakes every other location, asleep or not, with the reason.
inline void play_failure(player& p, options const&) {
  if (number(p.at().self()) == p.size() - 1) return p.at().fail("deliberate failure");
  try {
    p.until([] { return false; });
  } catch (sheaf::job_aborted const& e) {
    bool const named = std::string_view(e.what()).find("deliberate failure") != std::string_view::npos;
    p.expect(named, std::string("the reason is missing: ") + e.what());
  }
}

/// What one location shows those near it.
struct board {
  static constexpr std::uint32_t size = 8;
  static std::size_t bytes(std::uint32_t i) { return std::size_t{40} << (2 * i); }
  std::atomic<std::uint32_t> written{0};
  std::byte* pieces[size] = {};
};

/// The next arrival of all, as a pointer if it holds one.
inline board* await_board(player& p) {
  arrival in;
  board* shown = nullptr;
  for (std::uint32_t round = 0; !p.at().receive(wanted::all, in);) p.at().idle(round++);
  if (in.bytes.size() == sizeof shown) std::memcpy(&shown, in.bytes.data(), sizeof shown);
  p.at().consumed(in.source, in.kind);
  return shown;
}

inline void read_board(player& p, location_id writer) {
  board const* const shown = await_board(p);
  while (shown->written.load() != board::size) sched_yield();
  for (std::uint32_t i = 0; i < board::size; ++i) {
    std::byte const* const at = shown->pieces[i];
    std::byte const value{static_cast<unsigned char>(i + 1)};
    bool const same = std::all_of(at, at + board::bytes(i), [&](std::byte b) { return b == value; });
    p.expect(same, "memory of a near location is wrong");
  }
  p.expect(p.at().send_inline(writer, traffic::answer, std::as_bytes(std::span("y", 1))), "refused");
}

/// One location takes memory while the others near it compute; what it writes there they find where it says.
inline void play_memory(player& p, options const&) {
  std::vector<location_id> near;
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    if (p.at().near(location_id{i})) near.push_back(location_id{i});
  }
  if (!near.empty() && near[0] != p.at().self()) return read_board(p, near[0]);
  sheaf::host_memory& memory = p.at().memory();
  board* const shown = ::new (memory.take(sizeof(board))) board;
  for (std::size_t i = 1; i < near.size(); ++i) {
    p.expect(p.at().send_inline(near[i], traffic::request, std::as_bytes(std::span(&shown, 1))), "refused");
  }
  for (std::uint32_t i = 0; i < board::size; ++i) {
    shown->pieces[i] = memory.take(board::bytes(i));
    std::memset(shown->pieces[i], static_cast<int>(i + 1), board::bytes(i));
    shown->written.store(i + 1);
  }
  for (std::size_t i = 1; i < near.size(); ++i) await_board(p);
  for (std::uint32_t i = 0; i < board::size; ++i) memory.give_back(shown->pieces[i], board::bytes(i));
  memory.give_back(reinterpret_cast<std::byte*>(shown), sizeof(board));
}

inline constexpr endpoint_case endpoint_cases[] = {
    {"all_to_all", sizes::any, play_all_to_all},
    {"all_to_all_inline", sizes::inline_only, play_all_to_all},
    {"echo", sizes::any, play_echo},
    {"echo_inline", sizes::inline_only, play_echo},
    {"token", sizes::inline_only, play_token},
    {"flood", sizes::any, play_flood},
    {"flood_inline", sizes::inline_only, play_flood},
    {"ring_full", sizes::any, play_ring_full},
    {"window_full", sizes::any, play_window_full},
    {"held", sizes::any, play_held},
    {"keep", sizes::any, play_keep},
    {"classes", sizes::inline_only, play_classes},
    {"deadline", sizes::any, play_deadline},
    {"memory", sizes::any, play_memory},
};

/// Ends the job, so a process under an MPI launcher may be ended with it; hence apart.
inline constexpr endpoint_case failure_case = {"failure", sizes::any, play_failure};

}  // namespace sheaf_test
