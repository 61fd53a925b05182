// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What receives arbitrary bytes in the fuzz tests: a location of three with objects of all kinds, which awaits replies
/// of all kinds; and entries that are made of such bytes, some of them with headers that could be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/async/task.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/run_header.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/migrating.hpp"
#include "sheaf/rmi/published.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf_fuzz {

/// Takes an input apart.
class input {
 public:
  input(std::uint8_t const* data, std::size_t size) : left_(data, size) {}
  [[nodiscard]] bool empty() const { return left_.empty(); }
  std::uint8_t byte() {
    if (left_.empty()) return 0;
    std::uint8_t const value = left_.front();
    left_ = left_.subspan(1);
    return value;
  }
  std::span<std::uint8_t const> some(std::size_t most) {
    auto const part = left_.first(std::min(most, left_.size()));
    left_ = left_.subspan(part.size());
    return part;
  }

 private:
  std::span<std::uint8_t const> left_;
};

/// Appends runs to an entry. The first byte of each tells whether raw bytes follow, or a run whose header fits them.
inline void add_run(input& in, std::vector<std::byte>& entry) {
  std::uint8_t const form = in.byte();
  if ((form & 1) != 0) {
    auto const raw = std::as_bytes(in.some(form / 2));
    entry.insert(entry.end(), raw.begin(), raw.end());
    return;
  }
  std::uint32_t const handler = in.byte(), object = in.byte(), colours = in.byte(), count = in.byte();
  std::uint32_t const team = (form & 2) == 0 ? object / 64 : sheaf::run_tag::teams + object / 64;
  auto const records = std::as_bytes(in.some(in.byte()));
  sheaf::run_header header;
  header.tag = sheaf::run_tag(handler, object % 64, team);
  header.team_colour = colours & 3;
  header.world_colour = colours / 4 & 3;
  if ((form & 8) != 0) header.scope = static_cast<std::uint16_t>(in.byte() | in.byte() << 8);
  header.count = count;
  header.bytes = static_cast<std::uint32_t>(records.size());
  std::size_t const at = entry.size();
  bool const lone = (form & 4) != 0;
  entry.resize(at + (lone ? sheaf::run_header::lone_bytes : sheaf::run_header::wire_bytes));
  lone ? header.encode_lone(entry.data() + at) : header.encode(entry.data() + at);
  entry.insert(entry.end(), records.begin(), records.end());
}

struct element {
  std::uint64_t sum = 0;
  void add(std::uint64_t v) { sum += v; }
  [[nodiscard]] std::string text(std::string const& more) const { return more + std::to_string(sum); }
  void define_type(sheaf::typer& t) { t.local(sum); }
};

/// Methods of all forms of records.
struct target : sheaf::distributed<target> {
  using distributed::distributed;
  std::uint64_t sum = 0;
  void add(std::uint64_t v) { sum += v; }
  void write(std::string const& text, std::vector<std::pair<bool, std::string>> const& more) {
    sum += text.size() + more.size();
  }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  std::string name(std::string const& text) { return text + text; }
  void fail() { throw std::runtime_error("told to"); }
  sheaf::task<std::uint64_t> asks(std::uint64_t v) { co_return co_await ask<&target::twice>(1, v) + 1; }
  sheaf::task<void> tell(std::string text) { sum += (co_await ask<&target::name>(2, text)).size(); }
};

inline sheaf::options settings(sheaf::transport_kind transport) {
  sheaf::options o;
  o.transport = transport;
  o.locations = transport == sheaf::transport_kind::hybrid ? 2 : 3;
  o.threads = transport == sheaf::transport_kind::hybrid ? 2 : 0;
  return o.resolved();
}

/// Makes all handlers known and leaves replies of all kinds awaited.
class asked {
 public:
  explicit asked(target& t) : window_(t.members(), 8), names_(t.members(), 8), moving_(t.members()), shown_(own_) {
    t.async<&target::add>(1, 1u);
    t.async<&target::write>(1, "text", std::vector<std::pair<bool, std::string>>(2));
    t.async<&target::fail>(1);
    t.async<&target::tell>(1, "text");
    numbers_.push_back(t.ask<&target::twice>(1, 4u));
    numbers_.push_back(t.ask<&target::asks>(1, 4u));
    texts_.push_back(t.ask<&target::name>(1, "text"));
    t.ask_into<&target::twice>(1, window_, 3, 4u);
    t.ask_into<&target::name>(1, names_, 3, "text");
    ask_by_other_ways(t);
  }

 private:
  void ask_by_other_ways(target& t) {
    void (target::*const chosen)(std::uint64_t) = &target::add;
    t.async(1, chosen, 1u);
    sheaf::world().async<&element::add>(handle_of(shown_), 1u);
    t.async<&target::add>(sheaf::to_all, 1u);
    numbers_.push_back(t.reduce<&target::twice>(sheaf::to_all, std::plus<>(), 4u));
    lists_.push_back(t.ask<&target::name>(sheaf::to_all, "text"));
    auto const id = moving_.create({});
    moving_.async<&element::add>(id, 1u);
    texts_.push_back(moving_.ask<&element::text>(id, "text"));
    texts_.push_back(moving_.ask<&element::text>(sheaf::object_id(1, 1), "text"));
    moving_.move(sheaf::object_id(2, 1), 0);
    moving_.destroy(sheaf::object_id(1, 2));
  }

  std::vector<sheaf::future<std::uint64_t>> numbers_;
  std::vector<sheaf::future<std::string>> texts_;
  std::vector<sheaf::future<std::vector<std::string>>> lists_;
  sheaf::reply_window<std::uint64_t> window_;
  sheaf::reply_window<std::string> names_;
  sheaf::migrating<element> moving_;
  element own_;
  sheaf::published<element> shown_;
};

/// Lets a location of the endpoint execute what `arrive(here)` brings. It executes, holds or refuses it; nothing but an
/// error of the library leaves it.
template <class Arrive>
void play(sheaf::endpoint& net, sheaf::options const& how, Arrive arrive) {
  sheaf::detail::location here(net, how);
  sheaf::detail::ambient_location = &here;
  sheaf::detail::make_collectives(here);
  try {
    target t(team_of(here, here.registered().world()));
    asked const questions(t);
    here.out().flush();
    arrive(here);
    throw sheaf::usage_error("unwinds the windows, which would wait for their replies");
  } catch (sheaf::error const&) {
  }
  here.calls().coroutines.end_those_of(nullptr);
  sheaf::detail::destroy_collectives(here);
  sheaf::detail::ambient_location = nullptr;
}

inline void run_all(sheaf::detail::location& here) {
  while (here.step()) continue;
  here.out().flush();
}

}  // namespace sheaf_fuzz
