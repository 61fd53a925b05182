// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/text_input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/machine.hpp"
#include "sheaf/command_error.hpp"

namespace sheaf::tool {
namespace {

constexpr std::size_t block_bytes = std::size_t{256} << 10;
constexpr std::uint64_t check_every = std::uint64_t{256} << 20;
constexpr std::uint64_t spool_reserve = std::uint64_t{64} << 20;

file_handle open_to_read(std::string const& name) {
  int const descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_file_error("read", name, errno);
  return file_handle(descriptor);
}

/// At most `size` bytes at `offset`, fewer only at the end.
std::size_t read_at(int descriptor, std::string const& name, char* to, std::size_t size, std::uint64_t offset) {
  std::size_t done = 0;
  while (done < size) {
    ssize_t const n = ::pread(descriptor, to + done, size - done, static_cast<off_t>(offset + done));
    if (n == 0) break;
    if (n < 0 && errno != EINTR) throw_file_error("read", name, errno);
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return done;
}

void write_all(int descriptor, std::string const& name, char const* from, std::size_t size) {
  while (size > 0) {
    ssize_t const n = ::write(descriptor, from, size);
    if (n < 0 && errno != EINTR) throw_file_error("hold in memory", name, errno);
    if (n <= 0) continue;
    from += n;
    size -= static_cast<std::size_t>(n);
  }
}

void check_room(std::string const& name, std::uint64_t read_so_far) {
  std::uint64_t const left = sheaf::detail::available_memory();
  if (left >= read_so_far + spool_reserve) return;
  throw command_error("cannot hold " + name + " in memory: after " + std::to_string(read_so_far) + " bytes only " +
                      std::to_string(left) +
                      " bytes are available, which sorting them needs too: write the stream to a " +
                      "file and sort that on more hosts, or sort parts and merge them with `sort -m`");
}

}  // namespace

text_input::text_input(std::vector<std::string> names, streams here) {
  if (names.empty()) names.emplace_back("-");
  files_.reserve(names.size());
  for (std::string& name : names) add_file(std::move(name), here);
  lay_out();
}

void text_input::add_file(std::string name, streams here) {
  source file;
  bool const standard_input = name == "-";
  file.handle = standard_input ? file_handle::borrowed(STDIN_FILENO) : file_handle();
  struct stat status {};
  // Opening a pipe would wait for its writer and take bytes that belong to the process which has the streams.
  if (!standard_input && ::stat(name.c_str(), &status) != 0) throw_file_error("read", name, errno);
  bool const regular = !standard_input && S_ISREG(status.st_mode) && status.st_size > 0;
  if (S_ISDIR(status.st_mode)) throw_file_error("read", name, EISDIR);
  file.stream = !regular;
  if (file.stream && here == streams::absent) {
    file.handle = file_handle();
  } else if (!standard_input) {
    file.handle = open_to_read(name);
  }
  if (regular) {
    file.size = static_cast<std::uint64_t>(status.st_size);
    file.handle = file_handle();
  }
  file.name = std::move(name);
  files_.push_back(std::move(file));
}

void text_input::lay_out() noexcept {
  size_ = 0;
  for (source& file : files_) {
    file.base = size_;
    size_ += file.size;
  }
}

bool text_input::has_streams() const noexcept {
  return std::any_of(files_.begin(), files_.end(), [](source const& file) { return file.stream; });
}

void text_input::spool_streams() {
  std::vector<char> block(block_bytes);
  for (source& file : files_) {
    if (!file.stream || !file.handle) continue;
    file_handle copy(::memfd_create("sheaf sort", MFD_CLOEXEC));
    if (!copy) throw_file_error("hold in memory", file.name, errno);
    for (;;) {
      ssize_t const n = ::read(file.handle.get(), block.data(), block.size());
      if (n == 0) break;
      if (n < 0 && errno != EINTR) throw_file_error("read", file.name, errno);
      if (n < 0) continue;
      if (spooled_ / check_every != (spooled_ + static_cast<std::uint64_t>(n)) / check_every) {
        check_room(file.name, spooled_);
      }
      write_all(copy.get(), file.name, block.data(), static_cast<std::size_t>(n));
      file.size += static_cast<std::uint64_t>(n);
      spooled_ += static_cast<std::uint64_t>(n);
    }
    file.handle = std::move(copy);
    file.stream = false;
  }
  lay_out();
}

text_input::range text_input::part(std::size_t index, std::size_t count) const noexcept {
  std::uint64_t const share = size_ / count;
  std::uint64_t const rest = size_ % count;
  auto const start = [&](std::uint64_t i) { return share * i + std::min(i, rest); };
  return {start(index), start(index + 1)};
}

text_input::block_reader::block_reader(source const& file, std::uint64_t offset)
    : file_(file),
      opened_(file.handle ? file_handle() : open_to_read(file.name)),
      descriptor_(file.handle ? file.handle.get() : opened_.get()),
      offset_(offset) {}

bool text_input::block_reader::fill() {
  if (offset_ == file_.size) return false;
  std::size_t const kept = end_ - start_;
  if (start_ != 0 && kept != 0) std::memmove(buffer_.data(), buffer_.data() + start_, kept);
  start_ = 0;
  end_ = kept;
  if (buffer_.size() - kept < block_bytes / 2) buffer_.resize(std::max(block_bytes, 2 * buffer_.size()));
  std::size_t const wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size() - kept, file_.size - offset_));
  std::size_t const n = read_at(descriptor_, file_.name, buffer_.data() + kept, wanted, offset_);
  if (n < wanted) throw command_error("cannot read " + file_.name + ": it became shorter while it was read");
  end_ += n;
  offset_ += n;
  return true;
}

