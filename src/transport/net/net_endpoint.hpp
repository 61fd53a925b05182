// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sheaf/transport/endpoint.hpp"
#include "transport/host/host_endpoint.hpp"
#include "transport/net/gateway.hpp"
#include "transport/net/packet.hpp"
#include "transport/net/slices.hpp"

namespace sheaf::net {

/// Which locations are near those of one process: those of all processes of its host that share memory.
struct locality {
  /// `ranks`: the processes that share memory with `self`, itself among them; empty: it is alone.
  locality(std::uint32_t processes, std::uint32_t lanes, std::span<std::uint32_t const> ranks, std::uint32_t self)
      : number_on_host(std::size_t{processes} * lanes, endpoint::elsewhere) {
    std::uint32_t const alone[] = {self};
    for (std::uint32_t const rank : ranks.empty() ? std::span(alone) : ranks) {
      for (std::uint32_t l = rank * lanes; l < (rank + 1) * lanes; ++l) {
        number_on_host[l] = static_cast<std::uint32_t>(on_host.size());
        on_host.push_back(location_id{l});
      }
    }
    all_near = on_host.size() == number_on_host.size();
  }

  std::vector<std::uint32_t> number_on_host;  ///< by location; or endpoint::elsewhere
  std::vector<location_id> on_host;           ///< by that number
  bool all_near = false;
};

/// One location of one of several processes: rings to those of its host, packets through the process's gateway to
/// others. Credits are counted between locations: one that computes holds up only those who send to it.
class net_endpoint final : public endpoint {
 public:
  net_endpoint(std::uint32_t lane, host::host_job& host, locality const& near, gateway& gate,
               detail::side_wire* beside = nullptr);
  ~net_endpoint() override { lent.end_all(); }  // which may be blocks of its own

  /// After the location's last call: what it still gathers is on its way, and what has come goes back.
  void close() noexcept;

 private:
  /// The way to one location of another process, of one class.
  struct far_line {
    credit left;
    buffer cut;  ///< a large entry, which leaves in parts: each takes a buffer's credit; later entries are refused
    std::size_t offset = 0;  ///< of its next part
  };
  buffer do_acquire(location_id dest, std::size_t bytes) override;
  bool do_send(location_id dest, traffic kind, buffer& b) override;
  bool do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) override;
  bool do_receive(wanted which, arrival& out) override;
  [[nodiscard]] bool do_shows_nothing() const noexcept override {
    return neighbours_.all_near && local_.do_shows_nothing();
  }
  void do_consumed(location_id source, traffic kind, buffer* keep) override;
  std::uint32_t do_backlog(location_id dest, traffic kind) override;
  void do_idle(std::uint32_t round, std::uint64_t deadline_ns) override;
  std::uint64_t do_now() override { return local_.now(); }
  void do_fail(std::string_view reason) noexcept override;
  void do_flush() override {
    send_parts();
    packer_.ship_all();
  }
  void do_with_mpi(void (*f)(void*), void* context) override;
  void do_outside(outside_call what, std::uint64_t deadline_ns) override;

  [[nodiscard]] std::uint32_t process_of(location_id l) const noexcept { return number(l) / lanes(); }
  [[nodiscard]] location_id near_id(location_id l) const noexcept { return location_id{number_on_host(l)}; }
  far_line& line_to(location_id dest, traffic kind);
  bool has_credit(far_line& line, bool buffer_too);
  void send_parts();
  [[noreturn]] void fail_damaged(location_id source, char const* thing, char const* what);
  [[nodiscard]] slice slice_to(location_id dest, slice_kind kind, bool counts_window,
                               std::size_t bytes) const noexcept {
    return {kind, counts_window, lane_, number(dest) % lanes(), static_cast<std::uint32_t>(bytes)};
  }
  void look_aside();
  std::uint32_t quiet_rounds(std::uint32_t round);
  bool something_new() { return fresh_.front() != nullptr || local_.changed(); }
  bool news_beside(host::sleeper who);
  void pull();
  bool send_far(location_id dest, traffic kind, buffer& b);
  bool send_far_inline(location_id dest, traffic kind, std::span<std::byte const> entry);
  bool receive_any(wanted which, arrival& out);
  void consumed_far(location_id source, traffic kind, buffer* keep);
  bool receive_near(wanted which, arrival& out);
  bool receive_far(std::span<traffic const> classes, arrival& out);
  void settle(parcel const& p);
  void keep_near(location_id source, traffic kind, buffer& to);
  using debt_counts = std::uint32_t[traffic_classes];
  bool owes_much(location_id source);
  std::size_t pay(location_id source, debt_counts& news);
  void acknowledge(location_id source);
  void acknowledge_behind(location_id source, buffer& entry);
  void pay_all();
  void sleep(std::uint32_t round, std::uint64_t deadline_ns, host::sleeper who = host::sleeper::owner);

  host::host_job& host_;
  locality const& neighbours_;
  gateway& gate_;
  std::uint32_t const lane_;
  std::uint32_t const mpi_every_;
  host::host_endpoint local_;
  packer packer_;
  remote_inbox inbox_;
  relay_queue<parcel>& fresh_;
  std::vector<std::unique_ptr<far_line[]>> lines_;  ///< by location and class
  struct pair {
    location_id dest{};
    traffic kind{};
  };
  ring_queue<pair> cut_;                   ///< with an entry that leaves in parts
  ring_queue<std::uint32_t> owed_;         ///< sources to be acknowledged when idle
  std::vector<std::uint8_t> owed_listed_;  ///< by location
  host::yielding yielding_;
  std::uint32_t looks_ = 0;
  std::uint32_t attended_ = 0;       ///< times in a row that an outsider slept here and nothing came
  std::uint32_t turns_seen_ = 0;     ///< of the gateway, when this location last idled
  std::uint32_t packets_seen_ = 0;   ///< moved by the gateway when idle last looked
  std::uint32_t moved_at_ = 0;       ///< the round in which that changed last
  std::uint64_t news_seen_[2] = {};  ///< of the side wire: by the owner, and by outsiders
  bool far_first_ = false;
  bool was_far_ = false;  ///< the last entry came from another host
};

}  // namespace sheaf::net
