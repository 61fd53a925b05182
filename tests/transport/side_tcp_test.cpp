// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/tcp_side.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>

#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "transport/side_company.hpp"

namespace sheaf::side {
namespace {

using namespace sheaf_test;

constexpr std::size_t most = detail::side_wire::most_bytes;

/// Which thread of its process sent it, as how manieth, and how large it is; then bytes that follow from those.
struct label {
  std::uint32_t thread = 0;
  std::uint32_t number = 0;
  std::uint64_t size = 0;
};

message_bytes labelled(label const& of) {
  message_bytes made(of.size);
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<std::byte>(of.number + i * 3 + of.thread);
  std::memcpy(made.data(), &of, sizeof of);
  return made;
}

/// In order for each thread, each once, and whole.
void expect_labelled(std::vector<message_bytes> const& got, std::vector<std::uint32_t> const& expected) {
  std::vector<std::uint32_t> next(expected.size());
  for (message_bytes const& one : got) {
    label of;
    ASSERT_GE(one.size(), sizeof of);
    std::memcpy(&of, one.data(), sizeof of);
    ASSERT_LT(of.thread, next.size());
    ASSERT_EQ(of.number, next[of.thread]++);
    ASSERT_TRUE(one == labelled(of)) << "message " << of.number << " of " << of.size << " bytes";
  }
  EXPECT_EQ(next, expected);
}

void send_many(tcp_side& wire, std::uint32_t to, std::uint32_t thread, std::uint32_t count, std::size_t largest) {
  std::mt19937 random(thread + 17);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::size_t const size = i % 16 == 5 ? largest : sizeof(label) + random() % (i % 4 == 0 ? largest - 16 : 100);
    message_bytes const all = labelled({thread, i, size});
    std::size_t const head = random() % (size + 1);
    wire.send(to, std::span(all).first(head), std::span(all).subspan(head));
  }
}

/// Connects to a process's door and says something; what comes back.
std::string say_to(place const& of, std::span<std::byte const> words) {
  host::descriptor const line = begin_connection({detail::loopback_address, of.port});
  timeval const limit{20, 0};
  setsockopt(line.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  fcntl(line.number(), F_SETFL, 0);  // from now on calls wait
  static_cast<void>(!::send(line.number(), words.data(), words.size(), MSG_NOSIGNAL));
  char back[64];
  ssize_t const got = recv(line.number(), back, sizeof back, 0);
  return got > 0 ? "answered" : got == 0 || errno == ECONNRESET ? "closed" : std::strerror(errno);
}

TEST(side_tcp, messages_of_many_threads_come_once_and_in_order) {
  side_company all(3);
  all.start_all();
  constexpr std::uint32_t threads = 4, count = 100;
  std::vector<std::thread> senders;
  for (std::uint32_t i = 0; i < 3 * threads; ++i) {
    senders.emplace_back([&, from = i / threads, t = i % threads] {
      for (std::uint32_t to = 0; to < 3; ++to) {
        if (to != from) send_many(all.wire(from), to, t, count, 20'000);
      }
    });
  }
  for (std::thread& t : senders) t.join();
  for (std::uint32_t to = 0; to < 3; ++to) {
    all.server(to).await(2 * threads * count);
    for (std::uint32_t from = 0; from < 3; ++from) {
      if (to == from) continue;
      expect_labelled(all.server(to).from(from), std::vector<std::uint32_t>(threads, count));
      EXPECT_EQ(all.wire(from).sent(to), threads * count);
    }
    EXPECT_FALSE(all.server(to).overlapped);
  }
  all.finish_all();
  EXPECT_EQ(all.wire(0).taken(1), threads * count);
}

TEST(side_tcp, both_ends_send_much_at_once_and_nobody_waits) {
  side_company all(2);
  all.start_all();
  constexpr std::uint32_t count = 600;  // 38 MiB, more than the system takes at once
  message_bytes const large(most, std::byte{1});
  for (std::uint32_t i = 0; i < 2 * count; ++i) all.send(i % 2, 1 - i % 2, large);
  for (std::uint32_t i = 0; i < 2; ++i) {
    all.server(i).await(count);
    for (message_bytes const& one : all.server(i).from(1 - i)) EXPECT_TRUE(one == large);
  }
  while (all.wire(0).queued(1) != 0 || all.wire(1).queued(0) != 0) std::this_thread::yield();
  all.finish_all();
}

TEST(side_tcp, what_waits_for_a_process_is_counted) {
  side_company all(2);
  all.meet();
  all.start(0);
  EXPECT_EQ(all.wire(0).queued(1), 0u);
  all.send(0, 1, message_bytes(1000));
  EXPECT_EQ(all.wire(0).queued(1), 1000 + sizeof(frame_length)) << "that process is not there yet";
  all.start(1);
  all.server(1).await(1);
  while (all.wire(0).queued(1) != 0 || all.arrivals(1) == 0) std::this_thread::yield();
  all.finish_all();
}

TEST(side_tcp, a_program_that_looks_by_itself_takes_answers_in) {
  side_company all(2);
  all.start_all();
  message_bytes const question{side_recorder::asks, std::byte{7}};
  for (std::size_t i = 1; i <= 200; ++i) {
    std::uint64_t const before = all.wire(0).news();
    all.send(0, 1, question);
    while (all.server(0).count() < i) all.wire(0).progress();
    while (all.wire(0).news() == before) std::this_thread::yield();
    if (i % 50 == 0) all.wire(0).rests();
  }
  EXPECT_EQ(all.server(0).from(1), std::vector(200, message_bytes{std::byte{7}}));
  all.finish_all();
}

TEST(side_tcp, all_that_was_sent_and_its_answers_have_come_at_the_end) {
  message_bytes question(20'000, std::byte{3});
  question[0] = side_recorder::asks;
  for (int round = 0; round < 20; ++round) {
    side_company all(3);
    all.start_all();
    for (std::uint32_t i = 0; i < 10; ++i) all.send(0, 1, question);
    all.send(1, 2, question);
    all.finish_all();
    EXPECT_EQ(all.wire(0).taken(1), 10u);
    EXPECT_EQ(all.wire(1).taken(0), 10u);
    EXPECT_EQ(all.wire(2).taken(1), 1u);
    EXPECT_EQ(all.wire(1).taken(2), 1u);
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(all.failure(i).now(), "");
  }
}

TEST(side_tcp, strangers_are_dropped_and_harm_nobody) {
  side_company all(2);
  all.start_all();
  place const& door = all.places()[1];
  EXPECT_EQ(say_to(door, std::as_bytes(std::span("GET / HTTP/1.1\r\nHost: nowhere.example\r\n\r\n"))), "closed");
  greeting wrong{.key = all.places()[0].key + 1, .from = 0, .to = 1};
  EXPECT_EQ(say_to(door, std::as_bytes(std::span(&wrong, 1))), "closed") << "a key of another job";
  wrong = {.key = all.places()[0].key, .from = 0, .to = 0};
  EXPECT_EQ(say_to(door, std::as_bytes(std::span(&wrong, 1))), "closed") << "for another process";
  wrong = {.key = all.places()[0].key, .from = 2, .to = 1};
  EXPECT_EQ(say_to(door, std::as_bytes(std::span(&wrong, 1))), "closed") << "of a process that there is not";
  std::vector<host::descriptor> silent;
  for (int i = 0; i < 200; ++i) silent.push_back(begin_connection({detail::loopback_address, door.port}));
  all.send(0, 1, message_bytes(10));
  all.server(1).await(1);
  EXPECT_LE(all.wire(1).strangers(), 66u);
  EXPECT_EQ(all.failure(1).now(), "");
  all.finish_all();
}

TEST(side_tcp, a_wrong_length_ends_the_job_by_name) {
  side_company all(2);
  all.start_all();
  greeting const mine{.key = all.places()[0].key, .from = 1, .to = 0};
  auto const length = static_cast<frame_length>(most + 1);
  message_bytes words(sizeof mine + sizeof length);
  std::memcpy(words.data(), &mine, sizeof mine);
  std::memcpy(words.data() + sizeof mine, &length, sizeof length);
  EXPECT_EQ(say_to(all.places()[0], words), "answered");
  EXPECT_EQ(all.failure(0).await(), "location 1 sent a damaged frame for one-sided memory: its length is not possible");
}

/// Process 1 ends without a goodbye; `speaks`: who has a connection to the other.
void expect_loss(std::uint32_t speaks) {
  side_company all(3);
  all.start_all();
  all.send(speaks, 1 - speaks, message_bytes(10));
  all.server(1 - speaks).await(1);
  all.leave(1);
  std::string const text = all.failure(0).await();
  EXPECT_NE(text.find("location 1 is lost: its connection to location 0 for one-sided memory has ended before the job"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("was killed, called exit(), or tells of an error"), std::string::npos) << text;
  EXPECT_THROW(all.wire(0).check(), job_aborted);
  EXPECT_EQ(all.failure(2).now(), "") << "it has no connection";
}

TEST(side_tcp, a_process_that_dies_is_named_by_who_sent_to_it) { expect_loss(0); }
TEST(side_tcp, a_process_that_dies_is_named_by_who_heard_it) { expect_loss(1); }

/// A process that has said goodbye may close its connections before others have seen that the job ends.
TEST(side_tcp, who_has_said_goodbye_is_not_lost) {
  side_company all(3);
  all.start_all();
  for (std::uint32_t const other : {0, 2}) {
    all.send(other, 1, message_bytes(10));
    all.send(1, other, message_bytes(10));
    all.server(other).await(1);
  }
  all.server(1).await(2);
  summing nobody_else(1);  // as many were sent from here as have come
  summing_bootstrap job(nobody_else, 0, 1);
  all.wire(0).finish(job, [] {});
  all.leave(0);
  all.leave(2);
  std::string const text = all.failure(1).await();
  EXPECT_EQ(text.find("location 2 is lost"), 0u) << text;
}

std::uint64_t processor_time(clockid_t of) {
  timespec used{};
  clock_gettime(of, &used);
  return static_cast<std::uint64_t>(used.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(used.tv_nsec);
}

/// What ends a connection stays to be seen by poll, so a thread that does not deal with it would never sleep again.
TEST(side_tcp, a_lost_connection_keeps_no_core_busy) {
  side_company all(2);
  all.start_all();
  all.send(0, 1, message_bytes(10));
  all.server(1).await(1);
  all.leave(1);
  all.failure(0).await();
  constexpr std::uint64_t long_time = 50'000'000;
  std::uint64_t const all_before = processor_time(CLOCK_PROCESS_CPUTIME_ID);
  std::uint64_t const mine_before = processor_time(CLOCK_THREAD_CPUTIME_ID);
  while (processor_time(CLOCK_THREAD_CPUTIME_ID) - mine_before < long_time) {
  }
  std::uint64_t const mine = processor_time(CLOCK_THREAD_CPUTIME_ID) - mine_before;
  EXPECT_LT(processor_time(CLOCK_PROCESS_CPUTIME_ID) - all_before, mine + mine / 2);
}

TEST(side_tcp, a_process_that_cannot_be_reached_is_named_with_what_was_tried) {
  side_company all(2, {.address = 50'000'000, .all = 60'000'000, .pause = 10'000'000});
  std::uint16_t closed = 0;
  listen_anywhere(closed);  // and closes at once
  all.places()[1].port = closed;
  all.places()[1].count = 1;
  all.places()[1].at[0] = detail::loopback_address;
  all.start_all();
  all.send(0, 1, message_bytes(10));
  std::string const at = "127.0.0.1:" + std::to_string(closed) + " (Connection refused)";
  EXPECT_EQ(all.failure(0).await(), "no connection for one-sided memory from location 0 to location 1: tried " + at +
                                        ", " + at + ". Let TCP through between the hosts, to any port");
}

TEST(side_tcp, another_program_at_the_first_address_is_passed_over) {
  side_company all(2), others(2);  // two jobs
  others.start_all();
  all.meet();
  all.start(1);
  poller events;
  dialer calls(
      events, {.key = all.places()[0].key, .from = 0},
      {{}, {{detail::loopback_address, others.places()[1].port}, {detail::loopback_address, all.places()[1].port}}},
      {.pause = 1'000'000});
  calls.call(1, host::steady_ns());
  std::optional<dialer::outcome> made;
  poller::event room[4];
  while (!made) {
    for (poller::event const& e : events.ready(room)) {
      if (!made) made = calls.ready(e.tag.number, host::steady_ns());
    }
  }
  EXPECT_TRUE(made->line);
  EXPECT_EQ(made->process, 1u);
  EXPECT_EQ(calls.next(), 0u);
}

TEST(side_tcp, an_answer_with_another_key_is_passed_over) {
  side_company all(2);
  all.meet();
  all.start(1);
  std::uint16_t port = 0;
  host::descriptor const listener = listen_anywhere(port);
  poller events;
  dialer calls(events, {.key = all.places()[0].key, .from = 0},
               {{}, {{detail::loopback_address, port}, {detail::loopback_address, all.places()[1].port}}},
               {.pause = 1'000'000});
  calls.call(1, host::steady_ns());
  std::optional<dialer::outcome> made;
  host::descriptor other;
  greeting_reader heard;
  bool answered = false;
  poller::event room[4];
  while (!made) {
    if (!other) other = accept_one(listener.number());
    if (other && !answered && heard.read(other.number()) == greeting_reader::state::whole) {
      greeting const g = heard.get();
      answered = send_greeting(other.number(), {.key = g.key + 1, .from = g.to, .to = g.from});
    }
    for (poller::event const& e : events.ready(room)) {
      if (!made) made = calls.ready(e.tag.number, host::steady_ns());
    }
  }
  EXPECT_TRUE(answered);
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  ASSERT_EQ(getpeername(made->line.number(), reinterpret_cast<sockaddr*>(&at), &size), 0);
  EXPECT_EQ(ntohs(reinterpret_cast<sockaddr_in const&>(at).sin_port), all.places()[1].port);
}

TEST(side_tcp, addresses_are_written_as_people_do) {
  EXPECT_EQ(text_of({detail::loopback_address, 80}), "127.0.0.1:80");
  address six{};
  six[0] = 0xfd;
  six[15] = 2;
  EXPECT_EQ(text_of({six, 4711}), "[fd00::2]:4711");
}

}  // namespace
}  // namespace sheaf::side
