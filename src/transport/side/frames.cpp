// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/frames.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace sheaf::side {
namespace {

/// How many bytes of these the socket has taken; negative: the connection is lost.
ssize_t send_some(int socket, iovec* parts, std::size_t count) noexcept {
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = count;
  for (;;) {
    ssize_t const taken = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (taken >= 0) return taken;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    if (errno != EINTR) return -1;
  }
}

iovec part(std::span<std::byte const> of) noexcept { return {const_cast<std::byte*>(of.data()), of.size()}; }

}  // namespace

bool frame_writer::send(std::span<std::byte const> head, std::span<std::byte const> body) {
  auto const length = static_cast<frame_length>(head.size() + body.size());
  std::span<std::byte const> const parts[] = {std::as_bytes(std::span(&length, 1)), head, body};
  std::size_t taken = 0;
  if (!waits()) {
    iovec lines[] = {part(parts[0]), part(head), part(body)};
    ssize_t const now = send_some(socket(), lines, std::size(lines));
    if (now < 0) return false;
    taken = static_cast<std::size_t>(now);
  }
  for (auto const& one : parts) {
    std::size_t const gone = std::min(taken, one.size());
    waiting_.insert(waiting_.end(), one.begin() + static_cast<std::ptrdiff_t>(gone), one.end());
    taken -= gone;
  }
  return true;
}

bool frame_writer::send_waiting() {
  while (waits()) {
    iovec line = part(std::span(waiting_).subspan(begin_));
    ssize_t const taken = send_some(socket(), &line, 1);
    if (taken < 0) return false;
    if (taken == 0) return true;
    begin_ += static_cast<std::size_t>(taken);
  }
  waiting_.clear();
  begin_ = 0;
  return true;
}

frame_reader::state frame_reader::read() {
  std::copy(room_.begin() + static_cast<std::ptrdiff_t>(begin_), room_.begin() + static_cast<std::ptrdiff_t>(end_),
            room_.begin());
  end_ -= std::exchange(begin_, 0);
  ssize_t const got = recv(socket(), room_.data() + end_, room_.size() - end_, MSG_DONTWAIT);
  if (got > 0) {
    end_ += static_cast<std::size_t>(got);
    return state::open;
  }
  if (got == 0) errno = 0;
  bool const idle = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  return idle ? state::idle : state::ended;
}

std::optional<std::span<std::byte const>> frame_reader::next() {
  frame_length length = 0;
  if (damaged_ || end_ - begin_ < sizeof length) return {};
  std::memcpy(&length, room_.data() + begin_, sizeof length);
  damaged_ = length == 0 || length > detail::side_wire::most_bytes;
  if (damaged_ || end_ - begin_ - sizeof length < length) return {};
  std::span const message(room_.data() + begin_ + sizeof length, length);
  begin_ += sizeof length + length;
  return message;
}

}  // namespace sheaf::side
