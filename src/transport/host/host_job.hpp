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

#include "sheaf/base/options.hpp"
#include "sheaf/transport/host_memory.hpp"
#include "transport/host/ring.hpp"

namespace sheaf::host {

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

  /// Throws job_aborted with the reason.
  [[noreturn]] void throw_reason() const;

 private:
  heap_memory heap_;
  host_memory* own_ = nullptr;
  std::uint32_t first_ = 0;
  std::vector<process_root*> roots_;  ///< this process's first
  std::vector<mailbox*> boxes_;       ///< by number on the host
  std::function<std::string()> const lost_;
  std::atomic<std::uint64_t> next_look_{0};  ///< at the other processes
};

}  // namespace sheaf::host
