// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sheaf/base/location_id.hpp"
#include "transport/host/block_pool.hpp"
#include "transport/host/host_endpoint.hpp"
#include "transport/net/packet.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::net {

/// A packet that has come from a process, or is to go there. Whoever takes it may take its block.
struct process_packet {
  std::uint32_t process = 0;
  buffer block;
};

/// One process's packets to and from all others over a wire, which keeps no order: packets are numbered and taken in
/// their turn, and early ones are kept. What the wire refuses is tried again. Credit is counted by who sends. Used by
/// one thread at a time. Costs nothing for processes that nothing goes to or comes from.
class engine {
 public:
  /// Both outlive it, and buffers that it gave do not; `l` is the same in all processes.
  engine(bootstrap& job, wire& line, limits const& l);
  engine& operator=(engine&&) = delete;
  ~engine() { wire_.withdraw_receives(); }

  bootstrap& job;
  limits const sizes;

  /// An empty buffer; in front of its data is room for a header. Any thread may give it back.
  buffer take(std::size_t bytes) { return pool_.take(bytes); }

  /// Sends up to `sizes.payload` bytes to another process; writes a header into the room in front of them.
  void send(std::uint32_t dest, buffer&& packet) { form(dest, packet_kind::slices, std::move(packet)); }

  /// Lets a process know that this one is there; whether another one has.
  void call(std::uint32_t dest) { form(dest, packet_kind::call, take(1)); }
  [[nodiscard]] bool has_called(std::uint32_t source) const noexcept { return peers_[source].called; }

  /// Looks at the wire. Throws error on a damaged packet.
  void poll();

  /// The oldest packet that poll has found and nobody has taken; null: there is none. It stays until `pop`.
  [[nodiscard]] process_packet* front() noexcept { return ready_.empty() ? nullptr : &ready_.front(); }
  void pop() { ready_.pop(); }

  /// Packets sent and received so far.
  [[nodiscard]] std::uint32_t packets() const noexcept { return static_cast<std::uint32_t>(sent_ + received_); }

  /// Whether all that was taken has left.
  [[nodiscard]] bool done() const noexcept { return in_flight_ == 0 && refused_.empty(); }

  /// Collective, after the last packet: returns when every process has called it and all that was sent has come. What
  /// still comes is dropped. Calls `rest(round)` between looks.
  void finish(auto rest) {
    for (std::uint32_t round = 0;; ++round) {
      for (poll(); front() != nullptr;) pop();
      if (summing_ || done()) {
        auto const under_way = job.sum(sent_ - received_);
        if (under_way == 0) return;
        summing_ = !under_way;
      }
      rest(round);
    }
  }

  /// Throws error, for what no process would send.
  [[noreturn]] void damaged(std::uint32_t source, char const* what) const;

 private:
  struct outgoing {
    buffer block;
    std::uint32_t dest = 0;
    packet_kind kind{};
  };
  /// One process as seen from this one.
  struct peer {
    std::uint32_t sequence = 0;  ///< of the next packet to it
    std::uint32_t expected = 0;  ///< sequence of the next packet from it
    std::uint32_t early = 0;     ///< packets kept that came before their turn
    bool called = false;
  };

  void form(std::uint32_t dest, packet_kind kind, buffer&& packet);
  bool start(outgoing& o);

  void post_vacant();
  void accept(completion const& c);
  void take_early(std::uint32_t source);
  buffer copy_of(buffer const& packet);
  static std::uint64_t early_key(std::uint32_t source, std::uint32_t sequence) noexcept {
    return std::uint64_t{source} << 32 | sequence;
  }

  wire& wire_;
  host::open_pool pool_;
  std::vector<peer> peers_;
  std::int64_t sent_ = 0;  ///< packets, without calls
  std::int64_t received_ = 0;
  bool summing_ = false;
  std::vector<completion> done_;

  std::vector<outgoing> sends_;            ///< by slot
  std::vector<std::uint32_t> free_sends_;  ///< slots
  std::uint32_t in_flight_ = 0;
  ring_queue<outgoing> refused_;  ///< to be tried again, in turn

  std::vector<buffer> rooms_;          ///< by slot
  std::vector<std::uint32_t> vacant_;  ///< slots to be posted
  std::unordered_map<std::uint64_t, buffer> early_;
  ring_queue<process_packet> ready_;
};

