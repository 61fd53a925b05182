// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sheaf/base/ambient.hpp"
#include "sheaf/base/call_site.hpp"
#include "sheaf/base/options.hpp"
#include "sheaf/base/shared_word.hpp"
#include "sheaf/message/executor.hpp"
#include "sheaf/message/open_calls.hpp"
#include "sheaf/message/outbox.hpp"
#include "sheaf/message/registry.hpp"
#include "sheaf/message/run_header.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf {
class silence_watch;
}

namespace sheaf::detail {

class location;

class future_state_base;
class sender;

/// What a wait is for.
enum class awaited : std::uint8_t {
  something,  ///< not told
  answer,     ///< of the location `on`, or of several
  request,    ///< of any location
  condition,  ///< which requests and replies may make true
  members,    ///< of the team of `tag`
  fence,      ///< as members, and for the requests on that team's objects
  room,       ///< at the location `on`, for requests
  parts       ///< of an epoch, by attached threads
};

/// What identifies a location's call: a token of the reply table, or the id of a question.
enum class call_space : std::uint8_t { none, blocking, gathered };

/// The number of a location's call, for reports; 0: none.
constexpr std::uint64_t call_number(call_space of, std::uint64_t id) {
  return std::uint64_t{static_cast<std::uint8_t>(of)} << 44U | id;
}

/// What a location waits for, and where in the program, for reports. Lives as long as the wait.
struct wait_site {
  static constexpr std::uint32_t several = ~std::uint32_t{0};
  static wait_site const unknown;

  char const* what = "a wait";  ///< the function that waits
  awaited for_what = awaited::something;
  std::uint32_t on = several;  ///< the location that it waits for
  run_tag tag{};               ///< of the request that waits for an answer; or its team alone
  call_site from{};
  std::uint64_t call = 0;                     ///< call_number of the request
  future_state_base const* future = nullptr;  ///< the future that it waits for, which has the details
  std::uint64_t object = 0;                   ///< if the tag does not name it: the object's number,
  std::uint32_t birth = 0;                    ///< of a migrating one: the rank of the member that created it
  std::uint32_t root = several;               ///< of the collective call
  std::uint32_t nap_us = 0;                   ///< the longest sleep, where others write the memory that it looks at
};
inline constexpr wait_site wait_site::unknown{};

/// When a location that finds nothing to do asks the runtime whether its job is deadlocked.
class lookout {
 public:
  explicit lookout(endpoint& connection) : endpoint_(connection) {}

  /// The hook is called between requests while the reserve stops the location, while `call_at_rest` is in force, and
  /// from rest `look_from` of a wait on. It returns until when of now() the location may sleep; 0: for any time.
  void on_stall(std::uint64_t (*hook)(location&)) { hook_ = hook; }
  void call_at_rest(bool yes) { wanted_ = yes; }
  /// While fences are begun here, which are counted, `try_all` is called at rest and now and then: whether it has any
  /// of them go on.
  void on_fences(bool (*try_all)(location&)) { try_fences_ = try_all; }
  void count_fences(int delta) { fences_ += delta; }
  bool try_fences(location& here) const { return fences_ != 0 && try_fences_(here); }
  void look_from(std::uint32_t rest) { from_.relax(usual_ = rest); }

  /// Any thread: has the hook called as soon as the location rests or polls with nothing to do.
  void ask() {
    from_.release(0);
    endpoint_.wake();
  }
  [[nodiscard]] bool is_asked() const { return usual_ != 0 && from_.acquire() == 0; }
  /// Whether it was asked, and clears that: for the hook, or for an asker that got no answer.
  bool was_asked() { return is_asked() && from_.exchange(usual_) == 0; }

  /// Any thread: as location::expect_from_outside.
  void expect(int delta) {
    outside_.add(delta);
    if (delta < 0) endpoint_.wake();
  }
  [[nodiscard]] int expected() const { return outside_.acquire(); }

  /// Whether a location in this round of rests calls the hook; `stopped`: by its reserve.
  [[nodiscard]] bool is_due(bool stopped, std::uint32_t round) const {
    return hook_ != nullptr && (stopped || wanted_ || round >= from_.relaxed());
  }
  std::uint64_t look(location& here) const { return hook_(here); }

