// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "sheaf/base/lease.hpp"
#include "sheaf/base/location_id.hpp"
#include "sheaf/transport/buffer.hpp"

namespace sheaf {

namespace detail {
struct location_report;
class trace_log;
class gate;
class threading;
class side_wire;

/// What one location lets others read: each lease ends when taken back, or with this. Used inside its gate, if any.
class loans {
 public:
  struct loan {
    lease of;
    loan* next = nullptr;
    loan** from = nullptr;  ///< what points to this one
  };

  loans& operator=(loans&&) = delete;
  ~loans() { end_all(); }

  loan& add(lease&& of) {
    auto* const made = new loan{std::move(of), first_, &first_};
    if (first_ != nullptr) first_->from = &made->next;
    return *(first_ = made);
  }
  lease take_back(loan& one) noexcept {
    *one.from = one.next;
    if (one.next != nullptr) one.next->from = one.from;
    lease of = std::move(one.of);
    delete &one;
    return of;
  }
  void end_all() noexcept {
    while (first_ != nullptr) take_back(*first_);
  }

 private:
  loan* first_ = nullptr;
};

}  // namespace detail

/// The classes of traffic; each ordered pair of locations has its own order, entries and credits in each of them.
/// `request`: runs users' code and may be left waiting. `answer`: replies and control; always consumed soon. The others
/// are of routes: a `hop` passes requests on, which is done as long as those behind it take more; `late_hop` is the
/// same of a dissemination, and behind the place where a ring closes; `delivery` is the last hop, and runs users' code.
enum class traffic : std::uint8_t { request, answer, delivery, hop, late_hop };
inline constexpr std::size_t traffic_classes = 5;
[[nodiscard]] constexpr bool is_request(traffic kind) noexcept { return kind != traffic::answer; }
[[nodiscard]] constexpr bool is_hop(traffic kind) noexcept { return kind >= traffic::hop; }
[[nodiscard]] constexpr bool is_routed(traffic kind) noexcept { return kind >= traffic::delivery; }

/// Destinations of a location: those of its own host (`near`), the others, or all.
enum class reach : std::uint8_t { near, far, all };

/// One entry that has arrived: the bytes of an inline entry or a buffer, valid until `consumed`, or longer by `keep`.
struct arrival {
  location_id source{};
  traffic kind{};
  std::span<std::byte const> bytes;
};

/// The classes that `receive` may deliver: the first so many in delivery order. `moves`: those that run no user's code.
enum class wanted : std::uint8_t { answers = 1, moves = 3, all = traffic_classes };

namespace detail {
inline constexpr std::array delivery_order{traffic::answer, traffic::late_hop, traffic::hop, traffic::delivery,
                                           traffic::request};
inline constexpr std::array unrouted_order{traffic::answer, traffic::request};
/// With routes, what executes and what passes on come in turn, so that neither starves.
inline constexpr std::array routed_orders{
    delivery_order, std::array{traffic::answer, traffic::request, traffic::hop, traffic::late_hop, traffic::delivery},
    std::array{traffic::answer, traffic::delivery, traffic::request, traffic::late_hop, traffic::hop}};
}  // namespace detail

/// The classes that may be delivered, in their order.
constexpr std::span<traffic const> classes_of(wanted which) noexcept {
  return {detail::delivery_order.data(), static_cast<std::size_t>(which)};
}
/// All classes but that of answers, in delivery order.
constexpr std::span<traffic const> request_classes() noexcept { return classes_of(wanted::all).subspan(1); }
constexpr bool covers(wanted which, traffic kind) noexcept {
  for (traffic const each : classes_of(which)) {
    if (each == kind) return true;
  }
  return false;
}

/// What an endpoint has moved since the job began; read by tests, statistics and explain().
struct endpoint_counts {
  std::uint64_t buffers_sent[traffic_classes] = {};  ///< by traffic class
  std::uint64_t inline_sent[traffic_classes] = {};
  std::uint64_t bytes_sent[traffic_classes] = {};  ///< payload bytes of both
  std::uint64_t entries_received[traffic_classes] = {};
  std::uint64_t bytes_received[traffic_classes] = {};
  std::uint64_t parts = 0;         ///< of entries that travel in parts, sent or received
  std::uint64_t in_parts = 0;      ///< entries that were taken and have parts here, which `receive` sends; as of now
  std::uint64_t refused = 0;       ///< sends that found the pair's credits used up
  std::uint64_t sleeps = 0;        ///< times the location gave up its core for longer than a yield
  std::uint64_t packets_high = 0;  ///< hybrid: the most bytes of packets for other processes being gathered
  std::uint64_t packets_for_room = 0;  ///< hybrid: packets sent because another one would have passed the budget
};

/// One location's connection to all others: moves opaque entries, nothing else. Between two locations the entries of
/// one class arrive exactly once and in the order sent. What a location sends to itself takes the same path.
///
/// Called by the owning location only, or by whoever is inside the gate that the endpoint is shared by. Runs no user's
/// code. The public functions count once for all transports; a transport overrides the private ones.
class endpoint {
 public:
  endpoint& operator=(endpoint&&) = delete;
  virtual ~endpoint() = default;

