// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/put_marks.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "sheaf/base/error.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/stream.hpp"
#include "sheaf/transport/side_wire.hpp"

namespace sheaf::detail {
namespace {

void await_puts(location& here, put_mark const& mark, location_id source) {
  endpoint& net = here.connection();
  side_wire* const wire = net.side;
  if (wire == nullptr || mark.process != number(source) / net.lanes()) {
    throw wire_error("sheaf: " + name_of(source) + " marks puts of process " + std::to_string(mark.process) +
                     ", which it is not of; the processes run different builds");
  }
  constexpr std::uint64_t nap_ns = 1'000'000;
  for (std::uint32_t round = 0; wire->taken(mark.process) < mark.messages; ++round) {
    if (wire->progress()) continue;
    here.gate() != nullptr&& here.by_outsider() ? net.attend(net.now() + nap_ns) : net.idle(round, net.now() + nap_ns);
  }
}

void run_put_marks(location& here, void*, execution& state) {
  while (state.at != state.run_end) {
    put_mark mark;
    std::memcpy(&mark, state.at, sizeof mark);
    state.at += sizeof mark;
    await_puts(here, mark, state.source);
  }
}

}  // namespace

std::uint32_t const put_mark_handler = register_handler(
    {.run = &run_put_marks, .kind = traffic::request, .record_bytes = sizeof(put_mark), .name = "sheaf::put_mark"});

bool sender::has_put(location_id where) {
  admission const inside(here.gate());
  auto const by_route = [](stream const* one) { return is_request(one->kind()) && one->path_ != nullptr; };
  if (std::any_of(streams_.begin(), streams_.end(), by_route)) return false;
  if (puts_ == nullptr) puts_ = std::make_unique<put_counts>();
  puts_->by_location[number(where)] = net.side->sent(number(where) / net.lanes());
  any_put.store(true, std::memory_order_relaxed);
  for (stream* const one : streams_) one->end_run_for(number(where));
  return true;
}

/// Where others may enter the location, inside the gate.
bool stream::is_behind_puts(outbox const& box) const {
  if (!all_.any_put.load(std::memory_order_relaxed) || kind_ != traffic::request) return false;
  auto const put = all_.puts_->by_location.find(box.dest);
  if (put == all_.puts_->by_location.end()) return false;
  if (marks_ == nullptr) return true;
  auto const mark = marks_->by_location.find(box.dest);
  return mark == marks_->by_location.end() || mark->second != put->second;
}

bool stream::mark_puts(outbox& box, bool may_overflow, call_site from) {
  if (marks_ == nullptr) marks_ = std::make_unique<put_counts>();
  std::uint64_t& marked = marks_->by_location[box.dest];
  std::uint64_t const before = marked;
  put_mark const mark{number(all_.here.id()) / all_.net.lanes(), 0, all_.puts_->by_location.at(box.dest)};
  marked = mark.messages;  // now, since appending asks
  std::byte* const at = append(box, {run_tag(put_mark_handler, 0, 0), sizeof mark, sizeof mark}, may_overflow, from);
  if (at == nullptr) return marks_->by_location[box.dest] = before, false;
  std::memcpy(at, &mark, sizeof mark);
  return true;
}

void stream::end_run_for(std::uint32_t dest) {
  if (kind_ != traffic::request || is_anothers()) return;
  outbox* const box = used_box(dest);
  if (box != nullptr && box->data != nullptr) close_run(*box);
}

}  // namespace sheaf::detail
