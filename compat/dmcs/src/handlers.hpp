// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "engine.hpp"
#include "sheaf/message/handler.hpp"

#pragma GCC visibility push(hidden)
namespace sheaf_dmcs {

/// The handlers of what travels (docs/internals/message-api.md).
template <std::size_t N>
struct services {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<engine>();
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
  static constexpr std::uint32_t record_bytes = sizeof(service_record<N>);
  static void run(sheaf::detail::location&, void* object, sheaf::detail::execution& state) {
    static_cast<engine*>(object)->receive_services<N>(state);
  }
};

struct data_records {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<engine>();
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
  static constexpr std::uint32_t record_bytes = 0;
  static void run(sheaf::detail::location&, void* object, sheaf::detail::execution& state) {
    static_cast<engine*>(object)->receive_data(state);
  }
};

struct op_records {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<engine>();
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
  static constexpr std::uint32_t record_bytes = 0;
  static void run(sheaf::detail::location&, void* object, sheaf::detail::execution& state) {
    static_cast<engine*>(object)->receive_ops(state);
  }
};

/// Answers find the open call by its token. That of a get without a place has `value` bytes of data behind it.
template <bool WithData>
struct answers {
  static constexpr sheaf::detail::type_token object_type = nullptr;
  static constexpr sheaf::traffic kind = sheaf::traffic::answer;
  static constexpr std::uint32_t record_bytes = WithData ? 0 : sizeof(answer_head);
  static void run(sheaf::detail::location& here, void*, sheaf::detail::execution& state);
};
extern template struct answers<false>;
extern template struct answers<true>;

/// Of the reply table: ends the open call `where`.
void end_call(void* where, sheaf::detail::reply_status status, sheaf::byte_reader& bytes);

}  // namespace sheaf_dmcs
#pragma GCC visibility pop
