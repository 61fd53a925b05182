// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace sheaf::heartbeat {

/// `beat`: I live. `goodbye`: I have finished, do not wait for me. `end`: the job ends, for the reason given.
enum class datagram_kind : std::uint8_t { beat = 1, goodbye = 2, end = 3 };

/// Why a process is taken for lost. `silent`: nothing has come from it for the limit. `gone`: its host refuses what is
/// sent to it, so its socket is closed.
enum class loss : std::uint8_t { silent = 1, gone = 2 };

/// What processes of one job tell each other beside MPI: all of a datagram, in the order of the machine, since a job
/// runs on like processors. Anybody may send anything to a socket: only what `read` accepts is looked at further.
struct datagram {
  static constexpr std::size_t bytes = 48;

  datagram_kind kind = datagram_kind::beat;
  loss why = loss::silent;     ///< of `end`
  std::uint32_t from = 0;      ///< process that sends it
  std::uint32_t to = 0;        ///< process that it is for: addresses of hosts on other networks may be the same
  std::uint32_t about = 0;     ///< of `end`: the process that is lost
  std::uint64_t key = 0;       ///< of the job
  std::uint64_t sequence = 0;  ///< counts what `from` sends, to anybody, from 1

  void write(std::span<std::byte, bytes> to_bytes) const noexcept;
};

/// The datagram in these bytes, for process `self` of the `size` processes of the job with this key; nothing where they
/// are something else.
std::optional<datagram> read(std::span<std::byte const> bytes, std::uint64_t key, std::uint32_t self,
                             std::uint32_t size) noexcept;

namespace detail {

struct image {
  std::uint64_t mark = 0x7461656265686873u;
  std::uint64_t key = 0;
  std::uint64_t sequence = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t about = 0;
  std::uint8_t kind = 0;
  std::uint8_t why = 0;
  std::uint8_t unused[10] = {};
};
static_assert(sizeof(image) == datagram::bytes);

}  // namespace detail

inline void datagram::write(std::span<std::byte, bytes> to_bytes) const noexcept {
  detail::image i;
  i.key = key;
  i.sequence = sequence;
  i.from = from;
  i.to = to;
  i.about = about;
  i.kind = static_cast<std::uint8_t>(kind);
  i.why = static_cast<std::uint8_t>(why);
  std::memcpy(to_bytes.data(), &i, bytes);
}

inline std::optional<datagram> read(std::span<std::byte const> bytes, std::uint64_t key, std::uint32_t self,
                                    std::uint32_t size) noexcept {
  detail::image i;
  if (bytes.size() != sizeof i) return {};
  std::uint64_t const mark = i.mark;
  std::memcpy(&i, bytes.data(), sizeof i);
  bool const ours = i.mark == mark && i.key == key && i.to == self;
  bool const sound =
      i.from < size && i.from != self && i.about < size && i.kind >= 1 && i.kind <= 3 && i.why >= 1 && i.why <= 2;
  if (!ours || !sound) return {};
  return datagram{
      static_cast<datagram_kind>(i.kind), static_cast<loss>(i.why), i.from, i.to, i.about, i.key, i.sequence};
}

}  // namespace sheaf::heartbeat
