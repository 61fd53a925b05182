// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/base/shared_word.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/run_header.hpp"
#include "sheaf/message/team_state.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

class location;

struct aside_entry;
class entry_keeper;
class gate;
class outside;
class reports;
class unseen_error;

struct hop_piece;

/// The cursor of one arrived entry that is being executed. It belongs to the location, and `at` moves on before each
/// handler is called, so that a handler that waits or throws leaves the rest of the run to go on in order.
struct execution {
  std::byte const* at = nullptr;       ///< next record of the current run
  std::byte const* run_end = nullptr;  ///< end of the current run
  std::byte const* entry_begin = nullptr;
  std::byte const* entry_end = nullptr;  ///< end of the entry
  std::byte const* run_begin = nullptr;
  std::uint32_t count = 0;      ///< records in the current run
  std::uint32_t begun = 0;      ///< records whose handler was called (runs of varying record size)
  std::uint32_t accounted = 0;  ///< records already added to the location's count of executed requests
  std::uint32_t orphans = 0;    ///< records of the current run whose object went away before their turn
  std::uint64_t question = 0;   ///< id of the first question of the current run, or of the first that it answers
  location_id source{};
  traffic kind{};
  bool consumed = false;            ///< the entry's credit has been returned (its bytes may be gone)
  std::uint32_t object_number = 0;  ///< of `object` in `team`, as the current run's header says
  handler_entry const* handler = nullptr;
  void* object = nullptr;
  team_state* team = nullptr;            ///< of the current run; null for answers
  run_scope scope;                       ///< in which the current run was sent
  execution* outer = nullptr;            ///< the execution that this one interrupts
  aside_entry* kept = nullptr;           ///< the entry, where it was put aside (outside.hpp)
  entry_keeper* keeper = nullptr;        ///< keeps its bytes, if somebody has asked for them (lending.cpp)
  run_header const* piece_of = nullptr;  ///< what the records are a piece of, where they came by a route; else null
  bool keeps_piece = false;              ///< that and the records are a copy of its own

  /// Nothing of the entry has been executed yet.
  explicit execution(arrival const& entry)
      : at(entry.bytes.data()),
        run_end(at),
        entry_begin(at),
        entry_end(at + entry.bytes.size()),
        source(entry.source),
        kind(entry.kind) {}

  [[nodiscard]] bool finished() const { return at == run_end && run_end == entry_end; }
  /// Of the current run, how many records have begun.
  [[nodiscard]] std::uint32_t records_begun() const {
    std::uint32_t const each = handler->record_bytes;
    return each == 0 ? begun : static_cast<std::uint32_t>(static_cast<std::size_t>(at - run_begin) / each);
  }
};

/// Bytes that stay as they are while `owner` lives.
struct kept_bytes {
  std::span<std::byte const> bytes;
  lease owner;
};

/// Describes lent bytes; it travels in their place.
struct lent_bytes {
  std::byte const* data = nullptr;
  std::uint64_t size = 0;
  std::uint32_t token = 0;   ///< of the sender's open calls
  std::uint32_t source = 0;  ///< who lends
};

/// What a location must do before it receives. Bits, so that an empty step is short.
enum class errand : std::uint8_t { send_overflow = 1, try_held = 2, call_deferred = 4, job_ends = 8, pass_on = 16 };

/// The receiving side of a location: splits entries into runs, binds runs to a handler and an object, and runs records
/// in a tight loop. It also keeps what is executed later: entries whose object is not registered yet, continuations.
class executor : immovable<executor> {
 public:
  explicit executor(location& here);
  ~executor();

  /// Also for threads that are not the location's own.
  [[nodiscard]] bool in_handler() const { return (gate_ != nullptr && by_outsider()) || depth_ > 0; }

  /// Runs f now like a remotely invoked method: no request is executed meanwhile, except while f waits.
  decltype(auto) run_as_method(auto f) {
    restoring const mark(in_continuation_.any, true);
    restoring const guard(depth_, depth_ + 1);
    return f();
  }

  /// Runs `run(context)` in a later step, as a request, and in `scope`. For continuations.
  void defer(void (*run)(void*), void* context, task_frame const* resumes = nullptr, run_scope scope = {});
  /// Takes back what was deferred with this context and has not begun.
  void recall(void* context) noexcept;

  /// Keeps the exception being handled for the next fence of the run's team.
  void keep_exception(team_state& team, std::string_view handler, location_id caller);
  /// Keeps an error that no one will ask for any more for the next fence of its request's team.
  void keep_unseen(unseen_error const& lost);

  /// User requests executed since the last fence and not yet used by wait_for_request. Called while all handlers on the
  /// stack wait; their own requests have begun but do not count.
  [[nodiscard]] std::uint64_t unclaimed_requests() const {
    return user_begun_ - (waiting_handlers_ - waiting_continuations_) - claimed_;
  }
  /// −1: of a request that was claimed because it could not be executed yet, and now is.
  void claim_request(std::int64_t change = 1) { claimed_ += static_cast<std::uint64_t>(change); }
  void forget_requests() { claimed_ = user_begun_; }

