// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/async/detail/task_frame.hpp"
#include "sheaf/base/admission.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/base/options.hpp"
#include "sheaf/base/restoring.hpp"
#include "sheaf/message/cell_pool.hpp"
#include "sheaf/message/errors.hpp"
#include "sheaf/message/execution.hpp"
#include "sheaf/message/method_table.hpp"
#include "sheaf/message/outbox.hpp"
#include "sheaf/message/reply_table.hpp"
#include "sheaf/message/reply_windows.hpp"
#include "sheaf/message/run_header.hpp"
#include "sheaf/message/source.hpp"
#include "sheaf/message/team_state.hpp"
#include "sheaf/message/wait_site.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf {

struct statistics;

namespace detail {
struct link_report;
struct location_report;
class outside;
class sender;
class stream;
class unseen_error;
}  // namespace detail

/// Why a location waits: for an answer or a request that others must run (it always executes meanwhile), or for all
/// members of a team (not allowed in a handler; execution stops while the reserve is over its cap), or as for these,
/// until what it has sent is taken.
enum class wait_kind : std::uint8_t { answer, collective, credit };

/// One location's message path: outboxes on the way out; entries, runs and records on the way in; and the waiting that
/// executes others' requests. Used by its own thread or fiber only; where there is a gate (SHEAF_PROGRESS) by others,
/// too. Then the functions here go in and out of it by themselves; what fills a record that it has appended, or does
/// several things at once, holds an admission meanwhile.
class location {
 public:
  /// `settings` are resolved. Creates the world team (id 0). The endpoint outlives the location.
  location(endpoint& connection, options const& settings);
  ~location();
  location(location const&) = delete;
  location& operator=(location const&) = delete;

  [[nodiscard]] location_id id() const { return endpoint_.self(); }
  [[nodiscard]] std::uint32_t size() const { return endpoint_.size(); }
  [[nodiscard]] endpoint& connection() { return endpoint_; }
  [[nodiscard]] options const& settings() const { return settings_; }
  [[nodiscard]] detail::reply_table& replies() { return replies_; }
  [[nodiscard]] detail::reply_windows& windows() { return windows_; }

  /// Methods that are called through pointers.
  [[nodiscard]] detail::method_table& methods() { return methods_; }

  /// Where the states of futures are.
  [[nodiscard]] detail::cell_pool& cells() { return cells_; }

  /// A number that no other location of this process has, in any job.
  [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }

  // ---- sending -----------------------------------------------------------------------------------------------------

  /// Where requests for `dest` are gathered; always the same place.
  [[nodiscard]] detail::outbox& request_box(std::uint32_t dest);
  /// That of a member, who exists; from now on the team's own table has it, too, as a rule.
  [[nodiscard]] detail::outbox& member_box(detail::team_state& team, std::uint64_t rank);

  /// Room for one record of a run whose records all have `bytes` > 0 bytes, in the order of the pair's requests; to be
  /// filled before anything else is called. In the program this may first execute others' requests (after poll_every of
  /// its own, or one buffer, and while it waits for credit, with `from` in reports); in a handler it never waits.
  std::byte* append_request(detail::outbox& box, run_tag tag, std::uint32_t bytes, call_site from = {}) {
    return append(box, tag, bytes, from);
  }
  /// The same for a run whose records vary in size.
  std::byte* append_varying_request(detail::outbox& box, run_tag tag, std::size_t bytes, call_site from = {}) {
    return append_varying(box, tag, bytes, from);
  }

  /// The same without waiting or executing anything, in the program, too: null where the pair has no credit, and
  /// nothing has been appended. `record_bytes`: 0 for a run whose records vary, else `bytes`.
  std::byte* try_append_request(detail::outbox& box, run_tag tag, std::size_t bytes, std::uint32_t record_bytes) {
    bool const fits = box.tag == tag && !box.blocked && bytes <= box.room_until_poll();
    if (!fits) return try_append_slowly(box, tag, bytes, record_bytes);
    box.count += record_bytes == 0 ? 1 : 0;
    return std::exchange(box.cursor, box.cursor + bytes);
  }

  /// The same for answers. Never wait.
  [[nodiscard]] detail::outbox& answer_box(std::uint32_t dest);
  std::byte* append_answer(detail::outbox& box, run_tag tag, std::uint32_t bytes) { return append(box, tag, bytes); }
  std::byte* append_varying_answer(detail::outbox& box, run_tag tag, std::size_t bytes) {
    return append_varying(box, tag, bytes);
  }

