// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/request.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/call_text.hpp"
#include "message/outside.hpp"
#include "sheaf/rmi/detail/outside_reply.hpp"
#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/rmi/detail/windowed.hpp"
#include "sheaf/rmi/reply_window.hpp"

namespace sheaf::detail {

void throw_no_object(packed_call_site from) {
  throw usage_error(
      "sheaf: a remote call on a handle that names no object; take handles from a registered or published object by "
      "handle_of(object), ids of migrating objects from create()" +
      called_at(from));
}

void throw_not_of_world(std::uint32_t team, packed_call_site from) {
  throw usage_error("sheaf: a published object was called through team " + std::to_string(team) +
                    "; call it through the world, whose fence waits for it: world.async<&T::method>(handle, ...)" +
                    called_at(from));
}

void throw_outside_pointer() {
  throw usage_error(
      "sheaf: ask of a method pointer was called by an attached thread; name the method at compile time there, "
      "as in ask<&T::method>, or use sync");
}

void throw_foreign_team(location const& here, std::uint32_t team, packed_call_site from) {
  throw usage_error("sheaf: " + name_of(here.id()) + " is not a member of team " + std::to_string(team) +
                    ", on which the object of this handle is registered; only the team's members may call the object" +
                    called_at(from));
}

void throw_object_gone() {
  throw usage_error(
      "its object was destroyed or withdrawn while the coroutine was suspended; fence (the world, for a published "
      "object) before you destroy it");
}

run_tag reply_tag() {
  static run_tag const tag(handler_number<reply_run>, 0, 0);
  return tag;
}

void reply_run::run(location& here, void*, execution& state) {
  auto const give_reply = [&here](byte_reader& from) {
    auto const token = from.value<std::uint32_t>();
    auto const status = from.value<std::uint8_t>();
    auto const to = here.calls().replies.take(token);
    if (to.sink == nullptr && outside::leaves(here)) return false;  // who asked has left with the program
    if (to.sink == nullptr || status >= static_cast<std::uint8_t>(reply_status::none))
      throw decode_error("nobody waits for token " + std::to_string(token));
    to.sink(to.where, static_cast<reply_status>(status), from);
    return true;
  };
  while (state.at != state.run_end) {
    if (!take_record(state, give_reply)) state.at = state.run_end;
  }
}

void send_exception(location& here, std::uint32_t dest, std::uint32_t token, std::string_view handler) {
  using record = arguments_codec<std::uint32_t, std::uint8_t, std::string>;
  std::string const text = exception_text(here.id(), handler, location_id{dest});
  put_urgently<record>(here, here.answer_box(dest), reply_tag(), {}, token,
                       static_cast<std::uint8_t>(reply_status::exception), text);
}

void throw_unawaited(execution const& state, std::uint64_t question, char const* whose) {
  throw wire_error("sheaf: " + name_of(state.source) + " answered question " +
                   std::to_string(question_run::place_of(question)) + " of run " +
                   std::to_string(question >> question_run::place_bits) + ", which no " + whose + " awaits");
}

void send_error(location& here, std::uint32_t dest, std::uint64_t question, std::string_view handler) {
  run_tag const tag(handler_number<error_answers>, 0, 0);
  std::string const text = exception_text(here.id(), handler, location_id{dest});
  put<arguments_codec<std::uint64_t, std::string>>(here, here.answer_box(dest), tag, {}, question, text);
}

void error_answers::run(location& here, void*, execution& state) {
  each_record<arguments_codec<std::uint64_t, std::string>>(state, [&](std::uint64_t question, std::string&& text) {
    question_run* const run = here.calls().questions.find(question, 1);
    std::uintptr_t none = 0;
    std::uintptr_t& place =
        run == nullptr || run->type == nullptr ? none : run->places[question_run::place_of(question)];
    if (place == 0) throw_unawaited(state, question, "reply window or future");
    if (run->windows.empty()) {
      auto& future = *question_run::state_at(std::exchange(place, 0));
      future.set_error(std::move(text));
      if (future.release()) future.end();
    } else {
      auto const whose = [&](window_state const* each) { return each->has(place); };
      std::string& error = (*std::find_if(run->windows.begin(), run->windows.end(), whose))->error;
      if (error.empty()) error = std::move(text);
    }
    here.calls().questions.answered(*run, question, 1);
  });
}

void keep_unseen_text(location& here, std::string const& text, std::uint64_t const* unanswered) {
  here.in().keep_unseen(unseen_error(text, unanswered));
}

std::uint32_t checked_slots(std::uint32_t slots) {
  if (slots >= 1) return slots;
  throw usage_error("sheaf: a reply_window of 0 slots; it may have 1…4294967295");
}

void throw_bad_slot(std::uint32_t slot, std::size_t slots, packed_call_site from) {
  throw usage_error("sheaf: slot " + std::to_string(slot) + " of a reply_window that has slots 0…" +
                    std::to_string(slots - 1) + called_at(from));
}

void throw_first_error(std::string& text) {
  if (!text.empty()) throw remote_error(std::exchange(text, {}));
}

}  // namespace sheaf::detail
