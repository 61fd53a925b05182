// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/frames.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <new>

namespace sheaf::side {
namespace {

/// How many bytes of these the socket has taken; negative: the connection is lost.
ssize_t send_some(int socket, std::span<iovec> parts) noexcept {
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  for (;;) {
    ssize_t const taken = sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (taken >= 0) return taken;
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) return 0;
    if (errno != EINTR) return -1;
  }
}

iovec part(std::span<std::byte const> of) noexcept { return {const_cast<std::byte*>(of.data()), of.size()}; }

}  // namespace

bool frame_writer::send(int socket, std::span<std::byte const> head, std::span<std::byte const> body) noexcept try {
  auto const length = static_cast<frame_length>(head.size() + body.size());
  std::span<std::byte const> const parts[] = {std::as_bytes(std::span(&length, 1)), head, body};
  std::size_t taken = 0;
  if (socket >= 0 && !waits()) {
    iovec lines[] = {part(parts[0]), part(head), part(body)};
    ssize_t const now = send_some(socket, lines);
    if (now < 0) return false;
    taken = static_cast<std::size_t>(now);
  }
  for (auto const& one : parts) {
    std::size_t const gone = std::min(taken, one.size());
    add(one.subspan(gone));
    taken -= gone;
  }
  return true;
} catch (std::bad_alloc const&) {  // a part may have left, so nothing can follow
  errno = ENOMEM;
  return false;
}

void frame_writer::add(std::span<std::byte const> bytes) {
  while (!bytes.empty()) {
    if (chunks_.empty() || chunks_.back().end == chunk::usual_bytes) {
      chunks_.push_back({std::make_unique_for_overwrite<std::byte[]>(chunk::usual_bytes)});
    }
    chunk& last = chunks_.back();
    std::size_t const now = std::min(bytes.size(), chunk::usual_bytes - last.end);
    std::memcpy(last.bytes.get() + last.end, bytes.data(), now);
    last.end += now;
    waiting_ += now;
    bytes = bytes.subspan(now);
  }
}

bool frame_writer::send_waiting(int socket) noexcept {
  constexpr std::size_t at_once = 8;
  while (waits()) {
    iovec lines[at_once];
    std::size_t const count = std::min(at_once, chunks_.size());
    for (std::size_t i = 0; i < count; ++i) {
      chunk const& one = chunks_[i];
      lines[i] = {one.bytes.get() + one.begin, one.end - one.begin};
    }
    ssize_t const taken = send_some(socket, std::span(lines).first(count));
    if (taken <= 0) return taken == 0;
    auto gone = static_cast<std::size_t>(taken);
    waiting_ -= gone;
    while (gone != 0) {
      chunk& first = chunks_.front();
      std::size_t const of_it = std::min(gone, first.end - first.begin);
      first.begin += of_it;
      gone -= of_it;
      if (first.begin == first.end) chunks_.pop_front();
    }
  }
  return true;
}

frame_reader::state frame_reader::receive(int socket, std::span<std::byte> room, std::size_t& got) {
  std::size_t const beside = after_long_ ? std::min(room_beside_long, room.size()) : room.size();
  iovec rooms[] = {{left_.data(), left_.size()}, {room.data(), beside}};
  std::size_t const first = left_.empty() ? 1 : 0;
  ssize_t const come = readv(socket, rooms + first, static_cast<int>(std::size(rooms) - first));
  if (come > 0) {
    got = static_cast<std::size_t>(come);
    return got == left_.size() + beside ? state::open : state::idle;
  }
  if (come == 0) errno = 0;
  bool const nothing = come < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  return nothing ? state::idle : state::ended;
}

void frame_reader::end_body() noexcept {
  body_.reset();
  length_have_ = 0;
}

/// `place`: for the last bytes of the message, all before which is in `part`; or nothing.
void frame_reader::begin_body(std::span<std::byte const> part, std::span<std::byte> place) {
  body_bytes_ = length_ - place.size();
  body_ = std::make_unique_for_overwrite<std::byte[]>(body_bytes_);
  std::size_t const mine = std::min(part.size(), body_bytes_);
  std::memcpy(body_.get(), part.data(), mine);
  left_ = place.empty() ? std::span(body_.get() + mine, body_bytes_ - mine) : place;
  if (!place.empty()) {
    std::ranges::copy(part.subspan(mine), place.begin());
    left_ = place.subspan(part.size() - mine);
  }
  after_long_ = !place.empty();
}

bool frame_reader::take_length(std::span<std::byte const>& rest) noexcept {
  std::size_t const now = std::min(rest.size(), sizeof length_ - length_have_);
  std::memcpy(reinterpret_cast<std::byte*>(&length_) + length_have_, rest.data(), now);
  length_have_ += now;
  rest = rest.subspan(now);
  return length_have_ == sizeof length_;
}

}  // namespace sheaf::side
