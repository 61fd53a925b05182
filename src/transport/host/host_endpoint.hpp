// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/endpoint.hpp"
#include "transport/host/ring.hpp"
#include "transport/host/yielding.hpp"

namespace sheaf::host {

/// The threads that play the locations of one process. `cores`: where to bind each; empty: they float. Calls `play(i)`
/// on thread i, 0 on the caller, all at once, and returns when all have; once its own has ended the caller calls
/// `tend()` again and again, if it is there. Throws what one of them has thrown, once all have returned. Throws
/// option_error, and plays nothing, where the system refuses a thread; `variable` is the setting that asks for them.
void play_together(std::uint32_t count, std::vector<int> const& cores, std::function<void(std::uint32_t)> const& play,
                   char const* variable, std::function<void()> const& tend = {});

/// What others write of one location, apart from its rings.
struct alignas(64) mailbox {
  doorbell bell;
  std::atomic<ring*> fresh{nullptr};  ///< rings that lead here and are not in the inbox yet
};

/// What one process shows the others of its host; its mailboxes, one for each location, follow. All zero, it is one.
struct alignas(64) process_root {
  enum class state : std::uint32_t { runs, failing, has_failed };

  std::atomic<state> job{state::runs};
  char reason[1020] = {};  ///< there once the job has failed

  [[nodiscard]] mailbox* boxes() noexcept { return reinterpret_cast<mailbox*>(this + 1); }
  static std::size_t bytes(std::uint32_t locations) noexcept {
    return sizeof(process_root) + locations * sizeof(mailbox);
  }
};

/// What all locations of a job share that are on this host. They are numbered there, process by process.
class host_job {
 public:
  /// The locations of one process, and no others.
  explicit host_job(options const& resolved);

  /// Of several processes of `local.locations` each; this one is at `place`, and shows memory of `own`, which all map.
  /// `lost` says which of the others has ended before the job, in a sentence, or nothing. All outlive it.
  host_job(options const& local, std::span<process_root* const> roots, std::uint32_t place, host_memory& own,
           std::function<std::string()> lost = {});
  host_job& operator=(host_job&&) = delete;
  ~host_job();

  options const settings;

  /// Locations on the host, and which of them is the first of this process.
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(boxes_.size()); }
  [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
  [[nodiscard]] mailbox& box(std::uint32_t index) const noexcept { return *boxes_[index]; }
  /// Of a location of this process.
  [[nodiscard]] doorbell& bell(std::uint32_t lane) const noexcept { return boxes_[first_ + lane]->bell; }
  /// Where the blocks of a location of another process lie; empty: it is of this one.
  [[nodiscard]] std::span<std::byte const> memory_of(location_id l) const noexcept;
  [[nodiscard]] host_memory& shown() noexcept { return own_ != nullptr ? *own_ : heap_; }

  [[nodiscard]] bool failed() const noexcept {
    return roots_[0]->job.load(std::memory_order_seq_cst) == process_root::state::has_failed;
  }
  /// Marks the job as failed; the first reason is kept. Wakes every location of the host.
  void fail(location_id by, std::string_view reason) noexcept;
  void fail(std::string_view whole_reason) noexcept;

  /// Calls `f`; where it throws, the others of the host shall not wait for this location.
  template <class F>
  void or_fail(location_id l, F const& f) try {
    f();
  } catch (std::exception const& thrown) {
    fail(l, thrown.what());
    throw;
  }

  /// Until when one may sleep that wants to until `deadline_ns` (0: none). A killed process wakes nobody, so where
  /// there are several, one of the sleepers looks after the others each second.
  [[nodiscard]] std::uint64_t watched(std::uint64_t deadline_ns, std::uint64_t now_ns);

  /// Why the job has failed, where that is because a process has ended; else empty.
  [[nodiscard]] std::string loss() const { return failed() && lost_ && lost_() == roots_[0]->reason ? lost_() : ""; }

  /// Throws job_aborted with the reason, if the job has failed.
  void check() const {
    if (failed()) [[unlikely]]
      throw_reason();
  }

 private:
  [[noreturn]] void throw_reason() const;

  heap_memory heap_;
  host_memory* own_ = nullptr;
  std::uint32_t first_ = 0;
  std::vector<process_root*> roots_;  ///< this process's first
  std::vector<mailbox*> boxes_;       ///< by number on the host
  std::function<std::string()> const lost_;
  std::atomic<std::uint64_t> next_look_{0};  ///< at the other processes
};

/// One location of a host: a thread of this process, or of one that shares its memory. Entries pass through a ring for
/// each ordered pair and class, made on first use: inline entries in its slots, buffers by pointer, whose blocks come
/// back to the sender's pool. All endpoints of a job outlive the threads that use them.
class host_endpoint final : public endpoint, public block_home {
 public:
  host_endpoint(location_id self, host_job& job);
  ~host_endpoint() override;