 private:
  endpoint& endpoint_;
  std::uint64_t (*hook_)(location&) = nullptr;
  std::uint32_t usual_ = ~0U;
  shared_word<std::uint32_t> from_{~0U};
  bool (*try_fences_)(location&) = nullptr;
  bool wanted_ = false;
  int fences_ = 0;
  shared_word<int> outside_{0};
};

/// Why a location waits: for an answer or a request (it always executes meanwhile); for all members of a team (not in a
/// handler; execution stops while the reserve is over its cap); or, as for these, until what it sent is taken.
enum class wait_kind : std::uint8_t { answer, collective, credit };

/// Of a location, and of a layer above.
struct location_part {
  virtual ~location_part() = default;
  /// Called at rest, and now and then, while something `is_under_way`: whether it has gone on.
  virtual bool go_on() { return false; }
  bool is_under_way = false;
};

/// One location's message path: sending (sender), receiving (executor), the names of teams and objects (registry), the
/// calls without an answer yet (open_calls), the look for a deadlock (lookout), and the waiting that executes others'
/// requests. Used by its own thread or fiber only; where there is a gate (SHEAF_PROGRESS) by others, too. Then the
/// functions here, those of the sender, and those of outboxes pass it by themselves; what fills a record that it has
/// appended, or does several things at once, holds an admission.
class location : immovable<location> {
 public:
  /// `settings` are resolved, and of all locations of a process. They and the endpoint outlive the location.
  location(endpoint& connection, options const& settings);
  ~location();

  [[nodiscard]] location_id id() const { return endpoint_.self(); }
  [[nodiscard]] std::uint32_t size() const { return endpoint_.size(); }
  [[nodiscard]] endpoint& connection() { return endpoint_; }
  [[nodiscard]] options const& settings() const { return settings_; }

  [[nodiscard]] sender& out() const { return *out_; }
  [[nodiscard]] executor& in() { return in_; }
  [[nodiscard]] executor const& in() const { return in_; }
  [[nodiscard]] registry& registered() { return registered_; }
  [[nodiscard]] registry const& registered() const { return registered_; }
  [[nodiscard]] open_calls& calls() { return calls_; }
  [[nodiscard]] lookout& watch() { return watch_; }

  /// Where requests, or answers, for `dest` are gathered; always the same place.
  [[nodiscard]] outbox& request_box(std::uint32_t dest);
  [[nodiscard]] outbox& answer_box(std::uint32_t dest);
  /// The outbox of requests to an existing member; as a rule the team's own table has it from now on.
  [[nodiscard]] outbox& member_box(team_state& team, std::uint64_t rank);

  /// How many bytes a buffer gathers for these destinations: from `first` after this location waited, growing with each
  /// full buffer, to `most`; equal numbers fix the size. Both 1…settings().buffer_bytes, for reach::near (there are
  /// such in `hybrid` only) near_buffer_bytes, else usage_error; at most what these buffers hold. From now on.
  void set_aggregation(std::size_t first, std::size_t most, sheaf::reach of = sheaf::reach::all, call_site where = {});

  /// One piece of progress: an entry, some of the overflow, the rest of an interrupted run. False: nothing to do.
  bool step();

  /// Steps until there is nothing to do, a bounded number of times. In a handler sends what waits for credit, no more.
  bool poll();
  /// In the program, executes what has arrived, if poll_every requests have been issued since it did so last.
  void poll_if_due();

  /// Executes until `done()`. Flushes when there is nothing to do, then spins, yields, sleeps. `site` is for reports.
  /// Where `done()` depends on the time or on other threads, say so by expect_from_outside.
  template <class Done>
  void wait(wait_kind kind, wait_site const& site, Done done) {
    if (gate_ != nullptr) [[unlikely]] {
      return wait_inside(
          kind, site, [](void* d) { return (*static_cast<Done*>(d))(); }, &done);
    }
    wait_alone(kind, site, done);
  }
  void wait(wait_kind kind, auto done) { wait(kind, wait_site::unknown, done); }

  /// Throws nesting_limit or usage_error where `wait` would; sends nothing.
  void check_may_wait(wait_kind kind, char const* what, call_site from = {}) const {
    if (gate_ != nullptr || in_.depth_ > 0) [[unlikely]]
      check_may_wait_here(kind, what, from);
  }

