// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/message/executor.hpp"
#include "sheaf/message/sparse_table.hpp"
#include "sheaf/message/statistics.hpp"
#include "sheaf/message/stream.hpp"
#include "sheaf/message/thread_streams.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

class location;
class router;

/// A location's counts for one other location, in both directions. Entries and bytes are of all classes of traffic.
struct link_counts {
  std::uint64_t created = 0;   ///< requests to it in closed runs; where others may enter, in buffers that have left
  std::uint64_t executed = 0;  ///< requests of it, in runs that ended here
  std::uint64_t entries_sent = 0, bytes_sent = 0;
  std::uint64_t entries_received = 0, bytes_received = 0;

  void sent(std::size_t bytes, bool with_request = false) {
    created += with_request ? 1 : 0;
    ++entries_sent;
    bytes_sent += bytes;
  }
  void received(std::size_t bytes) {
    ++entries_received;
    bytes_received += bytes;
  }
};

/// Runs and requests of one handler that have begun here.
struct handler_counts {
  std::uint64_t runs = 0;
  std::uint64_t requests = 0;
};

/// One location's counts, updated by run and entry: plain stores, by its own thread or inside its gate.
class location_counts {
 public:
  [[nodiscard]] link_counts& link(std::uint32_t location) { return links_[location]; }
  /// By location; those that this one had to do with.
  [[nodiscard]] sparse_table<link_counts> const& links() const { return links_; }

  void run(std::uint32_t handler, std::uint32_t requests, bool begins = true) {
    if (!knows(handler)) [[unlikely]]
      handler = with_room(handler);
    run_known(handler, requests, begins);
  }
  /// There is room for it.
  [[nodiscard]] bool knows(std::uint32_t handler) const { return handler < handlers_.size(); }
  void run_known(std::uint32_t handler, std::uint32_t requests, bool begins) {
    handlers_[handler].runs += begins ? 1 : 0;
    handlers_[handler].requests += requests;
  }
  /// By number; the first place is that of methods named by pointers.
  [[nodiscard]] std::vector<handler_counts> const& handlers() const { return handlers_; }

  void policy(std::string const& name, std::uint64_t looked_up, std::uint64_t hits);

  static void raise(std::uint64_t& mark, std::uint64_t now) { mark = std::max(mark, now); }

  std::array<std::uint64_t, flush_reasons> flushes{};  ///< buffers handed on, by reason
  statistics::marks most;
  std::vector<statistics::policy> policies;
  std::uint64_t overflow_now = 0;

 private:
  [[gnu::noinline]] std::uint32_t with_room(std::uint32_t handler) {
    if (handler > detail::handlers.size) handler = 0;
    if (handler >= handlers_.size()) handlers_.resize(detail::handlers.size + 1);
    return handler;
  }

  sparse_table<link_counts> links_;
  std::vector<handler_counts> handlers_;
};

/// Bytes that a location holds back for want of credit, by class. Requests of all classes have a share of memory, the
/// reserve, and answers another one of the same size. If one is used up, the location stops executing what would add to
/// it. Rules and argument: docs/specification/progress.md.
class reserve {
 public:
  explicit reserve(std::size_t bytes) : cap(bytes), step_(bytes) {}

  void add(traffic kind, std::size_t bytes) {
    held_[index(kind)] += bytes;
    requests_ += is_request(kind) ? bytes : 0;
  }
  void take(traffic kind, std::size_t bytes) { add(kind, 0 - bytes); }

  [[nodiscard]] std::size_t requests() const { return requests_; }
  [[nodiscard]] std::size_t answers() const { return held_[index(traffic::answer)]; }
  [[nodiscard]] bool is_over() const { return requests_ > cap || answers() > cap; }
  /// The classes whose entries may be taken: all, unless it is over. Hops add nothing: a record is passed on where it
  /// finds credit.
  [[nodiscard]] wanted allowed() const { return is_over() ? wanted::moves : wanted::all; }
  /// Bytes of what is over; 0: nothing.
  [[nodiscard]] std::size_t excess() const;
  /// By steps, until nothing is over.
  void raise();

  std::size_t cap;  ///< of requests, and again of answers
  std::uint64_t raises = 0;

