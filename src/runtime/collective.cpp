// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/collective.hpp"

#include <algorithm>
#include <cstring>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {
namespace {

struct collective_arrival : control_arrival<collective_arrival> {
  static constexpr char const* what = "message of a collective operation";
  static constexpr std::size_t least = sizeof(collective_key);

  static void take(location& here, location_id source, std::span<std::byte const> record) {
    collective_key key;
    std::memcpy(&key, record.data(), sizeof key);
    key.zero = 0;
    auto& shelf = collectives_of(here).shelf;
    if (!shelf.put(key, source, record.subspan(sizeof key))) [[unlikely]]
      shelf.history(key.team)->tell(here, key.team, source);
    advance_soon(here);
  }
};

}  // namespace

collective_state& collectives_of(location& here) {
  if (here.collectives == nullptr) [[unlikely]]
    here.collectives = new collective_state(here);
  return *static_cast<collective_state*>(here.collectives);
}

void make_collectives(location& here) { collectives_of(here); }

void destroy_collectives(location& here) {
  here.in().recall(&here);
  delete static_cast<collective_state*>(here.collectives);
  here.collectives = nullptr;
}

operation::operation(collective_call const& call)
    : here_(here_of(call.members)),
      team_(state_of(call.members)),
      state_(collectives_of(here_)),
      what_(call.said.what),
      sequence_(static_cast<std::uint16_t>(team_.next_collective++)) {
  if (!call.is_beside)
    slice_.emplace(
        here_.connection(), [this] { return what_; }, team_.id);
  location_id const* differs = nullptr;
  team_.call_mark = mark_ = state_.shelf.open(call, sequence_, differs);
  if (differs != nullptr) [[unlikely]]
    state_.shelf.history(team_.id)->tell(here_, team_.id, *differs);
}

void send_control(location& here, std::uint32_t dest, std::uint32_t handler, std::span<std::byte const> head,
                  std::span<std::byte const> bytes) {
  constexpr std::size_t urgent_bytes = 56;  // every transport takes so many at once, without a buffer
  constexpr std::size_t long_head = run_header::wire_bytes - run_header::lone_bytes;  // of which nothing is sent
  run_tag const tag(handler, 0, 0);
  auto const write = [&](std::byte* to) {
    if (!head.empty()) std::memcpy(to, head.data(), head.size());
    if (!bytes.empty()) std::memcpy(to + head.size(), bytes.data(), bytes.size());
  };
  std::size_t const size = head.size() + bytes.size();
  if (run_header::lone_bytes + size <= urgent_bytes) {
    std::byte entry[long_head + urgent_bytes];
    write(entry + run_header::wire_bytes);
    here.answer_box(dest).send_urgent(tag, std::span(entry, run_header::wire_bytes + size));
    return;
  }
  admission const inside(here.gate());
  write(here.answer_box(dest).append_varying(tag, size));
  here.answer_box(dest).flush();
}

void operation::send(std::uint32_t rank, std::uint16_t wave, std::uint8_t step, std::span<std::byte const> bytes) {
  collective_key const head = key(wave, step);
  send_control(here_, number(team_.members[rank]), handler_number<collective_arrival>,
               std::as_bytes(std::span(&head, 1)), bytes);
}

bool operation::take(std::uint16_t wave, std::uint8_t step, std::span<std::byte> to) {
  return state_.shelf.take(key(wave, step), nullptr, [&](parcel const& p) {
    if (p.bytes.size() != to.size()) {
      throw wire_error("sheaf: a message of " + std::string(what_) + " from " + name_of(p.source) + " has " +
                       std::to_string(p.bytes.size()) + " bytes instead of " + std::to_string(to.size()));
    }
    std::copy(p.bytes.begin(), p.bytes.end(), to.begin());
  });
}

}  // namespace sheaf::detail
