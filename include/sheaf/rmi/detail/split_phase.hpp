// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <type_traits>

#include "sheaf/async/future.hpp"
#include "sheaf/rmi/detail/request.hpp"

namespace sheaf::detail {

void wait_for_future(future_state_base& state);
void defer_continuation(void (*run)(void*), void* context);

template <class R>
void take_value(future_state<R>& future, byte_reader& bytes) {
  if constexpr (std::is_void_v<R>) {
    static_cast<void>(codec<unit>::decode(bytes));
    future.set_value();
  } else {
    future.set_value(codec<R>::decode(bytes));
  }
}

/// Fills the future; one reference goes with the reply.
template <class R>
void fill_future(void* where, reply_status status, byte_reader& bytes) {
  auto* const future = static_cast<future_state<R>*>(where);
  --*future->unanswered;
  if (status == reply_status::value) {
    take_value(*future, bytes);
  } else {
    future->set_error(codec<std::string>::decode(bytes));
  }
  drop(future);
}

/// A state in one of the location's recycled blocks, or in memory of its own when it is too large for one.
template <class R>
future_state<R>* make_future_state(location& here, team_state& team) {
  using state_type = future_state<R>;
  constexpr bool small =
      sizeof(state_type) <= small_blocks::block_bytes && alignof(state_type) <= alignof(std::max_align_t);
  state_type* state = nullptr;
  if constexpr (small) {
    state = ::new (here.blocks().take()) state_type;
    state->home = &here.blocks();
    state->dispose = [](future_state_base& s) noexcept {
      auto* const home = static_cast<small_blocks*>(s.home);
      auto* const self = static_cast<state_type*>(&s);
      self->~state_type();
      home->give_back(self);
    };
  } else {
    state = new state_type;
    state->dispose = [](future_state_base& s) noexcept { delete static_cast<state_type*>(&s); };
  }
  state->wait = &wait_for_future;
  state->defer = &defer_continuation;
  state->unanswered = &team.awaited;
  state->acquire();  // the reply's reference
  ++team.awaited;
  return state;
}

/// Where the reply of a blocking request lands: on the caller's stack.
/// Leaves the table again when its wait ends by an exception.
template <class R>
struct blocking_reply {
  explicit blocking_reply(reply_table& in) : table(in), token(in.add(&fill, this)) {}
  ~blocking_reply() {
    if (!result.ready()) table.take(token);
  }
  blocking_reply(blocking_reply const&) = delete;
  blocking_reply& operator=(blocking_reply const&) = delete;

  reply_table& table;
  std::uint32_t token;
  future_state<R> result;

  static void fill(void* where, reply_status status, byte_reader& bytes) {
    auto& self = *static_cast<blocking_reply*>(where);
    if (status == reply_status::value) {
      take_value(self.result, bytes);
    } else {
      self.result.set_error(codec<std::string>::decode(bytes));
    }
  }
};

}  // namespace sheaf::detail
