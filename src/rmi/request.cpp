// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/request.hpp"

#include <string>

#include "message/outside.hpp"
#include "sheaf/message/exception_text.hpp"

namespace sheaf::detail {

void throw_undecodable(execution const& state, char const* why) {
  throw wire_error("sheaf: arguments for " + readable(state.handler->name) + " from location " +
                   std::to_string(number(state.source)) + " do not decode: " + why);
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
      if (to.sink == nullptr && outside::leaves(here)) {  // who asked has left with the program
        state.at = state.run_end;
        return;
      }
      if (to.sink == nullptr || status >= static_cast<std::uint8_t>(reply_status::none))
        throw decode_error("nobody waits for token " + std::to_string(token));
      to.sink(to.where, static_cast<reply_status>(status), reader);
    } catch (ends_job const&) {
      throw;
    } catch (std::exception const& why) {  // a decode_error, or what a user's codec throws
      throw_undecodable(state, why.what());
    }
    state.at = state.run_end - reader.remaining();
    ++state.begun;
  }
}

void send_exception(location& here, std::uint32_t dest, std::uint32_t token, std::string_view handler) {
  std::string const text = exception_text(here.id(), handler, location_id{dest});
  std::size_t const bytes = reply_head_bytes + codec<std::string>::size(text);
  admission const inside(here.gate());
  std::byte* const at = here.append_varying_answer(here.answer_box(dest), reply_tag(), bytes);
  byte_writer to(at, at + bytes);
  put_reply_head(to, token, reply_status::exception);
  codec<std::string>::encode(to, text);
  here.flush(dest, traffic::answer);
}

}  // namespace sheaf::detail
