// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <functional>
#include <string>

#include "sheaf/transport/endpoint.hpp"
#include "transport/mpi/engine.hpp"

namespace sheaf::mpi {

/// How often a spinning round of idle looks at the wire.
inline constexpr std::uint32_t looks_per_spin = 8;

/// How a location waits: rounds of idle that spin, then rounds that yield, then sleep.
struct patience {
  std::uint32_t spins = 0;
  std::uint32_t yields = 0;
};

/// One location per process over a wire. `line`, `l` and the memory of `rings` outlive it, and `l` is the same in all
/// processes.
class mpi_endpoint final : public endpoint {
 public:
  mpi_endpoint(wire& line, limits const& l, patience p, host_rings rings = {});

  /// Collective, after the location's last call: returns when every process has called it and all that was taken has
  /// arrived. Entries that still come are dropped. Calls `look` between its looks.
  void finish(std::function<void()> const& look = [] {});

  /// For who watches how it finishes.
  [[nodiscard]] engine& inner() noexcept { return engine_; }

 private:
  void give_back(std::byte* data, std::size_t capacity) noexcept override { engine_.pool.give_back(data, capacity); }
  buffer do_acquire(location_id dest, std::size_t bytes) override;
  bool do_send(location_id dest, traffic kind, buffer& b) override;
  bool do_send_inline(location_id dest, traffic kind, std::span<std::byte const> bytes) override;
  bool do_receive(wanted which, arrival& out) override;
  void do_consumed(location_id source, traffic kind) override;
  std::uint32_t do_backlog(location_id dest, traffic kind) override;
  void do_idle(std::uint32_t round, std::uint64_t deadline_ns) override;
  std::uint64_t do_now() override;
  void do_fail(std::string_view reason) noexcept override;
  void do_outside(outside_call what, std::uint64_t deadline_ns) override;
  void do_with_mpi(void (*f)(void*), void* context) override;

  void poll();
  void spin();
  std::uint32_t quiet_rounds(std::uint32_t round);
  void sleep(std::uint32_t round, std::uint64_t deadline_ns);

  patience patience_;
  engine engine_;
  std::uint32_t delivered_ = 0;     ///< entries since the last look at the wire
  std::uint32_t packets_seen_ = 0;  ///< sent and received when idle last looked
  std::uint32_t moved_at_ = 0;      ///< the round in which that changed last
  std::uint32_t attended_ = 0;      ///< times in a row that an outsider slept here and nothing came
  std::string failure_;
};

}  // namespace sheaf::mpi