/// One owner at a time of what a process has once, without a lock that anyone waits for: whoever finds nobody there
/// takes a turn, in which it does what the others have left. Nothing stays behind: who leaves something calls `post`
/// and then `serve`; if another thread owns it, that owner looks at the flag once more after it has let go. All
/// accesses that this needs are sequentially consistent, so one of the two sees the other. Tests supply an Atomic.
template <template <class> class Atomic = std::atomic>
class ownership {
 public:
  [[nodiscard]] bool take() noexcept {
    return !owned_.load(std::memory_order_seq_cst) && !owned_.exchange(true, std::memory_order_acquire);
  }
  void give() noexcept { owned_.store(false, std::memory_order_seq_cst); }

  /// Something lies here for the owner.
  void post() noexcept { posted_.exchange(true, std::memory_order_seq_cst); }
  [[nodiscard]] bool posted() const noexcept { return posted_.load(std::memory_order_seq_cst); }
  /// The owner takes the flag down; it then sees all that the flag was set for. False: it was down.
  [[nodiscard]] bool collect() noexcept {
    return posted_.load(std::memory_order_relaxed) && posted_.exchange(false, std::memory_order_seq_cst);
  }

  /// Takes turns until nothing lies here, or somebody else is the owner. False: it left after `most` with the flag up.
  bool serve(std::uint32_t most, auto turn) {
    for (std::uint32_t turns = 0; turns < most; ++turns) {
      if (!take()) return true;
      {
        detail::at_end const given{[this] { give(); }};
        turn();
      }
      if (!posted()) return true;
    }
    return false;
  }

 private:
  alignas(64) Atomic<bool> owned_{false};
  Atomic<bool> posted_{false};
};

/// A queue without limit between one thread at a time that pushes and one that takes. Whoever pushes next has seen what
/// the last one did (they hand over to each other). Items lie in chunks; one emptied chunk is kept for the next turn.
template <class T>
class relay_queue {
 public:
  relay_queue() : first_(new chunk), last_(first_) {}
  relay_queue& operator=(relay_queue&&) = delete;
  ~relay_queue() {
    delete spare_.load(std::memory_order_relaxed);
    while (first_ != nullptr) delete std::exchange(first_, first_->next.load(std::memory_order_relaxed));
  }

  /// A reader that sleeps by its doorbell does not miss it.
  void push(T item) {
    std::uint32_t const at = last_->written.load(std::memory_order_relaxed);
    if (at != chunk::size) {
      last_->items[at] = std::move(item);
      return last_->written.store(at + 1, std::memory_order_seq_cst);
    }
    chunk* fresh = spare_.exchange(nullptr, std::memory_order_acquire);
    if (fresh == nullptr) fresh = new chunk;
    fresh->items[0] = std::move(item);
    fresh->written.store(1, std::memory_order_relaxed);
    last_->next.store(fresh, std::memory_order_seq_cst);
    last_ = fresh;
  }

  /// The oldest item, until `pop`; null: there is none. Sequentially consistent, for who sleeps by a host::doorbell.
  T* front() {
    if (taken_ == chunk::size) {
      chunk* const next = first_->next.load(std::memory_order_seq_cst);
      if (next == nullptr) return nullptr;
      chunk* const used = std::exchange(first_, next);
      used->written.store(0, std::memory_order_relaxed);
      used->next.store(nullptr, std::memory_order_relaxed);
      delete spare_.exchange(used, std::memory_order_acq_rel);
      taken_ = 0;
    }
    return taken_ != first_->written.load(std::memory_order_seq_cst) ? &first_->items[taken_] : nullptr;
  }
  void pop() { ++taken_; }

 private:
  struct chunk {
    static constexpr std::uint32_t size = 32;
    std::atomic<std::uint32_t> written{0};
    std::atomic<chunk*> next{nullptr};
    T items[size];
  };

  alignas(64) chunk* first_;  // of the one that takes
  std::uint32_t taken_ = 0;
  alignas(64) chunk* last_;  // of the one that pushes
  std::atomic<chunk*> spare_{nullptr};
};

/// A slice on its way to its location.
struct parcel : slice {
  static constexpr std::size_t small_bytes = 56;

