// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <memory>
#include <vector>

#include "sheaf/transport/endpoint.hpp"
#include "transport/host/host_job.hpp"
#include "transport/host/ring.hpp"

namespace sheaf::host {

/// One location of a host: a thread of this process, or of one that shares its memory. Entries pass through one ring
/// for each ordered pair and traffic class, made when the pair is first used: inline entries in the ring's slots,
/// buffers by pointer. Blocks come back to the sender's pool. Others read this endpoint's rings and blocks, so all
/// endpoints of a job must outlive the threads that use them.
class host_endpoint final : public endpoint {
 public:
  host_endpoint(location_id self, host_job& job);
  ~host_endpoint() override;

  void give_back(std::byte* data, std::size_t capacity) noexcept override { pool_.put(data, capacity); }

  /// Whether anything has changed for this location since its last receive and its last sends.
  bool changed();

  /// No wake-up is lost. What this location waits for is stored before the one who publishes it looks at this bell:
  /// arrivals and rings by senders, failure by who fails, and credit by receivers, which look at `wants_credit` first;
  /// that is set before the bell is armed, so it is covered by the same order. `changed` looks at all after that.
  ///
  /// Sleeps until something changes for this location, until its bell is rung with `more()` true after that, or until
  /// `deadline_ns` (0: none).
  template <class More>
  void sleep(std::uint64_t deadline_ns, More more, sleeper who = sleeper::owner) {
    for (ring_sender* const line : refused_) line->await_credit();
    bool const slept = box_.bell.sleep(
        job_.watched(deadline_ns, do_now()), [&] { return changed() || more(); }, who, gate_);
    bool awaited = !refused_.empty();
    for (ring_sender* const line : made_) awaited = line->stop_awaiting() || awaited;
    if (gate_ != nullptr && awaited) box_.bell.ring();  // the other sleeper awaits credit no longer, either
    if (slept) ++counts_.sleeps;
  }

 private:
  buffer do_acquire(location_id dest, std::size_t bytes) override;
  bool do_send(location_id dest, traffic kind, buffer& b) override;
  bool do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) override;
  bool do_receive(wanted which, arrival& out) override;
  void do_consumed(location_id source, traffic kind, buffer* keep) override;
  std::uint32_t do_backlog(location_id dest, traffic kind) override;
  void do_idle(std::uint32_t round, std::uint64_t deadline_ns) override;
  std::uint64_t do_now() override;
  void do_fail(std::string_view reason) noexcept override;
  void do_outside(outside_call what, std::uint64_t deadline_ns) override;

  ring_sender& line_to(location_id dest, traffic kind) {
    auto const& line = lines_[static_cast<std::size_t>(kind)][number(dest)];
    return line != nullptr ? *line : make_line(dest, kind);
  }
  block_pool& pool_for(location_id dest) noexcept { return dest == self() ? own_pool_ : pool_; }
  ring_sender& make_line(location_id dest, traffic kind);
  bool refuse(ring_sender& line);
  [[nodiscard]] bool has_room(ring_sender const& line, traffic kind) const noexcept;
  void reclaim(location_id dest) noexcept;
  void reclaim_all() noexcept;
  void meet_fresh_rings();
  bool credit_came() noexcept;

  host_job& job_;
  mailbox& box_;
  std::uint32_t const spin_rounds_;
  std::uint32_t const yield_rounds_;
  wanted last_wanted_ = wanted::all;
  std::vector<inbox> in_;  ///< by class
  std::vector<std::unique_ptr<ring_sender>>
      lines_[traffic_classes];                   ///< by class and destination; null until first used
  std::vector<ring_sender*> made_;               ///< all that are not null
  std::vector<ring_sender*> refused_;            ///< those that refused a send and gave no credit since
  std::size_t const share_;                      ///< of the budget, for requests in flight
  std::size_t in_flight_[traffic_classes] = {};  ///< bytes of blocks, by class
  block_pool pool_;
  /// Blocks of requests to this location itself stay in its core's cache; in one pool with the others, every second
  /// block would come from another core's.
  block_pool own_pool_;
};

}  // namespace sheaf::host
