// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/frames.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <vector>

#include "transport/host/segment.hpp"

namespace sheaf::side {
namespace {

using state = frame_reader::state;
using bytes = std::vector<std::byte>;
constexpr std::size_t most = detail::side_wire::most_bytes;

/// `size` bytes that tell which message they are of.
bytes message(std::uint32_t number, std::size_t size) {
  bytes made(size);
  for (std::size_t i = 0; i < size; ++i) made[i] = static_cast<std::byte>(number * 131 + i * 7 + i / 256);
  return made;
}

bytes framed(std::span<std::byte const> content) {
  auto const length = static_cast<frame_length>(content.size());
  bytes all(sizeof length + content.size());
  std::memcpy(all.data(), &length, sizeof length);
  std::memcpy(all.data() + sizeof length, content.data(), content.size());
  return all;
}

/// Two sockets that are connected, of which each call takes little.
struct narrow_pair {
  narrow_pair() {
    int both[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, both), 0);
    to = host::descriptor(both[0]);
    from = host::descriptor(both[1]);
    int const little = 4096;
    setsockopt(to.number(), SOL_SOCKET, SO_SNDBUF, &little, sizeof little);
  }
  void put(std::span<std::byte const> raw) {
    EXPECT_EQ(::send(to.number(), raw.data(), raw.size(), 0), static_cast<ssize_t>(raw.size()));
  }
  host::descriptor to, from;
};

struct reading {
  explicit reading(std::size_t room_bytes = frame_reader::room_bytes) : room(room_bytes) {}

  state once(int socket) { return reader.read(socket, room, *this); }
  void take(std::span<std::byte const> m) { got.emplace_back(m.begin(), m.end()); }

  /// Every third long message has a place, for all but its first 100 bytes.
  std::span<std::byte> place_for(std::span<std::byte const> begin, std::size_t length) {
    EXPECT_GE(length, frame_reader::long_bytes);
    if (begin.size() < 100 || ++asked % 3 != 0) return {};
    place.assign(length - 100, std::byte{0});
    return place;
  }
  void take_placed(std::span<std::byte const> begin) {
    got.emplace_back(begin.begin(), begin.end()).insert(got.back().end(), place.begin(), place.end());
    ++placed;
  }

  state until_idle(int socket) {
    for (;;) {
      state const now = once(socket);
      if (now != state::open) return now;
    }
  }

  frame_reader reader;
  bytes room, place;
  std::uint32_t asked = 0, placed = 0;
  std::vector<bytes> got;
};

/// Messages of all sizes, sent while the other side reads `room` bytes at a time, now and then.
void pass_through_narrow(std::size_t room, std::size_t largest) {
  narrow_pair line;
  frame_writer writer;
  reading in(room);
  std::vector<bytes> sent;
  std::mt19937 random(static_cast<unsigned>(room));
  for (std::uint32_t i = 0; i < 60; ++i) {
    std::size_t const size = i < 4 ? i + 1 : i == 5 ? largest : 1 + random() % (i % 3 == 0 ? largest : 200);
    sent.push_back(message(i, size));
    std::span<std::byte const> const whole(sent.back());
    std::size_t const head = random() % (size + 1);
    ASSERT_TRUE(writer.send(line.to.number(), whole.first(head), whole.subspan(head)));
    bool const reads = i % 7 == 0;
    ASSERT_TRUE(!reads || in.until_idle(line.from.number()) == state::idle);
  }
  while (writer.waits() || in.got.size() < sent.size()) {
    ASSERT_TRUE(writer.send_waiting(line.to.number()));
    ASSERT_EQ(in.until_idle(line.from.number()), state::idle);
  }
  EXPECT_TRUE(in.got == sent);
  EXPECT_EQ(writer.waiting(), 0u);
  EXPECT_EQ(in.placed != 0, room >= 100 && largest > frame_reader::long_bytes);
}

TEST(side_frames, messages_come_whole_through_a_narrow_socket_byte_by_byte) { pass_through_narrow(1, 300); }
TEST(side_frames, messages_come_whole_in_parts_of_lengths) { pass_through_narrow(5, 300); }
TEST(side_frames, messages_come_whole_in_small_parts) { pass_through_narrow(1000, most); }
TEST(side_frames, messages_come_whole_several_at_once) { pass_through_narrow(frame_reader::room_bytes, most); }

TEST(side_frames, what_a_socket_does_not_take_waits_and_is_counted) {
  narrow_pair line;
  frame_writer writer;
  EXPECT_TRUE(writer.send(-1, message(1, most), {}));
  EXPECT_EQ(writer.waiting(), most + sizeof(frame_length)) << "there is no socket yet";
  EXPECT_TRUE(writer.send_waiting(line.to.number()));
  EXPECT_TRUE(writer.waits());
  EXPECT_LT(writer.waiting(), most);
}

TEST(side_frames, a_goodbye_ends_the_messages) {
  narrow_pair line;
  frame_writer writer;
  reading in;
  EXPECT_TRUE(writer.send(line.to.number(), message(1, 10), {}));
  EXPECT_TRUE(writer.send_goodbye(line.to.number()));
  line.to = {};
  EXPECT_EQ(in.once(line.from.number()), state::goodbye);
  EXPECT_EQ(in.got, std::vector<bytes>{message(1, 10)});
}

TEST(side_frames, the_end_of_a_stream_is_told_from_silence) {
  narrow_pair line;
  reading in;
  EXPECT_EQ(in.once(line.from.number()), state::idle);
  bytes const cut = framed(message(1, 10));
  line.put(std::span(cut).first(7));
  line.to = {};
  EXPECT_EQ(in.once(line.from.number()), state::idle) << "a part has come";
  EXPECT_EQ(in.once(line.from.number()), state::ended);
  EXPECT_EQ(errno, 0);
  EXPECT_TRUE(in.got.empty());
}

TEST(side_frames, a_length_that_no_message_has_is_damage) {
  for (std::size_t const length : {most + 1, std::size_t{0xffffffff}}) {
    narrow_pair line;
    reading in;
    auto const word = static_cast<frame_length>(length);
    line.put(framed(message(1, 3)));
    line.put(std::as_bytes(std::span(&word, 1)));
    EXPECT_EQ(in.until_idle(line.from.number()), state::damaged);
    EXPECT_EQ(in.got.size(), 1u) << "what came before is good";
  }
}

TEST(side_frames, the_longest_message_is_no_damage) {
  narrow_pair line;
  reading in;
  auto const word = static_cast<frame_length>(most);
  line.put(std::as_bytes(std::span(&word, 1)));
  EXPECT_EQ(in.once(line.from.number()), state::idle);
}

TEST(side_frames, a_connection_that_is_gone_refuses) {
  narrow_pair line;
  frame_writer writer;
  line.from = {};
  EXPECT_FALSE(writer.send(line.to.number(), message(1, 10), {}));
  EXPECT_EQ(errno, EPIPE);
}

}  // namespace
}  // namespace sheaf::side