  /// Whether anything has changed for this location since its last receive and its last sends.
  bool changed();

  /// No wake-up is lost. What this location waits for is stored before this bell is looked at: arrivals and rings by
  /// senders, failure by who fails, credit by receivers, which look at `wants_credit` first; that is set before the
  /// bell is armed, so it is covered by the same order. `changed` looks at all after that.
  ///
  /// Sleeps until something changes here, until the bell is rung with `more()` true, or until `deadline_ns` (0: none).
  template <class More = bool (*)()>
  void sleep(
      std::uint64_t deadline_ns, sleeper who = sleeper::owner, More more = [] { return false; }) {
    for (ring_sender* const line : refused_) line->await_credit();
    bool const slept = box_.bell.sleep(
        job_.watched(deadline_ns, do_now()), [&] { return changed() || more(); }, who, gate_);
    bool awaited = !refused_.empty();
    for (ring_sender* const line : made_) awaited = line->stop_awaiting() || awaited;
    if (gate_ != nullptr && awaited) box_.bell.ring();  // the other sleeper awaits credit no longer, either
    if (slept) ++counts_.sleeps;
  }

  // For an endpoint around this one, which counts.
  buffer do_acquire(location_id dest, std::size_t bytes) override;
  bool do_send(location_id dest, traffic kind, buffer& b) override;
  bool do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) override;
  bool do_receive(wanted which, arrival& out) override;
  [[nodiscard]] bool do_shows_nothing() const noexcept override;
  void do_consumed(location_id source, traffic kind, buffer* keep) override;
  std::uint32_t do_backlog(location_id dest, traffic kind) override;
  void do_idle(std::uint32_t round, std::uint64_t deadline_ns) override;
  std::uint64_t do_now() override { return steady_ns(); }
  void do_fail(std::string_view reason) noexcept override;
  void do_outside(outside_call what, std::uint64_t deadline_ns) override;

 private:
  void give_back(std::byte* data, std::size_t capacity) noexcept override { pool_.put(data, capacity); }
  struct own_home final : block_home {
    explicit own_home(block_pool& pool) : to(pool) {}
    void give_back(std::byte* data, std::size_t capacity) noexcept override { to.put(data, capacity); }
    block_pool& to;
  };
  ring_sender& line_to(location_id dest, traffic kind) {
    auto const& line = lines_[index(kind)][number(dest)];
    return line != nullptr ? *line : make_line(dest, kind);
  }
  block_pool& pool_for(location_id dest) noexcept { return dest == self() ? own_pool_ : pool_; }
  [[nodiscard]] bool is_to_be_copied(location_id dest, buffer const& b) const noexcept;
  void copy_to_another(buffer& b);
  ring_sender& make_line(location_id dest, traffic kind);
  bool refuse(ring_sender& line);
  [[nodiscard]] bool has_room(ring_sender const& line, traffic kind) const noexcept;
  void reclaim_all() noexcept;
  void meet_fresh_rings();

  host_job& job_;
  mailbox& box_;
  wanted last_wanted_ = wanted::all;
  yielding yielding_;
  std::vector<ring_head> heads_;  ///< of all rings that lead here
  std::vector<inbox> in_;         ///< by class
  /// By class and destination; null until first used.
  std::vector<std::unique_ptr<ring_sender>> lines_[traffic_classes];
  std::vector<ring_sender*> made_;               ///< all that are not null
  std::vector<ring_sender*> refused_;            ///< those that refused a send and gave no credit since
  std::size_t const share_;                      ///< of the budget, for requests in flight
  std::size_t in_flight_[traffic_classes] = {};  ///< bytes of blocks, by class
  block_pool pool_;
  /// Blocks of requests to this location itself stay in its core's cache; in one pool, every second would not.
  block_pool own_pool_;
  own_home own_blocks_{own_pool_};
  std::vector<std::byte*> copied_;  ///< blocks of pool_ that were sent as copies, and so are in this core's caches
};

}  // namespace sheaf::host
