// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/request.hpp"

#include <string>

#include "sheaf/base/error.hpp"
#include "sheaf/rmi/detail/split_phase.hpp"

namespace sheaf::detail {

void throw_undecodable(execution const& state, decode_error const& why) {
  throw wire_error("sheaf: arguments for " + readable(state.handler->name) + " from location " +
                   std::to_string(number(state.source)) + " do not decode: " + why.what());
}

run_tag reply_tag() {
  static run_tag const tag(handler_number<reply_run>, 0, 0);
  return tag;
}

void reply_run::run(location& here, void*, execution& state) {
  while (state.at != state.run_end) {
    byte_reader reader(std::span(state.at, state.run_end));
    try {
      auto const token = reader.value<std::uint32_t>();
      auto const status = reader.value<std::uint8_t>();
      auto const to = here.replies().take(token);
      if (to.sink == nullptr || status > 1) throw decode_error("nobody waits for token " + std::to_string(token));
      to.sink(to.where, static_cast<reply_status>(status), reader);
    } catch (decode_error const& why) {
      throw_undecodable(state, why);
    }
    state.at = state.run_end - reader.remaining();
    ++state.begun;
  }
}

std::string exception_text(location const& here, std::uint32_t caller, std::string_view handler) {
  std::string text = "an unknown exception";
  try {
    throw;
  } catch (std::exception const& thrown) {
    text = without_prefix(thrown.what());
  } catch (...) {
  }
  return "location " + std::to_string(number(here.id())) + ", " + readable(handler) + " called by location " +
         std::to_string(caller) + ": " + text;
}

void send_exception(location& here, std::uint32_t dest, std::uint32_t token, std::string_view handler) {
  std::string const text = exception_text(here, dest, handler);
  std::size_t const bytes = reply_head_bytes + codec<std::string>::size(text);
  std::byte* const at = here.append_answer(dest, reply_tag(), bytes, 0);
  byte_writer to(at, at + bytes);
  put_reply_head(to, token, reply_status::exception);
  codec<std::string>::encode(to, text);
  if ((token & reply_table::urgent_bit) != 0) here.flush(dest, traffic::answer);
}

void wait_for_future(future_state_base& state) {
  location& here = *ambient_location;
  here.check_may_wait(wait_kind::answer, "future::get");
  here.wait(wait_kind::answer, [&] { return state.ready(); });
}

void defer_continuation(void (*run)(void*), void* context) { ambient_location->defer(run, context); }

}  // namespace sheaf::detail
