// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/async/detail/cell_pool.hpp"
#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/method_table.hpp"
#include "sheaf/message/run_header.hpp"

namespace sheaf {
class byte_reader;
}

namespace sheaf::detail {

class future_state_base;
struct outbox;

/// The destination of a request, for reports.
struct asked_of {
  run_tag tag{};
  std::uint32_t on = 0;      ///< the location; wait_site::several: all members, or who has the object
  std::uint32_t birth = 0;   ///< where `object` is not 0: the rank of the member where it began
  std::uint64_t object = 0;  ///< of an object that migrates, its number there; 0: it does not
};

/// The first byte of a reply: a value follows, or the text of an exception. `none` is never sent: the location ends
/// without a reply.
enum class reply_status : std::uint8_t { value = 0, exception = 1, none = 2 };

/// Receives one reply: called once with the bytes after the status. Takes exactly its own bytes from the reader, since
/// replies are packed one behind the other.
using reply_sink = void (*)(void* where, reply_status status, byte_reader& bytes);

/// Replies that this location awaits, by token. A token that is not awaited is recognised (its generation does not
/// match).
class reply_table {
 public:
  static constexpr std::uint32_t index_bits = 24;

  reply_table& operator=(reply_table&&) = delete;
  /// Tells all that await a reply that there will be none.
  ~reply_table();

  /// `of` is kept for reports, where not null; it lives as long as the reply is awaited.
  std::uint32_t add(reply_sink sink, void* where, asked_of const* of = nullptr);

  struct taken {
    reply_sink sink = nullptr;  ///< null: the token is not awaited
    void* where = nullptr;
  };
  taken take(std::uint32_t token);

  [[nodiscard]] std::size_t awaited() const { return awaited_; }
  /// Calls `visit(where, of)` with each that says whom it asks.
  template <class Visit>
  void each_told(Visit visit) const {
    for (slot const& s : slots_) {
      if (s.sink != nullptr && s.of != nullptr) visit(s.where, *s.of);
    }
  }

 private:
  static constexpr std::uint32_t index_mask = (1U << index_bits) - 1;
  static constexpr std::uint8_t generation_of(std::uint32_t token) {
    return static_cast<std::uint8_t>(token >> index_bits & 0xffU);
  }

  struct slot {
    reply_sink sink = nullptr;
    void* where = nullptr;
    asked_of const* of = nullptr;
    std::uint8_t generation = 0;
    std::uint32_t next_free = 0;
  };
  std::vector<slot> slots_;
  std::uint32_t first_free_ = index_mask;  // none
  std::size_t awaited_ = 0;
};

/// A reply window, as runs of questions know it. The array, which the type derived from this has (windowed.hpp), stays
/// until `gone` is set and no run has a question of the window.
struct window_state {
  explicit window_state(void (*destroys)(window_state*)) : destroy(destroys) {}

  std::uintptr_t first = 0, end = 0;  ///< addresses of the array
  std::uint32_t awaited = 0;          ///< questions in runs that have left, without an answer
  std::uint32_t runs = 0;             ///< runs with questions of this window that are not all answered
  bool gone = false;                  ///< the program's window has ended
  std::string error;                  ///< text of the first exception
  void (*const destroy)(window_state*);

  [[nodiscard]] bool has(std::uintptr_t place) const { return first <= place && place < end; }
  void release() {
    if (gone && runs == 0) destroy(this);
  }
};

/// Who asks a question.
struct asker {
  type_token type = nullptr;            ///< of the result; null: it comes another way
  std::uint64_t* unanswered = nullptr;  ///< the count of the team
  window_state* window = nullptr;       ///< the window that asks; null: a future asks
};

/// Questions that travel in one run, and for each the place of its answer: the address of an element of a window's
/// array, or that of a future's state, which becomes 0 when the answer has come.
struct question_run : immovable<question_run> {
  static constexpr std::uint32_t place_bits = 20;
  static constexpr std::uint32_t most = 1U << place_bits;
  static constexpr std::uint32_t most_mixed = 64;  ///< its limit when another window asks next

