// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/text_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "sheaf/command_error.hpp"

namespace sheaf::tool {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::size_t ahead = 16;  // lines fetched before they are copied: neighbours in order are strangers in memory

bool takes_offsets(int descriptor) noexcept {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  return (::fcntl(descriptor, F_GETFL) & O_APPEND) == 0 && ::lseek(descriptor, 0, SEEK_CUR) == 0;
}

void fetch(line_ref const& line) noexcept {
  __builtin_prefetch(line.data());
  __builtin_prefetch(line.data() + 64);
}

}  // namespace

/// Gathers lines into blocks and hands these on.
class text_output::line_writer {
 public:
  line_writer(text_output const& to, std::uint64_t offset, progress const& report)
      : to_(to), offset_(offset), report_(report), buffer_(block_bytes) {}

  void add(std::string_view line) {
    if (line.size() >= block_bytes - used_) {
      flush();
      if (line.size() >= block_bytes) return add_long(line);
    }
    std::memcpy(buffer_.data() + used_, line.data(), line.size());
    used_ += line.size();
    buffer_[used_++] = '\n';
  }

  std::uint64_t finish() {
    flush();
    return offset_;
  }

 private:
  void add_long(std::string_view line) {
    hand_on(line.data(), line.size());
    buffer_[used_++] = '\n';
  }

  void flush() {
    hand_on(buffer_.data(), used_);
    used_ = 0;
  }

  void hand_on(char const* from, std::size_t size) {
    if (size == 0) return;
    to_.put(from, size, offset_);
    if (offset_ != no_offset) offset_ += size;
    if (report_) report_(size);
  }

  text_output const& to_;
  std::uint64_t offset_;
  progress const& report_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

text_output::text_output(std::string name) : name_(std::move(name)) {
  if (name_.empty() || name_ == "-") {
    name_ = "standard output";
    handle_ = file_handle::borrowed(STDOUT_FILENO);
  } else {
    int const descriptor = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) throw_file_error("open for writing", name_, errno);
    handle_ = file_handle(descriptor);
  }
  seekable_ = takes_offsets(handle_.get());
}

void text_output::resize(std::uint64_t bytes) {
  if (!seekable_) return;
  if (::ftruncate(handle_.get(), static_cast<off_t>(bytes)) != 0) throw_file_error("write", name_, errno);
}

void text_output::put(char const* from, std::size_t size, std::uint64_t offset) const {
  while (size > 0) {
    ssize_t const n = offset == no_offset ? ::write(handle_.get(), from, size)
                                          : ::pwrite(handle_.get(), from, size, static_cast<off_t>(offset));
    if (n < 0 && errno != EINTR) throw_file_error("write", name_, errno);
    if (n <= 0) continue;
    from += n;
    size -= static_cast<std::size_t>(n);
    if (offset != no_offset) offset += static_cast<std::uint64_t>(n);
  }
}

std::uint64_t text_output::write_at(std::uint64_t offset, std::span<line_ref const> lines,
                                    progress const& report) const {
  line_writer writer(*this, offset, report);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i + ahead < lines.size()) fetch(lines[i + ahead]);
    writer.add(lines[i].view());
  }
  return writer.finish();
}

void text_output::write_next(std::span<line_ref const> lines, progress const& report) const {
  write_at(no_offset, lines, report);
}

void text_output::close() {
  if (int const number = handle_.close()) throw_file_error("write", name_, number);
}

}  // namespace sheaf::tool