  /// Any thread. Counts what is awaited from outside the job, as a thread of the user's that will issue requests: +1
  /// before anybody may wait for it, -1 once its effect is here. Above 0 the watchdog reports no deadlock.
  void expect_from_outside(int delta) { watch_.expect(delta); }

  /// Null unless other threads may use this location (src/message/outside.hpp).
  [[nodiscard]] detail::gate* gate() const { return gate_; }
  /// Whether the caller is another thread than the location's own; only where there is a gate.
  [[nodiscard]] bool by_outsider() const;
  /// Throws usage_error where another thread than the location's own calls `what`.
  void check_owner(char const* what, call_site from = {}) const {
    if (gate_ != nullptr || thread_ != own_thread()) [[unlikely]]
      check_owner_slowly(what, from);
  }

  /// A handler runs that must not wait, since its run counts as executed already.
  bool in_plain_run = false;

  /// Where this location's collectives live; made and owned by the runtime.
  void* collectives = nullptr;
  /// What the layer of one-sided memory keeps for this location; made by it, ends with the location.
  location_part* memory = nullptr;

 private:
  friend class outside;
  friend class reports;
  friend class sender;
  friend class stream;
  /// The calling thread is the location's own from now on. The one before has let it go: by a lock, as a rule.
  friend void adopt(location& here) noexcept { here.thread_ = own_thread(); }

  /// In force while the location waits: gives back the credits of interrupted entries, counts their executed requests.
  class wait_scope : immovable<wait_scope> {
   public:
    wait_scope(location& here, wait_kind kind, wait_site const& site);
    ~wait_scope();

   private:
    friend class location;
    friend class reports;
    location& here_;
    wait_site const& site_;
    wait_scope const* const outer_;
    execution const* const waiting_;  // the entry in one of whose handlers it waits
    wait_kind kind_;
    bool nested_;
    continuing continuation_;
    std::size_t traced_ = 0;
  };

  void wait_alone(wait_kind kind, wait_site const& site, auto& done) {
    wait_scope const scope(*this, kind, site);
    constexpr std::uint32_t busy_steps = 64;  // after so many, what done() may need goes on: open buffers leave
    std::uint32_t round = 0, busy = 0;
    try {
      for (std::uint64_t before = in_.activity_; !done(); before = in_.activity_) {
        // What done() sends may wait for credit, and execute what it has looked for before: then it is called again.
        bool const stirred = in_.activity_ != before;
        bool moved = step() || stirred;
        for (; !moved && round < eager_steps_ && !any_open(); ++round)
          moved = step();  // nothing that done() tests has changed
        if (!moved) {
          rest(round++);
        } else {
          round = 0;
          if (++busy % busy_steps == 0 && !hand_over()) go_on();
        }
      }
      if (in_.errands_ != 0) in_.flush_late_answers();  // continuations may be due, which the caller does not run
    } catch (ends_job const&) {
      leave_job();
    }
  }
  [[nodiscard]] bool any_open() const;
  void wait_inside(wait_kind kind, wait_site const& site, bool (*done)(void*), void* context);
  [[noreturn]] void leave_job();
  [[nodiscard]] bool is_idle() const;
  bool poll_once(bool& yields);
  [[nodiscard]] bool comes_soon() const;
  bool take_steps();
  void check_owner_slowly(char const* what, call_site from) const;
  void check_may_wait_here(wait_kind kind, char const* what, call_site from) const;
  void poll_between_requests();
  bool step_carefully();
  bool hand_over();
  bool go_on() {
    bool const any = memory != nullptr && memory->is_under_way && memory->go_on();
    return watch_.try_fences(*this) || any;
  }
  void rest(std::uint32_t round);
  void idle(std::uint32_t round, std::uint64_t deadline);

  endpoint& endpoint_;
  options const& settings_;
  detail::gate* gate_ = nullptr;
  void const* thread_;             // its own; simulated locations share one
  bool careful_;                   // steps have to look at the age of buffers, or at the gate
  std::uint32_t eager_steps_;      // empty steps before the first rest
  std::uint32_t empty_polls_ = 0;  // in a row
  wait_scope const* innermost_ = nullptr;
  open_calls calls_;
  lookout watch_;
  executor in_;
  registry registered_;
  // Owned here; what is rarely used need not be known to whoever includes this.
  outside* others_ = nullptr;  // where there is a gate
  sender* out_;
  silence_watch* silence_;
};

}  // namespace sheaf::detail
