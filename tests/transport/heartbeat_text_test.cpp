// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/heartbeat/heart.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace sheaf::heartbeat {
namespace {

using net::presence;

constexpr std::uint64_t second = 1'000'000'000;

presence process_on(char const* host, std::uint32_t number, std::uint32_t threads = 1) {
  presence p;
  p.process = number;
  p.threads = threads;
  std::snprintf(p.host, sizeof p.host, "%s", host);
  return p;
}

heartbeat_place place(std::uint16_t port, std::initializer_list<std::uint32_t> ips) {
  heartbeat_place p;
  for (std::uint32_t const ip : ips) p.ips[p.count++] = ip;
  p.port = port;
  return p;
}

options with(unsigned limit_s) {
  options o;
  o.heartbeat_limit_s = limit_s;
  return o;
}

TEST(heartbeats, are_for_jobs_on_several_hosts_unless_they_are_asked_for) {
  presence const one_host[] = {process_on("a", 1), process_on("a", 2)};
  presence const two_hosts[] = {process_on("a", 1), process_on("a", 2), process_on("b", 1)};
  presence const alone[] = {process_on("a", 1)};
  EXPECT_FALSE(wants_heartbeats(with(options::of_transport), one_host));
  EXPECT_TRUE(wants_heartbeats(with(options::of_transport), two_hosts));
  EXPECT_TRUE(wants_heartbeats(with(5), one_host));
  EXPECT_FALSE(wants_heartbeats(with(0), two_hosts));
  EXPECT_FALSE(wants_heartbeats(with(5), alone));
}

TEST(heartbeats, go_to_all_addresses_and_by_loopback_within_a_host) {
  presence const all[] = {process_on("a", 1), process_on("a", 2), process_on("b", 1)};
  heartbeat_place places[] = {place(10, {1, 2}), place(20, {1, 2}), place(30, {3})};
  auto const from_0 = heartbeat_routes(all, places, 0);
  EXPECT_EQ(from_0[1], (std::vector{make_address(1, 20), make_address(2, 20), make_address(loopback, 20)}));
  EXPECT_EQ(from_0[2], std::vector{make_address(3, 30)});
  places[1] = place(20, {loopback});
  EXPECT_EQ(heartbeat_routes(all, places, 0)[1], std::vector{make_address(loopback, 20)});
  places[2].count = 99;
  EXPECT_EQ(heartbeat_routes(all, places, 0)[2].size(), heartbeat_place::most_addresses);
}

TEST(heartbeats, a_silent_process_is_named_with_its_host_and_what_to_look_at) {
  presence const all[] = {process_on("left", 11), process_on("right", 22)};
  EXPECT_EQ(
      text_of(finding{1, 30 * second + second / 4, 0}, all, 0, 30),
      "sheaf: location 1 (host right, process 22) is silent: no heartbeat has come to location 0 (host left, "
      "process 11) for 30.2 s; the limit is 30 s (SHEAF_HEARTBEAT_LIMIT_S). Host right is down or a cable between it "
      "and host left is cut, or the process has gone or is stopped, by SIGSTOP or a debugger (for that set "
      "SHEAF_HEARTBEAT_LIMIT_S=0). This ends the job.");
}

TEST(heartbeats, a_process_of_several_locations_is_named_by_all_of_them) {
  presence const all[] = {process_on("a", 1, 4), process_on("a", 2, 4)};
  std::string const text = text_of(finding{1, second, 0}, all, 0, 1);
  EXPECT_EQ(
      text.find("sheaf: locations 4 to 7 (host a, process 2) are silent: no heartbeat has come to locations 0 to 3"),
      0u)
      << text;
  EXPECT_EQ(text.find("cable"), std::string::npos) << "within a host there is none";
  EXPECT_NE(text.find(" It has gone, or is stopped, by SIGSTOP"), std::string::npos) << text;
}

TEST(heartbeats, a_connection_that_never_worked_is_warned_of) {
  presence const all[] = {process_on("left", 11), process_on("right", 22)};
  EXPECT_EQ(
      text_of_never_heard(1, all, 0),
      "sheaf: warning: no heartbeat of location 1 (host right, process 22) has ever come to location 0 (host left, "
      "process 11), so this connection is not watched. Let UDP through between the hosts, or "
      "set SHEAF_HEARTBEAT_LIMIT_S=0.");
}

}  // namespace
}  // namespace sheaf::heartbeat
