// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Several processes of a side wire over TCP, played in one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sheaf/base/error.hpp"
#include "transport/side/tcp_side.hpp"

namespace sheaf_test {

using message_bytes = std::vector<std::byte>;

/// Keeps what it takes, by source; sends back the rest of what begins with `asks`.
class side_recorder final : public sheaf::detail::side_server {
 public:
  explicit side_recorder(sheaf::detail::side_context const& of) : of_(of), got_(most) {}

  static constexpr std::byte asks{'?'};

  bool take(std::uint32_t from, std::span<std::byte const> message) noexcept override {
    if (busy_[from].exchange(true)) overlapped = true;
    if (message[0] == asks && message.size() > 1) of_.wire.send(from, message.subspan(1));
    {
      std::lock_guard const hold(mutex_);
      got_[from].emplace_back(message.begin(), message.end());
      ++count_;
    }
    changed_.notify_all();
    busy_[from] = false;
    return true;
  }

  /// Until so many messages have come from all.
  void await(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }
  std::vector<message_bytes> from(std::uint32_t source) {
    std::lock_guard const hold(mutex_);
    return got_[source];
  }
  std::size_t count() {
    std::lock_guard const hold(mutex_);
    return count_;
  }
  std::atomic<bool> overlapped{false};  ///< two messages of one source at once

 private:
  static constexpr std::size_t most = 16;  // processes

  sheaf::detail::side_context const of_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<message_bytes>> got_;
  std::size_t count_ = 0;
  std::atomic<bool> busy_[most] = {};
};

/// While it lives, side wires have such servers.
struct recorders {
  recorders() { sheaf::detail::side_server_maker = &make; }
  recorders(recorders const&) = delete;
  recorders& operator=(recorders const&) = delete;
  ~recorders() { sheaf::detail::side_server_maker = before_; }

 private:
  static std::unique_ptr<sheaf::detail::side_server> make(sheaf::detail::side_context const& of) {
    return std::make_unique<side_recorder>(of);
  }
  sheaf::detail::make_side_server const before_ = sheaf::detail::side_server_maker;
};

/// Sums of processes that are threads.
class summing {
 public:
  explicit summing(std::uint32_t size) : open_(size), results_(size) {}

  std::optional<std::int64_t> sum(std::uint32_t rank, std::int64_t mine) {
    std::lock_guard const hold(mutex_);
    if (std::exchange(open_[rank], char{1}) == 0) {
      results_[rank].reset();
      total_ += mine;
      if (++there_ == open_.size()) {
        for (auto& one : results_) one = total_;
        there_ = 0;
        total_ = 0;
      }
    }
    if (results_[rank]) open_[rank] = 0;
    return std::exchange(results_[rank], std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::vector<char> open_;
  std::vector<std::optional<std::int64_t>> results_;
  std::size_t there_ = 0;
  std::int64_t total_ = 0;
};

class summing_bootstrap final : public sheaf::net::bootstrap {
 public:
  summing_bootstrap(summing& all, std::uint32_t rank, std::uint32_t size) : all_(all), rank_(rank), size_(size) {}
  sheaf::net::thread_level level() const noexcept override { return sheaf::net::thread_level::one_at_a_time; }
  std::uint32_t rank() const noexcept override { return rank_; }
  std::uint32_t size() const noexcept override { return size_; }
  void exchange(std::span<std::byte const>, std::span<std::byte>) override {}
  std::optional<std::int64_t> sum(std::int64_t mine) override { return all_.sum(rank_, mine); }
  void abort(std::uint32_t, std::string_view) noexcept override {}
  void close() noexcept override {}

 private:
  summing& all_;
  std::uint32_t const rank_, size_;
};

/// The first failure of a process, which can be waited for.
class failure_slot {
 public:
  void set(std::string_view why) {
    {
      std::lock_guard const hold(mutex_);
      if (text_.empty()) text_ = why;
    }
    changed_.notify_all();
  }
  std::string await() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !text_.empty(); });
    return text_;
  }
  std::string now() {
    std::lock_guard const hold(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
};

/// Processes that reach each other by loopback.
class side_company {
 public:
  explicit side_company(std::uint32_t size, sheaf::side::dial_limits dialing = {}) : failures_(size), arrivals_(size) {
    constexpr std::uint64_t patience_ns = 20'000'000;
    auto const name_of = [](std::uint32_t process) { return "location " + std::to_string(process); };
    for (std::uint32_t i = 0; i < size; ++i) {
      wires_.push_back(std::make_unique<sheaf::side::tcp_side>(
          sheaf::side::side_identity{i, size, 1, name_of, patience_ns, dialing}));
      places_.push_back(wires_.back()->own_place());
    }
  }

  std::vector<sheaf::side::place>& places() { return places_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(wires_.size()); }

  void meet() {
    for (auto& each : wires_) each->meet(places_, [](std::uint32_t) { return true; });
  }
  void start(std::uint32_t i) {
    failure_slot& failed = failures_[i];
    std::atomic<int>& arrived = arrivals_[i];
    auto const check = [&failed] {
      if (std::string const why = failed.now(); !why.empty()) throw sheaf::job_aborted(why);
    };
    wires_[i]->start(memory_, {[&arrived] { ++arrived; }, [&failed](std::string_view why) { failed.set(why); }, check});
  }
  void start_all() {
    meet();
    for (std::uint32_t i = 0; i < size(); ++i) start(i);
  }
  /// All of them, which each does on a thread of its own.
  void finish_all() {
    summing sums(size());
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < size(); ++i) {
      threads.emplace_back([&, i] {
        summing_bootstrap job(sums, i, size());
        wires_[i]->finish(job, [] { std::this_thread::yield(); });
      });
    }
    for (std::thread& t : threads) t.join();
  }

  /// One ends without a goodbye.
  void leave(std::uint32_t i) { wires_[i].reset(); }

  void send(std::uint32_t from, std::uint32_t to, std::span<std::byte const> message) {
    wires_[from]->send(to, message, {});
  }
  sheaf::side::tcp_side& wire(std::uint32_t i) { return *wires_[i]; }
  side_recorder& server(std::uint32_t i) { return static_cast<side_recorder&>(wires_[i]->server()); }
  failure_slot& failure(std::uint32_t i) { return failures_[i]; }
  int arrivals(std::uint32_t i) { return arrivals_[i].load(); }

 private:
  recorders const with_;
  sheaf::heap_memory memory_;
  std::vector<sheaf::side::place> places_;
  std::vector<failure_slot> failures_;
  std::vector<std::atomic<int>> arrivals_;
  std::vector<std::unique_ptr<sheaf::side::tcp_side>> wires_;
};

}  // namespace sheaf_test
