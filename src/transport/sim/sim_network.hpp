// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sheaf/base/location_id.hpp"
#include "sheaf/transport/ring_queue.hpp"
#include "sheaf/transport/simulator.hpp"
#include "transport/sim/fiber.hpp"
#include "transport/sim/sim_clock.hpp"

namespace sheaf::detail {

class scheduler;
class step_picker;
struct sim_location;
struct sim_thread;
struct sim_link;
struct sim_side_line;

/// What can be done next: a thread runs, a link's next entry arrives, its sender learns of one consumed entry, or a
/// message of the side wire arrives.
enum class step_kind : std::uint8_t { run, arrive, credit, aside };

/// A possible step. Lives in its location or link, and is in the step_set, or the timetable, while it is possible.
struct step {
  static constexpr std::uint32_t absent = ~std::uint32_t{0};

  std::uint32_t priority = 0;
  std::uint32_t place = absent;   ///< index in the step_set, which alone writes `older` and `newer`; timed: any
  std::uint64_t label = 0;        ///< the same for the same step in every run
  sim_location* owner = nullptr;  ///< whose state the step changes; steps of different owners commute
  sim_link* link = nullptr;       ///< of an entry or credit
  sim_side_line* line = nullptr;  ///< of a message of the side wire
  sim_thread* runs = nullptr;     ///< of a run
  step* older = nullptr;
  step* newer = nullptr;

  [[nodiscard]] bool possible() const noexcept { return place != absent; }

  /// A label: the owner, the kind, the link's other end and its class.
  static std::uint64_t label_of(location_id owner, step_kind what, location_id peer, traffic kind) noexcept {
    return std::uint64_t{number(owner)} << 22 | std::uint64_t{static_cast<std::uint8_t>(what)} << 20 |
           std::uint64_t{number(peer)} << 3 | static_cast<std::uint8_t>(kind);
  }
  static std::uint32_t owner_of(std::uint64_t label) noexcept { return static_cast<std::uint32_t>(label >> 22); }
  static step_kind kind_of(std::uint64_t label) noexcept { return static_cast<step_kind>(label >> 20 & 3); }
  static traffic class_of(std::uint64_t label) noexcept { return static_cast<traffic>(label & 7); }
};

/// The steps possible now, by index in an order that depends on the run alone, and by age. Every operation is O(1).
class step_set {
 public:
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(steps_.size()); }
  [[nodiscard]] bool empty() const noexcept { return steps_.empty(); }
  [[nodiscard]] step& operator[](std::uint32_t i) const noexcept { return *steps_[i]; }
  [[nodiscard]] step& oldest() const noexcept { return *oldest_; }
  [[nodiscard]] step& newest() const noexcept { return *newest_; }

  void add(step& s) {
    s.place = size();
    steps_.push_back(&s);
    s.older = newest_;
    s.newer = nullptr;
    (newest_ != nullptr ? newest_->newer : oldest_) = &s;
    newest_ = &s;
  }

  void remove(step& s) noexcept {
    steps_.back()->place = s.place;
    steps_[s.place] = steps_.back();
    steps_.pop_back();
    s.place = step::absent;
    (s.older != nullptr ? s.older->newer : oldest_) = s.newer;
    (s.newer != nullptr ? s.newer->older : newest_) = s.older;
  }

  void clear() noexcept {
    for (step* s : steps_) s->place = step::absent;
    steps_.clear();
    oldest_ = newest_ = nullptr;
  }

 private:
  std::vector<step*> steps_;
  step* oldest_ = nullptr;
  step* newest_ = nullptr;
};

inline constexpr std::size_t sim_inline_capacity = 56;

/// One entry on its way, until it is consumed: then a late reader finds memory that was freed.
struct sim_entry {
  buffer block;  ///< none: the bytes lie in it
  std::size_t size = 0;
  std::uint64_t due = 0;  ///< timed: when its first byte is at the receiver's interface
  alignas(16) std::byte bytes[sim_inline_capacity];

  [[nodiscard]] std::byte const* data() const noexcept { return block ? block.data() : bytes; }
};
using entry_queue = ring_queue<std::unique_ptr<sim_entry>>;

/// On its way back for a consumed entry.
struct sim_credit {
  std::size_t held = 0;   ///< what the entry's buffer held; 0: it had none
  std::uint64_t due = 0;  ///< timed: when the sender has it
};

/// One ordered pair of locations in one class, made when it is first used. An entry passes through the stages in order.
struct sim_link {
  location_id source{};
  location_id dest{};
  traffic kind{};
  bool watched = false;       ///< the sender has seen it in use, so the next credit is news
  bool queued = false;        ///< in the receiver's list of links with arrivals
  bool entering = false;      ///< timed: the receiver's interface takes in the next entry
  std::uint32_t entries = 0;  ///< sent and without credit
  std::uint32_t buffers = 0;  ///< of these, buffers
  entry_queue travelling;
  entry_queue arrived;
  std::unique_ptr<sim_entry> held;  ///< delivered, not consumed
  ring_queue<sim_credit> consumed;
  step arrive;
  step credit;
};

