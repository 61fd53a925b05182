// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sheaf/message/run_header.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf_test {

using bytes = std::vector<std::byte>;

/// What a location has sent.
struct sent_entry {
  std::uint32_t dest;
  sheaf::traffic kind;
  bool inlined;
  bytes data;
  bool streams = false;
};

/// A transport for one location alone: what it sends is recorded, what it receives is written by the test, and sends
/// are refused while the test says so. The bytes of an arrival are freed when it is consumed.
class fake_endpoint final : public sheaf::endpoint, public sheaf::block_home {
 public:
  static constexpr std::size_t inline_bytes = 56;

  explicit fake_endpoint(std::uint32_t size = 4, std::uint32_t self = 0)
      : endpoint(sheaf::location_id{self}, size, inline_bytes) {
    own_home_ = near_home_ = far_home_ = this;
  }

  std::vector<sent_entry> sent;
  bool loop_back = false;                 ///< what the location sends to itself arrives there
  std::size_t credits = ~std::size_t{0};  ///< so many more entries are taken
  std::uint64_t clock = 1000;
  std::uint32_t idled = 0;
  std::function<bool()> on_look;  ///< whether it shows that something has come; without it, that takes long to say
  std::uint32_t checks = 0;       ///< asked at once whether the job has failed
  std::map<std::uint32_t, std::uint32_t> backlogs;  ///< what it says is under way, by destination
  std::uint32_t blocks_in_use() const { return blocks_in_use_; }
  struct kept_home final : sheaf::block_home {
    void give_back(std::byte* data, std::size_t) noexcept override {
      std::erase_if(blocks, [data](auto const& one) { return one->data() == data; });
    }
    std::vector<std::unique_ptr<bytes>> blocks;
  } kept;                                ///< what arrivals left to those who keep them
  void take_part() { ++counts_.parts; }  ///< a part of a large entry is on its way
  std::function<void()> on_idle;  ///< what happens meanwhile; without it, idling is an error: nothing could end it

  void arrive(std::uint32_t source, sheaf::traffic kind, bytes data) {
    pairs_[{place_of(kind), source}].waiting.push_back(std::make_unique<bytes>(std::move(data)));
  }
  /// Entries of the pair delivered and not consumed.
  [[nodiscard]] bool held(std::uint32_t source, sheaf::traffic kind) {
    return pairs_[{place_of(kind), source}].delivered != nullptr;
  }
  [[nodiscard]] std::size_t sent_to(std::uint32_t dest) const {
    std::size_t count = 0;
    for (auto const& e : sent) count += e.dest == dest ? 1 : 0;
    return count;
  }

  void give_back(std::byte* data, std::size_t) noexcept override {
    --blocks_in_use_;
    delete[] data;
  }

 private:
  struct pair {
    std::deque<std::unique_ptr<bytes>> waiting;
    std::unique_ptr<bytes> delivered;
  };

