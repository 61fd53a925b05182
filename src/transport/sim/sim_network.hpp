// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <deque>
#include <span>

#include "sheaf/transport/simulator.hpp"
#include "transport/sim/sim_state.hpp"

namespace sheaf::detail {

class scheduler;
class step_picker;

/// One simulated location's endpoint: waits and receives by the scheduler, sends and consumes by the network.
class sim_endpoint final : public endpoint {
 public:
  sim_endpoint(scheduler& owner, location_id self, std::uint32_t size, std::uint32_t lanes, std::uint32_t const* near);

  sim_location& state() noexcept { return state_; }
  [[nodiscard]] sim_location const& state() const noexcept { return state_; }
  [[nodiscard]] scheduler& owner() const noexcept { return scheduler_; }

  /// Counts from zero again.
  void start_run() noexcept { counts_ = {}; }

  void give_back(std::byte* data, std::size_t capacity) noexcept override { memory().give_back(data, capacity); }

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

/// The links between simulated locations and the entries on them. Makes steps possible on the agenda and carries out
/// those of links.
class sim_network {
 public:
  sim_network(simulation const& settings, agenda& plan, step_picker& picker, std::deque<sim_endpoint>& locations)
      : settings_(settings), agenda_(plan), picker_(picker), locations_(locations) {}
  sim_network(sim_network const&) = delete;
  sim_network& operator=(sim_network const&) = delete;
  ~sim_network() { forget_all(); }

  /// Forgets all links of the last run.
  void start_run();

  /// As the endpoint's of that name.
  bool receive(sim_location& at, wanted which, arrival& out);

  /// The next entry of a link arrives.
  void arrive(sim_link& link);
  /// The sender learns of the next consumed entry.
  void credit(sim_link& link);

  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  [[nodiscard]] std::uint64_t delivered() const noexcept { return delivered_; }

 private:
  friend class sim_endpoint;  // which sends and consumes

  sim_location& at(location_id id) noexcept;
  void check(location_id dest, std::size_t bytes, std::size_t limit) const;
  sim_link& link_to(sim_location& from, location_id dest, traffic kind);
  void start_step(step& s, sim_link& link, step_kind what, location_id owner, location_id peer);
  void make_ready(sim_location& at, sim_link& link) noexcept;
  void watch(sim_link& link);
  sim_link* find(sim_location& from, location_id dest, traffic kind) const noexcept;
  sim_entry* admit(sim_link& link, std::size_t bytes, bool is_buffer);
  void forget_all() noexcept;

  simulation const& settings_;
  agenda& agenda_;
  step_picker& picker_;
  std::deque<sim_endpoint>& locations_;
  std::size_t share_ = 0;  ///< of the budget: as host_endpoint
  std::uint64_t sent_ = 0;
  std::uint64_t delivered_ = 0;
};

}  // namespace sheaf::detail
