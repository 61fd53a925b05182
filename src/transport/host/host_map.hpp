// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "transport/host/segment.hpp"

namespace sheaf::host {

/// Collective over all processes of a job: `all` becomes everybody's `mine`, in the order of ranks.
using exchange_function = std::function<void(std::span<std::byte const> mine, std::span<std::byte> all)>;

/// Gives a range of addresses back.
struct unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* start) const noexcept;
};

/// The segments of the processes of one host, each mapped at the same address by all of them, in whole: how much of
/// them there is may grow later. A child that is forked does not have them. They end with this object; in memory that
/// others may still look at, the others' own mappings keep the pages.
class host_map {
 public:
  /// Nothing is shared.
  host_map() = default;

  /// Collective over all processes of the job. `members`: the ranks of those that are to share with this one, itself
  /// among them, the same list in each; empty: it shares nothing, and only takes part. All members share then, or none.
  ///
  /// Each member's segment begins with a root of that many bytes, all zero, which the others find without being told.
  host_map(exchange_function const& exchange, std::span<std::uint32_t const> members, std::uint32_t self,
           std::uint32_t processes, std::size_t root_bytes);
  host_map(host_map&&) = default;
  host_map& operator=(host_map&&) = default;

  [[nodiscard]] bool any() const noexcept { return own_ != nullptr; }
  /// Why nothing is shared, where there are members; names the rank.
  [[nodiscard]] std::string const& problem() const noexcept { return problem_; }

  /// This process's own.
  [[nodiscard]] segment& own() const noexcept { return *own_; }
  /// A member's root, by its place in the list.
  [[nodiscard]] std::byte* root(std::size_t place) const noexcept { return start(place) + segment::front; }

  /// Whether that member's process has ended, in whatever way; it need not have been waited for. False where the system
  /// does not tell.
  [[nodiscard]] bool has_gone(std::size_t place) const noexcept;

 private:
  struct offer;
  struct outcome;

  [[nodiscard]] std::byte* start(std::size_t place) const noexcept { return region_.get() + place * size_; }
  static std::uint32_t what_fits(std::size_t members) noexcept;
  static std::string map(memory_file const& one, std::byte* at, std::size_t bytes);
  std::string map_all(std::span<std::uint32_t const> members, std::uint32_t self, memory_file& own,
                      std::span<offer const> offers, std::size_t root_bytes);

  std::size_t size_ = 0;  ///< addresses of each
  std::unique_ptr<std::byte, unmap> region_;
  std::unique_ptr<segment> own_;
  std::vector<descriptor> processes_;  ///< by place: its folder in /proc, which a later process of its number has not
  std::string problem_;
};

}  // namespace sheaf::host
