// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/file_handle.hpp"

namespace sheaf::tool {

/// The lines of several files as one text, cut into parts of nearly equal bytes. A line belongs to the part in which
/// its first byte lies, so every part knows its lines without asking another. The last line of a file needs no newline.
/// Const members may be called by several threads at once. Every process opens the same files; they must not change.
///
/// Pipes, terminals, "-" (standard input) and files without a size (as in /proc) are streams: `spool_streams` copies
/// them into memory first, then they are cut like files. Where several processes run, only one has them; in the
/// others they are empty, so with streams the processes must be told apart by `streams::absent`.
class text_input {
 public:
  enum class streams { present, absent };

  /// Opens all files once. No names mean "-". Throws command_error for the first that cannot be read.
  explicit text_input(std::vector<std::string> names, streams here = streams::present);

  bool has_streams() const noexcept;
  /// Reads all streams to their end. Before it, streams count as empty. Throws command_error also where memory runs
  /// out.
  void spool_streams();

  /// Bytes of all files, spooled streams included.
  std::uint64_t size() const noexcept { return size_; }
  /// Bytes held in memory for streams until the destructor.
  std::uint64_t spooled_bytes() const noexcept { return spooled_; }

  struct range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  /// Part `index` of `count`: 0 <= index < count.
  range part(std::size_t index, std::size_t count) const noexcept;

  /// Calls f(line, position) for each line of the part in order; `line` is without its newline and valid during the
  /// call; `position` grows along the whole input. One copy in blocks of 256 KiB. Throws command_error.
  template <typename F>
  void for_each_line(range part, F&& f) const {
    for (source const& file : files_) {
      bool const touches = file.base < part.end && part.begin < file.base + file.size;
      if (touches && file.size != 0) read_lines(file, part, f);
    }
  }

  /// About `count` lines of the part, each from a place drawn evenly over its bytes, and cut to `sample_bytes`.
  /// The same random numbers give the same lines.
  std::vector<std::string> sample(range part, std::size_t count, std::mt19937_64& random) const;
  static constexpr std::size_t sample_bytes = 4096;

 private:
  struct source {
    std::string name;
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    bool stream = false;
    file_handle handle;  // of a stream from the start, of its copy after spooling; files are opened when used
  };

  /// Cuts what is read from a file at `offset` into lines; a line that does not fit makes the buffer grow.
  class block_reader {
   public:
    block_reader(source const& file, std::uint64_t offset);
    /// Reads on behind what `unread` returns; false at the end of the file.
    bool fill();
    std::string_view unread() const noexcept { return {buffer_.data() + start_, end_ - start_}; }
    void consume(std::size_t n) noexcept { start_ += n; }
    /// Skips to behind the next newline, at most to the end of the file. Returns the offset in the file.
    std::uint64_t skip_line();
    std::uint64_t offset() const noexcept { return offset_ - (end_ - start_); }

   private:
    source const& file_;
    file_handle opened_;
    int descriptor_;
    std::uint64_t offset_;
    std::vector<char> buffer_;
    std::size_t start_ = 0;
    std::size_t end_ = 0;
  };

  template <typename F>
  static void read_lines(source const& file, range part, F& f) {
    std::uint64_t const begin = part.begin > file.base ? part.begin - file.base : 0;
    std::uint64_t const end = part.end - file.base < file.size ? part.end - file.base : file.size;
    block_reader reader(file, begin == 0 ? 0 : begin - 1);
    std::uint64_t offset = begin == 0 ? 0 : reader.skip_line();
    while (offset < end) {
      std::size_t const used = cut_lines(reader.unread(), file.base + offset, file.base + end, f);
      reader.consume(used);
      offset += used;
      if (offset >= end || reader.fill()) continue;
      if (!reader.unread().empty()) f(reader.unread(), file.base + offset);
      return;
    }
  }

  /// Calls f for the finished lines that start before `end`; returns the bytes they take.
  template <typename F>
  static std::size_t cut_lines(std::string_view text, std::uint64_t position, std::uint64_t end, F& f) {
    std::size_t start = 0;
    while (start < text.size() && position + start < end) {
      void const* const newline = std::memchr(text.data() + start, '\n', text.size() - start);
      if (newline == nullptr) break;
      std::size_t const stop = static_cast<std::size_t>(static_cast<char const*>(newline) - text.data());
      f(text.substr(start, stop - start), position + start);
      start = stop + 1;
    }
    return start;
  }

  void add_file(std::string name, streams here);
  void lay_out() noexcept;
  std::string line_near(range part, std::uint64_t position, std::mt19937_64& random) const;

  std::vector<source> files_;
  std::uint64_t size_ = 0;
  std::uint64_t spooled_ = 0;
};

}  // namespace sheaf::tool
