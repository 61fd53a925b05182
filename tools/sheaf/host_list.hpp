// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <vector>

namespace sheaf::tool {

/// A host of a job and how many locations it takes; 0: its share.
struct host {
  std::string name;
  unsigned locations = 0;

  bool operator==(host const&) const = default;
};

/// The sum of their locations.
unsigned room_on(std::vector<host> const& hosts);

/// Hosts from "a:4,b:4", "a,b", or the name of a file with one a line: `a:4`, `a slots=4` or `a`; `#` starts a comment.
/// Either all hosts have a number or none. Throws command_error with what is wrong, and where.
std::vector<host> parse_hosts(std::string const& text);

/// The hosts that get some of `locations`, each with how many: filled in order where they have numbers, else evenly, in
/// whole processes of `threads`. Throws command_error where they do not hold so many, or a number is no multiple.
std::vector<host> place_on_hosts(std::vector<host> const& hosts, unsigned locations, unsigned threads);

}  // namespace sheaf::tool