  /// Takes back the record of `bytes` that append_varying_request or append_varying_answer gave last, as long as
  /// nothing else has been called.
  void retract(detail::outbox& shown, std::size_t bytes) {
    shown.filled->cursor -= bytes;
    --shown.filled->count;
  }

  /// The same as append_request and append_varying_request (record_bytes 0) where `box` does not take it as it is.
  std::byte* append_slowly(detail::outbox& box, run_tag tag, std::size_t bytes, std::uint32_t record_bytes,
                           call_site from = {});

  /// Sends one record at once, behind what the pair has already been given. `entry` has run_header::wire_bytes of room
  /// in front of the record.
  void send_urgent(std::uint32_t dest, traffic kind, run_tag tag, std::span<std::byte> entry, call_site from = {});

  /// The same for an answer, if the pair has credit for it at once; else false, and nothing has happened. Keeps no
  /// order with other answers. The record has at most 46 bytes.
  bool offer_answer(std::uint32_t dest, run_tag tag, std::span<std::byte> entry);

  /// Hands what is open for one destination, or for all (starting at another one each time), to the transport.
  void flush(std::uint32_t dest, traffic kind, detail::flush_reason why = detail::flush_reason::urgent);
  /// Answers that a continuation gathers leave when no other one is due, or the location goes on with its program.
  void flush_answers_soon(std::uint32_t dest);
  void flush_late_answers();
  void flush_all(detail::flush_reason why = detail::flush_reason::asked);

  /// How many bytes a buffer gathers for these destinations: from `first` after this location waited, growing with each
  /// full buffer, to `most`; equal numbers fix the size. Both 1…settings().buffer_bytes, for reach::near (there are
  /// such in `hybrid` only) near_buffer_bytes, else usage_error; at most what these buffers hold. From now on.
  void set_aggregation(std::size_t first, std::size_t most, reach of = reach::all);

  /// The source is asked with this location's streams whenever these are flushed or looked at, before them and before
  /// sources that were added earlier, until it is removed. It outlives that.
  void add_source(detail::source& one);
  void remove_source(detail::source& one);

  // ---- progress ----------------------------------------------------------------------------------------------------

  /// One piece of progress: an entry, a part of the overflow queue, the rest of an interrupted run. False: nothing to
  /// do.
  bool step();

  /// Steps until there is nothing to do, a bounded number of times. In a handler sends what waits for credit, no more.
  bool poll();

  /// Executes until `done()`. Flushes when it finds nothing to do, then spins, yields, sleeps. `site` says for what, in
  /// reports of jobs that stand still. Where `done()` depends on the time or on other threads, say so by
  /// expect_from_outside.
  template <class Done>
  void wait(wait_kind kind, detail::wait_site const& site, Done done) {
    if (gate_ != nullptr) [[unlikely]] {
      return wait_inside(
          kind, site, [](void* d) { return (*static_cast<Done*>(d))(); }, &done);
    }
    wait_alone(kind, site, done);
  }
  template <class Done>
  void wait(wait_kind kind, Done done) {
    wait(kind, detail::wait_site::unknown, done);
  }

  /// Throws nesting_limit or usage_error where `wait` would; sends nothing.
  void check_may_wait(wait_kind kind, char const* what, call_site from = {}) const {
    if (gate_ != nullptr || depth_ > 0) [[unlikely]]
      check_may_wait_here(kind, what, from);
  }

  /// Also for whoever is not the location's own thread.
  [[nodiscard]] bool in_handler() const { return (gate_ != nullptr && by_outsider()) || depth_ > 0; }
  /// Null unless other threads may use this location (src/message/outside.hpp).
  [[nodiscard]] detail::gate* gate() const { return gate_; }
  /// Whether the caller is another thread than the location's own; only where there is a gate.
  [[nodiscard]] bool by_outsider() const;
  /// Throws usage_error where another thread than the location's own calls `what`.
  void check_owner(char const* what) const;

