// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "sheaf/transport/side_wire.hpp"
#include "transport/net/meeting.hpp"
#include "transport/side/dialer.hpp"
#include "transport/side/door.hpp"
#include "transport/side/frames.hpp"

namespace sheaf::side {

/// What a process does with news of the side wire; called by any thread.
struct side_events {
  std::function<void()> arrived;                   ///< messages have been taken in: locations that sleep look again
  std::function<void(std::string_view why)> fail;  ///< the job ends
  std::function<void()> check;                     ///< throws job_aborted once the job has failed
};

/// The process, and how it is to speak of others.
struct side_identity {
  std::uint32_t self = 0;
  std::uint32_t processes = 0;
  std::uint32_t lanes = 1;                            ///< locations of each process
  std::function<std::string(std::uint32_t)> name_of;  ///< "location 2 (host h, process p)"
  std::uint64_t patience_ns = 1'000'000'000;          ///< a job with a lost process may end by itself meanwhile
  dial_limits dialing{};
};

/// The side wire over TCP: a connection between two processes, made when the first message goes there. A thread sleeps
/// until something comes, so that the process takes part whatever its program does. While the program looks by itself,
/// which costs no switch of threads, that thread keeps out of its way.
///
/// Where two processes call each other at once, there may be two connections between them. Each sends by one alone, for
/// ever: the first that it made itself, or by which something has come from the other one.
///
/// Locks: who takes in has `taking_`, and may then take one connection's `mutex`, or `calls_mutex_`; who has a
/// connection's may take `calls_mutex_` or `loss_mutex_`, after which nobody takes any. So a server may send.
class tcp_side final : public detail::side_wire {
 public:
  /// Listens. Throws std::system_error.
  explicit tcp_side(side_identity who);
  tcp_side& operator=(tcp_side&&) = delete;
  ~tcp_side() override;

  /// Where it listens, and a key of its own.
  [[nodiscard]] place own_place() const;
  /// From now on others can be called. `near`: whether a process is on this host.
  void meet(std::span<place const> all, std::function<bool(std::uint32_t)> const& near);

  /// From now on messages are taken in. The server is made from `memory`.
  void start(host_memory& memory, side_events events);

  /// Collective over the processes of `job`, when no program sends any more: returns when all that was sent has been
  /// taken in, and what servers sent because of it. Calls `rest()` between looks. Then says goodbye, and stops.
  void finish(net::bootstrap& job, auto rest) {
    // Sums over all, one after the other: what had been taken in when each said so, then what had been sent. If they
    // are equal, nothing was under way between the two, and no server sends where nothing comes (F. Mattern, Algorithms
    // for distributed termination detection, 1987: four counters). All processes see the same sums.
    auto const sum = [&](std::atomic<std::int64_t> const& mine) {
      for (;;) {
        if (auto const all = job.sum(mine.load(std::memory_order_seq_cst))) return *all;
        rest();
      }
    };
    for (std::int64_t taken = 0, sent = 1; taken != sent;) {
      taken = sum(all_taken_);
      sent = sum(all_sent_);
    }
    say_goodbye();
    stop();
  }
  /// Takes nothing in any more, and ends the server; without a goodbye before, the others end the job.
  void stop() noexcept;

