// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sheaf::detail {

/// Inflates what gzip has compressed (RFC 1952), from begin to end. Several compressed files one after the other are
/// one text.
class gzip_text {
 public:
  explicit gzip_text(std::string_view packed);
  ~gzip_text();
  gzip_text& operator=(gzip_text&&) = delete;

  static bool is_one(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }
  /// Appends the next `bytes`, or all that are left: then it is at its end.
  void read(std::string& to, std::size_t bytes);
  [[nodiscard]] bool is_at_end() const { return is_at_end_; }
  /// Why it cannot go on, though the end is not reached; else empty.
  [[nodiscard]] std::string const& wrong() const { return wrong_; }

 private:
  struct inflater;

  void fail(std::string const& why) {
    wrong_ = why;
    is_at_end_ = true;
  }

  std::unique_ptr<inflater> state_;
  std::string wrong_;
  bool is_at_end_ = false;
};

/// Compresses a text by gzip, fast rather than small.
class gzip_packer {
 public:
  /// Throws usage_error where this library was built without zlib.
  gzip_packer();
  ~gzip_packer();
  gzip_packer& operator=(gzip_packer&&) = delete;

  void add(std::string_view text) { pack(text, false); }
  /// Behind the last text: all of it, compressed.
  std::string finish() {
    pack({}, true);
    return std::move(packed_);
  }

 private:
  struct deflater;

  void pack(std::string_view text, bool is_all);

  std::unique_ptr<deflater> state_;
  std::string packed_;
};

}  // namespace sheaf::detail