 private:
  static constexpr std::size_t index(traffic kind) { return static_cast<std::size_t>(kind); }

  std::array<std::size_t, traffic_classes> held_{};
  std::size_t requests_ = 0;
  std::size_t step_;
};

/// The sending side of a location: its streams, sources in front of them, and what they share: the budget of open
/// buffers, the reserve that holds what waits for credit, and the usual sizes of buffers.
class sender : immovable<sender> {
 public:
  explicit sender(location& here);
  ~sender();

  /// The location's own stream of the class; that of requests is its own thread's.
  [[nodiscard]] stream& of(traffic kind) {
    return is_routed(kind) ? of_route(kind) : own_[static_cast<std::size_t>(kind)];
  }
  /// Null: a class of routes that was not used yet.
  [[nodiscard]] stream const* known(traffic kind) const {
    auto const at = static_cast<std::size_t>(kind);
    return is_routed(kind) ? of_routes_[at - own_.size()].get() : &own_[at];
  }
  /// All that there are.
  [[nodiscard]] std::vector<stream*> const& streams() const { return streams_; }
  /// A stream that is nobody's, owned here: it lives until `end_stream`, or as long as the location.
  [[nodiscard]] stream& make_stream(stream_plan const& plan = {});
  void end_stream(stream& one);

  [[nodiscard]] std::vector<source*> const& sources() const { return asked_; }
  /// The source is asked with the streams whenever these are flushed or looked at, before them and before sources that
  /// were added earlier, until it is removed. It outlives that. A stream needs neither: it does this itself.
  void add(source& one);
  void add(stream& one) = delete;
  void remove(source& one);
  /// Called by a source that holds nothing before it keeps something: polls hand it on and it ages, from now on.
  void begins_to_hold();

  /// Hands what all sources hold to the transport, from the front to the streams.
  void flush(flush_reason why = flush_reason::asked);
  /// Something was put at that location, beside requests: those that the caller issues from now on are behind it.
  /// False: they may take a route, where they would pass it, so the caller waits until it is done.
  [[nodiscard]] bool has_put(location_id where);
  /// From now on nothing that may leave is held for longer, if steps are made.
  void age_at_most(std::uint64_t ns);
  /// Flushes all sources where what may leave has been held for age_ns. True: all has left.
  bool flush_old();
  /// When flush_old would do that; 0: nothing is held that may leave, or nothing ages.
  [[nodiscard]] std::uint64_t flush_due() const;
  /// The transport has all that was issued here: no open outbox, no overflow. To be asked inside of the gate.
  [[nodiscard]] bool empty() const;
  /// Whether something is held that does not stand behind others that wait for credit.
  [[nodiscard]] bool may_leave() const;
  /// Sends what waits for credit, as far as there is some. True: something has left.
  bool drain();

  /// Memory of sources counts in the location's share of the budget, up to a half of it: so much more, or less.
  void count_tables(std::ptrdiff_t bytes) { table_bytes_ += static_cast<std::size_t>(bytes); }

  /// An attached thread leaves: its streams are nobody's, until another one comes.
  void part_from(void const* thread);

  /// The scope in which the calling thread sends.
  [[nodiscard]] run_scope scope() { return gated ? scope_of_thread() : of(traffic::request).scope(); }
  /// Sends in this scope now; returns the old one. A source enters the scope of each record before it appends it.
  run_scope enter(run_scope next) {
    if (gated || next != of(traffic::request).scope()) [[unlikely]]
      return enter_slowly(next);
    return next;
  }

  /// As location::set_aggregation.
  void set_aggregation(std::size_t first, std::size_t most, reach of, call_site where);
  /// Why buffers of requests for each destination that was used are as large as they are now, a line each.
  [[nodiscard]] std::string explain() const;

  /// Bytes of requests that wait for credit; of these, what is not for the location itself.
  [[nodiscard]] std::size_t reserve_used() const;
  [[nodiscard]] std::size_t reserve_for_others() const;

