// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/host_job.hpp"

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <utility>

#include "sheaf/base/error.hpp"
#include "transport/host/segment.hpp"

namespace sheaf::host {

host_job::host_job(options const& resolved) : settings(resolved) {
  std::byte* const at = heap_.take(process_root::bytes(settings.locations));
  roots_ = {::new (at) process_root};
  for (std::uint32_t i = 0; i < settings.locations; ++i) {
    boxes_.push_back(::new (roots_[0]->boxes() + i) mailbox{doorbell(doorbell::used_by::one_process)});
  }
}

host_job::host_job(options const& local, std::span<process_root* const> roots, std::uint32_t place, host_memory& own,
                   std::function<std::string()> lost)
    : settings(local),
      own_(&own),
      first_(place * local.locations),
      roots_(roots.begin(), roots.end()),
      lost_(std::move(lost)) {
  for (process_root* const root : roots_) {
    for (std::uint32_t i = 0; i < settings.locations; ++i) boxes_.push_back(root->boxes() + i);
  }
  std::swap(roots_[0], roots_[place]);
}

/// All segments are as large as the own one, and begin with the root.
std::span<std::byte const> host_job::memory_of(location_id l) const noexcept {
  if (own_ == nullptr || number(l) - first_ < settings.locations) return {};
  std::byte const* const box =
      reinterpret_cast<std::byte const*>(boxes_[number(l) / settings.locations * settings.locations]);
  return {box - sizeof(process_root) - segment::front, own_->mapped().size()};
}

host_job::~host_job() {
  if (own_ == nullptr) heap_.give_back(reinterpret_cast<std::byte*>(roots_[0]), 0);
}

void host_job::fail(location_id by, std::string_view reason) noexcept {
  char whole[sizeof process_root::reason];
  int const bytes = std::snprintf(whole, sizeof whole, "location %u ended the job: %.*s", number(by),
                                  static_cast<int>(reason.size()), reason.data());
  fail({whole, std::min<std::size_t>(static_cast<std::size_t>(bytes), sizeof whole - 1)});
}

void host_job::fail(std::string_view whole_reason) noexcept {
  using enum process_root::state;
  for (process_root* const root : roots_) {
    auto expected = runs;
    if (!root->job.compare_exchange_strong(expected, failing, std::memory_order_seq_cst)) continue;
    whole_reason.copy(root->reason, sizeof root->reason - 1);
    root->job.store(has_failed, std::memory_order_seq_cst);
  }
  for (mailbox* const box : boxes_) box->bell.ring();
}

std::uint64_t host_job::watched(std::uint64_t deadline_ns, std::uint64_t now_ns) {
  constexpr std::uint64_t second = 1'000'000'000;
  if (!lost_) return deadline_ns;
  std::uint64_t next = next_look_.load(std::memory_order_relaxed);
  if (now_ns >= next && next_look_.compare_exchange_strong(next, now_ns + second, std::memory_order_relaxed)) {
    if (std::string const who = lost_(); !who.empty()) fail(who);
    next = now_ns + second;
  }
  return deadline_ns == 0 ? next : std::min(next, deadline_ns);
}

void host_job::throw_reason() const { throw job_aborted(roots_[0]->reason); }

}  // namespace sheaf::host
