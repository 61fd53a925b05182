// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "transport/heartbeat/pulse.hpp"
#include "transport/heartbeat/udp.hpp"

namespace sheaf::heartbeat {

/// What a heart needs to know of its job.
struct roster {
  std::uint32_t self = 0;
  std::uint64_t key = 0;
  std::vector<std::vector<address>> places;  ///< by process: where to send to; all of them are tried
};

/// What becomes of a heart's findings; called on its thread.
struct listener {
  std::function<void(finding const&)> lost;        ///< says so, when the others have been told, unless they told us
  std::function<void()> end;                       ///< after that; ends the process
  std::function<void(std::uint32_t)> never_heard;  ///< a process that is not watched
};

/// The thread of a process that sends and hears heartbeats. It blocks all signals, sleeps in poll(), and calls neither
/// MPI nor anything of the message path.
class heart final : private courier {
 public:
  /// Throws std::system_error where there can be no thread.
  heart(std::unique_ptr<udp_socket> line, roster who, std::uint64_t limit_ns, listener news);
  heart(heart const&) = delete;
  heart& operator=(heart const&) = delete;
  /// Says goodbye to the neighbours; ends the thread and closes the socket.
  ~heart();

 private:
  /// To every place of a process.
  void send(std::uint32_t process, std::span<std::byte const> bytes) override;
  void run();
  void take_news(std::uint64_t now);
  void tell_of_loss();

  std::unique_ptr<udp_socket> const line_;
  roster const who_;
  listener const news_;
  std::atomic<bool> stop_{false};
  int const alarm_;  ///< wakes the thread
  pulse pulse_;
  std::thread thread_;
};

}  // namespace sheaf::heartbeat
