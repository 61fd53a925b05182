// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/host_list.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "sheaf/command_error.hpp"

namespace sheaf::tool {
namespace {

constexpr unsigned most = 65536;

[[noreturn]] void refuse(std::string const& where, std::string const& entry, std::string const& why) {
  throw command_error(where + " has '" + entry + "', " + why +
                      "; write hosts as NAME or NAME:LOCATIONS, with 1 to 65536 locations, and commas between them");
}

unsigned parse_count(std::string const& where, std::string const& entry, std::string_view digits) {
  unsigned count = 0;
  auto const [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  bool const whole = problem == std::errc() && end == digits.data() + digits.size();
  if (!whole || count == 0 || count > most) {
    refuse(where, entry, "where '" + std::string(digits) + "' is no such number");
  }
  return count;
}

void check_name(std::string const& where, std::string const& entry, std::string const& name) {
  constexpr char const* legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  if (name.empty() || name[0] == '-') refuse(where, entry, "which has no host name");
  if (name.find_first_not_of(legal) != std::string::npos) refuse(where, entry, "which is no host name");
}

/// NAME or NAME:COUNT.
host parse_host(std::string const& where, std::string const& entry) {
  std::size_t const colon = entry.find(':');
  host one{entry.substr(0, colon), 0};
  check_name(where, entry, one.name);
  if (colon != std::string::npos) one.locations = parse_count(where, entry, std::string_view(entry).substr(colon + 1));
  return one;
}

/// A line of a file of hosts, without its comment.
host parse_line(std::string const& where, std::string const& line) {
  std::istringstream words(line);
  std::string name, more, rest;
  words >> name >> more >> rest;
  host one = parse_host(where, name);
  if (more.empty()) return one;
  constexpr std::string_view slots = "slots=";
  if (more.rfind(slots, 0) != 0 || !rest.empty() || one.locations != 0) {
    refuse(where, line, "with more than a host and its number");
  }
  one.locations = parse_count(where, line, std::string_view(more).substr(slots.size()));
  return one;
}

std::vector<host> read_hosts(std::string const& name) {
  std::ifstream file(name);
  if (!file) throw command_error("--hosts: cannot read the file " + name);
  std::vector<host> all;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line.erase(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    all.push_back(parse_line(name + ", line " + std::to_string(number) + ",", line));
  }
  if (all.empty()) throw command_error("--hosts: the file " + name + " names no host");
  return all;
}

std::vector<host> split_hosts(std::string const& text) {
  std::vector<host> all;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t const comma = std::min(text.find(',', at), text.size());
    all.push_back(parse_host("--hosts " + text, text.substr(at, comma - at)));
    at = comma + 1;
  }
  return all;
}

bool names_a_file(std::string const& text) {
  std::error_code ignored;
  return text.find('/') != std::string::npos ||
         (text.find_first_of(":,") == std::string::npos && std::filesystem::is_regular_file(text, ignored));
}

std::vector<host> share_evenly(std::vector<host> hosts, unsigned locations, unsigned threads) {
  auto const processes = locations / threads;
  auto const count = static_cast<unsigned>(hosts.size());
  for (unsigned i = 0; i < count; ++i) {
    hosts[i].locations = (processes / count + (i < processes % count ? 1 : 0)) * threads;
  }
  return hosts;
}

}  // namespace

unsigned room_on(std::vector<host> const& hosts) {
  unsigned all = 0;
  for (host const& each : hosts) all += each.locations;
  return all;
}

std::vector<host> parse_hosts(std::string const& text) {
  std::vector<host> all = names_a_file(text) ? read_hosts(text) : split_hosts(text);
  auto const open = std::count_if(all.begin(), all.end(), [](host const& each) { return each.locations == 0; });
  if (open != 0 && open != static_cast<std::ptrdiff_t>(all.size())) {
    throw command_error("--hosts " + text +
                        " gives some hosts a number of locations and others none; give all or none");
  }
  return all;
}

std::vector<host> place_on_hosts(std::vector<host> const& hosts, unsigned locations, unsigned threads) {
  unsigned const room = room_on(hosts);
  std::vector<host> placed = room == 0 ? share_evenly(hosts, locations, threads) : hosts;
  if (room != 0 && room < locations) {
    throw command_error("-n is " + std::to_string(locations) + ", but --hosts has room for " + std::to_string(room) +
                        " locations: ask for at most that many, or give the hosts larger numbers");
  }
  unsigned left = locations;
  for (host& each : placed) {
    if (each.locations % threads != 0) {
      throw command_error("--hosts gives " + each.name + " " + std::to_string(each.locations) +
                          " locations, which is no multiple of -t " + std::to_string(threads) +
                          ": a process has its threads on one host");
    }
    each.locations = std::min(each.locations, left);
    left -= each.locations;
  }
  std::erase_if(placed, [](host const& each) { return each.locations == 0; });
  return placed;
}

}  // namespace sheaf::tool
