// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

/// What a location holds back for want of credit: bytes by class. Requests, of all their classes, have a share of
/// memory, the reserve, and answers have as much again; where one is used up the location stops executing what would
/// add to it. Rules and argument: docs/specification/progress.md.
class reserve {
 public:
  explicit reserve(std::size_t bytes) : cap(bytes), step_(bytes) {}

  void add(traffic kind, std::size_t bytes) {
    held_[index(kind)] += bytes;
    requests_ += is_request(kind) ? bytes : 0;
  }
  void take(traffic kind, std::size_t bytes) {
    held_[index(kind)] -= bytes;
    requests_ -= is_request(kind) ? bytes : 0;
  }

  [[nodiscard]] std::size_t requests() const { return requests_; }
  [[nodiscard]] std::size_t answers() const { return held_[index(traffic::answer)]; }
  [[nodiscard]] bool is_over() const { return requests_ > cap || answers() > cap; }
  /// The classes whose entries may be executed: all, unless it is over. What is executed sends, as hops do, in classes
  /// that are delivered before its own; so it waits for what is held back there alone. A request waits for all.
  [[nodiscard]] wanted allowed() const;
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

}  // namespace sheaf::detail
