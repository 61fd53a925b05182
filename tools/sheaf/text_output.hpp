// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "sheaf/file_handle.hpp"
#include "sheaf/line_arena.hpp"

namespace sheaf::tool {

/// Where sorted lines go. Opened before the input is read, so that a name that cannot be written fails early; an
/// existing file keeps its content until `resize`, so it may be one of the inputs.
class text_output {
 public:
  /// `name` empty or "-": standard output. Throws command_error.
  explicit text_output(std::string name);

  /// Whether `write_at` works, that is, whether several may write at once: a regular file. Pipes and terminals are
  /// written in order with `write_next`; a standard output that is appended to, or not at its start, as well.
  bool seekable() const noexcept { return seekable_; }

  /// Makes the file `bytes` long. Once, by one caller, after all input has been read and before anyone writes.
  /// Nothing where not seekable.
  void resize(std::uint64_t bytes);

  using progress = std::function<void(std::uint64_t bytes)>;

  /// Writes the lines, each with its newline, from `offset` on. Different threads and processes may write different
  /// ranges at once. `report` is called after each block with the bytes written since. Returns the offset behind.
  /// Blocks of 1 MiB. Throws command_error.
  std::uint64_t write_at(std::uint64_t offset, std::span<line_ref const> lines, progress const& report = {}) const;

  /// As `write_at`, behind what was written before.
  void write_next(std::span<line_ref const> lines, progress const& report = {}) const;

  /// Text that is lines already, behind what was written before. Throws command_error.
  void write_text(std::string_view text) const { put(text.data(), text.size(), no_offset); }

  /// Closes, which may report a late failure to write.
  void close();

 private:
  static constexpr std::uint64_t no_offset = ~std::uint64_t{0};
  class line_writer;

  void put(char const* from, std::size_t size, std::uint64_t offset) const;

  std::string name_;
  file_handle handle_;
  bool seekable_ = false;
};

}  // namespace sheaf::tool
