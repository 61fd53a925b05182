// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

// libFuzzer entry: a location of a process receives arbitrary packets of slices from two other processes. The first
// byte tells whether the process has one location or two.

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "../transport/fake_wire.hpp"
#include "fuzzed_program.hpp"
#include "transport/net/net_endpoint.hpp"
#include "transport/net/packet.hpp"

namespace {

using sheaf::net::packet_header;
using sheaf::net::packet_kind;
using sheaf_fuzz::input;

constexpr sheaf::net::limits tiny = {256, 4, 16, 4};

/// The two other processes, which send what the input says.
class forgers {
 public:
  sheaf_test::fake_network& network() { return network_; }

  void send(input& in) {
    std::uint8_t const control = in.byte(), form = in.byte();
    std::uint32_t const from = 1 + control / 8 % 2;
    packet_header h;
    h.kind = static_cast<packet_kind>((form & 1) != 0 ? 0 : control & 1);
    std::uint32_t& next = sequence_[from];
    h.sequence = (form & 2) != 0 ? in.byte() : next++;
    std::vector<std::byte> payload = content(in, form / 32);
    put(from, h, payload);
  }

 private:
  std::vector<std::byte> content(input& in, std::uint32_t runs) {
    std::vector<std::byte> all;
    for (std::uint32_t i = 0; i < runs; ++i) {
      std::vector<std::byte> entry;
      std::uint8_t const to = in.byte();
      sheaf_fuzz::add_run(in, entry);
      bool const is_part = (in.byte() & 7) == 0;
      if (is_part && (to & 64) != 0) {
        std::array<std::byte, sheaf::net::slice::size_prefix> total = prefix_;
        if ((to & 32) != 0) std::ranges::copy(std::as_bytes(in.some(total.size())), total.begin());
        entry.insert(entry.begin(), total.begin(), total.end());
      }
      add_header(in, to, is_part, entry);
      all.insert(all.end(), entry.begin(), entry.end());
    }
    return all;
  }

  static void add_header(input& in, std::uint8_t to, bool is_part, std::vector<std::byte>& entry) {
    sheaf::net::slice s;
    s.kind = static_cast<sheaf::net::slice_kind>(to & 7);
    s.counts_window = (to & 4) != 0;
    s.source_lane = to / 8 % 4;
    s.dest_lane = to / 32 % 4;
    s.bytes = (to & 128) != 0 ? in.byte() : static_cast<std::uint32_t>(entry.size());
    s.is_part = is_part;
    std::byte head[sheaf::net::slice::header_bytes];
    s.write(head);
    entry.insert(entry.begin(), std::begin(head), std::end(head));
  }

  void put(std::uint32_t from, packet_header const& h, std::span<std::byte const> payload) {
    constexpr std::size_t front = sheaf::net::header_bytes;
    std::vector<std::byte> packet(front + payload.size());
    std::copy(payload.begin(), payload.end(), packet.begin() + front);
    sheaf::net::write_header(packet.data() + front, h);
    packet.resize(std::min(packet.size(), front + tiny.payload));  // what a wire would not refuse
    network_.forge(from, 0, packet);
  }

  sheaf_test::fake_network network_{3, 1, sheaf_test::fair_weather, [] {}};
  std::uint32_t sequence_[3] = {};
  /// Of an entry in two parts, or more.
  std::array<std::byte, sheaf::net::slice::size_prefix> prefix_ = {std::byte{44}, std::byte{1}};
};

void receive(forgers& others, sheaf::detail::location& here, input in) {
  while (!in.empty()) {
    others.send(in);
    sheaf_fuzz::run_all(here);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  input in(data, size);
  std::uint32_t const lanes = 1 + (in.byte() & 1);
  forgers others;
  sheaf::options how = sheaf_fuzz::settings(sheaf::transport_kind::hybrid);
  how.locations = lanes;
  sheaf::host::host_job siblings(how);
  sheaf::net::locality const near(3, lanes, {}, 0);
  sheaf::net::gateway gate(others.network().processes(0), others.network().at(0), tiny, siblings);
  std::vector<std::unique_ptr<sheaf::net::net_endpoint>> all;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    all.push_back(std::make_unique<sheaf::net::net_endpoint>(lane, siblings, near, gate));
  }
  sheaf_fuzz::play(*all.front(), how, [&](sheaf::detail::location& here) { receive(others, here, in); });
  return 0;
}