  void send(std::uint32_t to_process, std::span<std::byte const> head, std::span<std::byte const> body) override;
  [[nodiscard]] std::uint64_t sent(std::uint32_t to_process) const noexcept override;
  [[nodiscard]] std::uint64_t taken(std::uint32_t from_process) const noexcept override {
    return taken_[from_process].load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t queued(std::uint32_t to_process) const noexcept override;
  bool progress() override;
  void quit() noexcept override;
  void rests() noexcept override;
  [[nodiscard]] bool is_used() const noexcept override { return used_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t news() const noexcept override { return news_.load(std::memory_order_seq_cst); }
  void check() override { events_.check(); }
  void fail(std::string_view why) noexcept override { events_.fail(why); }
  detail::side_server& server() override { return *server_; }

  /// Connections whose other ends have not said who they are; for tests.
  [[nodiscard]] std::size_t strangers();

 private:
  /// A connection; used inside taking_, but for its socket.
  struct line {
    host::descriptor socket;
    std::uint32_t process = 0;
    std::uint32_t number = 0;
    frame_reader frames;
    bool any = false;  ///< a message has come
  };
  enum class ending : std::uint8_t { none, left, lost };
  /// What is sent to a process.
  struct outgoing {
    std::mutex mutex;    ///< of what follows
    line* by = nullptr;  ///< closed with this mutex
    frame_writer frames;
    bool called = false;
    ending how = ending::none;
    std::atomic<std::size_t> waiting{0};
    std::atomic<std::uint64_t> sent{0};

    [[nodiscard]] int socket() const noexcept { return by == nullptr ? -1 : by->socket.number(); }
  };
  struct receiver;

  outgoing& out_to(std::uint32_t process);
  void ask_for(std::uint32_t process);
  void make_calls(std::uint64_t now);
  void connected(dialer::outcome&& made);
  line& add_line(host::descriptor&& socket, std::uint32_t process);
  void send_by(outgoing& out, line& by);
  enum class looked : std::uint8_t { busy, nothing, moved };
  looked take_all();
  bool handle(poller::event const& e, std::uint64_t now);
  void look(std::uint64_t now);
  void take_from(std::uint32_t number);
  void has_taken(line& from, bool news);
  void end_line(line& from, frame_reader::state how);
  void send_waiting(line const& by);
  void after_sending(outgoing& out, std::uint32_t process, bool good, bool waited);
  void lose(std::uint32_t process, int problem) noexcept;
  void tell_of_loss(std::uint64_t now);
  void say_goodbye() noexcept;
  void call_thread() noexcept;
  void run();
  bool stand_aside();
  [[nodiscard]] std::uint64_t next_time() const noexcept;
  [[nodiscard]] int sleep_ms() const noexcept;

  side_identity const who_;
  poller poller_;
  door door_;
  std::optional<dialer> dialer_;
  host::descriptor call_;                                 ///< what the thread looks at beside the poller
  std::unique_ptr<std::atomic<outgoing*>[]> out_;         ///< by process; null: nothing was sent there
  std::vector<std::atomic<std::uint64_t>> taken_;         ///< by process
  std::atomic<std::int64_t> all_sent_{0}, all_taken_{0};  ///< messages
  std::unordered_map<std::uint32_t, line> lines_;         ///< by number
  std::uint32_t numbers_ = 0;
  std::unique_ptr<std::byte[]> room_;
  std::mutex taking_;
  bool arrived_ = false;  ///< inside taking_: somebody may wait for what has come
  std::unique_ptr<detail::side_server> server_;
  side_events events_;
  std::mutex calls_mutex_;
  std::vector<std::uint32_t> to_call_;
  std::atomic<bool> any_to_call_{false};
  std::atomic<std::uint64_t> next_look_{0};  ///< when time alone is reason to look; 0: never. Written inside taking_
  std::atomic<std::uint32_t> looks_{0};      ///< of the program
  std::atomic<bool> aside_{false};           ///< the thread waits for a call
  std::atomic<bool> used_{false};
  std::atomic<bool> ending_{false};
  std::atomic<std::uint64_t> news_{0};
  std::mutex loss_mutex_;
  std::string loss_;                            ///< of a connection; empty: none
  std::atomic<std::uint64_t> tell_loss_at_{0};  ///< 0: there is none, or it was told
  std::thread thread_;
};

/// Collective: all tell where they listen. `all` outlives the result. Throws option_error.
std::unique_ptr<tcp_side> open_tcp_side(net::bootstrap& job, std::span<net::presence const> all);

}  // namespace sheaf::side
