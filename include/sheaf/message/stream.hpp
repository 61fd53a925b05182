// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/base/route.hpp"
#include "sheaf/base/sending_threads.hpp"
#include "sheaf/message/outbox.hpp"
#include "sheaf/message/run_header.hpp"
#include "sheaf/message/sparse_table.hpp"
#include "sheaf/transport/endpoint.hpp"
#include "sheaf/transport/ring_queue.hpp"

namespace sheaf::detail {

class location;
class location_counts;
class router;
class sender;

struct hop_form;

/// A part of a location that may hold future traffic: its streams, and caches in front of them. sender::add registers
/// it; then whatever flushes, ages, makes room or checks that the location is quiet asks it. Called by the location's
/// thread, or by whoever is inside its gate; what it appends then goes to the stream of that thread, and keeps no order
/// with what the location's own appends.
class source : immovable<source> {
 public:
  /// Hands on what it holds. For `age` and `idle`, what would only stand behind others that wait for credit may stay.
  virtual void flush(flush_reason why) = 0;

  /// Whether it holds nothing that may still become traffic. A fence ends only where all sources are empty.
  [[nodiscard]] virtual bool empty() const = 0;

  /// Whether what it holds counts as sent already, so that a cut need not wait for it.
  [[nodiscard]] virtual bool is_counted() const { return false; }

  /// Whether a flush for `idle` would hand something on.
  [[nodiscard]] virtual bool may_leave() const = 0;

  /// Other threads pass it over, and what it holds does not age.
  [[nodiscard]] virtual bool is_owners_alone() const { return false; }

  /// Hands on one of its open buffers, another one each time, to make room in the budget; false: none may leave. Where
  /// not `may_overflow`, none is handed on that would wait for credit.
  virtual bool release(bool may_overflow) = 0;

  /// An attached thread leaves: what it has there is nobody's, until another one comes.
  virtual void part_from(void const*) {}

  /// Adds what only it has counted.
  virtual void tell(location_counts&) const {}

  /// The location is about to end.
  virtual void job_ends() {}

 protected:
  ~source() = default;
};

/// Bytes that buffers hold, and at which they are flushed: `first` after a wait, more with each full one, to `most`.
struct buffer_sizes {
  std::uint32_t first = 0;
  std::uint32_t most = 0;
  std::size_t capacity = 0;
};
/// Sizes for destinations on the same host, if the transport tells them apart, and for others.
struct size_policy {
  buffer_sizes near;
  buffer_sizes far;
};

/// Of a handler in an epoch of limited nesting depth.
[[noreturn]] void throw_too_deep(run_scope scope, call_site from);

/// What a stream is made with.
struct stream_plan {
  traffic kind = traffic::request;          ///< its credit class
  std::optional<size_policy> sizes{};       ///< none: the location's, as they are set
  route_kind path = route_kind::automatic;  ///< of requests, which keep no order with those on other paths; automatic:
                                            ///< the location's, or straight where that suits so few partners
  sending_threads by = sending_threads::apart;
  std::uint32_t partners = 0;  ///< the locations that it sends to are at most so many; 0: all
};

/// The next size to flush at, while the location issues more than one buffer without waiting.
std::uint32_t grown(std::uint32_t threshold);

/// Full buffers of one destination that wait for credit, oldest first.
struct overflow_queue {
  outbox* box = nullptr;
  ring_queue<buffer> waiting;
  std::size_t bytes = 0;       // in them
  bool first_is_free = false;  // the oldest does not count in the reserve
};

struct put_counts;

/// How one location sends traffic of one class: records into runs, runs into buffers, buffers to the transport or,
/// without credit, into the overflow queue. It has an outbox for each destination that it was used for, and no more.
/// Order holds within a stream and destination. Callers see `box(dest)`; what is called `box` here is the outbox behind
/// that, which is filled.
///
/// Where others may enter the location each thread has a stream of requests. Records go into its open buffers without
/// the gate, by `place`, while the stream is taken for that; whoever flushes the stream of another thread takes it,
/// too, inside the gate. All else happens inside the gate. Other streams are no thread's: they are used by anybody, in
/// the scope in which that thread sends, inside the gate alone. In one that is lock_free, several threads `place`
/// records of fixed size at a time, while nobody inside the gate has closed it. In one that is its owner's alone, only
/// that thread appends and flushes, and what it appends needs nothing of this. A run gets its colours and is counted
/// when its buffer is handed over, in one section with that: so a cut, which finds all streams empty, never falls
/// between.
class stream final : public source {
 public:
  /// Makes the stream known to `of_all`, until it ends; what it still holds then is sent. Inside the gate, both. Throws
  /// usage_error where sizes are not 1 <= first <= most <= capacity, or there is no such class.
  explicit stream(sender& of_all, stream_plan const& plan = {});
  ~stream();

