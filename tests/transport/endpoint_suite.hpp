// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// What every transport must do, as cases that run over any launcher. No test framework is used here, so that the same
/// cases run under mpirun, where each process reports for itself: `run_endpoint_case` returns what went wrong, or "".
///
/// The content of every entry follows from (source, destination, class, position), so that a receiver notices any entry
/// that is lost, repeated, out of order, cut or changed. Every case ends with a farewell from each location to each;
/// the launcher must still deliver entries that were taken before the sender's body returned.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"

namespace sheaf_test {

using sheaf::arrival;
using sheaf::buffer;
using sheaf::endpoint;
using sheaf::location_id;
using sheaf::options;
using sheaf::traffic;
using sheaf::wanted;

using launcher = std::function<void(options const&, sheaf::location_body&)>;

/// The complaints of all locations of this process.
class complaints {
 public:
  void expect(bool good, endpoint const& at, std::string const& what) {
    if (good) return;
    std::lock_guard const hold(mutex_);
    if (++count_ <= 10) text_ += "location " + std::to_string(number(at.self())) + ": " + what + "\n";
  }
  std::string text() const { return count_ > 10 ? text_ + "and " + std::to_string(count_ - 10) + " more\n" : text_; }

 private:
  std::mutex mutex_;
  std::string text_;
  std::size_t count_ = 0;
};

/// One step of SplitMix64: all that is random in the suite.
inline std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Where an entry stands: the `position`-th of its class from `source` to `dest`.
struct place {
  location_id source{};
  location_id dest{};
  traffic kind{};
  std::uint64_t position = 0;

  std::uint64_t key() const {
    return mix(mix(mix(number(source)) + number(dest)) * 2 + static_cast<std::uint64_t>(kind)) + mix(position);
  }
};

enum class sizes : std::uint8_t { any, inline_only, brief };

/// The bytes of the entry at `where`: most are small enough to travel inline, a few are far beyond any buffer (of 700
/// bytes at most where `range` is brief, for transports with tiny packets).
inline std::vector<std::byte> content(place const& where, sizes range) {
  std::uint64_t random = mix(where.key());
  std::size_t const dice = random % 100;
  std::size_t limit = 120;
  if (range == sizes::any && dice >= 60) limit = dice == 99 ? 3u << 20 : 9000;
  if (range == sizes::brief && dice >= 60) limit = 700;
  std::vector<std::byte> bytes(1 + (random >> 20) % limit);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof random) {
    random = random * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
    std::memcpy(bytes.data() + i, &random, std::min(sizeof random, bytes.size() - i));
  }
  return bytes;
}

/// One location's side of a case: sends numbered entries, keeping those refused, and checks all that arrive.
class player {
 public:
  player(endpoint& connection, complaints& log, sizes range)
      : at_(connection), log_(log), range_(range), lines_(connection.size()) {}

  endpoint& at() { return at_; }
  std::uint32_t size() const { return at_.size(); }
  std::uint64_t received(traffic kind) const { return total_[index(kind)]; }
  std::uint64_t received(location_id source, traffic kind) const { return lines_[number(source)].got[index(kind)]; }
  void expect(bool good, std::string const& what) { log_.expect(good, at_, what); }

  /// Queues the next entry of the class to `dest` and sends what can be sent.
  void post(location_id dest, traffic kind) {
    line& l = lines_[number(dest)];
    ++l.posted[index(kind)];
    ++unsent_;
    push(dest, kind);
  }

  /// Tries to send the next unsent entry of the class to `dest`. False: refused.
  bool send_next(location_id dest, traffic kind) {
    line& l = lines_[number(dest)];
    place const where{at_.self(), dest, kind, l.sent[index(kind)]};
    std::vector<std::byte> const bytes = content(where, range_);
    if (!try_send(where, bytes)) {
      ++refused_;
      return false;
    }
    ++l.sent[index(kind)];
    --unsent_;
    sent_bytes_[index(kind)] += bytes.size();
    return true;
  }

  /// Sends what was refused and delivers at most one arrival to `on_arrival(arrival)`, then consumes it. True:
  /// something moved.
  template <class OnArrival>
  bool step(wanted which, OnArrival&& on_arrival) {
    bool moved = false;
    for (std::uint32_t d = 0; d < size() && unsent_ != 0; ++d) {
      for (std::size_t k = 0; k < sheaf::traffic_classes; ++k) moved |= push(location_id{d}, static_cast<traffic>(k));
    }
    arrival in;
    if (!at_.receive(which, in)) return moved;
    verify(in);
    on_arrival(in);
    at_.consumed(in.source, in.kind);
    return true;
  }

  /// Steps, idling where nothing moves, until `done()`.
  template <class Done, class OnArrival>
  void until(Done&& done, wanted which, OnArrival&& on_arrival) {
    for (std::uint32_t round = 0; !done();) {
      if (step(which, on_arrival)) {
        round = 0;
      } else if (!done()) {
        at_.idle(round++);
      }
    }
  }
  template <class Done>
  void until(Done&& done) {
    until(done, wanted::all, [](arrival const&) {});
  }