  [[nodiscard]] location_id self() const noexcept { return self_; }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  /// Largest number of bytes that `send_inline` takes (at least 56).
  [[nodiscard]] std::size_t inline_capacity() const noexcept { return inline_capacity_; }
  [[nodiscard]] endpoint_counts const& counts() const noexcept { return counts_; }

  /// An empty buffer of at least `bytes` for `dest`: recycled where possible, else allocated. Never waits.
  buffer acquire(location_id dest, std::size_t bytes) { return do_acquire(dest, bytes); }

  /// Memory that all near locations reach at the same address, for what they are to read and write. Any thread of this
  /// process may take and give back, while they compute. What is taken is this process's until it gives it back or the
  /// job ends. The heap where nobody is near, and in the simulator.
  [[nodiscard]] host_memory& memory() const noexcept { return *memory_; }

  /// Reaches the processes of far locations beside all this; null where no location is far. Set by the transport.
  detail::side_wire* side = nullptr;

  /// Where the blocks of buffers for `dest` go back to.
  [[nodiscard]] block_home& home_for(location_id dest) noexcept {
    if (dest == self_) return *own_home_;
    return near(dest) ? *near_home_ : *far_home_;
  }

  /// Hands the buffer's `size()` > 0 bytes to the pair's order. True: taken, `b` is empty, the bytes travel without
  /// further calls of the sender except through its receive, idle and flush. False: the pair has `window` buffers or
  /// `ring_slots` entries that the receiver has not consumed; `b` is untouched.
  bool send(location_id dest, traffic kind, buffer& b) {
    return counted(dest, kind, b.size(), counts_.buffers_sent, [&] { return do_send(dest, kind, b); });
  }

  /// Sends a small entry (1…inline_capacity() bytes, copied at once) in the same order as `send`. False: as in `send`.
  bool send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) {
    return counted(dest, kind, entry.size(), counts_.inline_sent, [&] { return do_send_inline(dest, kind, entry); });
  }

  /// Delivers the next arrival, answers before requests, sources in turn. The next arrival of the same pair and class
  /// comes only after `consumed`; other pairs and the other class go on. False: nothing has arrived (some sources may
  /// be looked at only in later calls, each within a bounded number of calls). With nothing, it throws job_aborted once
  /// the job has failed.
  bool receive(wanted which, arrival& out) {
    if (!do_receive(which, out)) return false;
    ++counts_.entries_received[index(out.kind)];
    counts_.bytes_received[index(out.kind)] += out.bytes.size();
    if (trace != nullptr) [[unlikely]]
      record(now(), false, out.source, out.kind, out.bytes.size());
    return true;
  }