  location& here;
  endpoint& net;
  options const& settings;
  router& routes;        ///< owned here
  std::uint64_t age_ns;  ///< 0: any
  location_counts counts;
  std::unique_ptr<thread_streams> requests_by_thread;  ///< where others may enter
  reserve held;                                        ///< full buffers that wait for credit
  size_policy sizes;                                   ///< of streams that have none of their own
  std::uint64_t scope_changes = 1;                     ///< of its own thread's scope, and ends of scopes
  bool gated = false;                                  ///< others may enter the location
  std::atomic<bool> any_put{false};                    ///< has_put was called
  bool any_open = false;  ///< a source may hold what may leave, now or when a route is quiet
  bool hurried = false;   ///< what was flushed as urgent gathers on, behind buffers of its pair that wait for credit
  std::atomic<bool> goes_in{false};           ///< threads append their next records inside the gate
  std::atomic<std::size_t> kept_arrivals{0};  ///< bytes of arrivals that are read beyond their execution

 private:
  friend class router;
  friend class stream;

  // What streams call.
  void join(stream& one);
  void leave(stream& one);
  static void check_sizes(buffer_sizes const& of);
  /// A buffer of `bytes` is about to be opened: others leave until it fits into the location's share of the budget, or
  /// none may leave. It is opened in any case: nobody waits for the budget.
  void make_room(std::size_t bytes, bool may_overflow);
  void opened(std::size_t bytes);
  /// The block of a buffer whose bytes went inline stays for the next one to that destination.
  void keep_block(std::uint32_t dest, buffer& block) {
    kept_block_ = std::move(block);
    kept_for_ = dest;
  }
  [[nodiscard]] buffer take_block(std::uint32_t dest, std::size_t bytes) {
    if (kept_for_ == dest && kept_block_.capacity() >= bytes) return std::move(kept_block_);
    return net.acquire(location_id{dest}, bytes);
  }
  void closed(std::size_t bytes) { open_bytes_ -= bytes; }
  [[nodiscard]] std::size_t open_boxes() const;
  void count_sent(std::uint32_t dest, run_tag tag, run_scope in, std::uint64_t requests);
  /// A buffer of `bytes` begins to wait for credit; a buffer's wait has ended.
  void hold_back(traffic kind, std::size_t bytes);
  void let_go(traffic kind, std::uint32_t dest, std::size_t capacity, std::size_t bytes);

  [[nodiscard]] stream& of_route(traffic kind);
  [[nodiscard]] bool ages() const;
  /// While sources are flushed, streams alone.
  [[nodiscard]] std::span<source* const> asked_for_idle() const;
  [[nodiscard]] run_scope scope_of_thread();
  run_scope enter_slowly(run_scope next);
  void enter_all_of(void const* thread, run_scope next);
  static void limit(buffer_sizes& of, std::size_t first, std::size_t most);
  [[nodiscard]] std::string explain_budget() const;

  std::vector<source*> asked_;  // sources in front, then the streams
  std::vector<stream*> streams_;
  std::array<stream, 2> own_;                                           // of requests, and of answers
  std::array<std::unique_ptr<stream>, traffic_classes - 2> of_routes_;  // made when they are used
  std::vector<std::unique_ptr<stream>> made_;
  std::uint32_t next_to_release_ = 0;   // a place among all
  std::uint32_t flushing_sources_ = 0;  // on stacks
  std::uint32_t kept_for_ = 0;          // the destination of kept_block_
  bool making_room_ = false;
  std::atomic<bool> scopes_used_{false};  // where others may enter: some request was sent or executed in a scope
  bool ages_ = false;                     // since held_since_ something has been held, as far as was looked
  buffer kept_block_;                     // beside the budget
  std::unique_ptr<put_counts> puts_;
  std::size_t share_ = 0;  // of the process's budget, for open buffers
  std::size_t open_bytes_ = 0;
  std::size_t table_bytes_ = 0;
  std::uint64_t held_since_ = 0;
};

/// While this lives, the calling thread sends in this scope.
class sending_in : immovable<sending_in> {
 public:
  sending_in(sender& out, run_scope scope) : out_(out), before_(out.enter(scope)) {}
  ~sending_in() { out_.enter(before_); }

 private:
  sender& out_;
  run_scope const before_;
};

}  // namespace sheaf::detail
