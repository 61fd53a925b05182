// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/gate.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {

/// An attached thread's wait.
struct guest_wait {
  wait_site const& site;
  bool (*done)(void*);
  void* context;
  bool parked = false;  ///< it has seen that it is not done, and does nothing until something changes here
};

/// The threads that are attached to a location. All of it inside the gate, unless it says otherwise.
class guests {
 public:
  explicit guests(outside& of) : of_(of) {}

  /// They come and go. `leave` sends what is open. From outside of the gate.
  void enter();
  void leave();
  [[nodiscard]] std::size_t present() const { return present_.load(std::memory_order_acquire); }
  /// Waits, from outside of the gate, until none is left, or for `limit_ns`. False: somebody still is.
  bool await_none(std::uint64_t limit_ns);

  /// The calling thread's wait. Throws job_aborted once the job has failed, or the location's program leaves it.
  void wait(wait_site const& site, bool (*done)(void*), void* context);
  /// Throws what `wait` would.
  static void check_may_wait(location const& here, wait_kind kind, char const* what, call_site from);
  /// An outsider's poll. Throws as `wait`.
  bool poll();
  /// The location lets others in from now on; no longer.
  static void open(location const& here);
  static void shut(location const& here);
  /// Whether the location is there, of the job with this number, and lets others in. Any thread.
  static bool may_come(location const* here, std::uint64_t serial);

  /// Something has moved: they look for their answers.
  void tell();
  [[nodiscard]] std::vector<guest_wait const*> const& waits() const { return waits_; }
  /// Whether something may come from outside the job, or from one of them that does not merely wait.
  static bool may_bring(location& here);
  /// Whether some wait here.
  static bool some_wait(location const& here);

 private:
  outside& of_;
  std::atomic<std::size_t> present_{0};  // until they touch nothing of the location any more
  std::vector<guest_wait const*> waits_;
};

/// An entry, or a part of one, that was taken off the transport for whoever may execute it, mostly by an outsider.
struct aside_entry : arrival {
  std::vector<std::byte> copy;  ///< its bytes; none: they are still the transport's

  /// Then `forget` gives the credit back, and nothing of the pair is executed until that.
  [[nodiscard]] bool is_lent() const { return copy.empty(); }
};

/// What threads other than its own do at a location that has a gate, and what its own thread does for them. Who may do
/// what is in docs/specification/progress.md. All of it inside the gate, unless it says otherwise.
class outside {
 public:
  ~outside() { guests::shut(here_); }
  /// Makes the gate; by the owner, before anybody else knows the location.
  static void let_into(location& here);
  /// Of a location with a gate.
  [[nodiscard]] static outside& of(location const& here) { return *here.others_; }

  /// Moves what waits on the way out, flushes by age, and takes what has arrived off the transport: answers that any
  /// thread may take are taken, requests for concurrent methods wait for run_concurrent, all else is put aside in order
  /// for the owner. Nothing, where the owner rests in a wait, which does all this itself. True: there was something.
  bool assist();

  /// Executes the oldest run of a concurrent method, outside of the gate. False: there is none.
  bool run_concurrent();

  /// What a helper thread does, from outside of the gate, until `end_help`; several may.
  void help();
  void end_help();

  /// What a location of the same process does that rests itself, from outside of the gate; false: nothing to do here.
  bool serve();

  /// In front of each append inside the gate: an attached thread waits for room if the pair has none and the location
  /// holds back more than its reserve; the owner has made its objects. `tag`: of what goes to `box`, for reports.
  void before_append(outbox const& box, run_tag tag, call_site from);

  /// Whether the location's program has got what ends the job.
  static bool leaves(location const& here) { return here.in_.has(errand::job_ends); }
  /// What it has got; null: nothing so far.
  static std::exception_ptr ending_of(location const& here);

  [[noreturn]] static void refuse_wait(location const& here, char const* what, call_site from);

  /// Executes the oldest entry of its kind that was put aside and may be executed. False: there is none.
  bool take_answer() { return take_from(answers_, 0); }
  bool take_request();
  /// True: something of this pair was put aside before, so this is, too (or, if too much is, left to the transport).
  bool must_wait(arrival const& entry);
  /// True: the entry begins with a run that several threads are to share, and was put aside for them.
  bool share_out(arrival const& entry);
  /// The end of an entry that was put aside.
  void forget(aside_entry* kept);
  /// A held entry may go on, and what was behind it.
  void look_at_all() { stalled_ = 0; }
  /// Something is left here that the owner will not see to if it computes now: helpers look.
  void nudge();
  /// An object is registered, perhaps as a base: outsiders call it once its owner has sent, waited or polled.
  void keep_from_outsiders(void const* object);
  void let_outsiders_call(void const* object) { std::erase(unmade_, object); }
  void let_outsiders_call_all();
  /// Idles; serves siblings before, where that is asked for.
  void rest(std::uint32_t round, std::uint64_t deadline, bool long_ago);
  void serve_others();
  void serve_at_rest(std::function<void()> serve) { serve_ = std::move(serve); }

  guests attached;  ///< threads

 private:
  friend class guests;
  friend class reports;
  using aside_entries = std::deque<std::unique_ptr<aside_entry>>;

  explicit outside(location& here) : attached(*this), here_(here), gate_(here.connection().threads) {}
  void throw_if_over();
  bool assist_guest();

  bool take_from(aside_entries& queue, std::size_t place);
  [[nodiscard]] bool is_stalled(location_id source, traffic kind) const;
  [[nodiscard]] std::size_t first_takeable();
  void put_aside(arrival const& entry);
  void part(arrival const& entry);
  void keep(aside_entries& in, arrival entry, std::vector<std::byte> copy);
  void keep_concurrent(arrival const& entry, handler_entry const& handler, run_header const& header,
                       std::span<std::byte const> run);
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] bool has_helpers() const;
  /// Who may execute a run of a concurrent method now.
  enum class executor { anybody, owner, nobody_yet };
  [[nodiscard]] executor executor_of(aside_entry const& work) const;
  std::uint64_t look_for_silence(std::uint64_t deadline);
  void pause_help(std::uint64_t& seen, std::uint64_t& pause);

  location& here_;
  gate gate_;
  aside_entries answers_;                              // for the owner
  aside_entries requests_;                             // for the owner, in order
  std::size_t stalled_ = 0;                            // of these, from the first on, known to be behind held ones
  aside_entries concurrent_;                           // runs of concurrent methods, for anybody
  std::vector<void const*> unmade_;                    // objects whose constructors may still be at work
  std::size_t bytes_ = 0;                              // of all requests that were copied and are not executed
  std::uint64_t taken_ = 0;                            // requests that the owner has begun
  std::vector<std::unique_ptr<aside_entry>> in_hand_;  // what the owner executes or holds
  std::function<void()> serve_;
};

}  // namespace sheaf::detail
