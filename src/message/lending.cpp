// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Bytes that stay where they are: arrivals that are read beyond their execution, and memory that a sender lends.
#include <cstring>
#include <new>
#include <utility>

#include "message/parked.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/lent.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

namespace {

constexpr std::align_val_t copies_at{64};

kept_bytes copied(std::span<std::byte const> part) {
  if (part.empty()) return {};
  auto* const to = static_cast<std::byte*>(::operator new(part.size(), copies_at));
  std::memcpy(to, part.data(), part.size());
  return {{to, part.size()}, lease([](void* copy) { ::operator delete(copy, copies_at); }, to)};
}

}  // namespace

executor::~executor() { delete parked_; }

void executor::forget_held() {
  for (execution const& held : parked_->held) {
    drop_piece(held);
    if (held.keeper != nullptr) held.keeper->drop();
  }
  parked_->held.clear();
}

/// Of the entry in which this byte is and which the transport holds; null: it is in none.
execution* executor::execution_of(std::byte const* at) const {
  execution* of = active_;
  while (of != nullptr && (at < of->entry_begin || at >= of->entry_end || (of->consumed && of->piece_of == nullptr)))
    of = of->outer;
  return of;
}

kept_bytes executor::keep(std::span<std::byte const> part, std::size_t align) {
  admission const inside(gate_);
  bool const aligned = (reinterpret_cast<std::uintptr_t>(part.data()) & (align - 1)) == 0;
  execution* const of = part.empty() || !aligned ? nullptr : execution_of(part.data());
  bool const in_place = of != nullptr && of->kept == nullptr && of->piece_of == nullptr &&
                        static_cast<std::size_t>(of->entry_end - of->entry_begin) > endpoint_.inline_capacity();
  if (!in_place) return copied(part);
  if (of->keeper == nullptr) of->keeper = new entry_keeper(here_.out().kept_arrivals);
  return {part, of->keeper->share()};
}

void executor::consume_kept(execution& state) {
  entry_keeper& keeper = *std::exchange(state.keeper, nullptr);
  if (keeper.is_shared()) {
    keeper.take(endpoint_.keep(state.source, state.kind),
                static_cast<std::size_t>(state.entry_end - state.entry_begin));
  } else {
    endpoint_.consumed(state.source, state.kind);
  }
  keeper.drop();
}

namespace {

/// Never called: who returns a loan says so by its place.
void no_reply(void*, reply_status, byte_reader&) {}

/// What comes back when a receiver has read what was lent: the token.
struct loan_returned {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = sizeof(std::uint32_t);
  static constexpr bool any_thread = true;
  static void run(location& here, void*, execution& state) {
    while (state.at != state.run_end) {
      std::uint32_t token = 0;
      std::memcpy(&token, std::exchange(state.at, state.at + sizeof token), sizeof token);
      auto const lent = here.calls().replies.take(token);
      if (lent.sink == nullptr) continue;  // its location leaves
      if (lent.sink != &no_reply) throw wire_error("sheaf: token " + std::to_string(token) + " names no loan");
      here.in().defer(&end, lent.where);
    }
  }
  /// The end of a loan, as a continuation.
  static void end(void* which) {
    location& here = *ambient_location;
    lease ended;
    admission const inside(here.gate());
    ended = here.connection().lent.take_back(*static_cast<loans::loan*>(which));
  }
};

/// A borrower's part of a loan.
struct borrowed {
  location& here;
  std::uint32_t source;
  std::uint32_t token;

  static void end(void* self) {
    auto* const one = static_cast<borrowed*>(self);
    {
      admission const inside(one->here.gate());
      run_tag const tag(handler_number<loan_returned>, 0, 0);
      std::byte* const to = one->here.answer_box(one->source).append(tag, sizeof one->token);
      std::memcpy(to, &one->token, sizeof one->token);
    }
    delete one;
  }
};

}  // namespace

/// Where the transport does not tell near locations from others, there is one process.
bool same_process(endpoint const& net, location_id other) {
  return !net.tells_near() || number(other) / net.lanes() == number(net.self()) / net.lanes();
}

/// Whether the location can read these bytes where they are: it is in this process, or its process maps them.
bool can_read(endpoint& net, location_id other, std::span<std::byte const> bytes) {
  if (same_process(net, other)) return true;
  auto const mapped = net.memory().mapped();
  return net.near(other) && bytes.data() >= mapped.data() &&
         bytes.data() + bytes.size() <= mapped.data() + mapped.size();
}

/// The bytes of another host name no memory. Where helpers run requests, it is not known here whose these are.
kept_bytes executor::borrow(lent_bytes const& what, std::byte const* record) {
  admission const inside(gate_);
  execution const* const of = execution_of(record);
  bool const known = of != nullptr ? number(of->source) == what.source : !endpoint_.tells_near();
  if (!known || what.source >= here_.size() ||
      !(same_process(endpoint_, location_id{what.source}) || endpoint_.near(location_id{what.source}))) {
    throw decode_error("sheaf: a message lends memory that is not its sender's");
  }
  auto* const mine = new borrowed{here_, what.source, what.token};
  return {{what.data, what.size}, lease(&borrowed::end, mine)};
}

bool lend(location& here, std::uint32_t dest, std::span<std::byte const> bytes, lease& owner, lent_bytes& to) {
  endpoint& net = here.connection();
  bool const gated = here.gate() != nullptr;
  if (bytes.empty() || !can_read(net, location_id{dest}, bytes) || (gated && net.tells_near())) return false;
  admission const inside(here.gate());
  loans::loan& one = net.lent.add(std::move(owner));
  try {
    to = {bytes.data(), bytes.size(), here.calls().replies.add(&no_reply, &one), number(here.id())};
  } catch (...) {
    owner = net.lent.take_back(one);
    throw;
  }
  return true;
}

lease take_back(location& here, lent_bytes const& lent) {
  admission const inside(here.gate());
  return here.connection().lent.take_back(*static_cast<loans::loan*>(here.calls().replies.take(lent.token).where));
}

kept_bytes keep_arrived(std::span<std::byte const> part, std::size_t align) {
  return ambient_location != nullptr ? ambient_location->in().keep(part, align) : copied(part);
}

kept_bytes borrow_arrived(lent_bytes const& what, std::byte const* record) {
  if (ambient_location == nullptr)
    throw decode_error("sheaf: a message that lends memory was decoded outside of a location");
  return ambient_location->in().borrow(what, record);
}

}  // namespace sheaf::detail
