// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sheaf/transport/ring_queue.hpp"
#include "sheaf/transport/side_wire.hpp"
#include "transport/sim/scheduler.hpp"

namespace sheaf::detail {

class sim_side;

/// What travels from one process to another by the side wire: each message is a step, in order.
struct sim_side_line {
  struct message {
    std::vector<std::byte> bytes;
    std::uint64_t due = 0;  ///< timed: when its first byte is at the receiver's interface
  };

  sim_side* from = nullptr;
  sim_side* to = nullptr;
  bool entering = false;  ///< timed: the receiver's interface takes in the next message
  ring_queue<message> travelling;
  step arrive;
};

/// The side wire of a simulated process. A message is handed to the server of its receiver between two steps of
/// locations, as a network card would: nobody there runs for it.
class sim_side final : public side_wire {
 public:
  /// `number`: of the process, whose locations follow each other from the first one on.
  sim_side(scheduler& owner, std::vector<std::unique_ptr<sim_side>> const& all, std::uint32_t number,
           std::span<sim_endpoint* const> locations);
  sim_side& operator=(sim_side&&) = delete;

  void send(std::uint32_t to_process, std::span<std::byte const> head, std::span<std::byte const> body) override;
  [[nodiscard]] std::uint64_t sent(std::uint32_t to_process) const noexcept override { return sent_[to_process]; }
  [[nodiscard]] std::uint64_t taken(std::uint32_t from_process) const noexcept override { return taken_[from_process]; }
  [[nodiscard]] std::size_t queued(std::uint32_t to_process) const noexcept override;
  bool progress() override { return false; }
  [[nodiscard]] bool is_used() const noexcept override { return true; }
  void check() override { scheduler_.throw_if_ended(); }
  void fail(std::string_view why) noexcept override { scheduler_.fail(locations_[0]->state(), why); }
  side_server& server() override { return *server_; }

  /// The server ends. The lines stay until the next run: who has played this one may look at their steps.
  void end() noexcept { server_.reset(); }

  /// The line's next message arrives.
  void arrive(sim_side_line& line);

 private:
  bool take(std::uint32_t from, std::span<std::byte const> message);

  sim_side_line& line_to(std::uint32_t process);

  scheduler& scheduler_;
  std::vector<std::unique_ptr<sim_side>> const& all_;  ///< by process
  std::uint32_t const number_;
  std::vector<sim_endpoint*> const locations_;
  std::vector<std::uint64_t> sent_, taken_;  ///< by process
  std::unordered_map<std::uint32_t, sim_side_line> lines_;
  std::unique_ptr<side_server> server_;
};

}  // namespace sheaf::detail