std::uint64_t text_input::block_reader::skip_line() {
  do {
    std::string_view const text = unread();
    std::size_t const newline = text.find('\n');
    consume(newline == std::string_view::npos ? text.size() : newline + 1);
    if (newline != std::string_view::npos) break;
  } while (fill());
  return offset();
}

std::vector<std::string> text_input::sample(range part, std::size_t count, std::mt19937_64& random) const {
  std::vector<std::string> lines;
  if (part.begin >= part.end) return lines;
  lines.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    lines.push_back(line_near(part, part.begin + random() % (part.end - part.begin), random));
  }
  return lines;
}

std::string text_input::line_near(range part, std::uint64_t position, std::mt19937_64& random) const {
  // A line drawn evenly from those that start in a window around the place: neither the longer nor what follows them
  // is favoured much. A window inside one long line gives a piece of that line.
  constexpr std::uint64_t window = 8192;
  auto const after = [](std::uint64_t at, source const& file) { return at < file.base; };
  source const& file = *(std::upper_bound(files_.begin(), files_.end(), position, after) - 1);
  std::uint64_t const low = std::max(part.begin, file.base) - file.base;
  std::uint64_t const high = std::min(part.end, file.base + file.size) - file.base;
  std::uint64_t const end = std::min(high, std::max(position - file.base, low + window / 2) + window / 2);
  std::uint64_t const begin = std::max(low, end - std::min(end, window));
  std::string text(static_cast<std::size_t>(std::min(file.size - begin, end - begin + sample_bytes)), '\0');
  file_handle const opened = file.handle ? file_handle() : open_to_read(file.name);
  text.resize(read_at(file.handle ? file.handle.get() : opened.get(), file.name, text.data(), text.size(), begin));

  std::vector<std::size_t> starts;
  if (begin == 0) starts.push_back(0);
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    if (at + 1 < end - begin) starts.push_back(at + 1);
  }
  std::size_t const start = starts.empty() ? 0 : starts[random() % starts.size()];
  std::size_t const stop = std::min(text.find('\n', start), text.size());
  return text.substr(start, std::min(stop - start, sample_bytes));
}

}  // namespace sheaf::tool