  location_id source{};
  buffer block;  ///< where `data` is: the packet, or a copy; none: the bytes are in `small`
  union {
    std::byte const* data = nullptr;
    std::byte small[small_bytes];
  };

  [[nodiscard]] std::byte const* begin() const noexcept { return block ? data : small; }
};

/// One process's connection to the others, for all its locations. MPI has one owner at a time: whoever finds nobody
/// there takes a turn, sends what the others have left here, and hands out what has come. An owner that is kept busy
/// leaves after `most_turns`: whoever sends, waits or polls next is the owner.
class gateway {
 public:
  /// In a row, of one location.
  static constexpr std::uint32_t most_turns = 32;

  /// `job`, `line` and `siblings` outlive it.
  gateway(bootstrap& job, wire& line, limits const& l, host::host_job& siblings);
  gateway& operator=(gateway&&) = delete;

  [[nodiscard]] std::uint32_t process() const noexcept { return engine_.job.rank(); }
  [[nodiscard]] std::uint32_t processes() const noexcept { return engine_.job.size(); }
  [[nodiscard]] std::uint32_t lanes() const noexcept { return lanes_; }
  [[nodiscard]] limits const& sizes() const noexcept { return engine_.sizes; }
  /// Where blocks for packets lie. For any thread.
  [[nodiscard]] host_memory& memory() const noexcept { return memory_; }
  [[nodiscard]] bool may_own(std::uint32_t lane) const noexcept { return !first_only_ || lane == 0; }

  /// Packets lie here that no owner has looked at, and this lane may send them.
  [[nodiscard]] bool has_posts_for(std::uint32_t lane) const noexcept { return may_own(lane) && owner_.posted(); }

  /// A packet of this lane to another process, in the order of the lane's packets; sent now, or by the owner.
  void send(std::uint32_t lane, std::uint32_t process, buffer&& packet);

  /// A turn, if MPI is free; called by the lane's thread. Throws error on a damaged packet.
  void progress(std::uint32_t lane);

  /// How many turns there have been. Where the number has changed since a location last waited, another one watches.
  [[nodiscard]] std::uint32_t turns() const noexcept { return turns_.load(std::memory_order_relaxed); }

  /// Packets sent and received so far.
  [[nodiscard]] std::uint32_t packets_moved() const noexcept { return packets_moved_.load(std::memory_order_relaxed); }

  /// What has come for a lane: pushed by owners, taken by the lane's thread.
  [[nodiscard]] relay_queue<parcel>& inbox(std::uint32_t lane) noexcept { return *inboxes_[lane]; }

  /// Calls f while no other thread of the process uses MPI; blocks until then. Within f of the same lane just calls it.
  void alone(std::uint32_t lane, void (*f)(void*), void* context);

  /// Ends the job as failed, in the name of a location.
  void abort(location_id by, std::string_view reason) noexcept;

  /// For who watches how it finishes.
  [[nodiscard]] engine& inner() noexcept { return engine_; }

  /// Collective; after the last call of every other thread of the process.
  void finish(auto rest) {
    send_posted();
    engine_.finish(rest);
  }

 private:
  void guarded_turn(std::uint32_t lane);
  void turn();
  void send_posted();
  void hand_out(process_packet& packet);
  slice checked(std::uint32_t source, std::span<std::byte const> rest) const;
  parcel parcel_of(slice s, std::byte const* data, process_packet& packet);

  host_memory& memory_;
  engine engine_;
  host::host_job& siblings_;
  std::uint32_t const lanes_;
  bool const first_only_;
  std::vector<std::unique_ptr<relay_queue<process_packet>>> posts_;  ///< by lane: packets left for the owner
  std::vector<std::unique_ptr<relay_queue<parcel>>> inboxes_;        ///< by lane
  std::vector<std::uint8_t> to_ring_;                                ///< by lane: got something in this turn
  std::atomic<std::uint32_t> turns_{0};                              ///< written by owners
  std::atomic<std::uint32_t> packets_moved_{0};                      ///< so is this
  std::vector<std::pair<std::uint32_t, parcel>> unpacked_;           ///< the packet in hand, with the lanes
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  std::atomic<std::uint32_t> alone_{nobody};  ///< the lane that runs an f of `alone`; written by its thread
  ownership<> owner_;
};

}  // namespace sheaf::net