  /// True: `receive` would find nothing now, and the job has not failed. False where that would take long to say.
  [[nodiscard]] bool shows_nothing() const noexcept { return do_shows_nothing(); }

  /// Ends the use of an arrival's bytes and returns its credit to the sender. Every arrival is consumed once.
  void consumed(location_id source, traffic kind) { do_consumed(source, kind, nullptr); }

  /// Returns the credit of an arrival of more than inline_capacity() bytes, which stay where they are until what this
  /// returns is destroyed, by any thread, and before this location ends. Its data are the transport's.
  [[nodiscard]] buffer keep(location_id source, traffic kind) {
    buffer kept;
    do_consumed(source, kind, &kept);
    return kept;
  }

  /// Memory that others read in place; the transport ends the loans when nobody can read it any more.
  detail::loans lent;

  /// Entries of the class sent to `dest` and not known to be consumed: a sign of how busy the receiver is.
  std::uint32_t backlog(location_id dest, traffic kind) { return do_backlog(dest, kind); }

  /// Called after a `receive` (and any refused send) found nothing to do; `round` counts such calls in a row from 0.
  /// Spins, yields or sleeps until something may have changed for this location (arrival or credit), or `deadline_ns`
  /// (0: none) of now() has passed. May return early. Throws job_aborted once the job has failed.
  void idle(std::uint32_t round, std::uint64_t deadline_ns = 0) { do_idle(round, deadline_ns); }

  /// Any thread: ends an `idle` or `attend` that sleeps now, soon. One that is about to sleep may miss it, unless the
  /// caller is inside the gate, through which that one has to pass.
  void wake() noexcept { do_outside(outside_call::wake, 0); }

  /// Nanoseconds of a steady clock; virtual time in the simulator.
  [[nodiscard]] std::uint64_t now() { return do_now(); }

  /// Where entries are recorded, and what else the location does; null: nothing is recorded.
  detail::trace_log* trace = nullptr;

  /// Reports what this location waits for in a deadlock; called while the owner is inside `idle`.
  struct explainer {
    void (*tell)(void const* owner, detail::location_report& to) = nullptr;  ///< null: nobody
    void const* owner = nullptr;
  } explain;

  /// From now on other threads use this endpoint, too, inside the gate. Who sleeps or yields leaves it meanwhile.
  void share(detail::gate* by) noexcept { gate_ = by; }
  /// Null: the flows of control that may share this location are threads. Set by the transport.
  detail::threading* threads = nullptr;

  /// Another thread, inside the gate: sleeps until something may have come, or `deadline_ns` (0: none), or less.
  /// `at_once`: does not sleep. Throws job_aborted once the job has failed, as it has when a process of this
  /// host ended before.
  void attend(std::uint64_t deadline_ns) {
    do_outside(deadline_ns == at_once ? outside_call::check : outside_call::attend, deadline_ns);
  }
  static constexpr std::uint64_t at_once = 1;

  /// While set, entries for a process on another host may wait for more, until `flush` or `idle`.
  bool gathers = false;

  /// Set while the location has nothing to do: then its next receive may look where that costs more.
  bool at_leisure = false;

  /// Sends what the transport itself still gathers. All that was taken before travels on without further calls.
  void flush() { do_flush(); }

  /// Calls `f(context)` while no other location of this process uses the MPI library, which may be right after another
  /// location has let go of it. Blocks. Throws usage_error where this thread may not call MPI.
  void with_mpi(void (*f)(void*), void* context) { do_with_mpi(f, context); }