  std::uintptr_t* places = nullptr;
  type_token type = nullptr;  ///< as asker has it
  asked_of of;
  std::uint64_t* unanswered = nullptr;
  std::vector<window_state*> windows;  ///< whose questions these are; none: futures'
  std::uint32_t capacity = 0;          ///< of `places`
  std::uint32_t number;
  std::uint32_t limit = 0;  ///< questions of one size that it may have before its location polls or the buffer is full
  std::uint32_t count = 0;  ///< questions; 0 while the run is open in an outbox
  std::uint32_t open = 0;   ///< questions without an answer; 0 while the run is open in an outbox
  outbox const* in = nullptr;  ///< the outbox in which the run is open; null: none
  question_run* next_free = nullptr;

  explicit question_run(std::uint32_t its_number) : number(its_number) {}
  ~question_run();
  [[nodiscard]] std::uint32_t noted() const;
  /// Doubles `places`; returns where the next place is noted.
  std::uintptr_t* grow();
  /// The run has questions of this window, too.
  void serve(window_state& window);
  void leave_windows();
  /// Adds `by` to what the windows await, for each of `questions` questions from place `from` on.
  void count_awaited(std::uint32_t from, std::uint32_t questions, std::uint32_t by);

  /// The id of its first question. Those of the others follow.
  [[nodiscard]] std::uint64_t first_id() const { return std::uint64_t{number} << place_bits; }
  static constexpr std::uint32_t place_of(std::uint64_t id) { return id & (most - 1); }
  static std::uintptr_t place_of(future_state_base const* state) { return reinterpret_cast<std::uintptr_t>(state); }
  static future_state_base* state_at(std::uintptr_t place) { return reinterpret_cast<future_state_base*>(place); }
};

/// The questions of one location that have no answer yet, by runs (docs/design/answers.md). A team counts a run while
/// one of its questions has no answer. Used by the location's own thread, and by whoever flushes its streams; where
/// others may enter the location, inside its gate.
class question_book {
 public:
  ~question_book();
  question_book& operator=(question_book&&) = delete;

  /// A run with room for one place at least. Throws usage_error when 2^24 are in use.
  question_run& begin(asker const& who, asked_of const& of);
  /// The run leaves its outbox with so many questions. Without any it ends.
  void close(question_run& run, std::uint32_t questions);
  /// A question that is the only one of its run and carries its id, which this returns.
  std::uint64_t alone(asker const& who, asked_of const& of, std::uintptr_t place);
  /// The question of `alone` was not sent, or its answer has come another way.
  void end_alone(std::uint64_t id) { answered(*runs_[id >> question_run::place_bits], id, 1); }

  /// The run of the question `id`, if this one and those behind it, `answers` together, may be answered; else null.
  [[nodiscard]] question_run* find(std::uint64_t id, std::uint64_t answers) const {
    std::uint64_t const number = id >> question_run::place_bits;
    if (number >= runs_.size()) return nullptr;
    question_run* const run = runs_[number];
    bool const awaits = answers <= run->open && question_run::place_of(id) + answers <= run->count;
    return awaits ? run : nullptr;
  }
  /// So many questions, from `id` on, have been answered.
  void answered(question_run& run, std::uint64_t id, std::uint32_t answers) {
    if (!run.windows.empty()) run.count_awaited(question_run::place_of(id), answers, 0U - 1U);
    if ((run.open -= answers) == 0) end(run);
  }

  /// Questions of the window without an answer. This and the following look at all runs that there have been at a time.
  [[nodiscard]] std::uint32_t awaited(window_state const& window) const;
  /// What a team awaits whose count this is, with each question of a run instead of the run.
  [[nodiscard]] std::uint64_t awaited_by(std::uint64_t const& unanswered) const;
  /// Calls `visit(state, run, id)` for each question of a future.
  template <class Visit>
  void each_of_futures(Visit visit) const {
    for (question_run const* const run : runs_) {
      if (run->unanswered == nullptr || !run->windows.empty()) continue;
      for (std::uint32_t i = 0; i < run->noted(); ++i) {
        if (run->places[i] != 0) visit(question_run::state_at(run->places[i]), *run, run->first_id() + i);
      }
    }
  }

 private:
  void end(question_run& run);

  std::vector<question_run*> runs_;  // by number
  question_run* free_ = nullptr;
};

/// What one location keeps of calls between their request and their answer.
struct open_calls {
  reply_table replies;      ///< what blocking calls wait for
  question_book questions;  ///< what windows and futures wait for
  cell_pool cells;          ///< states of futures, and small migrating objects
  method_table methods;     ///< methods called through pointers
  frame_list coroutines;    ///< that began here and belong to no task; an error that ends the job destroys them before
                            ///< the program's variables go
};

}  // namespace sheaf::detail
