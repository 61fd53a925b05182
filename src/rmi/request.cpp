// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/request.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "message/outside.hpp"
#include "sheaf/message/guarded_run.hpp"

namespace sheaf::detail {

void fetch_lines(std::byte const* at, std::byte const* end) noexcept {
  constexpr std::size_t line = 64;
  std::byte const* const last = at + std::min<std::ptrdiff_t>(lines_ahead, end - at);
  for (; at < last; at += line) __builtin_prefetch(at);
}

void throw_undecodable(execution const& state, char const* why) {
  std::string const source = " from location " + std::to_string(number(state.source));
  if (!is_request(state.kind)) throw wire_error("sheaf: a result" + source + " does not decode: " + why);
  throw wire_error("sheaf: arguments for " + readable(state.handler->name) + source + " do not decode: " + why);
}

run_tag reply_tag() {
  static run_tag const tag(handler_number<reply_run>, 0, 0);
  return tag;
}

void put_encoded(location& here, outbox& box, run_tag tag, std::span<std::byte const> record,
                 std::uint32_t record_bytes) {
  admission const inside(here.gate());
  std::byte* const to = record_bytes != 0 ? box.append(tag, record_bytes) : box.append_varying(tag, record.size());
  if (!record.empty()) std::memcpy(to, record.data(), record.size());
}

namespace {

/// One reply, to who waits for it.
bool give_reply(location& here, byte_reader& from) {
  auto const token = from.value<std::uint32_t>();
  auto const status = from.value<std::uint8_t>();
  auto const to = here.calls().replies.take(token);
  if (to.sink == nullptr && outside::leaves(here)) return false;  // who asked has left with the program
  if (to.sink == nullptr || status >= static_cast<std::uint8_t>(reply_status::none))
    throw decode_error("nobody waits for token " + std::to_string(token));
  to.sink(to.where, static_cast<reply_status>(status), from);
  return true;
}

}  // namespace

void reply_run::run(location& here, void*, execution& state) {
  while (state.at != state.run_end) {
    if (!take_record(state, [&](byte_reader& from) { return give_reply(here, from); })) state.at = state.run_end;
  }
}

void send_exception(location& here, std::uint32_t dest, std::uint32_t token, std::string_view handler) {
  using record = arguments_codec<std::uint32_t, std::uint8_t, std::string>;
  std::string const text = exception_text(here.id(), handler, location_id{dest});
  put_urgently<record>(here, here.answer_box(dest), reply_tag(), {}, token,
                       static_cast<std::uint8_t>(reply_status::exception), text);
}

}  // namespace sheaf::detail