  /// How many locations, numbered in a row, each process has where the transport goes between processes; else 1.
  [[nodiscard]] std::uint32_t lanes() const noexcept { return lanes_; }
  static constexpr std::uint32_t elsewhere = ~std::uint32_t{0};
  /// Whether the transport tells near locations, those on the same host that share memory with this one, from far ones.
  [[nodiscard]] bool tells_near() const noexcept { return near_ != nullptr; }
  [[nodiscard]] bool near(location_id other) const noexcept {
    return near_ != nullptr && near_[number(other)] != elsewhere;
  }
  /// Ends the whole job as failed: every other location leaves its waits with job_aborted(reason) soon.
  void fail(std::string_view reason) noexcept { do_fail(reason); }

 protected:
  /// `near`: by location, its number on this host, or `elsewhere`; outlives this object. Null: it tells none apart.
  endpoint(location_id self, std::uint32_t size, std::size_t inline_capacity, std::uint32_t lanes = 1,
           std::uint32_t const* near = nullptr) noexcept
      : self_(self), size_(size), lanes_(lanes), near_(near), inline_capacity_(inline_capacity) {}
  static constexpr std::size_t index(traffic kind) noexcept { return static_cast<std::size_t>(kind); }
  [[nodiscard]] std::uint32_t number_on_host(location_id l) const noexcept { return near_[number(l)]; }
  /// What to look for, and in which order, which changes. Until something routed has come, those classes cost nothing.
  [[nodiscard]] std::span<traffic const> looked_for(wanted which) noexcept {
    if (meets_routes_) {
      if (which != wanted::all) return classes_of(which);
      return detail::routed_orders[turn_++ % detail::routed_orders.size()];
    }
    return {detail::unrouted_order.data(), which == wanted::all ? std::size_t{2} : std::size_t{1}};
  }
  /// To be called when something of the class comes from a location for the first time.
  void meet(traffic kind) noexcept { meets_routes_ = meets_routes_ || is_routed(kind); }
  enum class outside_call : std::uint8_t { attend, wake, check };

  endpoint_counts counts_;
  detail::gate* gate_ = nullptr;
  block_home* own_home_ = &heap_;
  block_home* near_home_ = &heap_;
  block_home* far_home_ = &heap_;
  host_memory* memory_ = &heap_;

 private:
  /// The time of the trace is that before the entry leaves: it may have arrived before the next line runs.
  bool counted(location_id dest, traffic kind, std::size_t bytes, std::uint64_t (&of_kind)[traffic_classes],
               auto hand_over) {
    std::uint64_t const left = trace == nullptr ? 0 : now();
    if (!hand_over()) {
      ++counts_.refused;
      return false;
    }
    ++of_kind[index(kind)];
    counts_.bytes_sent[index(kind)] += bytes;
    if (trace != nullptr) [[unlikely]]
      record(left, true, dest, kind, bytes);
    return true;
  }
  void record(std::uint64_t when, bool sent, location_id other, traffic kind, std::size_t bytes);

  virtual buffer do_acquire(location_id dest, std::size_t bytes) = 0;
  virtual bool do_send(location_id dest, traffic kind, buffer& b) = 0;
  virtual bool do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) = 0;
  virtual bool do_receive(wanted which, arrival& out) = 0;
  [[nodiscard]] virtual bool do_shows_nothing() const noexcept { return false; }
  virtual void do_consumed(location_id source, traffic kind, buffer* keep) = 0;
  virtual std::uint32_t do_backlog(location_id dest, traffic kind) = 0;
  virtual void do_idle(std::uint32_t round, std::uint64_t deadline_ns) = 0;
  virtual std::uint64_t do_now() = 0;
  virtual void do_fail(std::string_view reason) noexcept = 0;
  virtual void do_flush() {}
  virtual void do_outside(outside_call, std::uint64_t) {}
  virtual void do_with_mpi(void (*f)(void*), void* context) { f(context); }

  heap_memory heap_;
  bool meets_routes_ = false;
  std::size_t turn_ = 0;
  location_id const self_;
  std::uint32_t const size_;
  std::uint32_t const lanes_;
  std::uint32_t const* const near_;
  std::size_t const inline_capacity_;
};

}  // namespace sheaf