  /// In a handler: `part` of the entry that it executes, to be read beyond its execution, at a multiple of `align` (a
  /// power of two, 64 at most). In place where the transport can leave the block here, which takes no credit of the
  /// pair but counts in the budget; else a copy: of small entries, of those that another thread has taken off the
  /// transport, and of what lies at another address. The owner may end on any thread, before the location does.
  [[nodiscard]] kept_bytes keep(std::span<std::byte const> part, std::size_t align);
  /// In a handler: what the source of its entry has lent (lend), until the owner ends, by a thread that may
  /// enter this location. `record`: where in the entry that was said. Throws decode_error where it cannot be.
  [[nodiscard]] kept_bytes borrow(lent_bytes const& what, std::byte const* record);

  /// Answers that a continuation gathers leave once no further continuation is due, or the location's program goes on.
  void flush_answers_soon(std::uint32_t dest);
  void flush_late_answers();

  /// Executes a request of handler `its`, whose number is `its_number`, of a run with the tag `runs`.
  void run_routed(run_tag runs, std::uint32_t its_number, handler_entry const& its, found_request const& request);
  /// Any thread: the handler whose requests began here last; null: none has.
  [[nodiscard]] handler_entry const* last_handler() const { return running_.relaxed(); }
  /// Its `reserve` stops it: it executes requests only in waits for an answer.
  [[nodiscard]] bool stopped() const;
  /// Whether this location waits, as opposed to computing or polling.
  [[nodiscard]] bool waiting() const { return waits_ > 0; }
  /// This location sends no more requests of the team unless it receives some: all is sent, no continuation is due, and
  /// no split-phase request of the team (for the world: of any team) is unanswered. (Its sender counts a held entry.)
  /// `beneath`: and no handler waits beneath the caller, which may be called in a wait.
  [[nodiscard]] bool quiet(team_state const& team, bool beneath = false) const;
  /// Counts this location's actions, except the stall watch's: while it stays the same, nothing happens.
  [[nodiscard]] std::uint64_t activity() const;

  /// Requests that wait for objects or teams which are not registered here: a line for each entry, the first few.
  [[nodiscard]] std::string held_requests() const;
  /// Warns, on standard error, of held requests that keep its fence from ending; to be called after each cut.
  void look_at_held();

  void stir() { ++activity_; }
  void remind(errand what) { errands_ |= static_cast<std::uint8_t>(what); }
  void done_with(errand what) { errands_ &= static_cast<std::uint8_t>(~static_cast<std::uint8_t>(what)); }
  /// The object is registered no longer: records of it that have not run, and its coroutines that wait, end.
  void let_go(void const* object);

 private:
  void forget_held();
  friend class sheaf::detail::location;
  friend class outside;
  friend class reports;
  struct parked;  // what is executed later

  [[nodiscard]] bool by_outsider() const;
  [[nodiscard]] wanted allowed() const;
  [[nodiscard]] bool has(errand what) const { return (errands_ & static_cast<std::uint8_t>(what)) != 0; }
  [[nodiscard]] bool any_errand() const { return (errands_ | waiting_handlers_) != 0; }
  bool run_errand();
  bool receive_one(wanted which);
  [[nodiscard]] hop_piece next_piece(execution& entry, std::vector<std::byte>& copy) const;
  void unpack(execution& entry);
  void keep_piece(execution& state);
  void drop_piece(execution const& state);
  [[nodiscard]] bool holds_one_of(location_id origin) const;
  void execute(execution& state);
  void run_entry(execution& state);
  void run_routed(execution& entry);
  void run_routed_slowly(run_tag runs, std::uint32_t its_number, handler_entry const& its,
                         found_request const& request);
  [[nodiscard]] bool is_as_before(arrival const& entry) const;
  void execute_as_before(execution& state);
  void end_entry(execution& state);
  void remember(execution const& state, run_header const& header, std::size_t head);
  std::size_t find_next_run(execution& state, run_header& header) const;
  bool open_next_run(execution& state);
  void close_executed_run(execution& state);
  void settle(execution& state);
  void flush_answers(execution const& state);
  void consume(execution& state);
  void consume_kept(execution& state);
  [[nodiscard]] execution* execution_of(std::byte const* at) const;
  bool resume_interrupted();
  bool run_deferred();

  // Held entries: what their next run is for is not registered here yet.
  void hold(execution& state);
  bool retry_held();
  [[nodiscard]] bool blocks_fence(execution const& held) const;
  void tell_of_held();

  location& here_;
  endpoint& endpoint_;
  gate* gate_ = nullptr;
  std::uint32_t depth_ = 0;                  // handlers on the stack
  std::uint32_t waiting_handlers_ = 0;       // of them, those that wait
  std::uint32_t waiting_continuations_ = 0;  // of these, continuations
  std::uint32_t answer_waits_ = 0;
  std::uint32_t waits_ = 0;
  continuing in_continuation_;  // the innermost handler is one
  execution* active_ = nullptr;
  std::uint64_t activity_ = 0;
  std::uint64_t user_begun_ = 0;  // user requests whose handler was called, counted when runs end or handlers wait
  std::uint64_t claimed_ = 0;
  shared_word<handler_entry const*> running_{nullptr};
  /// To what the last lone request was bound: the next one often has the same header.
  struct {
    std::array<std::byte, run_header::lone_bytes> header{};  // as it travels; all 0: of none
    run_tag tag;
    std::uint64_t changes = 0;  // of the registry then
    handler_entry const* handler = nullptr;
    void* object = nullptr;
    team_state* team = nullptr;
    std::uint32_t object_number = 0;
  } lone_;
  std::uint8_t errands_ = 0;
  parked* parked_;
};

}  // namespace sheaf::detail
