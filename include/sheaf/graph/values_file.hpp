// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/graph/detail/number_kind.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// Forms of files that hold a number for each vertex.
enum class values_format : std::uint8_t {
  tsv,            ///< lines of an id, a tab and the value
  matrix_market,  ///< a dense vector, as text: line k is of id k
  numpy           ///< NumPy's array of one dimension (.npy, version 1.0): entry k is of id k
};

namespace detail {

struct id_bits {
  std::uint64_t id = 0, bits = 0;

  auto operator<=>(id_bits const&) const = default;
};
void write_values_file(team const& members, std::string const& path, values_format format, std::vector<id_bits> own,
                       number_kind kind);

}  // namespace detail

/// Collective. Writes pairs of an id and a number, all members at a time, each pair given by one of them. If the ids
/// are 0…n−1, each once, they stand in this order, for which 16 bytes of each pair are sent; else the format must be
/// tsv, and they stand in the order of ranks as they are given. A file whose name ends with .gz is compressed, each
/// member's part by itself. If it throws, the file is left incomplete. Throws on
/// all members graph_file_error, and usage_error where ids are others than the format needs.
template <detail::file_number T>
void write_values(team const& members, std::string const& path, values_format format,
                  std::vector<std::pair<std::uint64_t, T>> const& own) {
  std::vector<detail::id_bits> all;
  all.reserve(own.size());
  for (auto const& [id, value] : own) all.push_back({id, detail::memory_bits(value)});
  detail::write_values_file(members, path, format, std::move(all), detail::kind_of<T>());
}

}  // namespace sheaf
