// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/container/vector.hpp"

#include <algorithm>
#include <string>

#include "base/call_text.hpp"
#include "base/gate.hpp"

namespace sheaf::detail {

std::uint32_t owner_of_index(std::vector<std::uint64_t> const& bounds, located<std::uint64_t> index) {
  if (index.value >= bounds.back()) {
    throw usage_error("sheaf: index " + std::to_string(static_cast<std::int64_t>(index.value)) +
                      " of a distributed vector of " + std::to_string(bounds.back()) +
                      " elements; after push_back call update_bounds() on all members" + called_at(index.from));
  }
  return static_cast<std::uint32_t>(std::upper_bound(bounds.begin(), bounds.end(), index.value) - bounds.begin() - 1);
}

std::vector<std::uint64_t> even_bounds(std::uint64_t elements, std::uint32_t members) {
  std::vector<std::uint64_t> bounds(members + 1);
  std::uint64_t const each = elements / members, more = elements % members;
  for (std::uint32_t r = 0; r < members; ++r) bounds[r + 1] = bounds[r] + each + (r < more ? 1 : 0);
  return bounds;
}

bool may_read_here(location& here) {
  if (gate const* const shared = here.gate(); shared != nullptr) {  // what is left may have been put aside
    admission const inside(here.gate());
    return here.in().in_handler() && !shared->is_guest();
  }
  outbox const& own = here.request_box(number(here.id()));
  bool const none_left =
      own.data == nullptr && !own.blocked && here.connection().backlog(here.id(), traffic::request) == 0;
  return none_left || here.in().in_handler();
}

}  // namespace sheaf::detail