  /// Checks an arrival against what must come next from its source in its class.
  void verify(arrival const& in) {
    expect(number(in.source) < size(), "an arrival from location " + std::to_string(number(in.source)));
    place const where{in.source, at_.self(), in.kind, lines_[number(in.source)].got[index(in.kind)]++};
    std::vector<std::byte> const right = content(where, range_);
    bool const same = in.bytes.size() == right.size() && std::memcmp(in.bytes.data(), right.data(), right.size()) == 0;
    expect(same, "entry " + std::to_string(where.position) + " of class " + std::to_string(index(in.kind)) + " from " +
                     std::to_string(number(in.source)) + " is wrong: " + std::to_string(in.bytes.size()) +
                     " bytes for " + std::to_string(right.size()));
    ++total_[index(in.kind)];
    received_bytes_[index(in.kind)] += in.bytes.size();
  }

  /// To be called when all else has arrived, `answers` answers included (others' farewells may already be among those
  /// received): says farewell to all, waits for theirs, checks the endpoint's counts.
  void finish(std::uint64_t answers) {
    take_leave(answers);
    check_counts();
  }
  /// Says farewell to all and waits for theirs.
  void take_leave(std::uint64_t answers) {
    for (std::uint32_t d = 0; d < size(); ++d) post(location_id{d}, traffic::answer);
    until([&] { return unsent_ == 0 && received(traffic::answer) == answers + size(); });
  }

 private:
  /// What passed between this location and one other, by class.
  struct line {
    std::uint64_t posted[sheaf::traffic_classes] = {};
    std::uint64_t sent[sheaf::traffic_classes] = {};
    std::uint64_t got[sheaf::traffic_classes] = {};
  };
  static std::size_t index(traffic kind) { return static_cast<std::size_t>(kind); }

  bool push(location_id dest, traffic kind) {
    line const& l = lines_[number(dest)];
    bool moved = false;
    while (l.sent[index(kind)] < l.posted[index(kind)] && send_next(dest, kind)) moved = true;
    return moved;
  }

  bool try_send(place const& where, std::vector<std::byte> const& bytes) {
    bool const small = bytes.size() <= at_.inline_capacity() && where.key() % 8 != 0;
    if (small) {
      bool const taken = at_.send_inline(where.dest, where.kind, bytes);
      inlines_[index(where.kind)] += taken;
      return taken;
    }
    buffer b = at_.acquire(where.dest, bytes.size());
    expect(b && b.capacity() >= bytes.size(), "acquire(" + std::to_string(bytes.size()) + ") gave too little");
    std::memcpy(b.data(), bytes.data(), bytes.size());
    b.set_size(bytes.size());
    std::byte const* const data = b.data();
    bool const taken = at_.send(where.dest, where.kind, b);
    buffers_[index(where.kind)] += taken;
    bool const untouched = b.data() == data && b.size() == bytes.size();
    expect(taken ? !b : untouched, taken ? "a buffer that was taken is not empty" : "a refused buffer was touched");
    return taken;
  }

  void check_counts() {
    sheaf::endpoint_counts const& c = at_.counts();
    for (std::size_t k = 0; k < sheaf::traffic_classes; ++k) {
      expect(c.buffers_sent[k] == buffers_[k], "buffers_sent is wrong");
      expect(c.inline_sent[k] == inlines_[k], "inline_sent is wrong");
      expect(c.bytes_sent[k] == sent_bytes_[k], "bytes_sent is wrong");
      expect(c.entries_received[k] == total_[k], "entries_received is wrong");
      expect(c.bytes_received[k] == received_bytes_[k], "bytes_received is wrong");
    }
    expect(c.refused == refused_, "refused is wrong");
  }

  endpoint& at_;
  complaints& log_;
  sizes range_;
  std::vector<line> lines_;
  std::uint64_t unsent_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t total_[sheaf::traffic_classes] = {};
  std::uint64_t buffers_[sheaf::traffic_classes] = {};
  std::uint64_t inlines_[sheaf::traffic_classes] = {};
  std::uint64_t sent_bytes_[sheaf::traffic_classes] = {};
  std::uint64_t received_bytes_[sheaf::traffic_classes] = {};
};

/// A case: what each location does, given the settings of the job.
struct endpoint_case {
  char const* name;
  sizes range;
  void (*play)(player&, options const&);
};

/// How a test framework shows a case.
inline void PrintTo(endpoint_case const& c, std::ostream* out) { *out << c.name; }

/// Runs the case on all locations; returns the complaints of this process.
inline std::string run_endpoint_case(endpoint_case const& what, launcher const& launch, options const& resolved) {
  struct body final : sheaf::location_body {
    endpoint_case const& what;
    options const& settings;
    complaints log;
    body(endpoint_case const& w, options const& s) : what(w), settings(s) {}
    void run(endpoint& connection) override {
      try {
        player p(connection, log, what.range);
        what.play(p, settings);
      } catch (std::exception const& e) {
        log.expect(false, connection, std::string("unexpected exception: ") + e.what());
        connection.fail("a location of the suite threw");
      }
    }
  } each(what, resolved);
  launch(resolved, each);
  return each.log.text();
}

}  // namespace sheaf_test
