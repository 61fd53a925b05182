// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "sheaf/async/future.hpp"
#include "sheaf/base/shared_word.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/rmi/detail/split_phase.hpp"

namespace sheaf::detail {

/// Keeps the text for the next fence of the team with this count (unseen_error).
void keep_unseen_text(location& here, std::string const& text, std::uint64_t const* unanswered);

/// The state of an attached thread's future, and where its reply lands: whoever is inside the gate fills it in. Lives
/// until both are done with it: the thread drops it, and the reply has come, or the location has ended without it.
template <class R>
class outside_reply final : public future_state<R> {
 public:
  /// Called inside the gate, as is the destructor.
  outside_reply(location& here, team_state& team, asked_of const& of)
      : here_(here), of_(of), token_(here.calls().replies.add(&fill, static_cast<future_state_base*>(this), &of_)) {
    this->services = &outside_services;
    this->unanswered = &team.awaited;  // says whose it is; no fence waits for the reply
    this->dispose = [](future_state_base& s) noexcept { static_cast<outside_reply&>(s).drop(); };
  }
  ~outside_reply() {
    if (!filled_) here_.calls().replies.take(token_);
  }
  outside_reply& operator=(outside_reply&&) = delete;

  [[nodiscard]] std::uint32_t token() const { return token_; }

 private:
  static void fill(void* where, reply_status status, byte_reader& bytes) {
    auto& self = static_cast<outside_reply&>(*static_cast<future_state_base*>(where));
    if (status == reply_status::none) {
      self.filled_ = true;
      if (!self.dropped_) return self.given_up_.release(true);
    } else if (status == reply_status::value) {
      stored<R> value = codec<stored<R>>::decode(bytes);
      self.filled_ = true;
      if (!self.dropped_) return self.set_value(std::move(value));
    } else {
      std::string text = codec<std::string>::decode(bytes);
      self.filled_ = true;
      if (!self.dropped_) return self.set_error(std::move(text));
      keep_unseen_text(self.here_, text, self.unanswered);
    }
    delete &self;
  }

  /// Where the reply has come or never will, the location may be gone. An unseen error is told while we are attached.
  void drop() noexcept {
    bool const untold = this->unseen_text() != nullptr && ambient_location != nullptr;
    if (given_up_.acquire() || (this->ready() && !untold)) {
      delete this;
      return;
    }
    admission const inside(here_.gate());
    dropped_ = true;
    if (!filled_) return;
    if (std::string const* const text = this->unseen_text(); text != nullptr)
      keep_unseen_text(here_, *text, this->unanswered);
    delete this;
  }

  location& here_;
  asked_of const of_;
  shared_word<bool> given_up_{false};  // the location has ended, and no reply came
  bool filled_ = false;
  bool dropped_ = false;
  std::uint32_t const token_;
};

}  // namespace sheaf::detail
