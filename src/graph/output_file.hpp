// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sheaf/runtime/team.hpp"

namespace sheaf::detail {

/// A file that all members of a team write, each where it says.
class output_file {
 public:
  /// Collective. Makes it, or empties it. Throws graph_file_error on all members, and usage_error for a name with .gz
  /// where this library was built without zlib.
  output_file(team const& members, std::string const& path);
  ~output_file();
  output_file& operator=(output_file&&) = delete;

  [[nodiscard]] team const& members() const { return team_; }
  /// Its name ends with .gz.
  [[nodiscard]] bool is_packed() const { return path_.ends_with(".gz"); }
  /// Local. A failure is told by finish.
  void write(std::uint64_t offset, std::string_view bytes);
  /// Collective. Throws graph_file_error on all members if one could not write.
  void finish();

 private:
  void agree();

  team const& team_;
  std::string const& path_;
  int file_ = -1;
  int failed_ = 0;  // an errno
};

/// Collective. A text of all members, in the order of ranks, after `first` bytes, which rank 0 writes. `append(text,
/// k)` adds record k of this member's `count`; it is called twice for each, so that the text need not be kept. In a
/// file that is packed, each member's text is compressed by itself, in memory.
void write_records(output_file& file, std::string_view first, std::uint64_t count,
                   std::function<void(std::string&, std::uint64_t)> const& append);

}  // namespace sheaf::detail
