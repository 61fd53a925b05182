// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

namespace sheaf::heartbeat {

/// `beat`: I live. `goodbye`: I have finished, do not wait for me. `end`: the job ends, since `about` is lost.
enum class datagram_kind : std::uint32_t { beat = 1, goodbye = 2, end = 3 };

/// What processes of one job tell each other beside MPI: its bytes, in the order of the machine, since a job runs on
/// like processors. Anybody may send anything to a socket: only what `read` accepts is looked at further.
struct datagram {
  static constexpr std::uint64_t our_mark = 0x7461656265686873u;

  std::uint64_t mark = our_mark;
  std::uint64_t key = 0;       ///< of the job
  std::uint64_t sequence = 0;  ///< counts what `from` sends, to anybody, from 1
  std::uint32_t from = 0;      ///< process that sends it
  std::uint32_t to = 0;        ///< process that it is for: addresses of hosts on other networks may be the same
  std::uint32_t about = 0;     ///< of `end`: the process that is lost
  datagram_kind kind = datagram_kind::beat;
};
static_assert(sizeof(datagram) == 40 && std::is_trivially_copyable_v<datagram>);

/// The datagram in these bytes, for process `self` of the `size` processes of the job with this key; nothing where they
/// are something else.
inline std::optional<datagram> read(std::span<std::byte const> bytes, std::uint64_t key, std::uint32_t self,
                                    std::uint32_t size) noexcept {
  datagram d;
  if (bytes.size() != sizeof d) return {};
  std::memcpy(&d, bytes.data(), sizeof d);
  bool const ours = d.mark == datagram::our_mark && d.key == key && d.to == self;
  bool const sound = d.from < size && d.from != self && d.about < size && d.kind >= datagram_kind::beat &&
                     d.kind <= datagram_kind::end;
  return ours && sound ? std::optional(d) : std::nullopt;
}

}  // namespace sheaf::heartbeat
