// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "message/trace_slice.hpp"
#include "runtime/parcel_shelf.hpp"
#include "runtime/stall.hpp"
#include "runtime/team_tree.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"
#include "sheaf/runtime/detail/sums.hpp"

namespace sheaf::detail {

/// The number of a new team, as its first member tells it.
struct team_name {
  team_number number;
  std::vector<location_id> members;
};

/// One member's part of one sum: awaits its own value and those of its children in the tree. Answers only store; values
/// are put together where requests may run.
class pending_sum {
 public:
  pending_sum(location& here, team_state& team, sum_key key, std::unique_ptr<sum_owner> owner);
  pending_sum& operator=(pending_sum&&) = delete;

  void give_own(encoded value);
  /// A child's answer. Throws wire_error where none is awaited from this rank.
  void give(std::uint32_t rank, encoded value);

 private:
  void go_on();
  void finish();

  location& here_;
  team_state& team_;
  sum_key const key_;
  std::unique_ptr<sum_owner> const owner_;
  team_tree const tree_;
  std::optional<encoded> own_;
  std::vector<std::optional<encoded>> theirs_;  // by child
  std::uint32_t missing_;
};

/// A collective operation that goes on while its caller does something else.
class begun_operation {
 public:
  team_state const& team;
  std::uint32_t const number;

  explicit begun_operation(team_state const& of) : team(of), number(of.next_collective) {}
  virtual ~begun_operation() = default;
  begun_operation& operator=(begun_operation&&) = delete;
  /// True: it is done here.
  virtual bool advance() = 0;
  /// Whether it waits for more than messages of its own, and something has happened here since it advanced.
  [[nodiscard]] virtual bool is_stirred() const { return false; }
  /// The program has left, by an exception, what this scope's fence asks for values.
  virtual void abandon(std::uint32_t /*scope*/) {}
  virtual void end() = 0;
};

/// What a location keeps of operations that go on by themselves, or that some members begin without the others.
struct begun_apart {
  std::vector<std::unique_ptr<begun_operation>> begun;  ///< in their order
  bool advance_is_due = false;
  std::map<sum_key, pending_sum> sums;
  std::uint32_t sums_begun = 0;       ///< by this location
  std::vector<team_name> team_names;  ///< that nobody here has asked for yet, in the order of arrival
};

struct collective_state {
  explicit collective_state(location& here) : stall(here) {}

  /// Made on first use: most locations of large jobs do without.
  begun_apart& apart() {
    if (rare == nullptr) rare = std::make_unique<begun_apart>();
    return *rare;
  }

  parcel_shelf shelf;
  stall_watch stall;
  std::unique_ptr<begun_apart> rare;
};

/// Made on first use: a message may come before this location's program has called anything.
collective_state& collectives_of(location& here);

/// Sends one record of an answer's handler, made of two parts, at once. Never waits.
void send_control(location& here, std::uint32_t dest, std::uint32_t handler, std::span<std::byte const> head,
                  std::span<std::byte const> bytes);

/// The handler of what send_control sends: `Its::take(here, source, record)` gets it, of `Its::least` bytes or more.
/// Throws wire_error, which names it by `Its::what`, where it is no such record, or `take` throws decode_error.
template <class Its>
struct control_arrival {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;
  static constexpr std::size_t least = 0;

  static void run(location& here, void*, execution& state) {
    std::span<std::byte const> const record(state.at, state.run_end);
    state.at = state.run_end;
    try {
      if (record.size() < Its::least || state.count != 1)
        throw decode_error(std::to_string(state.count) + " records of " + std::to_string(record.size()) + " bytes");
      Its::take(here, state.source, record);
    } catch (decode_error const& why) {
      throw wire_error(std::string("sheaf: a ") + Its::what + " from " + name_of(state.source) +
                       " does not decode: " + why.what() + "; the processes run different builds");
    }
  }
};

/// A location's number and messages of a collective operation of a team. Several may be open at a time.
class operation {
 public:
  explicit operation(collective_call const& call);
  ~operation() { state_.shelf.close(team_.id, sequence_, static_cast<std::uint16_t>(team_.next_collective)); }
  operation& operator=(operation&&) = delete;

  [[nodiscard]] location& here() const { return here_; }
  [[nodiscard]] team_state& team() const { return team_; }
  /// Children per member in every tree.
  [[nodiscard]] std::uint32_t arity() const { return here_.settings().tree_arity; }
  /// Whether waves, and sums that all get, use a tree; else dissemination, or doubling.
  [[nodiscard]] bool uses_tree() const { return here_.settings().fence_form == fence_form_kind::tree; }

  /// Sends at once to the member of this rank (never the own one). Never waits.
  void send(std::uint32_t rank, std::uint16_t wave, std::uint8_t step, std::span<std::byte const> bytes);

  /// Takes the next message of a wave and step, which must have the size of `to`. False: none is here.
  bool take(std::uint16_t wave, std::uint8_t step, std::span<std::byte> to);

  /// Takes the message of the step from one member. False: it is not here.
  bool take_from(std::uint32_t rank, std::uint8_t step, encoded& to) {
    return use_from(rank, step, [&](encoded& bytes) { to.swap(bytes); });
  }

  /// As take_from, with use(its bytes).
  bool use_from(std::uint32_t rank, std::uint8_t step, auto use) {
    location_id const source = team_.members[rank];
    return state_.shelf.take(key(0, step), &source, [&](parcel& one) { use(one.bytes); });
  }

  /// Whether another member's message of this wave is here.
  [[nodiscard]] bool begun(std::uint16_t wave) const { return state_.shelf.any_of_wave(key(wave, 0)); }

  /// Drops the messages of a step that belong to this wave or an earlier one.
  void forget_calls(std::uint16_t wave, std::uint8_t step) { state_.shelf.drop_upto(key(wave, step)); }

 private:
  [[nodiscard]] collective_key key(std::uint16_t wave, std::uint8_t step) const {
    return {.team = team_.id & 0xfffffU, .step = step, .sequence = sequence_, .wave = wave, .mark = mark_};
  }

  location& here_;
  team_state& team_;
  collective_state& state_;
  char const* const what_;
  std::uint16_t const sequence_;
  std::uint32_t mark_ = 0;
  std::optional<trace_slice> slice_;  // of one that its caller waits for
};

/// A collective operation of a team; `for_what` is awaited::fence where requests are waited for, too.
inline wait_site waits_for(collective_call const& call, awaited for_what = awaited::members) {
  wait_site site{call.said.what, for_what, wait_site::several, run_tag(0, 0, call.members.id()), call.from};
  if (call.root) site.root = static_cast<std::uint32_t>(*call.root);
  return site;
}

/// The fence of a scope that goes on by itself.
std::unique_ptr<begun_operation> begun_fence_for(collective_call const& call, std::unique_ptr<begun_call> owner);

/// Goes on with the operations that are begun here, if there are any, where requests may run.
void advance_soon(location& here);
/// Calls advance_soon if a begun operation is stirred and the reserve does not stop the location; says whether it did.
bool try_begun(location& here);

/// Executes until the machine is done here and the transport has all messages: the location may compute for long now.
void finish(location& here, auto& machine, wait_site const& site) {
  bool done = false;
  here.wait(wait_kind::collective, site, [&] {
    done = done || machine.advance();
    return done && !here.out().of(sheaf::traffic::answer).overflows() && here.connection().counts().in_parts == 0;
  });
}

}  // namespace sheaf::detail
