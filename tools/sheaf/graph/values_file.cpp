// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/graph/values_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

#include "sheaf/base/partition.hpp"
#include "sheaf/command_error.hpp"
#include "sheaf/graph/parts_file.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::tool {

namespace {

using id_value = std::pair<std::uint64_t, double>;

/// Each member's part of the file, in order of members.
std::vector<id_value> in_order(graph_shape const& g, std::vector<double> const& own) {
  std::vector<std::vector<id_value>> parts(g.members().size());
  block_partition const blocks(g.vertices(), g.members().size());
  for (vertex v = 0; v < own.size(); ++v) {
    std::uint64_t const to = g.map().has_formula() ? blocks.owner(g.id(v)) : g.members().rank();
    parts[to].emplace_back(g.id(v), own[v]);
  }
  std::vector<id_value> all;
  for (auto const& part : all_to_all(g.members(), parts)) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  return all;
}

void append(std::string& to, auto number) {
  char digits[32];
  to.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

std::string lines_of(std::vector<id_value> const& all, bool with_ids) {
  std::string text;
  for (auto const& [id, value] : all) {
    if (with_ids) {
      append(text, id);
      text += '\t';
    }
    append(text, value);
    text += '\n';
  }
  return text;
}

/// NumPy's format, version 1.0.
std::string numpy_head(std::uint64_t count) {
  static_assert(std::endian::native == std::endian::little, "NumPy's '<f8' is written as it is in memory");
  std::string words = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
  words.append(63 - (10 + words.size()) % 64, ' ');
  words += '\n';
  std::string const length{static_cast<char>(words.size() % 256), static_cast<char>(words.size() / 256)};
  return std::string("\x93NUMPY\x01\x00", 8) + length + words;
}

std::string bytes_of(std::vector<id_value> const& all) {
  std::string bytes(all.size() * sizeof(double), '\0');
  for (std::size_t k = 0; k < all.size(); ++k)
    std::memcpy(bytes.data() + k * sizeof(double), &all[k].second, sizeof(double));
  return bytes;
}

}  // namespace

void write_values(graph_shape const& g, std::vector<double> const& own, std::string const& path,
                  std::string const& form) {
  bool const is_list = form == "tsv";
  if (!is_list && !g.map().has_formula())
    throw command_error("--as " + form + " needs ids 0 to n-1; with --distribution hash or degree use --as tsv");
  std::vector<id_value> const all = in_order(g, own);
  std::string text = form == "npy" ? bytes_of(all) : lines_of(all, is_list);
  if (g.members().rank() == 0 && form == "npy") text = numpy_head(g.vertices()) + text;
  if (g.members().rank() == 0 && form == "mtx")
    text = "%%MatrixMarket matrix array real general\n" + std::to_string(g.vertices()) + " 1\n" + text;
  write_parts(g.members(), path, text);
}

}  // namespace sheaf::tool
