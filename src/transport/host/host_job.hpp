// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/gate.hpp"
#include "sheaf/base/location_id.hpp"
#include "sheaf/base/options.hpp"
#include "sheaf/transport/buffer.hpp"

namespace sheaf::host {

struct ring;

/// Who sleeps: the location itself, or one outsider that sees to its transport while it computes.
enum class sleeper : std::uint32_t { owner = 1, outsider = 2 };

/// Where one location sleeps, and one outsider; any thread that sees it may ring. Memory that is all zero is one. One
/// word tells a writer whether anybody does.
///
/// No wake-up is lost. A writer stores a word and then looks at the bell; who sleeps arms the bell and then looks at
/// the word. All four are sequentially consistent: in their one order the store comes before the sleeper's look, or the
/// arming before the writer's.
class doorbell {
 public:
  enum class used_by : std::uint32_t { several_processes, one_process };
  doorbell() = default;
  explicit doorbell(used_by whom) noexcept : used_by_(whom) {}

  /// Sleeps until rung or until `deadline_ns` of the steady clock (0: none) has passed, or less. Does not sleep when
  /// `changed()`, called after the bell is armed, says that there is no need. True: it slept. While it sleeps it is
  /// outside of the gate.
  template <class Changed>
  bool sleep(std::uint64_t deadline_ns, Changed&& changed, sleeper who = sleeper::owner, detail::gate* gate = nullptr) {
    auto const bit = static_cast<std::uint32_t>(who);
    armed_.fetch_or(bit, std::memory_order_seq_cst);
    bool const needed = !changed();
    if (needed) {
      detail::gate_break const outside(gate);
      wait(bit, deadline_ns);
    }
    armed_.fetch_and(~bit, std::memory_order_seq_cst);
    return needed;
  }

  /// To be called after a sequentially consistent store.
  void ring() noexcept {
    if (armed_.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      wake();
  }

 private:
  void wait(std::uint32_t bit, std::uint64_t deadline_ns) noexcept;
  void wake() noexcept;

  std::atomic<std::uint32_t> armed_{0};
  used_by const used_by_ = used_by::several_processes;
};

/// The threads that play the locations of one process; the caller is the first of them. `cores`: where to bind each;
/// empty: they float. Calls `play(i)` on thread i, 0 on the caller, all at once, and returns when all have returned;
/// meanwhile, once its own play has ended, the caller calls `tend()` again and again, unless that is empty. Throws
/// option_error, and plays nothing, where the system refuses a thread; `variable` is the setting that asks for them.
void play_together(std::uint32_t count, std::vector<int> const& cores, std::function<void(std::uint32_t)> const& play,
                   char const* variable, std::function<void()> const& tend = {});

/// What others write of one location, apart from its rings.
struct alignas(64) mailbox {
  doorbell bell;
  std::atomic<ring*> fresh{nullptr};  ///< rings that lead here and are not in the inbox yet
};

/// What one process shows the others of its host; its mailboxes, one for each of its locations, follow. Memory that is
/// all zero is one already: others may use it before its owner does.
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

  /// Of several processes, each of which has `local.locations`; this one is at `place`. What this process shows comes
  /// from `own`, which is mapped by all. `lost` says, in a sentence, which of the others has ended before the job;
  /// empty: none. All outlive it.
  host_job(options const& local, std::span<process_root* const> roots, std::uint32_t place, host_memory& own,
           std::function<std::string()> lost = {});
  host_job(host_job const&) = delete;
  host_job& operator=(host_job const&) = delete;
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

  /// For who is about to sleep until `deadline_ns` (0: none): until when it may. A process that is killed wakes nobody,
  /// so where there are several, one of the sleepers looks after the others each second.
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

}  // namespace sheaf::host
