// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sheaf/transport/side_wire.hpp"
#include "transport/heartbeat/heart.hpp"
#include "transport/net/meeting.hpp"
#include "transport/side/frames.hpp"

namespace sheaf::side {

/// What a process does with news of the side wire; called by any thread.
struct side_events {
  std::function<void()> arrived;                   ///< messages have been taken in: locations that sleep look again
  std::function<void(std::string_view why)> fail;  ///< the job ends
  std::function<void()> check;                     ///< throws job_aborted once the job has failed
};

/// The side wire over TCP: a connection for each direction between two processes, made when the first message goes
/// there. A thread sleeps until something comes, so that the process takes part whatever its program does. While the
/// program looks by itself, which costs no switch of threads, that thread keeps out of its way.
///
/// Locks: who takes in has `taking_`, and may then take one connection's `mutex`; nobody takes them in another order.
class tcp_side final : public detail::side_wire {
 public:
  /// Collective: all tell where they listen. Throws std::system_error. `all` outlives it.
  tcp_side(net::bootstrap& job, std::span<net::presence const> all);
  tcp_side& operator=(tcp_side&&) = delete;
  ~tcp_side() override;

  /// From now on messages are taken in. The server is made from `memory`.
  void start(host_memory& memory, side_events events);
  /// The others of the job end, too: that they close their connections means nothing more. Stops the thread.
  void finish() noexcept;

  void send(std::uint32_t to_process, std::span<std::byte const> head, std::span<std::byte const> body) override;
  [[nodiscard]] std::uint64_t sent(std::uint32_t to_process) const noexcept override {
    return out_[to_process].sent.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t taken(std::uint32_t from_process) const noexcept override {
    return taken_[from_process].load(std::memory_order_acquire);
  }
  bool progress() override;
  void rests() noexcept override;
  [[nodiscard]] bool is_used() const noexcept override { return used_.load(std::memory_order_relaxed); }
  void check() override { events_.check(); }
  void fail(std::string_view why) noexcept override;
  detail::side_server& server() override { return *server_; }

 private:
  struct outgoing {
    std::mutex mutex;
    frame_writer line;
    std::atomic<std::uint64_t> sent{0};
  };
  struct incoming {
    static constexpr std::uint32_t stranger = ~std::uint32_t{0};
    explicit incoming(host::descriptor socket) : line(std::move(socket)) {}

    frame_reader line;
    std::uint32_t process = stranger;  ///< until it has said who it is
  };
  /// The first message of a connection.
  struct greeting {
    std::uint64_t key = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  enum class what : std::uint32_t { stop, listener, in, out };

  void connect(std::uint32_t to, outgoing& out);
  [[nodiscard]] host::descriptor connected(std::uint32_t to) const;
  void watch(int descriptor, what kind, std::uint32_t number, std::uint32_t events, bool again = false);
  bool take_all();
  void meet_new();
  bool take_from(std::size_t number);
  void close_line(std::size_t number, frame_reader::state state);
  bool take_message(incoming& from, std::span<std::byte const> message);
  void send_waiting(std::uint32_t to);
  void lose(std::uint32_t process, char const* doing) noexcept;
  bool look_at_loss();
  void run();
  bool stand_aside();

  std::span<net::presence const> const all_;
  std::uint32_t const self_;
  std::uint64_t key_ = 0;
  std::vector<std::vector<heartbeat::address>> routes_;  ///< by process
  host::descriptor listener_, stop_, poll_, call_;
  std::vector<outgoing> out_;                      ///< by process
  std::vector<std::atomic<std::uint64_t>> taken_;  ///< by process
  std::vector<std::unique_ptr<incoming>> in_;      ///< null: closed
  std::mutex taking_;
  std::unique_ptr<detail::side_server> server_;
  side_events events_;
  std::atomic<std::uint32_t> looks_{0};  ///< of the program
  std::atomic<bool> aside_{false};       ///< the thread waits for a call
  bool news_ = false;                    ///< inside taking_: somebody may wait for what has come
  std::atomic<bool> used_{false};
  std::atomic<bool> ending_{false};
  std::mutex loss_mutex_;
  std::string loss_;  ///< of a connection; empty: none
  std::chrono::steady_clock::time_point lost_at_;
  bool told_ = false;
  std::thread thread_;
};

}  // namespace sheaf::side
