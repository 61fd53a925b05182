// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "transport/side/sockets.hpp"

namespace sheaf::side {

/// Where other processes of the job come in. Who does not greet with the job's key is a stranger, and is not heard any
/// further; of those that say nothing, few are kept. For one thread at a time; times are of a steady clock.
class door {
 public:
  /// Listens; nobody is let in before `open`. `watched` outlives it. Throws std::system_error.
  explicit door(poller& watched) : poller_(watched), listener_(listen_anywhere(port_)) {}

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// `own`: without `to`. `processes`: of the job. Throws std::system_error.
  void open(greeting own, std::uint32_t processes);

  /// An event of what::listener.
  void meet(std::uint64_t now);

  /// A process of the job that has come in, and was greeted. Its line stays watched under its old tag.
  struct visitor {
    std::uint32_t process = 0;
    host::descriptor line;
  };
  /// An event of what::stranger.
  std::optional<visitor> hear(std::uint32_t number);

  /// Goes on with what was put off because the system had no descriptors. When to look: 0 is never.
  void look(std::uint64_t now);
  [[nodiscard]] std::uint64_t next() const noexcept { return closed_until_; }

  /// Connections whose other ends have not greeted.
  [[nodiscard]] std::size_t strangers() const noexcept { return strangers_.size(); }

 private:
  struct stranger {
    host::descriptor line;
    greeting_reader words;
  };

  poller& poller_;
  std::uint16_t port_ = 0;
  host::descriptor listener_;
  greeting own_;
  std::uint32_t processes_ = 0;
  std::map<std::uint32_t, stranger> strangers_;  ///< by number, in which they came
  std::uint32_t numbers_ = 0;
  std::uint64_t closed_until_ = 0;  ///< 0: it is not
};

}  // namespace sheaf::side
