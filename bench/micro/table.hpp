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
  std::uint64_t read(std::uint64_t index) { return block_[index & block_.mask()]; }
  words& block() { return block_; }

 private:
  words block_;
};

}  // namespace sheaf_bench
