// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "message/counts.hpp"
#include "message/stream.hpp"
#include "sheaf/base/options.hpp"

namespace sheaf {
class location;
}

namespace sheaf::detail {

/// The way out of a location: its streams, sources in front of them, and what all of these share: the budget of open
/// buffers, the reserve that holds what waits for credit, and the sizes of buffers.
class sender {
 public:
  sender(location& here, endpoint& connection, options const& settings);

  [[nodiscard]] stream& of(traffic kind) { return kind == traffic::request ? requests_ : answers_; }
  [[nodiscard]] stream const& of(traffic kind) const { return kind == traffic::request ? requests_ : answers_; }

  /// The source is asked from now on, before those that were added earlier.
  void add(source& one) { sources_.insert(sources_.begin(), &one); }
  void remove(source& one) { std::erase(sources_, &one); }

  /// All sources, from the front to the streams.
  void flush(flush_reason why);
  /// Where the oldest open buffer has been open for long enough.
  void flush_old();
  [[nodiscard]] bool empty() const;
  /// Whether an open buffer does not stand behind others that wait for credit.
  [[nodiscard]] bool may_leave() const;
  bool drain();

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
  void count_sent(std::uint32_t dest, run_tag tag, std::uint64_t requests);
  /// A buffer of `bytes` waits for credit; one does so no longer.
  void hold_back(traffic kind, std::size_t bytes);
  void let_go(traffic kind, std::uint32_t dest, std::size_t capacity, std::size_t bytes);
  /// Something has been handed to the transport.
  void moved();
  [[nodiscard]] run_header header_for(run_tag tag) const;

  [[nodiscard]] std::size_t open_boxes() const { return requests_.open_boxes() + answers_.open_boxes(); }
  [[nodiscard]] bool none_open() const { return open_boxes() == 0; }
  [[nodiscard]] std::uint64_t opened_at() const { return opened_at_; }
  [[nodiscard]] std::string explain() const;
  [[nodiscard]] std::string explain_budget() const;

  location& here;
  endpoint& net;
  options const& settings;
  location_counts counts;
  bool gated = false;            ///< others may enter the location
  bool any_open = false;         ///< a source may hold something that has not been flushed
  std::uint64_t unpolled = 0;    ///< requests in closed runs since the location polled
  std::size_t reserve_used = 0;  ///< bytes of requests that wait for credit
  std::size_t reserve_cap;       ///< where the location stops executing requests
  std::uint64_t reserve_raises = 0;

 private:
  static void limit(sizes& of, std::size_t first, std::size_t most);

  stream requests_;
  stream answers_;
  std::vector<source*> sources_;
  std::size_t next_to_release_ = 0;  // a place among them
  bool making_room_ = false;
  sizes far_;
  sizes near_;             // on the same host, where the transport tells these apart
  std::size_t share_ = 0;  // of the process's budget, for open buffers
  std::size_t open_bytes_ = 0;
  std::uint64_t opened_at_ = 0;  // when the oldest open buffer was opened, if flushing by age
};

}  // namespace sheaf::detail
