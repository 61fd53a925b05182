// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/output_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sheaf/command_error.hpp"

namespace sheaf::tool {
namespace {

/// 0, or the number of the error.
int write_all(int to, std::string_view text) {
  while (!text.empty()) {
    ssize_t const done = ::write(to, text.data(), text.size());
    if (done < 0 && errno != EINTR) return errno;
    if (done > 0) text.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
}

}  // namespace

output_stream::output_stream(launch_plan const& plan, int to)
    : to_(to), labels_(plan.kind, plan.threads, [this](std::string_view text) { pass_to(text); }) {
  if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
    throw command_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
}

output_stream::~output_stream() {
  close_reader();
  close_writer();
}

void output_stream::become_writer() noexcept { ::dup2(ends_[1], to_); }

void output_stream::close_writer() noexcept {
  if (int const end = std::exchange(ends_[1], -1); end >= 0) ::close(end);
}

void output_stream::close_reader() noexcept {
  if (int const end = std::exchange(ends_[0], -1); end >= 0) ::close(end);
}

void output_stream::pass_on() {
  std::array<char, 65536> block;
  ssize_t const got = ::read(ends_[0], block.data(), block.size());
  if (got > 0) return labels_.take({block.data(), static_cast<std::size_t>(got)});
  if (got < 0 && errno == EINTR) return;
  labels_.finish();
  close_reader();
}

void output_stream::pass_to(std::string_view text) {
  if (error_ == 0) error_ = write_all(to_, text);
}

void output_stream::finish() {
  if (ends_[0] >= 0) ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  while (ends_[0] >= 0) pass_on();
}

}  // namespace sheaf::tool
