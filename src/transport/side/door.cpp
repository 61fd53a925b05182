// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/door.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

namespace sheaf::side {

void door::open(greeting own, std::uint32_t processes) {
  own_ = own;
  processes_ = processes;
  if (!poller_.watch(listener_.number(), {event_tag::what::listener, 0}, EPOLLIN)) {
    throw std::system_error(errno, std::generic_category(), "no TCP socket can be watched");
  }
}

void door::meet(std::uint64_t now) {
  constexpr std::uint64_t pause_ns = 100'000'000;
  std::size_t const most = 64 + std::size_t{processes_};  // processes of the job greet at once
  for (;;) {
    host::descriptor line = accept_one(listener_.number());
    if (!line && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (!line && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    bool const heard = line && poller_.watch(line.number(), {event_tag::what::stranger, ++numbers_}, EPOLLIN);
    if (heard) strangers_[numbers_].line = std::move(line);
    if (strangers_.size() > most || (!heard && !strangers_.empty())) strangers_.erase(strangers_.begin());
    if (heard) continue;
    closed_until_ = now + pause_ns;  // the system is short of something; to be told at once again would not help
    return poller_.change(listener_.number(), {event_tag::what::listener, 0}, 0);
  }
}

std::optional<door::visitor> door::hear(std::uint32_t number) {
  auto const at = strangers_.find(number);
  if (at == strangers_.end()) return {};
  auto const come = at->second.words.read(at->second.line.number());
  if (come == greeting_reader::state::part) return {};
  stranger one = std::move(at->second);
  strangers_.erase(at);
  if (come == greeting_reader::state::closed) return {};
  greeting const g = one.words.get();
  bool const ours = g.mark == own_.mark && g.key == own_.key && g.to == own_.from;
  if (!ours || g.from >= processes_ || g.from == own_.from) return {};
  greeting mine = own_;
  mine.to = g.from;
  if (!send_greeting(one.line.number(), mine)) return {};
  return visitor{g.from, std::move(one.line)};
}

void door::look(std::uint64_t now) {
  if (closed_until_ == 0 || now < closed_until_) return;
  closed_until_ = 0;
  poller_.change(listener_.number(), {event_tag::what::listener, 0}, EPOLLIN);
}

}  // namespace sheaf::side
