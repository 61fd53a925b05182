// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include "sheaf/transport/endpoint.hpp"
#include "transport/sim/sim_location.hpp"

namespace sheaf::detail {

class scheduler;

/// One simulated location's endpoint: hands everything to the scheduler.
class sim_endpoint final : public endpoint {
 public:
  sim_endpoint(scheduler& owner, location_id self, std::uint32_t size, std::uint32_t lanes, std::uint32_t const* near);

  sim_location& state() noexcept { return state_; }
  [[nodiscard]] sim_location const& state() const noexcept { return state_; }
  [[nodiscard]] scheduler& owner() const noexcept { return scheduler_; }

  /// Counts from zero again.
  void start_run() noexcept { counts_ = {}; }

  void give_back(std::byte* data, std::size_t capacity) noexcept override;

 private:
  // Waiting, time and the end.
  void do_idle(std::uint32_t round, std::uint64_t deadline_ns) override;
  std::uint64_t do_now() override;
  void do_fail(std::string_view reason) noexcept override;
  void do_outside(outside_call what, std::uint64_t deadline_ns) override;

  // Entries.
  buffer do_acquire(location_id dest, std::size_t bytes) override;
  bool do_send(location_id dest, traffic kind, buffer& b) override;
  bool do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) override;
  bool do_receive(wanted which, arrival& out) override;
  void do_consumed(location_id source, traffic kind, buffer* keep) override;
  std::uint32_t do_backlog(location_id dest, traffic kind) override;

  scheduler& scheduler_;
  sim_location state_;
};

}  // namespace sheaf::detail
