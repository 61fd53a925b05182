// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transport/side/sockets.hpp"

namespace sheaf::side {

/// How long to try, in nanoseconds.
struct dial_limits {
  std::uint64_t address = 5'000'000'000;  ///< each address, until the process there has answered
  std::uint64_t all = 30'000'000'000;     ///< all of a process's addresses, again and again
  std::uint64_t pause = 100'000'000;      ///< between two rounds
};

/// Makes connections to other processes, several at a time, and waits for none. A connection is made when the process
/// there has answered with the job's key: others may listen at the same address. For one thread at a time; times are
/// of a steady clock.
class dialer {
 public:
  /// What became of a call. No line: nobody was reached; `tried` says where, and why not.
  struct outcome {
    std::uint32_t process = 0;
    host::descriptor line;
    std::string tried;
  };

  /// `own`: without `to`. `routes`: where each process may be, the best first. `watched` outlives it.
  dialer(poller& watched, greeting own, std::vector<std::vector<destination>> routes, dial_limits limits)
      : poller_(watched), own_(own), routes_(std::move(routes)), limits_(limits) {}

  /// Begins to call a process; not for one that it calls already.
  void call(std::uint32_t process, std::uint64_t now);

  /// An event of what::call. A line stays watched under that tag.
  std::optional<outcome> ready(std::uint32_t number, std::uint64_t now);

  /// Does what its time has come for; to be called again until it returns nothing.
  std::optional<outcome> look(std::uint64_t now);
  /// When to look next; 0: never.
  [[nodiscard]] std::uint64_t next() const noexcept;

 private:
  struct open_call {
    std::uint32_t process = 0;
    std::uint32_t number = 0;  ///< of the present connection; none had it before
    std::size_t at = 0;        ///< which of the routes
    host::descriptor line;     ///< none: between two rounds
    bool greeted = false;
    greeting_reader answer;
    std::uint64_t until = 0;
    std::uint64_t give_up = 0;
    std::vector<std::string> tried;  ///< by route
  };

  void try_next(open_call& c, std::uint64_t now);
  void give_address_up(open_call& c, char const* why);
  [[nodiscard]] bool answers(open_call& c, std::uint64_t now);
  outcome end(open_call& c, std::string tried);

  poller& poller_;
  greeting const own_;
  std::vector<std::vector<destination>> const routes_;
  dial_limits const limits_;
  std::vector<open_call> calls_;
  std::uint32_t numbers_ = 0;
};

}  // namespace sheaf::side