  static std::size_t place_of(sheaf::traffic kind) {
    auto const& order = sheaf::detail::delivery_order;
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), kind) - order.begin());
  }

  sheaf::buffer do_acquire(sheaf::location_id, std::size_t size) override {
    ++blocks_in_use_;
    return {this, new std::byte[size], size};
  }
  bool do_send(sheaf::location_id dest, sheaf::traffic kind, sheaf::buffer& b) override {
    if (!take(dest, kind, false, {b.data(), b.size()})) return false;
    sent.back().streams = b.streams();
    b = {};
    return true;
  }
  bool do_send_inline(sheaf::location_id dest, sheaf::traffic kind, std::span<std::byte const> entry) override {
    if (entry.size() > inline_bytes) throw std::logic_error("too long for an inline entry");
    return take(dest, kind, true, entry);
  }
  bool take(sheaf::location_id dest, sheaf::traffic kind, bool inlined, std::span<std::byte const> data) {
    if (credits == 0) return false;
    --credits;
    bytes copy(data.begin(), data.end());
    if (loop_back && dest == self()) arrive(number(dest), kind, copy);
    sent.push_back({number(dest), kind, inlined, std::move(copy)});
    return true;
  }
  bool do_receive(sheaf::wanted which, sheaf::arrival& out) override {
    for (auto& [key, p] : pairs_) {
      if (p.waiting.empty() || p.delivered != nullptr || key.first >= static_cast<std::size_t>(which)) continue;
      p.delivered = std::move(p.waiting.front());
      p.waiting.pop_front();
      out = {sheaf::location_id{key.second}, sheaf::detail::delivery_order[key.first], *p.delivered};
      return true;
    }
    return false;
  }
  void do_consumed(sheaf::location_id source, sheaf::traffic kind, sheaf::buffer* keep) override {
    auto& p = pairs_[{place_of(kind), number(source)}];
    if (p.delivered == nullptr) throw std::logic_error("consumed what is not held");
    if (keep != nullptr) {
      *keep = sheaf::buffer(&kept, p.delivered->data(), p.delivered->size());
      kept.blocks.push_back(std::move(p.delivered));
    }
    p.delivered.reset();
  }
  std::uint32_t do_backlog(sheaf::location_id dest, sheaf::traffic) override { return backlogs[number(dest)]; }
  void do_idle(std::uint32_t, std::uint64_t) override {
    ++idled;
    if (!on_idle) throw std::logic_error("the location idles, and nothing will come");
    on_idle();
  }
  [[nodiscard]] bool do_shows_nothing() const noexcept override { return on_look && !on_look(); }
  void do_outside(outside_call what, std::uint64_t) override { checks += what == outside_call::check ? 1 : 0; }
  std::uint64_t do_now() override { return clock; }
  void do_fail(std::string_view) noexcept override {}

  std::map<std::pair<std::size_t, std::uint32_t>, pair> pairs_;  // by class, in the order of delivery, and source
  std::uint32_t blocks_in_use_ = 0;
};

/// An entry being written: runs one behind the other.
class entry_writer {
 public:
  template <class... T>
  entry_writer& run(sheaf::run_tag tag, std::uint32_t count, T const&... records) {
    sheaf::run_header header;
    header.tag = tag;
    header.count = count;
    header.bytes = static_cast<std::uint32_t>((sizeof(T) + ... + 0));
    return add(header, records...);
  }
  /// The header as it is, whatever it says.
  template <class... T>
  entry_writer& add(sheaf::run_header const& header, T const&... records) {
    std::size_t const at = data_.size();
    data_.resize(at + sheaf::run_header::wire_bytes);
    header.encode(data_.data() + at);
    (raw(&records, sizeof(T)), ...);
    return *this;
  }
  entry_writer& raw(void const* from, std::size_t size) {
    std::size_t const at = data_.size();
    data_.resize(at + size);
    if (size != 0) std::memcpy(data_.data() + at, from, size);
    return *this;
  }
  [[nodiscard]] bytes const& data() const { return data_; }

 private:
  bytes data_;
};

/// One run of what was sent.
struct read_run {
  sheaf::run_header header;
  bytes records;
};

inline std::vector<read_run> runs_of(bytes const& entry) {
  std::vector<read_run> runs;
  for (std::size_t at = 0; at != entry.size();) {
    sheaf::run_header header;
    std::size_t const head = sheaf::run_header::read(entry.data() + at, entry.size() - at, header);
    if (head == 0) throw std::logic_error("a short header was sent");
    at += head;
    if (entry.size() - at < header.bytes) throw std::logic_error("a run beyond its entry was sent");
    auto const from = entry.begin() + static_cast<std::ptrdiff_t>(at);
    runs.push_back({header, bytes(from, from + static_cast<std::ptrdiff_t>(header.bytes))});
    at += header.bytes;
  }
  return runs;
}

}  // namespace sheaf_test
