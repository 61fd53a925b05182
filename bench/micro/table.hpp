// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "harness/updates.hpp"
#include "sheaf/sheaf.hpp"

namespace sheaf_bench {

/// One location's part of the table that is updated and read at random.
class table : public sheaf::distributed<table> {
 public:
  table(sheaf::team const& on, std::int64_t bits) : distributed(on), block_(block_words(bits, on.size())) {}

  void update(std::uint64_t value) { block_.apply(value); }
  void update_unnamed(std::uint64_t value) { block_.apply(value); }
  void update_bare(std::uint64_t value) { block_.apply(value); }  ///< without a companion
  std::uint64_t read(std::uint64_t index) { return block_[index & block_.mask()]; }
  words& block() { return block_; }

  /// Where an update or a read goes.
  void const* place_of(std::uint64_t value) { return &block_[value & block_.mask()]; }

 private:
  words block_;
};

}  // namespace sheaf_bench

template <>
inline constexpr auto sheaf::prefetch_for<&sheaf_bench::table::update> = &sheaf_bench::table::place_of;
template <>
inline constexpr auto sheaf::prefetch_for<&sheaf_bench::table::read> = &sheaf_bench::table::place_of;
