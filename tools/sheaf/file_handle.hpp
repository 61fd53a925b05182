// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sheaf::tool {

/// Owns a file descriptor; closes it in the end, unless it was borrowed.
class file_handle {
 public:
  file_handle() noexcept = default;
  explicit file_handle(int descriptor) noexcept : descriptor_(descriptor), owned_(true) {}
  static file_handle borrowed(int descriptor) noexcept {
    file_handle handle(descriptor);
    handle.owned_ = false;
    return handle;
  }
  file_handle(file_handle&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), owned_(std::exchange(other.owned_, false)) {}
  file_handle& operator=(file_handle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~file_handle() {
    if (owned_) ::close(descriptor_);
  }

  int get() const noexcept { return descriptor_; }
  explicit operator bool() const noexcept { return descriptor_ >= 0; }

  /// Closes now; 0, or the errno of a write that the system reports only here.
  int close() noexcept {
    int const descriptor = std::exchange(descriptor_, -1);
    return std::exchange(owned_, false) && ::close(descriptor) != 0 ? errno : 0;
  }

 private:
  int descriptor_ = -1;
  bool owned_ = false;
};

}  // namespace sheaf::tool
