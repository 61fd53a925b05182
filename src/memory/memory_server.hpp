// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "memory/served_format.hpp"
#include "sheaf/transport/side_wire.hpp"

namespace sheaf::detail {

class served_requests;

/// Does what other processes ask for with the memory of this one, and hands answers to those here who asked. It runs no
/// user's code, and takes nothing that a location holds while it computes or waits.
class memory_server final : public side_server {
 public:
  explicit memory_server(side_context const& of) : of_(of), askers_(of.locations) {}

  /// The location asks from now on; null: no longer.
  void let_ask(std::uint32_t location, served_requests* asker);

  bool take(std::uint32_t from_process, std::span<std::byte const> message) noexcept override {
    return take(from_process, message, false);
  }
  std::span<std::byte> place_for(std::uint32_t from_process, std::span<std::byte const> begin,
                                 std::size_t length) noexcept override;
  bool take_placed(std::uint32_t from_process, std::span<std::byte const> begin) noexcept override {
    return take(from_process, begin, true);
  }

 private:
  bool take(std::uint32_t from_process, std::span<std::byte const> message, bool placed) noexcept;
  class answers_to;
  bool serve(answers_to& back, served_order const& order);
  static void answer(answers_to& back, served_order const& order, std::uint64_t word);
  static void answer_get(answers_to& back, served_order const& order);
  void add(served_order const& order);
  std::uint64_t allocate(std::uint64_t bytes);
  std::byte* place_of_answer(served_head const& answer);
  bool hand_over(served_order const& answer);

  side_context const of_;
  std::mutex mutex_;  ///< of askers_; an answer is handed over inside, so that its asker stays
  std::vector<served_requests*> askers_;
};

}  // namespace sheaf::detail