  /// The transport has all that was issued here: no open outbox, no overflow. To be asked inside of the gate, as the
  /// next two.
  [[nodiscard]] bool sent_all() const;
  /// The transport has all requests that were issued here.
  [[nodiscard]] bool requests_sent() const;
  /// No answer waits for credit here.
  [[nodiscard]] bool answers_sent() const;
  /// Nothing that may still become a request of the team is left here uncounted: all is sent, no continuation is due,
  /// no split-phase request of the team (for the world: of any) is unanswered. (A held entry is counted by its sender.)
  [[nodiscard]] bool quiet(detail::team_state const& team) const;

  /// Runs `run(context)` in a later step as a request of this location is run; for continuations of futures.
  void defer(void (*run)(void*), void* context, detail::task_frame const* resumes = nullptr);
  /// Takes back what was deferred with this context and has not begun.
  void recall(void* context) noexcept;

  /// Coroutines that began here and belong to no task. An error that ends the job destroys them before the program's
  /// variables go.
  [[nodiscard]] detail::frame_list& coroutines() { return coroutines_; }

  /// In the program, executes what has arrived, if poll_every requests have been issued since it did so last.
  void poll_if_due();

  /// Runs f here and now as a remotely invoked method is run: nothing of others is executed meanwhile, except where it
  /// waits.
  template <class F>
  decltype(auto) run_as_method(F f) {
    detail::restoring const mark(in_continuation_.any, true);
    struct leave {
      std::uint32_t& depth;
      ~leave() { --depth; }
    } const guard{++depth_};
    return f();
  }

  /// Called between requests by rest() while this location is stopped by its reserve, while `call_at_rest` is in force,
  /// and from rest number `look_from` of a wait on; set by the runtime. Returns until when of now() this location may
  /// sleep; 0: for any time.
  void on_stall(std::uint64_t (*hook)(location&)) { stall_hook_ = hook; }
  void call_at_rest(bool yes) { stall_hook_wanted_ = yes; }
  void look_from(std::uint32_t rest) { look_from_.store(usual_look_ = rest, std::memory_order_relaxed); }