  [[nodiscard]] traffic kind() const { return kind_; }
  [[nodiscard]] location& home() const;

  /// The outbox for `dest` as callers see it; always the same one. By the stream's own thread.
  [[nodiscard]] outbox& box(std::uint32_t dest);
  /// The one that is filled; null where there has been none.
  [[nodiscard]] outbox* used_box(std::uint32_t dest) const { return boxes_.find(dest); }
  void each_box(auto visit) const {
    boxes_.each([&](std::uint32_t, outbox& box) { visit(box); });
  }

  /// Room for one record where `box` does not take it as it is. Requests of the program may first execute others'.
  /// Unless it `may_overflow`, neither waits nor executes: null where the pair has no credit, and nothing is appended.
  std::byte* append(outbox& box, record_form const& next, bool may_overflow, call_site from);
  /// Room for one record in the buffer that `box` has open, by the stream's own thread, without the gate. Null: no
  /// buffer is open, or the record does not fit. Else nobody flushes the stream before `let_go`.
  std::byte* place(outbox& box, record_form const& next);
  void let_go() {
    by_ == sending_threads::lock_free ? static_cast<void>(users_.fetch_sub(1, std::memory_order_release))
                                      : users_.store(0, std::memory_order_release);
  }
  [[nodiscard]] run_scope scope() const { return scope_; }
  /// What is appended from now on is sent in this scope; returns the one before. Open runs end where it is another one.
  run_scope enter(run_scope next);

  /// Sends one record behind what the outbox holds, at once if there is credit. `entry` begins with room for a header.
  void send_urgent(outbox& box, run_tag tag, std::span<std::byte> entry, call_site from);
  /// If the pair has credit; else false. Keeps no order with what the outbox holds.
  bool offer(outbox& box, run_tag tag, std::span<std::byte> entry);

  /// Hands the outbox's buffer to the transport.
  void flush(outbox& box, flush_reason why);

  void flush(flush_reason why) override;
  [[nodiscard]] bool empty() const override { return open_.empty() && overflows_.empty(); }
  [[nodiscard]] bool is_counted() const override { return is_routed(kind_); }
  [[nodiscard]] bool may_leave() const override;
  [[nodiscard]] bool is_owners_alone() const override;

  [[nodiscard]] std::size_t open_boxes() const { return open_.size(); }
  /// The transport has all that was appended.
  [[nodiscard]] bool all_sent() const;
  [[nodiscard]] bool overflows() const { return !overflows_.empty(); }
  /// Sends what waits, as far as there is credit. True: something has left.
  bool drain();
  /// Null: nothing waits there.
  [[nodiscard]] overflow_queue const* overflow_of(outbox const& box) const;
  /// Waits until what is in the overflow queue now has left it, but not for what handlers add meanwhile.
  void wait_for_credit(outbox const& box, run_tag tag, call_site from);

  [[nodiscard]] buffer_sizes const& sizes_for(std::uint32_t dest) const;

  std::uint64_t unpolled = 0;                ///< requests in closed runs since the location polled for it
  std::atomic<void const*> thread{nullptr};  ///< whose it is, where others may enter; null: nobody's

