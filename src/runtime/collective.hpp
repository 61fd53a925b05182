// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "message/trace_slice.hpp"
#include "runtime/parcel_shelf.hpp"
#include "runtime/pending_sum.hpp"
#include "runtime/stall.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// Which messages a wave consists of.
struct wave_form {
  explicit wave_form(options const& resolved)
      : tree(resolved.fence_form == fence_form_kind::tree), arity(resolved.tree_arity) {}

  bool tree;            ///< gathered and released over a tree; else by dissemination
  std::uint32_t arity;  ///< children per member in every tree
};

/// The number of a new team, as its first member tells it.
struct team_name {
  team_number number;
  std::vector<location_id> members;
};

/// What a location keeps of operations that some members begin without the others.
struct begun_apart {
  std::map<sum_key, pending_sum> sums;
  std::uint32_t sums_begun = 0;       ///< by this location
  std::vector<team_name> team_names;  ///< that nobody here has asked for yet, in the order of arrival
};

/// What one location keeps for its collectives.
struct collective_state {
  explicit collective_state(location& here) : form(here.settings()), stall(here) {}

  /// Made on first use: most locations of large jobs do without.
  begun_apart& apart() {
    if (rare == nullptr) rare = std::make_unique<begun_apart>();
    return *rare;
  }

  parcel_shelf shelf;
  wave_form form;
  stall_watch stall;
  std::unique_ptr<begun_apart> rare;
};

/// Made on first use: a message may come before this location's program has called anything.
collective_state& collectives_of(location& here);

/// Sends one record of an answer's handler, made of two parts, at once. Never waits.
void send_control(location& here, std::uint32_t dest, run_tag tag, std::span<std::byte const> head,
                  std::span<std::byte const> bytes);

/// One location's part of one collective operation of a team: its number, and its messages. The team's members open the
/// same operations in the same order; an operation may be open beside others, of the same team too.
class operation {
 public:
  explicit operation(collective_call const& call);
  ~operation();
  operation(operation const&) = delete;
  operation& operator=(operation const&) = delete;

  [[nodiscard]] location& here() const { return here_; }
  [[nodiscard]] team_state& team() const { return team_; }
  [[nodiscard]] wave_form const& form() const { return state_.form; }

  /// Sends at once to the member of this rank (never the own one). Never waits.
  void send(std::uint32_t rank, std::uint16_t wave, std::uint8_t step, std::span<std::byte const> bytes);

  /// Takes the next message of a wave and step, which must have the size of `to`. False: none is here.
  bool take(std::uint16_t wave, std::uint8_t step, std::span<std::byte> to);

  /// Takes the message of the step from one member. False: it is not here.
  bool take_from(std::uint32_t rank, std::uint8_t step, std::vector<std::byte>& to);

  /// As take_from, with use(its bytes).
  template <class Use>
  bool use_from(std::uint32_t rank, std::uint8_t step, Use use) {
    parcel_shelf::parcels one = taken_from(rank, step);
    if (one.empty()) return false;
    use(one.front().bytes());
    state_.shelf.recycle(one);
    return true;
  }

  /// Whether another member's message of this wave is here.
  [[nodiscard]] bool begun(std::uint16_t wave) const { return state_.shelf.any_of_wave(key(wave, 0)); }

  /// Drops the messages of a step that belong to this wave or an earlier one.
  void forget_calls(std::uint16_t wave, std::uint8_t step) { state_.shelf.drop_upto(key(wave, step)); }

 private:
  parcel_shelf::parcels taken_from(std::uint32_t rank, std::uint8_t step);  // to be given back
  [[nodiscard]] collective_key key(std::uint16_t wave, std::uint8_t step) const {
    return {team_.id, sequence_, wave, step, mark_};
  }

  location& here_;
  team_state& team_;
  collective_state& state_;
  char const* const what_;
  std::uint16_t const sequence_;
  std::uint32_t mark_ = 0;
  trace_slice const slice_;
};

/// A collective operation of a team; `for_what` is awaited::fence where requests are waited for, too.
inline wait_site waits_for(collective_call const& call, awaited for_what = awaited::members) {
  wait_site site{call.said.what, for_what, wait_site::several, run_tag(0, 0, call.members.id()), call.from};
  site.object = call.object;
  site.root = call.root;
  if (call.object != 0) site.method = call.said.values;
  return site;
}

/// Executes until the state machine is done here and the transport has all its messages: the others need them, and this
/// location may compute for long, or end, before it moves anything again.
template <class Machine>
void finish(location& here, Machine& machine, wait_site const& site) {
  bool done = false;
  here.wait(wait_kind::collective, site, [&] {
    done = done || machine.advance();
    return done && !here.out().of(sheaf::traffic::answer).overflows() && !here.connection().sends_parts();
  });
}

}  // namespace sheaf::detail
