// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/collective.hpp"

#include <cstring>
#include <string>

#include "sheaf/base/error.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {
namespace {

/// Puts an arriving message on the shelf. Its entry holds one record: the key and the bytes.
struct collective_arrival {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;

  static void run(location& here, void*, execution& state) {
    std::span<std::byte const> const record(state.at, state.run_end);
    state.at = state.run_end;
    if (record.size() < collective_key::wire_bytes || state.count != 1) throw_malformed(state, record.size());
    collective_key const key = collective_key::decode(record.data());
    auto& shelf = collectives_of(here).shelf;
    if (!shelf.put(key, state.source, record.subspan(collective_key::wire_bytes))) [[unlikely]]
      shelf.history(key.team)->tell(here, key.team, state.source);
  }

  [[noreturn]] static void throw_malformed(execution const& state, std::size_t bytes) {
    throw wire_error("sheaf: " + std::to_string(bytes) + " bytes from location " +
                     std::to_string(number(state.source)) + " are no message of a collective operation");
  }
};

run_tag arrival_tag() { return run_tag(handler_number<collective_arrival>, 0, 0); }

constexpr std::size_t urgent_bytes = 56;  // every transport takes so many at once, without a buffer

}  // namespace

collective_state& collectives_of(location& here) {
  if (here.collectives == nullptr) [[unlikely]]
    here.collectives = new collective_state(here);
  return *static_cast<collective_state*>(here.collectives);
}

void make_collectives(location& here) { collectives_of(here); }

void destroy_collectives(location& here) {
  delete static_cast<collective_state*>(here.collectives);
  here.collectives = nullptr;
}

operation::operation(collective_call const& call)
    : here_(call.members.here()),
      team_(call.members.state()),
      state_(collectives_of(here_)),
      what_(call.said.what),
      sequence_(static_cast<std::uint16_t>(team_.next_collective++)),
      slice_(
          here_.connection(), [this] { return what_; }, team_.id) {
  location_id const* differs = nullptr;
  team_.call_mark = mark_ = state_.shelf.open(call, sequence_, differs);
  if (differs != nullptr) [[unlikely]]
    state_.shelf.history(team_.id)->tell(here_, team_.id, *differs);
}

operation::~operation() { state_.shelf.close(team_.id, static_cast<std::uint16_t>(team_.next_collective)); }

void send_control(location& here, std::uint32_t dest, run_tag tag, std::span<std::byte const> head,
                  std::span<std::byte const> bytes) {
  constexpr std::size_t long_head = run_header::wire_bytes - run_header::lone_bytes;  // of which nothing is sent
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
  std::byte head[collective_key::wire_bytes];
  key(wave, step).encode(head);
  send_control(here_, number(team_.members[rank]), arrival_tag(), head, bytes);
}

parcel_shelf::parcels operation::taken_from(std::uint32_t rank, std::uint8_t step) {
  location_id const source = team_.members[rank];
  return state_.shelf.take(key(0, step), &source);
}

bool operation::take_from(std::uint32_t rank, std::uint8_t step, std::vector<std::byte>& to) {
  parcel_shelf::parcels one = taken_from(rank, step);
  if (one.empty()) return false;
  parcel& p = one.front();
  if (p.size > parcel::small_bytes) {
    to.swap(p.large);
  } else {
    auto const bytes = p.bytes();
    to.assign(bytes.begin(), bytes.end());
  }
  state_.shelf.recycle(one);
  return true;
}

bool operation::take(std::uint16_t wave, std::uint8_t step, std::span<std::byte> to) {
  parcel_shelf::parcels one = state_.shelf.take(key(wave, step));
  if (one.empty()) return false;
  parcel const& p = one.front();
  if (p.size != to.size()) {
    throw wire_error("sheaf: a message of " + std::string(what_) + " from location " +
                     std::to_string(number(p.source)) + " has " + std::to_string(p.size) + " bytes instead of " +
                     std::to_string(to.size()));
  }
  std::memcpy(to.data(), p.bytes().data(), to.size());
  state_.shelf.recycle(one);
  return true;
}

}  // namespace sheaf::detail