 private:
  friend struct outbox;
  friend class router;
  friend class sender;
  class taken;

  /// Room for a record that leaves at once in a block of its own. Null: it does not; nothing has happened. Else fill
  /// it, and let send_alone be the stream's next call.
  [[nodiscard]] std::byte* open_alone(outbox const& box, std::size_t bytes);
  void send_alone(outbox& box, run_tag tag, std::size_t bytes);

  /// Ends the open run for `dest`: what is appended from now on is behind a mark of what was put there (put_marks.hpp).
  void end_run_for(std::uint32_t dest);

  bool release(bool may_overflow) override;
  /// Of a class of routes: room for one record, with all that stands in front of it. Null: there is none.
  std::byte* append_hop(outbox& box, run_tag tag, hop_form const& next);
  /// Makes some: a full buffer leaves or, if it may, waits for credit. False: it has none. May execute requests.
  bool make_hop_room(outbox& box, std::size_t bytes, bool may_overflow);
  /// Of such a class: the outbox for `dest` as callers see it, whose records leave for `next`.
  [[nodiscard]] outbox& routed_box(std::uint32_t dest, std::uint32_t next, route_kind path);
  std::byte* place_beside_others(outbox& box, record_form const& next);
  /// The calling thread must not look into its buffers.
  [[nodiscard]] bool is_anothers() const;
  [[nodiscard]] bool waits() const;
  void take_scope();
  [[nodiscard]] bool is_too_deep(run_tag next) const;
  void check_depth(run_tag next, call_site from) const;
  bool open_run(outbox& box, record_form const& next, bool may_overflow, call_site from);
  [[nodiscard]] bool is_behind_puts(outbox const& box) const;
  bool mark_puts(outbox& box, bool may_overflow, call_site from);
  [[nodiscard]] outbox& filled_box(std::uint32_t dest);
  void begin_run(outbox& box, record_form const& next);
  void limit_run(outbox& box, std::size_t bytes, bool may_wait);
  bool has_room(outbox& box, record_form const& next);
  void stamp(outbox const& box, std::byte* header, run_header const& run);
  void stamp_all(outbox& box);
  void close_run(outbox& box);
  static void mark_urgent(outbox& box);
  [[nodiscard]] bool send_lone(outbox& box, run_tag tag, std::span<std::byte> entry);
  void send_behind(outbox& box, run_tag tag, std::span<std::byte> entry, call_site from);
  void send_in_buffer(outbox& box, run_tag tag, std::span<std::byte> entry, call_site from);
  void open_buffer(outbox& box, std::size_t bytes, bool may_overflow);
  bool ship(outbox& box, flush_reason why, bool may_overflow, bool of_small = false);
  void overflow(outbox& box, buffer& full);
  [[nodiscard]] static std::span<std::byte const> with_header(run_header const& header, std::span<std::byte> entry);

  sender& all_;
  traffic const kind_;
  std::optional<size_policy> const sizes_;
  route const* path_;  // null: straight to each destination
  sparse_table<outbox> boxes_;
  sparse_table<outbox> shown_;  // what callers see, empty for ever, where that is not filled; by destination and path
  std::vector<outbox*> open_;   // those with an open buffer, and some that had one
  std::size_t first_to_flush_ = 0;
  std::vector<overflow_queue> overflows_;
  std::vector<overflow_queue> spare_overflows_;  // empty ones, for their memory
  std::unique_ptr<put_counts> marks_;            // of requests, where something was put beside them
  run_scope scope_;
  sending_threads const by_;
  // Threads that place a record now; with `closed`, nobody begins to. Of a thread's own: 1 while it or a flush is at
  // it.
  static constexpr std::uint32_t closed = 1U << 31U;
  std::atomic<std::uint32_t> users_{0};
  std::uint32_t closers_ = 0;  // inside the gate
};

}  // namespace sheaf::detail
