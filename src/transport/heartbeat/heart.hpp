// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "sheaf/base/options.hpp"
#include "transport/host/segment.hpp"
#include "transport/net/meeting.hpp"

namespace sheaf::heartbeat {

/// `beat`: I live. `goodbye`: I have finished, do not wait for me. `end`: the job ends, since `about` is lost.
enum class datagram_kind : std::uint32_t { beat = 1, goodbye = 2, end = 3 };

/// What processes of one job tell each other beside MPI, in the byte order of the machine. Anybody may send anything to
/// a socket: only what `read` accepts is looked at further.
struct datagram {
  static constexpr std::uint64_t our_mark = 0x7461656265686873u;

  std::uint64_t mark = our_mark;
  std::uint64_t key = 0;    ///< of the job
  std::uint32_t from = 0;   ///< process that sends it
  std::uint32_t to = 0;     ///< process that it is for: addresses of hosts on other networks may be the same
  std::uint32_t about = 0;  ///< of `end`: the process that is lost
  datagram_kind kind = datagram_kind::beat;
};
static_assert(sizeof(datagram) == 32 && std::is_trivially_copyable_v<datagram>);

/// The datagram in these bytes for process `self` of `size` in the job of this key; nothing where they are no such.
inline std::optional<datagram> read(std::span<std::byte const> bytes, std::uint64_t key, std::uint32_t self,
                                    std::uint32_t size) noexcept {
  datagram d;
  if (bytes.size() != sizeof d) return {};
  std::memcpy(&d, bytes.data(), sizeof d);
  bool const ours = d.mark == datagram::our_mark && d.key == key && d.to == self;
  bool const sound = d.from < size && d.from != self && d.about < size && d.kind >= datagram_kind::beat &&
                     d.kind <= datagram_kind::end;
  return ours && sound ? std::optional(d) : std::nullopt;
}

/// Carries a datagram to a process; may lose it.
using courier = std::function<void(std::uint32_t process, std::span<std::byte const> bytes)>;

/// Process `about` is lost: nothing has come from it for `silent_ns`. `told_by` says so, this process or another one.
struct finding {
  std::uint32_t about = 0;
  std::uint64_t silent_ns = 0;
  std::uint32_t told_by = 0;
};

/// One process's share of the heartbeats, without a clock, a thread or a socket of its own. The processes stand in a
/// ring; each beats to its two neighbours, and finds one lost that it has heard before and does not hear for the limit.
/// Each part of a network that is cut has one with a neighbour beyond the cut. Who finds a loss tells all.
class pulse {
 public:
  /// `key` is the job's own. Times are nanoseconds of a steady clock.
  pulse(std::uint32_t self, std::uint32_t size, std::uint64_t key, std::uint64_t limit_ns, std::uint64_t now);

  /// Bytes that came; what is not of this job is passed over.
  void received(std::uint64_t now, std::span<std::byte const> bytes);

  /// Sends what is due, and judges by what `received` got till now. Returns when to call again, unless something comes.
  std::uint64_t tick(std::uint64_t now, courier const& out);

  /// Tells the neighbours that this process has finished.
  void say_goodbye(courier const& out) {
    for (neighbour const& each : neighbours_) send(each.process, datagram_kind::goodbye, out);
  }

  /// Tells everybody what has been found.
  void tell_all(courier const& out);

  [[nodiscard]] std::optional<finding> const& found() const noexcept { return found_; }

  /// A neighbour not heard at all within the limit; each is given once. It is not watched until it is heard: a network
  /// that lets no such datagrams through must not end a job.
  std::optional<std::uint32_t> never_heard(std::uint64_t now);

