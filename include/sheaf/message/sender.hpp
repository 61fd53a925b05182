// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/message/counts.hpp"
#include "sheaf/message/stream.hpp"

namespace sheaf {
class location;
}

namespace sheaf::detail {

/// The way out of a location: its streams, sources in front of them, and what all of these share: the budget of open
/// buffers, the reserve that holds what waits for credit, and the sizes of buffers.
class sender {
 public:
  explicit sender(location& here);

  [[nodiscard]] stream& of(traffic kind) { return kind == traffic::request ? requests_ : answers_; }
  [[nodiscard]] stream const& of(traffic kind) const { return kind == traffic::request ? requests_ : answers_; }
  /// The stream of requests of another thread that may enter the location: one that is nobody's.
  [[nodiscard]] stream& for_another_thread();
  /// Null: the thread has none.
  [[nodiscard]] stream* of_thread(void const* thread);

  /// The source is asked with the streams whenever these are flushed or looked at, before them and before sources that
  /// were added earlier, until it is removed. It outlives that.
  void add(source& one);
  void remove(source& one);

  /// Hands what all sources hold to the transport, from the front to the streams.
  void flush(flush_reason why = flush_reason::asked);
  /// Where the oldest open buffer has been open for long enough.
  void flush_old();
  /// The transport has all that was issued here: no open outbox, no overflow. To be asked inside of the gate.
  [[nodiscard]] bool empty() const;
  /// Whether an open buffer does not stand behind others that wait for credit.
  [[nodiscard]] bool may_leave() const;
  bool drain();

  /// In which scope the calling thread sends.
  [[nodiscard]] run_scope scope() { return gated ? scope_of_thread() : requests_.scope(); }
  /// From now on it sends in this one; returns the one before. A source that keeps records back enters the scope of
  /// each before it appends it.
  run_scope enter(run_scope next) {
    if (gated || next != requests_.scope()) [[unlikely]]
      return enter_slowly(next);
    return next;
  }

  /// As location::set_aggregation.
  void set_aggregation(std::size_t first, std::size_t most, reach of);

  // ---- for streams -------------------------------------------------------------------------------------------------

  /// Bytes at which buffers are flushed, and that they hold.
  struct sizes {
    std::uint32_t first = 0;
    std::uint32_t most = 0;
    std::size_t capacity = 0;
  };
  [[nodiscard]] sizes const& sizes_for(std::uint32_t dest) const { return net.near(location_id{dest}) ? near_ : far_; }

  /// A buffer of `bytes` is about to be opened: others leave until it fits into the location's share of the budget, or
  /// none may leave. It is opened in any case: nobody waits for the budget.
  void make_room(std::size_t bytes, bool may_overflow);
  void opened(std::size_t bytes);
  void closed(std::size_t bytes) { open_bytes_ -= bytes; }
  void count_sent(std::uint32_t dest, run_tag tag, run_scope in, std::uint64_t requests);
  /// A buffer of `bytes` waits for credit; one does so no longer.
  void hold_back(traffic kind, std::size_t bytes);
  void let_go(traffic kind, std::uint32_t dest, std::size_t capacity, std::size_t bytes);
  /// Something has been handed to the transport.
  void moved();

  [[nodiscard]] std::size_t open_boxes() const;
  [[nodiscard]] bool none_open() const { return open_boxes() == 0; }
  [[nodiscard]] std::uint64_t opened_at() const { return opened_at_; }
  /// Why buffers for each destination that was used are as large as they are now, a line each.
  [[nodiscard]] std::string explain() const;

  /// Bytes of requests that wait for credit; of these, what is not for the location itself.
  [[nodiscard]] std::size_t reserve_used() const;
  [[nodiscard]] std::size_t reserve_for_others() const;
  void raise_reserve();

  location& here;
  endpoint& net;
  options const& settings;
  location_counts counts;
  bool gated = false;          ///< others may enter the location
  bool any_open = false;       ///< a source may hold something that has not been flushed
  std::size_t held_bytes = 0;  ///< of requests that wait for credit
  std::size_t reserve_cap;     ///< where the location stops executing requests
  std::uint64_t reserve_raises = 0;

 private:
  [[nodiscard]] run_scope scope_of_thread();
  run_scope enter_slowly(run_scope next);
  static void limit(sizes& of, std::size_t first, std::size_t most);
  [[nodiscard]] std::string explain_budget() const;

  stream requests_;
  stream answers_;
  std::vector<std::unique_ptr<stream>> others_requests_;  // where others may enter
  std::vector<source*> sources_;
  std::size_t next_to_release_ = 0;  // a place among them
  bool making_room_ = false;
  bool scopes_used_ = false;  // where others may enter: some request was sent or executed in a scope
  sizes far_;
  sizes near_;             // on the same host, where the transport tells these apart
  std::size_t share_ = 0;  // of the process's budget, for open buffers
  std::size_t open_bytes_ = 0;
  std::uint64_t opened_at_ = 0;  // when the oldest open buffer was opened, if flushing by age
};

/// What the calling thread sends as long as this lives is sent in this scope.
class sending_in {
 public:
  sending_in(sender& out, run_scope scope) : out_(out), before_(out.enter(scope)) {}
  ~sending_in() { out_.enter(before_); }
  sending_in(sending_in const&) = delete;
  sending_in& operator=(sending_in const&) = delete;

 private:
  sender& out_;
  run_scope const before_;
};

}  // namespace sheaf::detail
