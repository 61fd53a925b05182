// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "memory/paired_rows.hpp"

#include <numeric>
#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

void paired_rows::check_levels(std::size_t levels) {
  if (levels < most_levels) return;
  throw usage_error("sheaf: a part of memory has " + std::to_string(levels) + " levels, and may have 0 to " +
                    std::to_string(most_levels - 1));
}

/// The levels of one side that are not paired yet; the innermost is its row.
template <class Byte>
class paired_rows::rest {
 public:
  explicit rest(basic_strided<Byte> const& of) : of_(of), count(of.row) { check_levels(of.counts.size()); }

  [[nodiscard]] bool any() noexcept {
    while (count == 1 && next_ < of_.counts.size()) {
      count = of_.counts[next_];
      step = of_.steps[next_++];
    }
    return count != 1;
  }
  void use(std::size_t part) noexcept {
    count /= part;
    step *= static_cast<std::ptrdiff_t>(part);
  }
  void rest_to(side& to) noexcept {
    for (; any(); count = 1) to.add(count, step);
  }

 private:
  basic_strided<Byte> const& of_;
  std::size_t next_ = 0;

 public:
  std::size_t count;  ///< of the innermost level that is left
  std::ptrdiff_t step = 1;
};

paired_rows::paired_rows(strided const& to, const_strided const& from) {
  inner_ = {to.first, from.first, 1, 1, 0, 0};
  rest left(to);
  rest right(from);
  while (left.any() && right.any()) {
    std::size_t const common = std::gcd(left.count, right.count);
    if (common == 1) break;
    add_common(common, left.step, right.step);
    left.use(common);
    right.use(common);
  }
  left.rest_to(to_);
  right.rest_to(from_);
}

void paired_rows::add_common(std::size_t count, std::ptrdiff_t to_step, std::ptrdiff_t from_step) noexcept {
  auto const joins = [&](std::size_t last, std::ptrdiff_t last_to, std::ptrdiff_t last_from) {
    auto const bytes = static_cast<std::ptrdiff_t>(last);
    return to_step == last_to * bytes && from_step == last_from * bytes;
  };
  if (common_ <= 1 && joins(inner_.row, 1, 1)) {
    inner_.row *= count;
    common_ = 1;
  } else if (common_ <= 1) {
    inner_.count = count;
    inner_.to_step = to_step;
    inner_.from_step = from_step;
    common_ = 2;
  } else if (common_ == 2 && joins(inner_.count, inner_.to_step, inner_.from_step)) {
    inner_.count *= count;
  } else if (std::size_t const last = to_.levels - 1;
             common_ > 2 && joins(to_.counts[last], to_.steps[last], from_.steps[last])) {
    to_.counts[last] = from_.counts[last] *= count;
  } else {
    to_.add(count, to_step);
    from_.add(count, from_step);
    ++common_;
  }
}

}  // namespace sheaf::detail
