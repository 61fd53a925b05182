// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "sheaf/base/call_site.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

/// What a message type registers: its handler, and the loop that runs the records of one run with it, compiled once for
/// each type of handler.
struct message_target {
  using receiver = void (*)(location& here, void* handler, execution& state);

  receiver runs = nullptr;
  void (*one)(void* handler, void* value, std::uint64_t sender) = nullptr;  ///< calls it with a value
  std::unique_ptr<void, void (*)(void*)> handler{nullptr, nullptr};

  /// Without a handler the rest of a run is dropped, which the end of its epoch tells. `discard` takes its values, as
  /// what is lent in them is to be given back.
  void receive(location& here, execution& state, void (*discard)(execution&)) const;
};

/// How a message type gathers its messages.
struct message_buffers {
  bool apart = false;        ///< in buffers of its own
  std::size_t bytes = 0;     ///< at which they are handed on; 0: a number that adapts
  std::uint64_t age_ns = 0;  ///< after so long the location's buffers leave; 0: that is not asked for
  route_kind path = route_kind::automatic;
  sending_threads by = sending_threads::apart;
};

/// A message type without its value's type: its place in the team, its handler, and where its records go.
class message_core : immovable<message_core> {
 public:
  /// `number`: of the handler (message_records).
  message_core(team const& on, type_token type, std::uint32_t number, message_buffers const& how, call_site from);
  ~message_core();

  [[nodiscard]] team const& members() const { return team_; }
  [[nodiscard]] run_tag tag() const { return tag_; }
  [[nodiscard]] location& here() const { return here_; }
  /// Of the type, in texts.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] member_boxes const& boxes() const { return *boxes_; }
  /// Outboxes, by rank, of a type with buffers of its own.
  [[nodiscard]] member_boxes const& own_boxes() const { return own_boxes_; }
  /// Only the location's own thread sends, and others may enter the location.
  [[nodiscard]] bool is_owners_alone() const { return by_ == sending_threads::owner_alone && here_.gate() != nullptr; }
  /// Only the location's own thread sends, and another one calls this.
  [[nodiscard]] bool is_anothers() const;

  /// Throws usage_error in an epoch.
  void set_handler(message_target handler, call_site from);
  /// The outbox of messages to the member. Throws usage_error where there is none, and outside of the team's epochs.
  [[nodiscard]] outbox& box_for(std::uint64_t dest, packed_call_site from);
  /// Throws what box_for throws, and usage_error in a handler that must not send.
  void check_sending(std::uint64_t dest, packed_call_site from) const;
  /// How many epochs with this scope's number have ended here.
  [[nodiscard]] std::uint32_t ends_of(run_scope epoch) const { return state_.ends_of(epoch.number()); }
  /// Of the epoch in which the calling thread sends; differs from that of an earlier one.
  [[nodiscard]] std::uint64_t epoch_mark() const;
  /// Which thread it is; null where nobody else may enter the location.
  [[nodiscard]] void const* sending_thread() const;
  /// Calls the handler with a value for this member; false: it is to be sent. Throws as check_sending.
  bool handle_here(void* value, packed_call_site from);
  /// The end of the epoch tells that messages were dropped.
  void tell_dropped(run_scope in, std::string const& why);
  void flush();

 private:
  void refuse_in_epoch(char const* what, call_site from) const;
  void check_epoch(packed_call_site from) const;

  team const team_;
  location& here_;
  team_state& state_;
  message_target target_;
  std::uint32_t const object_;
  run_tag const tag_;
  sending_threads const by_;
  stream* own_ = nullptr;                                 // the location has it; null: the requests', or
  std::unique_ptr<thread_streams> own_by_thread_;         // those that each thread has of the type
  std::unique_ptr<std::atomic<outbox*>[]> shared_boxes_;  // by rank, where several threads look for them
  member_boxes own_boxes_;
  member_boxes* const boxes_;
  std::uint32_t handling_here_ = 0;  // calls of handle_here on the stack
};

}  // namespace sheaf::detail