/// A thread of a location, as a fiber. It is running, able to run (its step is possible), waiting, or finished.
struct sim_thread {
  bool waiting = false;
  bool finished = false;
  std::uint64_t number = 0;         ///< in this run; 0: the location's own
  std::uint64_t deadline = 0;       ///< of its last wait; 0: it had none
  void const* waits_for = nullptr;  ///< who notifies this ends the wait
  step run;
  fiber flow;
};

/// What the simulator knows of one location; and its own thread.
struct sim_location : sim_thread {
  location_id id{};
  bool news = false;              ///< something came since the last idle returned, so the next one does not wait
  bool watched = false;           ///< its run saw a link that has entries on it: was refused, or asked for a backlog
  std::uint32_t at_bell = 0;      ///< threads that wait for what comes, or are about to
  std::uint32_t bells = 0;        ///< how often something came
  std::uint32_t attended = 0;     ///< of these, those that an outsider has heard of
  bool meets_routes = false;      ///< something on a route has come
  std::uint8_t turn = 0;          ///< of the order in which classes are delivered then
  std::uint32_t empty_polls = 0;  ///< receives in a row that found nothing
  std::uint32_t preemptions = 0;  ///< how many more it may suffer in a plain play
  std::size_t in_flight = 0;      ///< bytes of its buffers of requests whose credit has not come back
  sim_clock clock;
  sim_link* delivered = nullptr;                      ///< the link of the last entry that it received
  ring_queue<sim_link*> ready[traffic_classes];       ///< by class: links with arrivals that may be delivered, in turn
  std::unordered_map<std::uint64_t, sim_link> links;  ///< to the locations that it sent to, by these and class
};

/// The possible steps, who waits until when, the virtual clock, and the hash of all that happened so far. In a timed
/// play the clock is that of whoever acts: a location that runs, or a step's time.
class agenda {
 public:
  explicit agenda(bool timed) noexcept : timed_(timed) {}

  step_set possible;  ///< none in a timed play

  [[nodiscard]] bool timed() const noexcept { return timed_; }
  [[nodiscard]] bool empty() const noexcept { return possible.empty() && times_.empty(); }
  [[nodiscard]] std::uint64_t now() const noexcept { return now_; }
  [[nodiscard]] std::uint64_t trace() const noexcept { return trace_; }

  void clear() noexcept {
    possible.clear();
    while (!times_.empty()) times_.take().what->place = step::absent;
    timers_.clear();
    sleepers_.clear();
    now_ = simulation::first_ns;
    trace_ = 0;
  }

  /// `when`: not before now; only a timed play waits until then.
  void make_possible(step& s, std::uint64_t when) {
    if (!timed_) return possible.add(s);
    s.place = 0;
    times_.add({when, s.label, &s});
  }

  /// The step is about to be taken.
  void take_out(step& s) noexcept {
    if (!timed_) possible.remove(s);
  }

  // Of a timed play:

  /// The earliest step. Its time is now.
  step& take_earliest() noexcept {
    auto const [when, label, what] = times_.take();
    what->place = step::absent;
    record(now_ = when);
    return *what;
  }

  [[nodiscard]] bool deadline_is_next() const noexcept {
    return !timers_.empty() && earliest().deadline <= times_.earliest();
  }

  /// Something is to happen before the time of who acts.
  [[nodiscard]] bool is_ahead() const noexcept {
    return times_.earliest() < now_ || (!timers_.empty() && earliest().deadline < now_);
  }

  /// Who acts takes so long. Ends no waits.
  void spend(std::uint64_t ns) noexcept { now_ += ns; }

  /// A location continues, not before its own clock. In other plays that is never ahead.
  void go_on_at(std::uint64_t clock) noexcept { now_ = std::max(now_, clock); }

  // Of all plays:

  /// The thread may run only after a notice of `what` or the deadline (0: none).
  void make_wait(sim_thread& t, std::uint64_t deadline, void const* what) {
    t.waiting = true;
    t.deadline = deadline == 0 ? 0 : std::max(deadline, now_);
    t.waits_for = what;
    if (deadline != 0) timers_.insert(&t);
    if (t.number != 0 || what != bell_of(*t.run.owner)) sleepers_.push_back(&t);
  }

  /// Ends the waits for `what`.
  void notify(void const* what) {
    for (std::size_t i = 0; i < sleepers_.size();) {
      sleepers_[i]->waits_for == what ? end_wait(*sleepers_[i]) : void(++i);
    }
  }

  [[nodiscard]] static void const* bell_of(sim_location const& l) noexcept { return &l.news; }

  /// Something came for the location.
  void wake(sim_location& l) {
    l.news = true;
    ++l.bells;
    if (l.waiting && l.waits_for == bell_of(l)) end_wait(l);
    if (!sleepers_.empty()) notify(bell_of(l));
  }

  /// Lets time pass, and wakes whose deadline has come. True: somebody's had.
  bool advance(std::uint64_t ns) { return advance_to(now_ + ns); }

