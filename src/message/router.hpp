// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>

#include "sheaf/base/call_site.hpp"
#include "sheaf/base/route.hpp"
#include "sheaf/message/executor.hpp"
#include "sheaf/message/stream.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

/// The routes of a location's requests: those that it sends by other locations, and those of others that it passes on
/// (docs/design/routing.md). Inside the gate, where there is one.
class router : immovable<router> {
 public:
  explicit router(sender& of_all);

  /// The route of a kind; automatic: that of the location, or none if its share of the budget has a buffer that is
  /// worth sending for each of so many `partners` (0: all locations). Null: there is no other location between.
  [[nodiscard]] route const* path_of(route_kind kind, std::uint32_t partners) const;
  /// Where requests to `dest` go that the route leads by other locations; null: it does not.
  [[nodiscard]] outbox* box_to(std::uint32_t dest, route const& by);
  /// As stream::append, for such an outbox.
  std::byte* append(outbox& to, record_form const& next, bool may_overflow, call_site from);
  /// As outbox::retract.
  void retract(outbox& to, std::size_t bytes);

  /// Passes on the records of an entry of a hop, as long as the next one finds credit; the rest waits for go_on.
  void take(arrival const& entry);
  /// True: what waited has found credit, some of it.
  bool go_on();
  [[nodiscard]] bool any_waits() const { return !passing_.empty(); }
  [[nodiscard]] std::size_t waiting() const { return passing_.size(); }

  void flush(flush_reason why);
  /// Whether buffers that are not full may leave where nobody asks for it: nothing to pass on has come for a while. If
  /// they left as soon as the location rests, the records of one entry would leave in as many entries as there are
  /// links, and soon each alone.
  [[nodiscard]] bool is_quiet() const;
  /// Around a flush of all streams: if it is quiet, buffers of the first stage that is open may leave, and the others
  /// wait for another while; but where some have been open for most_ns, all may.
  void begin_turn();
  [[nodiscard]] bool may_go(outbox const& box) const { return box.stage <= turn_; }
  void has_gone() { any_gone_ = true; }
  void end_turn();
  /// A buffer is about to be opened.
  void opens();
  /// When that will be, or was, if some are open that have credit; 0: none is.
  [[nodiscard]] std::uint64_t quiet_at() const;
  /// All that the location's sources hold counts as sent.
  [[nodiscard]] bool all_counted() const;
  /// And no buffer for a first hop waits for credit, nor one of others that takes the same link.
  [[nodiscard]] bool all_taken() const;
  /// Which path, and why; empty: straight, as few locations do.
  [[nodiscard]] std::string explain() const;

  std::uint64_t passed_on = 0;  ///< records of others

 private:
  static constexpr std::uint64_t quiet_ns = 1000, most_ns = 100'000;
  static constexpr std::int32_t none = -1;

  bool may_append(outbox& to, run_tag tag, bool may_overflow, call_site from);
  question_run* begin_question(outbox& box, record_form const& next, std::uint32_t dest, std::byte* at);
  bool pass_on(execution& state);
  bool pass_on_as_method(execution& state);
  /// Visits buffers that are not full, and have credit, until a visit is true; whether one was.
  bool each_open(auto visit) const;
  [[nodiscard]] bool any_open() const;
  [[nodiscard]] std::uint64_t quiet_from() const;
  [[nodiscard]] std::uint8_t stage_to(route const& by, std::uint32_t next, std::uint32_t dest) const;

  sender& all_;
  std::array<route, 7> routes_;  // by kind
  route_kind path_;
  std::uint64_t came_ = 0;        // when the last entry to pass on did, or a stage left; 0: neither has
  std::uint64_t open_since_ = 0;  // when a buffer was opened and no other was open; 0: none ever was
  std::int32_t turn_ = none;      // the stage up to which buffers may leave now
  bool any_gone_ = false;
  std::list<execution> passing_;  // entries whose next record waits for credit
};

}  // namespace sheaf::detail
