// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "sheaf/graph/graph_file.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf_test {

#ifdef SHEAF_ZLIB
constexpr bool has_zlib = true;
#else
constexpr bool has_zlib = false;
#endif

/// The name of a file of this test program.
inline std::string file_name(std::string const& ending) {
  return (std::filesystem::temp_directory_path() / ("sheaf" + std::to_string(::getpid()) + ending)).string();
}

inline std::string content_of(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string gzipped(std::string const& content) {
  std::string const path = file_name(".packing");
  std::ofstream(path, std::ios::binary) << content;
  if (std::system(("gzip -nf " + path).c_str()) != 0) return "no gzip program";
  std::string const packed = content_of(path + ".gz");
  std::filesystem::remove(path + ".gz");
  return packed;
}

/// A file that goes with this object.
class file {
 public:
  file(std::string const& ending, std::string const& content) : path(file_name(ending)) {
    std::ofstream(path, std::ios::binary) << content;
  }
  ~file() { std::filesystem::remove(path); }
  file& operator=(file&&) = delete;

  std::string const path;
};

/// Source, target, and value or 0.
using entries = std::vector<std::tuple<std::uint64_t, std::uint64_t, double>>;

/// The entries of all members, sorted.
template <class E>
entries all_of(sheaf::team const& world, std::vector<sheaf::edge<E>> const& mine) {
  entries own, all;
  for (auto const& each : mine) {
    if constexpr (std::is_arithmetic_v<E>) {
      own.emplace_back(each.source, each.target, static_cast<double>(each.value));
    } else {
      own.emplace_back(each.source, each.target, 0);
    }
  }
  for (auto const& part : sheaf::all_gather(world, own)) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  return all;
}

inline entries without_values(entries all) {
  for (auto& each : all) std::get<2>(each) = 0;
  std::ranges::sort(all);
  return all;
}

/// Numbers as they are in memory, one after the other.
template <class... T>
std::string image_of(T... numbers) {
  std::string all;
  (all.append(reinterpret_cast<char const*>(&numbers), sizeof numbers), ...);
  return all;
}

/// A serialized graph of GAP from rows of targets; `weights`: 10 · source + target. Of directed ones, the second half
/// is not read, and zeros here.
inline std::string gap_image(bool directed, std::vector<std::vector<std::int32_t>> const& rows, bool weights) {
  std::string offsets = image_of(std::int64_t{0}), targets;
  std::int64_t count = 0, source = 0;
  for (auto const& row : rows) {
    count += static_cast<std::int64_t>(row.size());
    offsets += image_of(count);
    for (std::int32_t const target : row)
      targets += weights ? image_of(target, static_cast<std::int32_t>(10 * source + target)) : image_of(target);
    ++source;
  }
  std::string const body = offsets + targets, second(directed ? body.size() : 0, '\0');
  return image_of(directed, count, static_cast<std::int64_t>(rows.size())) + body + second;
}

}  // namespace sheaf_test