  /// Any thread: has the hook called as soon as this location rests or polls with nothing to do.
  void ask_to_look() {
    look_from_.store(0, std::memory_order_release);
    endpoint_.wake();
  }
  [[nodiscard]] bool is_asked_to_look() const {
    return usual_look_ != 0 && look_from_.load(std::memory_order_acquire) == 0;
  }
  /// Whether it was asked to, once: for the hook, or for who has asked and finds that it did not answer.
  bool was_asked_to_look() {
    return is_asked_to_look() && look_from_.exchange(usual_look_, std::memory_order_acq_rel) == 0;
  }
  /// Any thread: the handler whose requests began here last; null: none has.
  [[nodiscard]] detail::handler_entry const* last_handler() const { return running_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool stopped() const;
  /// Whether this location waits, as opposed to computing or polling.
  [[nodiscard]] bool waiting() const { return waits_ > 0; }
  void raise_reserve();
  [[nodiscard]] std::size_t reserve_used() const;
  [[nodiscard]] std::size_t reserve_for_others() const;  ///< of this, what is not for itself
  [[nodiscard]] std::size_t reserve_cap() const;
  [[nodiscard]] std::uint64_t reserve_raises() const;
  /// Counts what this location has done, the runtime's watch for stalls apart; equal values at two times mean that
  /// nothing happened between.
  [[nodiscard]] std::uint64_t activity() const { return activity_ + endpoint_.counts().parts; }

  /// Any thread. Counts what this location awaits from outside the job, such as a thread of the user's own that will
  /// issue requests: +1 before anybody may wait for it, -1 once its effect is here. While the count is above 0 a job
  /// that stands still is not blamed for it.
  void expect_from_outside(int delta) { outside_.fetch_add(delta, std::memory_order_acq_rel); }
  [[nodiscard]] bool expects_from_outside() const { return outside_.load(std::memory_order_acquire) > 0; }

  // ---- teams and objects -------------------------------------------------------------------------------------------

  detail::team_state& world() { return *world_; }
  /// Null when no such team has been made here.
  detail::team_state* find_team(std::uint32_t id) { return id < teams_end_ ? teams_[id] : nullptr; }
  /// The same for any thread that may use this location.
  detail::team_state* team_for_caller(std::uint32_t id) {
    if (gate_ == nullptr) [[likely]]
      return find_team(id);
    detail::admission const inside(gate_);
    return find_team(id);
  }
  detail::team_state& add_team(std::uint32_t id, std::vector<location_id> members);
  /// Above the numbers of all teams of this location.
  [[nodiscard]] std::uint32_t teams_end() const { return teams_end_; }
  /// A number that no team of the job has (1 + id(), and on in steps of size()); a team made here with it uses it up.
  [[nodiscard]] std::uint32_t unused_team_number() const { return 1 + number(id()) + size() * teams_numbered_; }

  /// Registers the next object of the team; returns its number. Requests that came before it execute from the next step
  /// on.
  std::uint32_t add_object(detail::team_state& team, void* object, detail::type_token type);
  void remove_object(detail::team_state& team, std::uint32_t object);

  /// Makes the object callable by whoever has the tag and this location's number; the world counts its requests. The
  /// tag is used once; a request that comes after `withdraw` is recognised.
  run_tag publish(void* object, detail::type_token type);
  void withdraw(run_tag published);

  /// Requests that wait for objects or teams which are not registered here: a line for each entry, the first few.
  [[nodiscard]] std::string held_requests() const;
  /// Entries of requests sent from here whose credit has not come back, less those received here and not consumed.
  /// Added up over all locations it is 0 only when no credit is under way.
  [[nodiscard]] std::uint64_t unsettled_requests();
  /// What this location has counted. Local; costs a pass over its links.
  [[nodiscard]] sheaf::statistics statistics() const;
  /// Why buffers for each destination that was used are as large as they are now, a line each.
  [[nodiscard]] std::string explain_aggregation() const;
  /// What this location waits for, from its outermost wait inwards, and its counts per pair. Nothing is sent.
  void report(detail::location_report& to) const;
  /// Warns, on standard error, of held requests that keep a fence from ending in which this location is; to be called
  /// after each cut.
  void look_at_held();

  // ---- for the loops that run handlers -----------------------------------------------------------------------------

  /// Keeps the exception being handled for the next fence of the run's team.
  void keep_exception(detail::team_state& team, std::string_view handler, location_id caller);

  /// Keeps an error that no one will ask for any more for the next fence of its request's team.
  void keep_unseen(detail::unseen_error const& lost);

  /// User requests executed since the last fence and not yet used by rmi_wait; called where all handlers on the stack
  /// wait, whose own requests have begun but do not count.
  [[nodiscard]] std::uint64_t unclaimed_requests() const {
    return user_begun_ - (waiting_handlers_ - waiting_continuations_) - claimed_;
  }
  void claim_request() { ++claimed_; }
  /// For a request that was claimed because it could not be executed yet, and now is.
  void unclaim_request() { --claimed_; }
  void forget_requests() { claimed_ = user_begun_; }

  /// Where this location's collectives live; made and owned by the runtime.
  void* collectives = nullptr;

 private:
  friend class detail::outside;
  friend class detail::sender;
  friend class detail::stream;
  struct parts;  // what is rarely used

  /// In force while the location waits: gives back the credits of interrupted entries, counts their executed requests.
  class wait_scope {
   public:
    wait_scope(location& here, wait_kind kind, detail::wait_site const& site);
    ~wait_scope();
    wait_scope(wait_scope const&) = delete;
    wait_scope& operator=(wait_scope const&) = delete;

   private:
    friend location;
    location& here_;
    detail::wait_site const& site_;
    wait_scope const* const outer_;
    detail::execution const* const waiting_;  // the entry in one of whose handlers it waits
    wait_kind kind_;
    bool nested_;
    detail::continuing continuation_;
    std::size_t traced_ = 0;
  };

  std::byte* append(detail::outbox& box, run_tag tag, std::uint32_t bytes, call_site from = {}) {
    if (!box.takes(tag)) [[unlikely]]
      return append_slowly(box, tag, bytes, bytes, from);
    return box.next(bytes);
  }
  std::byte* append_varying(detail::outbox& box, run_tag tag, std::size_t bytes, call_site from = {}) {
    if (!box.takes(tag, bytes)) [[unlikely]]
      return append_slowly(box, tag, bytes, 0, from);
    ++box.count;
    return std::exchange(box.cursor, box.cursor + bytes);
  }

  template <class Done>
  void wait_alone(wait_kind kind, detail::wait_site const& site, Done& done) {
    wait_scope const scope(*this, kind, site);
    std::uint32_t round = 0;
    try {
      while (!done()) {
        bool moved = step();
        for (; !moved && round < eager_steps_ && !any_open(); ++round)
          moved = step();  // nothing that done() could have seen
        if (moved) {
          round = 0;
        } else {
          rest(round++);
        }
      }
      if (errands_ != 0) flush_late_answers();  // continuations may be due, which the caller does not run
    } catch (detail::ends_job const&) {
      leave_job();
    }
  }
  [[nodiscard]] bool any_open() const;
  void wait_inside(wait_kind kind, detail::wait_site const& site, bool (*done)(void*), void* context);

  // sending.cpp
  std::byte* try_append_slowly(detail::outbox& shown, run_tag tag, std::size_t bytes, std::uint32_t record_bytes);
  void count_sent(run_tag tag, std::uint64_t requests);
  detail::team_state& make_team(std::uint32_t id, detail::member_list members);
  run_header header_for(run_tag tag) const;
  bool drain_overflow();

  // executing.cpp
  void execute(detail::execution& state);
  void run_entry(detail::execution& state);
  std::size_t find_next_run(detail::execution& state, run_header& header);
  bool open_next_run(detail::execution& state);
  bool bind_object(detail::execution& state, run_header const& header);
  bool bind_published(detail::execution& state, run_header const& header);
  void close_executed_run(detail::execution& state);
  void settle(detail::execution& state);
  void flush_answers(detail::execution const& state);
  void consume(detail::execution& state);
  void hold(detail::execution& state);
  [[nodiscard]] bool blocks_fence(detail::execution const& held) const;
  void tell_of_held();
  bool retry_held();
  bool resume_interrupted();
  bool receive_one(wanted which);
  bool run_deferred();
  bool run_errand();
  void forget(void const* object);
  [[nodiscard]] bool is_called(void const* object) const;

  // waiting.cpp
  [[noreturn]] void leave_job();
  bool take_steps();
  void check_may_wait_here(wait_kind kind, char const* what, call_site from) const;
  void poll_between_requests();
  bool step_carefully();
  void rest(std::uint32_t round);
  void idle(std::uint32_t round, std::uint64_t deadline);

  // reporting.cpp
  void report_waits(detail::location_report& to) const;
  [[nodiscard]] std::uint64_t unsent(std::uint32_t dest) const;
  [[nodiscard]] std::uint64_t unexecuted(std::uint32_t source) const;
  [[nodiscard]] std::vector<std::uint32_t> peers() const;
  [[nodiscard]] detail::link_report link_to(std::uint32_t peer) const;

  endpoint& endpoint_;
  options const settings_;
  std::uint64_t const serial_;
  detail::gate* gate_ = nullptr;
  std::uint32_t depth_ = 0;                  // handlers on the stack
  std::uint32_t waiting_handlers_ = 0;       // of them, those that wait
  std::uint32_t waiting_continuations_ = 0;  // of these, continuations
  detail::continuing in_continuation_;       // the innermost of them is one
  std::uint32_t answer_waits_ = 0;
  std::uint32_t waits_ = 0;
  detail::execution* active_ = nullptr;
  wait_scope const* innermost_ = nullptr;
  detail::team_state* world_ = nullptr;
  detail::team_state** teams_ = nullptr;  // by number; null where this location is no member
  std::uint32_t teams_end_ = 0;
  std::uint32_t teams_numbered_ = 0;  // teams with a number of this location's own
  detail::reply_table replies_;
  detail::reply_windows windows_;
  detail::cell_pool cells_;
  std::uint64_t activity_ = 0;
  std::uint64_t user_begun_ = 0;  // user requests whose handler was called, counted when runs end or handlers wait
  std::uint64_t claimed_ = 0;
  /// What step() has to look at before it receives; so that an empty step is short.
  enum errand : std::uint8_t { send_overflow = 1, try_held = 2, call_deferred = 4, job_ends = 8 };
  std::uint8_t errands_ = 0;
  bool careful_;               // steps have to look at the age of buffers, or at the gate
  std::uint32_t eager_steps_;  // empty steps before the first rest
  std::uint64_t (*stall_hook_)(location&) = nullptr;
  std::uint32_t usual_look_ = ~0U;
  std::atomic<std::uint32_t> look_from_{~0U};
  std::atomic<detail::handler_entry const*> running_{nullptr};
  bool stall_hook_wanted_ = false;
  std::atomic<int> outside_{0};
  parts* parts_;
  detail::method_table methods_;
  detail::frame_list coroutines_;
};

}  // namespace sheaf
