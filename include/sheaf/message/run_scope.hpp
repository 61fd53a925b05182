// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

namespace sheaf {

/// In which scope requests are sent: one of a team's numbered scopes, which has a termination detector of its own
/// (scope.hpp), or none. Where the scope counts generations, also how many requests, one caused by the other, have led
/// to this: the program's are of generation 1, what their handlers send is of generation 2, and so on. What is
/// forwarded (down the tree of a broadcast, after an object that has moved) is of one generation more with each hop.
class run_scope {
 public:
  static constexpr std::uint32_t most = (1U << 10U) - 1;             ///< number of a scope; 0 is none
  static constexpr std::uint32_t most_generations = (1U << 4U) - 1;  ///< this one also stands for all that follow

  constexpr run_scope() = default;
  constexpr explicit run_scope(std::uint64_t word) : word_(word) {}
  constexpr run_scope(std::uint32_t team, std::uint32_t number, std::uint32_t generation)
      : word_(number == 0 ? 0 : std::uint64_t{team} << 32U | generation << 16U | number) {}

  [[nodiscard]] constexpr std::uint64_t word() const { return word_; }
  [[nodiscard]] constexpr std::uint32_t team() const { return static_cast<std::uint32_t>(word_ >> 32U); }
  [[nodiscard]] constexpr std::uint32_t number() const { return word_ & most; }
  /// 0: generations are not counted.
  [[nodiscard]] constexpr std::uint32_t generation() const { return word_ >> 16U & most_generations; }

  /// Of what a handler sends that was sent in this one.
  [[nodiscard]] constexpr run_scope of_handler() const {
    bool const counts_on = generation() != 0 && generation() != most_generations;
    return run_scope(word_ + (std::uint64_t{counts_on} << 16U));
  }

  constexpr bool operator==(run_scope const&) const = default;

 private:
  std::uint64_t word_ = 0;
};

}  // namespace sheaf
