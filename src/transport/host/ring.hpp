// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "base/gate.hpp"
#include "sheaf/transport/endpoint.hpp"
#include "sheaf/transport/ring_queue.hpp"
#include "transport/host/block_pool.hpp"

namespace sheaf::host {

/// Nanoseconds of the steady clock.
inline std::uint64_t steady_ns() noexcept {
  auto const now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

/// Who sleeps: the location itself, or one outsider that sees to its transport while it computes.
enum class sleeper : std::uint32_t { owner = 1, outsider = 2 };

/// Where one location sleeps, and one outsider; any thread may ring. Memory that is all zero is one.
///
/// No wake-up is lost. A writer stores a word, then looks at the bell; who sleeps arms the bell, then looks at the
/// word. All are sequentially consistent: the store comes before the sleeper's look, or the arming before the writer's.
class doorbell {
 public:
  enum class used_by : std::uint32_t { several_processes, one_process };
  doorbell() = default;
  explicit doorbell(used_by whom) noexcept : used_by_(whom) {}

  /// Sleeps outside of the gate until rung or until `deadline_ns` of the steady clock (0: none), or less. Does not
  /// sleep when `changed()`, called after the bell is armed, says that there is no need. True: it slept.
  bool sleep(std::uint64_t deadline_ns, auto&& changed, sleeper who = sleeper::owner, detail::gate* gate = nullptr) {
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

  /// To be called after a sequentially consistent store or fence.
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

/// A block on its way to the receiver, in the memory of the sender.
struct placed_block {
  std::span<std::byte> bytes;
  std::size_t capacity = 0;
  bool kept = false;  ///< written by the receiver: the block outlives its entry
};

/// One entry: two cache lines, of which most entries need one. `turn` is the entry's position + 1 (modulo 2^32) once
/// the rest is written; the sender writes the slot again only after the entry is consumed.
struct alignas(64) ring_slot {
  static constexpr std::size_t inline_capacity = 120;

  std::atomic<std::uint32_t> turn{0};
  std::uint32_t inline_bytes = 0;  ///< 0: `block` names the entry's bytes
  union {
    std::byte bytes[inline_capacity];
    placed_block block;
  };
  ring_slot() noexcept : block() {}
};
static_assert(sizeof(ring_slot) == 128);

/// What the sender and the receiver of one ordered pair and traffic class share, in memory that both have at the same
/// address; the slots follow. A message writes one slot, which the receiver reads; `consumed` is a line of the
/// receiver's, which the sender reads only when it is short of credit or of blocks. The first line hardly ever changes.
struct alignas(64) ring {
  location_id const source;
  traffic const kind;
  std::uint32_t const size;
  doorbell* const sender;
  ring* next_fresh = nullptr;               ///< links rings that their receiver has not met yet
  std::atomic<bool> wants_credit{false};    ///< the sender sleeps, or is about to, until `consumed` moves
  std::atomic<std::uint32_t> kept{0};       ///< blocks kept so far, modulo 2^32
  return_stack<returned_block> returned{};  ///< of these, those that nobody reads any more
  alignas(64) std::atomic<std::uint64_t> consumed{0};

  [[nodiscard]] ring_slot* slots() noexcept { return reinterpret_cast<ring_slot*>(this + 1); }
  static std::size_t bytes(std::uint32_t slots) noexcept { return sizeof(ring) + slots * sizeof(ring_slot); }
};

/// The sender's end of a ring. Blocks in flight go back to the pool when they are consumed and nobody keeps them.
class ring_sender {
 public:
  /// The ring is made in `from`; bytes of blocks in flight are counted in `in_flight`, too. Both outlive it.
  ring_sender(location_id source, traffic kind, std::uint32_t slots, std::uint32_t window, doorbell& bell,
              block_pool& pool, std::size_t& in_flight, host_memory& from);
  ring_sender& operator=(ring_sender&&) = delete;
  ~ring_sender();

  host::ring& shared() noexcept { return ring_; }
  [[nodiscard]] std::uint32_t backlog() const noexcept { return static_cast<std::uint32_t>(sent_ - known_); }
  [[nodiscard]] bool has_slot() const noexcept { return sent_ - known_ < ring_.size; }
  [[nodiscard]] bool has_window() const noexcept { return flying_.size() < window_ && has_slot(); }
  [[nodiscard]] std::size_t flights() const noexcept { return flying_.size(); }
  [[nodiscard]] bool any_out() const noexcept { return !flying_.empty() || kept_ != 0; }

  /// Learns what the receiver has consumed; blocks of consumed entries go back to the pool.
  void refresh() noexcept;

  /// Gives the blocks of all entries back, consumed or not. For the end of a job only.
  void abandon() noexcept { reclaim_before(sent_); }

  /// 1…120 bytes in words behind a rest, without a call. A record ends in words, which were stored just now: loads that
  /// cover parts of several stores would wait for these.
  static void copy_small(std::byte* to, std::byte const* from, std::size_t bytes) noexcept {
    if ((bytes & 1) != 0) *to++ = *from++;
    if ((bytes & 2) != 0) __builtin_memcpy(to, from, 2), to += 2, from += 2;
    if ((bytes & 4) != 0) __builtin_memcpy(to, from, 4), to += 4, from += 4;
    for (bytes /= 8; bytes != 0; --bytes, to += 8, from += 8) __builtin_memcpy(to, from, 8);
  }

  /// Writes the next entry; there must be a slot. The receiver sees it when this returns.
  void put_inline(std::span<std::byte const> entry) noexcept {
    ring_slot& slot = ring_.slots()[next_];
    slot.inline_bytes = static_cast<std::uint32_t>(entry.size());
    copy_small(slot.bytes, entry.data(), entry.size());
    hand_over(slot);
  }
  /// Writes a block as the next entry; there must be a slot and a window.
  void put_block(std::span<std::byte> bytes, std::size_t capacity);

  /// A refused send is remembered until `consumed` moves.
  void refuse() noexcept { refused_at_ = known_; }
  [[nodiscard]] bool credit_came() const noexcept {
    return ring_.consumed.load(std::memory_order_seq_cst) != refused_at_;
  }
  /// Between these the receiver rings the sender's bell whenever it consumes.
  void await_credit() noexcept { ring_.wants_credit.store(awaiting_ = true, std::memory_order_seq_cst); }
  /// True: it did await.
  bool stop_awaiting() noexcept {
    if (!awaiting_) return false;
    ring_.wants_credit.store(awaiting_ = false, std::memory_order_relaxed);
    return true;
  }
  bool listed = false;  ///< among the endpoint's refused rings

 private:
  struct flight {
    std::uint64_t position = 0;
    std::byte* data = nullptr;
    std::size_t capacity = 0;
  };

  void reclaim_before(std::uint64_t position) noexcept;
  void give_back(std::byte* data, std::size_t capacity) noexcept;
  bool was_kept(std::uint64_t position) noexcept;
  void hand_over(ring_slot& slot) noexcept {
    if (++next_ == ring_.size) next_ = 0;
    // All stores to the slot, with nothing between them: a receiver that looks meanwhile takes the line away. The
    // fence is for the doorbell: either it is seen to be armed, or who armed it sees the turn.
    slot.turn.store(static_cast<std::uint32_t>(++sent_), std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  block_pool& pool_;
  std::size_t& in_flight_;
  bool awaiting_ = false;
  std::uint32_t next_ = 0;  ///< the slot of the next entry
  std::uint32_t kept_ = 0;  ///< blocks that the receiver keeps
  std::uint32_t kept_seen_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t known_ = 0;  ///< last value read of `consumed`
  std::uint64_t refused_at_ = 0;
  host_memory& from_;
  host::ring& ring_;
  std::uint32_t const window_;
  detail::ring_queue<flight> flying_;
};

/// What another process has written into a slot is no entry.
struct damaged_entry {
  location_id source{};
  char const* what = nullptr;
};

/// What tells of the next entry of a ring: closely packed, for who looks at all.
struct ring_head {
  std::atomic<std::uint32_t> const* word;  ///< of the slot
  std::uint32_t turn;                      ///< what is there once the entry is there; another, while an entry is held

  [[nodiscard]] bool shows() const noexcept { return word->load(std::memory_order_seq_cst) == turn; }
};

/// The receiver's ends of all rings of one traffic class that lead to one location.
class inbox {
 public:
  /// `heads`: those of all classes, this one's included.
  inbox(std::uint32_t locations, std::vector<ring_head>& heads) : heads_(&heads), place_of_(locations, 0) {}

  /// From now on the ring is looked at. `memory`: where blocks of another process lie, which are checked; else empty.
  void add(ring& from, std::span<std::byte const> memory = {});

  /// Finds the next arrival. Looks at a few sources in turn and at those that were active last: the cost does not grow
  /// with their number, and each is reached within `sources / turns_per_poll` calls. Throws damaged_entry.
  bool poll(arrival& out) {
    for (std::size_t look = looks_; look != 0; --look) {
      if (++turn_ >= sources_.size()) turn_ = 0;
      if (is_ready(sources_[turn_])) return deliver(turn_, out);
    }
    return looks_ != sources_.size() && poll_hot(out);
  }

  /// Whether any source has an arrival; the next polls find it at once.
  bool any_ready() noexcept;

  /// Ends the arrival of `source` and returns its credit, waking a sender that waits for it. Unless `keep` is null its
  /// block, which there must be, stays with that. Throws damaged_entry.
  void consumed(location_id source, buffer* keep = nullptr);

 private:
  static constexpr std::size_t turns_per_poll = 3;
  static constexpr std::size_t hot_sources = 2;

  /// One ring as its receiver sees it.
  struct source {
    ring_slot* slot;     ///< of the next entry, or of the one that is delivered and not consumed
    std::uint32_t turn;  ///< of that entry
    std::uint32_t head;  ///< its place among the heads
    ring* from;
    std::uint64_t done = 0;
    std::shared_ptr<block_home> kept = nullptr;  ///< where kept blocks go back to; made when one is
    std::span<std::byte const> memory = {};      ///< where blocks must lie; empty: anywhere
  };

  static std::span<std::byte const> checked(source const& s, std::uint32_t inline_bytes, placed_block block);
  static buffer keep_head(source& s);
  [[nodiscard]] bool is_ready(source const& s) const noexcept { return (*heads_)[s.head].shows(); }
  bool poll_hot(arrival& out);
  bool deliver(std::size_t place, arrival& out);
  void warm(std::uint32_t place) noexcept;

  std::size_t turn_ = 0;
  std::size_t looks_ = 0;  ///< in each poll: at all sources, if they are few
  std::uint32_t hot_[hot_sources] = {0, 0};
  std::vector<ring_head>* heads_;
  std::vector<source> sources_;
  std::vector<std::uint32_t> place_of_;  ///< by location: its place in sources_
};

}  // namespace sheaf::host