  /// The time between two beats where this is the limit: a fifth of it, and a second at most.
  static constexpr std::uint64_t period_for(std::uint64_t limit_ns) noexcept {
    return std::min<std::uint64_t>(limit_ns / 5, 1'000'000'000);
  }

 private:
  struct neighbour {
    std::uint32_t process = 0;
    std::uint64_t heard_ns = 0;  ///< when; or when the watch began
    bool heard = false;          ///< since when it is watched
    bool left = false;           ///< it has said goodbye
    bool reported = false;       ///< by never_heard
  };

  neighbour* find(std::uint32_t process) noexcept;
  void send(std::uint32_t to, datagram_kind kind, courier const& out);

  std::uint32_t const self_;
  std::uint32_t const size_;
  std::uint64_t const key_;
  std::uint64_t const limit_ns_;
  std::uint64_t const period_ns_;
  std::vector<neighbour> neighbours_;
  std::uint64_t next_beat_ns_ = 0;
  std::uint64_t last_tick_ns_;
  std::optional<finding> found_;
};

/// An IPv4 address and a port, as one number.
enum class address : std::uint64_t {};

/// The number 127.0.0.1: this host, on every host.
inline constexpr std::uint32_t loopback = 0x7f000001;

/// At most `most` IPv4 addresses at which other hosts may reach this one: of all networks that are up but loopback.
std::vector<std::uint32_t> reachable(std::size_t most);

constexpr address make_address(std::uint32_t ip, std::uint16_t port) noexcept {
  return address{std::uint64_t{ip} << 16 | port};
}

/// A UDP socket at all addresses of the host, on a port that the system chooses. Closed on exec. No call blocks.
class udp_socket {
 public:
  /// Throws std::system_error.
  udp_socket();

  [[nodiscard]] int number() const noexcept { return socket_.number(); }
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }

  /// Sends, or does not: nothing is told about it.
  void send(address to, std::span<std::byte const> bytes) noexcept;

  /// The next datagram that has come, in `room`; a longer one is cut.
  std::optional<std::span<std::byte const>> receive(std::span<std::byte> room) noexcept;

 private:
  host::descriptor socket_;
  std::uint16_t port_ = 0;
};

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

/// The thread that sends and hears heartbeats. It blocks all signals and calls neither MPI nor the message path.
class heart {
 public:
  /// Throws std::system_error where there can be no thread.
  heart(std::unique_ptr<udp_socket> line, roster who, std::uint64_t limit_ns, listener news);
  heart& operator=(heart&&) = delete;
  /// Says goodbye to the neighbours; ends the thread and closes the socket.
  ~heart();

 private:
  void run();
  void take_news(std::uint64_t now);
  void tell_of_loss();

  std::unique_ptr<udp_socket> const line_;
  roster const who_;
  listener const news_;
  std::atomic<bool> stop_{false};
  courier const out_;  ///< to every place of a process
  pulse pulse_;
  std::thread thread_;
};

/// Where a process hears heartbeats; told to all others at start.
struct heartbeat_place {
  static constexpr std::size_t most_addresses = 4;

  std::uint64_t key = 0;  ///< that of process 0 becomes the job's
  std::uint32_t ips[most_addresses] = {};
  std::uint32_t count = 0;  ///< of ips
  std::uint16_t port = 0;
};

/// Whether a job of these processes has heartbeats: where the setting says so, or they are on several hosts.
bool wants_heartbeats(options const& settings, std::span<net::presence const> all);

/// Where `self` sends to, by process: all addresses that each has told, and by loopback within its own host, too.
std::vector<std::vector<address>> heartbeat_routes(std::span<net::presence const> all,
                                                   std::span<heartbeat_place const> places, std::uint32_t self);

/// What process `self` says about a loss that it has found.
std::string text_of(finding const& what, std::span<net::presence const> all, std::uint32_t self, unsigned limit_s);

/// What it says about a process that it has never heard.
std::string text_of_never_heard(std::uint32_t process, std::span<net::presence const> all, std::uint32_t self);

/// Collective. The heartbeats of this process until it is destroyed; null where the job has none. They end the process
/// where they find another one lost. Throws option_error where there is no socket or no thread. `job` outlives it.
std::unique_ptr<heart> start_heartbeats(options const& settings, net::meeting const& job);

}  // namespace sheaf::heartbeat
