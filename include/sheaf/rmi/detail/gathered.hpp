// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sheaf/async/future.hpp"
#include "sheaf/rmi/detail/request.hpp"

namespace sheaf::detail {

/// Sends {token, text of the exception being handled} in a run of `tag`.
void send_error(location& here, std::uint32_t dest, run_tag tag, std::uint32_t token, std::string_view handler);

[[noreturn]] void throw_unawaited(execution const& state, std::uint32_t token, char const* whose);

/// The handler of {token, text} for replies of one kind: `Replies::fail(here, token, text)` passes the text on, and
/// returns false where nothing awaits the token.
template <class Replies>
struct error_run {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;

  static void run(location& here, void*, execution& state) {
    each_record<arguments_codec<std::uint32_t, std::string>>(state, [&](std::uint32_t token, std::string&& text) {
      if (!Replies::fail(here, token, std::move(text))) throw_unawaited(state, token, Replies::whose);
    });
  }
};

/// An answer that is gathered with others of its kind. `Reply` is the handler of these replies {token, result}, with
/// the codec of its records, and with `error`, the handler of {token, text} where the method threw. A token has
/// one of both.
template <class Reply>
struct gathered_answer {
  using envelope = arguments_codec<std::uint32_t>;  // the token
  static constexpr bool travels = true, any_thread = true, is_statement = false;

  outbox* box;
  run_tag tag;
  std::string_view name;
  std::uint32_t caller;
  std::uint32_t token = 0;

  explicit gathered_answer(asked_call const& of)
      : box(&of.here.answer_box(number(of.caller))),
        tag(handler_number<Reply>, 0, 0),
        name(of.name),
        caller(number(of.caller)) {}
  template <class Request>
  void open(location&, std::span<std::byte const>, std::uint32_t asked) {
    token = asked;
  }
  [[nodiscard]] std::uint64_t call() const { return call_number(Reply::calls, token); }
  [[nodiscard]] std::uint32_t gathers() const { return caller; }
  template <class R = unit>
  void value(location& here, R const& result = {}) const {
    put<typename Reply::codec>(here, *box, tag, {}, token, result);
  }
  void exception(location& here) const {
    send_error(here, caller, run_tag(handler_number<typename Reply::error>, 0, 0), token, name);
  }
};

template <class Invoker, class Reply>
using gathered_request = request<Invoker, gathered_answer<Reply>>;

}  // namespace sheaf::detail