  /// Jumps to the earliest deadline. False: nobody waits for one.
  bool advance_to_deadline() { return !timers_.empty() && advance_to(earliest().deadline); }

  void record(std::uint64_t what) noexcept {
    trace_ = (trace_ ^ what) * 0x9e3779b97f4a7c15u;
    trace_ ^= trace_ >> 32;
  }

 private:
  struct before {
    bool operator()(sim_thread const* a, sim_thread const* b) const noexcept {
      return std::tuple(a->deadline, a->run.label) < std::tuple(b->deadline, b->run.label);
    }
  };
  [[nodiscard]] sim_thread& earliest() const noexcept { return **timers_.begin(); }

  bool advance_to(std::uint64_t when) {
    now_ = when;
    bool any = false;
    while (!timers_.empty() && earliest().deadline <= now_) {
      end_wait(earliest());
      any = true;
    }
    return any;
  }

  void end_wait(sim_thread& t) {
    t.waiting = false;
    if (t.deadline != 0) timers_.erase(&t);
    std::erase(sleepers_, &t);
    make_possible(t.run, std::max(now_, t.run.owner->clock.now));
  }

  bool const timed_;
  timetable times_;
  std::set<sim_thread*, before> timers_;  ///< those that wait with a deadline
  std::vector<sim_thread*> sleepers_;     ///< those that wait, but for a location's own thread that waits for its bell
  std::uint64_t now_ = 0;
  std::uint64_t trace_ = 0;
};

/// One simulated location's endpoint: waits and receives by the scheduler, sends and consumes by the network.
class sim_endpoint final : public endpoint {
 public:
  sim_endpoint(scheduler& owner, location_id self, std::uint32_t size, std::uint32_t lanes, std::uint32_t const* near);

  sim_location& state() noexcept { return state_; }
  [[nodiscard]] sim_location const& state() const noexcept { return state_; }
  [[nodiscard]] scheduler& owner() const noexcept { return scheduler_; }

  /// Counts from zero again. `beside`: its process's side wire.
  void start_run(side_wire* beside) noexcept {
    side = beside;
    counts_ = {};
    state_.meets_routes = false;
    state_.turn = 0;
  }

 private:
  void do_idle(std::uint32_t round, std::uint64_t deadline_ns) override;
  std::uint64_t do_now() override;
  void do_fail(std::string_view reason) noexcept override;
  void do_outside(outside_call what, std::uint64_t deadline_ns) override;
  buffer do_acquire(location_id dest, std::size_t bytes) override;
  bool do_send(location_id dest, traffic kind, buffer& b) override;
  bool do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) override;
  bool do_receive(wanted which, arrival& out) override;
  void do_consumed(location_id source, traffic kind, buffer* keep) override;
  std::uint32_t do_backlog(location_id dest, traffic kind) override;

  [[nodiscard]] bool finds_room(sim_link& link, bool for_buffer);

  scheduler& scheduler_;
  sim_location state_;
};

/// The links between simulated locations, and their entries. Makes steps possible and carries out those of links.
class sim_network {
 public:
  sim_network(simulation const& settings, agenda& plan, step_picker& picker, std::deque<sim_endpoint>& locations)
      : settings_(settings), agenda_(plan), picker_(picker), locations_(locations) {}
  sim_network& operator=(sim_network&&) = delete;

  /// Forgets all links of the last run.
  void start_run();

  /// As the endpoint's of that name.
  bool receive(sim_location& at, wanted which, arrival& out);

  /// The next entry of a link arrives.
  void arrive(sim_link& link);
  /// The sender learns of the next consumed entry.
  void credit(sim_link& link);

  /// Names a step, before it is made possible.
  void start_step(step& s, sim_location& owner, step_kind what, location_id peer, traffic kind);

  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  [[nodiscard]] std::uint64_t delivered() const noexcept { return delivered_; }

 private:
  friend class sim_endpoint;  // which sends and consumes

  sim_location& at(location_id id) noexcept;
  void check(location_id dest, std::size_t bytes, std::size_t limit) const;
  sim_link& link_to(sim_location& from, location_id dest, traffic kind);
  void make_ready(sim_location& at, sim_link& link) noexcept;
  void watch(sim_link& link);
  sim_link* find(sim_location& from, location_id dest, traffic kind) const noexcept;
  [[nodiscard]] bool is_full(sim_link const& link, bool for_buffer) noexcept;
  sim_entry& admit(sim_link& link, std::size_t bytes, bool is_buffer);
  [[nodiscard]] std::uint64_t leave(sim_location& from, std::size_t bytes) noexcept;
  [[nodiscard]] bool enter(sim_link& link);

  simulation const& settings_;
  agenda& agenda_;
  step_picker& picker_;
  std::deque<sim_endpoint>& locations_;
  std::size_t share_ = 0;  ///< of the budget: as host_endpoint
  std::uint64_t sent_ = 0;
  std::uint64_t delivered_ = 0;
};

}  // namespace sheaf::detail
