// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>

#include "sheaf/message/handler.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf_test {

/// A request that is told where to go on to: it sends `fan` copies of the rest to the first of `to`, each in an entry
/// of its own, and waits or asks where it shall. Small programs of errands are what the explorer runs.
struct errand {
  static constexpr unsigned most_hops = 6;
  std::uint8_t hops = 0;
  std::uint8_t fan = 1;
  std::uint8_t waits = 0;  ///< waits for a word before it finishes
  std::uint8_t asks = 0;   ///< after its reply has come to the sender, a continuation there goes on with the hops
  std::uint8_t apart = 0;  ///< the fence does not wait for it, nor for what it leads to
  std::uint8_t to[most_hops] = {};
};

/// What all locations of one simulated job know together: the truth that a fence must find.
struct errand_truth {
  std::uint64_t issued = 0;
  std::uint64_t finished = 0;
  [[nodiscard]] bool all_done() const { return issued == finished; }
};

/// One location's errands. Its object is number 1 of the world.
class errand_runner {
 public:
  errand_runner(sheaf::detail::location& here, errand_truth& truth) : here_(here), truth_(truth) {
    here.registered().add_object(here.registered().world(), this, sheaf::detail::token_of<errand_runner>());
  }

  void send(std::uint32_t dest, errand const& e, bool flush = true);
  void execute(errand const& e, sheaf::location_id source);
  void replied(errand const& e);

  /// What a handler that waits calls meanwhile.
  void (*while_waiting)(void*) = nullptr;
  void* context = nullptr;
  bool word_came = false;
  std::uint64_t begun = 0;

  sheaf::detail::location& here() { return here_; }

 private:
  void go_on(errand e);

  sheaf::detail::location& here_;
  errand_truth& truth_;
  errand continuation_;
  sheaf::run_scope asked_in_;
};

struct errand_handler {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<errand_runner>();
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
  static constexpr std::uint32_t record_bytes = sizeof(errand);
  static void run(sheaf::detail::location&, void* object, sheaf::detail::execution& state) {
    sheaf::location_id const source = state.source;
    while (state.at != state.run_end) {
      errand e;
      std::memcpy(&e, state.at, sizeof e);
      state.at += sizeof e;
      static_cast<errand_runner*>(object)->execute(e, source);
    }
  }
};

/// The reply to an errand that asks, or the word that a waiting one waits for (no hops).
struct errand_reply {
  static constexpr sheaf::detail::type_token object_type = nullptr;
  static constexpr sheaf::traffic kind = sheaf::traffic::answer;
  static constexpr std::uint32_t record_bytes = sizeof(errand);
  static inline thread_local errand_runner* runners[8] =
      {};  ///< by location, of the job being simulated on this thread
  static void run(sheaf::detail::location& here, void*, sheaf::detail::execution& state) {
    errand e;
    std::memcpy(&e, state.at, sizeof e);
    state.at = state.run_end;
    runners[number(here.id())]->replied(e);
  }
};

template <class Handler>
void send_urgently(sheaf::detail::location& here, std::uint32_t dest, std::uint32_t object, errand const& e) {
  std::byte entry[sheaf::run_header::wire_bytes + sizeof e];
  std::memcpy(entry + sheaf::run_header::wire_bytes, &e, sizeof e);
  (Handler::kind == sheaf::traffic::request ? here.request_box(dest) : here.answer_box(dest))
      .send_urgent(sheaf::run_tag(sheaf::detail::handler_number<Handler>, object, 0), entry);
}

inline void errand_runner::send(std::uint32_t dest, errand const& e, bool flush) {
  truth_.issued += e.apart == 0 ? 1 : 0;
  if (e.asks != 0) {
    truth_.issued += e.apart == 0 ? 1 : 0;  // the continuation
    ++here_.registered().world().awaited;
    asked_in_ = here_.out().scope();
  }
  if (flush) return send_urgently<errand_handler>(here_, dest, 1, e);
  sheaf::run_tag const tag(sheaf::detail::handler_number<errand_handler>, 1, 0);
  std::memcpy(here_.request_box(dest).append(tag, sizeof e), &e, sizeof e);
}

inline void errand_runner::go_on(errand e) {
  if (e.hops == 0) return;
  std::uint32_t const dest = e.to[0];
  unsigned const fan = e.fan;
  --e.hops;
  e.fan = 1;
  std::memmove(e.to, e.to + 1, errand::most_hops - 1);
  for (unsigned i = 0; i < fan; ++i) send(dest, e);
}

inline void errand_runner::execute(errand const& e, sheaf::location_id source) {
  begun += e.apart == 0 ? 1 : 0;
  if (e.asks != 0) {
    errand rest = e;
    rest.asks = 0;
    send_urgently<errand_reply>(here_, number(source), 0, rest);
  } else {
    go_on(e);
  }
  if (e.waits != 0) {
    here_.wait(sheaf::detail::wait_kind::answer, [this] {
      if (while_waiting != nullptr) while_waiting(context);
      return word_came;
    });
  }
  truth_.finished += e.apart == 0 ? 1 : 0;
}

inline void errand_runner::replied(errand const& e) {
  if (e.hops == 0) {
    word_came = true;
    return;
  }
  --here_.registered().world().awaited;
  continuation_ = e;
  here_.in().defer(
      [](void* p) {
        auto* const me = static_cast<errand_runner*>(p);
        me->go_on(me->continuation_);
        me->truth_.finished += me->continuation_.apart == 0 ? 1 : 0;
      },
      this, nullptr, asked_in_);
}

}  // namespace sheaf_test
