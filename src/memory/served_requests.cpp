// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "memory/served_requests.hpp"

#include <algorithm>
#include <utility>

#include "memory/packed_rows.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {
namespace {

/// Bytes of data in one order: as many as fit into a message with the longest head, where they lie in a row on both
/// sides, as no side copies them then; else as many as a core's cache holds well. A multiple of all elements' sizes.
constexpr std::size_t most_data =
    (side_wire::most_bytes - sizeof(served_head) - paired_rows::most_levels * sizeof(served_level)) / 64 * 64;
constexpr std::size_t most_packed = std::size_t{64} << 10;
static_assert(most_packed <= most_data);
/// A transfer waits while the wire has more for that process.
constexpr std::size_t most_queued = std::size_t{64} << 10;
constexpr std::uint32_t no_slot = ~std::uint32_t{0};

void scale_to(served_head& head, element_kind of, void const* scale) noexcept {
  head.answers = 0;
  head.scaled = scale != nullptr ? 1 : 0;
  if (scale != nullptr) std::memcpy(head.operands, scale, bytes_of(of));
}

}  // namespace

served_requests::asked_location& served_requests::asked(location_id where) {
  std::lock_guard const hold(mutex_);
  auto& one = asked_[number(where)];
  if (one == nullptr) one = std::make_unique<asked_location>();
  return *one;
}

void served_requests::send() {
  if (message_.empty()) return;
  wire_.send(message_to_, message_);
  message_.clear();
}

/// Appends an order, and sends it unless more is gathered. Data that lie in a row go from where they are.
void served_requests::order(asked_location& to, location_id where, served_head head, const_strided const& part,
                            const_strided const& data, bool wants_answer) {
  std::size_t const longest = sizeof head + part.counts.size() * sizeof(served_level) + data_bytes(head);
  std::uint32_t const process = number(where) / here_.connection().lanes();
  if (process != message_to_ || message_.size() + longest > side_wire::most_bytes) send();
  message_to_ = process;
  head.from = number(here_.id());
  head.to = number(where);
  std::uint64_t const size = sizeof head + head.bytes;
  to.unasked += size;
  to.in_flight.fetch_add(size, std::memory_order_relaxed);
  to.done = wants_answer || to.unasked >= window / 4;
  if (to.done) {
    head.answers = 1;
    head.credit = std::exchange(to.unasked, 0);
    ++to.asked;
  }
  write_order(message_, head, part);
  if (std::size_t const bytes = data_bytes(head); bytes != 0) {
    if (gathering_ == 0 && data.counts.empty()) {
      wire_.send(process, message_, std::span(data.first + head.offset, bytes));
      return message_.clear();
    }
    std::size_t const before = message_.size();
    message_.resize(before + bytes);
    pack(data, head.offset, std::span(message_).subspan(before));
  }
  if (gathering_ == 0) send();
}

/// In pieces that follow each other, each when there is room.
void served_requests::transfer(location_id where, served_head head, const_strided const& remote,
                               const_strided const& data) {
  paired_rows::check_levels(std::max(remote.counts.size(), data.counts.size()));
  admission const inside(here_.gate());
  asked_location& to = asked(where);
  std::uint32_t const process = number(where) / here_.connection().lanes();
  std::size_t const all = remote.bytes();
  bool const carries = head.what != served::get;
  auto const is_full = [&] {  // the wire copies what it queues
    return to.in_flight.load(std::memory_order_relaxed) > window || (carries && wire_.queued(process) > most_queued);
  };
  bool const in_a_row = remote.counts.empty() && data.counts.empty() && head.what != served::add;
  for (head.offset = 0; head.offset < all; head.offset += head.bytes) {
    head.bytes = std::min(in_a_row ? most_data : most_packed, all - head.offset);
    for (std::uint32_t round = 0; is_full(); ++round) {
      send();  // another thread may have gathered orders meanwhile
      rest(round);
    }
    order(to, where, head, remote, data, !carries);
  }
  if (carries) has_put(where);
}

/// Requests to that location are behind it, once it is in a message that was sent.
void served_requests::has_put(location_id where) {
  if (gathering_ == 0) {
    if (!here_.out().has_put(where)) wait(where, mark(where));
    return;
  }
  if (gathered_.empty() || gathered_.back() != where) gathered_.push_back(where);
}

void served_requests::put(location_id where, strided const& remote, const_strided const& local) {
  transfer(where, {.what = served::put, .slot = no_slot}, remote, local);
}

void served_requests::add(location_id where, element_kind of, strided const& remote, const_strided const& local,
                          void const* scale) {
  served_head head{.what = served::add, .kind = static_cast<std::uint8_t>(of), .slot = no_slot};
  scale_to(head, of, scale);
  transfer(where, head, remote, local);
}

void served_requests::get(location_id where, const_strided const& remote, strided const& local) {
  paired_rows::check_levels(std::max(remote.counts.size(), local.counts.size()));
  slot to{local, {local.counts.begin(), local.counts.end()}, {local.steps.begin(), local.steps.end()}, local.bytes()};
  transfer(where, {.what = served::get, .slot = take_slot(std::move(to))}, remote, local);
}

std::uint64_t served_requests::ask_word(location_id where, served_head head, const_strided const& part) {
  std::uint64_t old = 0, mine = 0;
  {
    admission const inside(here_.gate());
    asked_location& at = asked(where);
    slot to;
    to.word = &old;
    head.slot = take_slot(std::move(to));
    order(at, where, head, part, {}, true);
    send();
    mine = at.asked;
  }
  wait(where, mine);
  return old;
}

std::uint64_t served_requests::change(place const& at, std::size_t bytes, change_kind how, std::uint64_t operand,
                                      std::uint64_t expected) {
  served_head head{.what = served::change, .kind = static_cast<std::uint8_t>(how)};
  std::memcpy(head.operands, &operand, sizeof operand);
  std::memcpy(head.operands + sizeof operand, &expected, sizeof expected);
  const_strided const word{at.here(), bytes, {}, {}};
  if (how != change_kind::store) return ask_word(at.where, head, word);
  head.slot = no_slot;
  admission const inside(here_.gate());
  order(asked(at.where), at.where, head, word, {}, false);
  has_put(at.where);
  return 0;
}

std::uint64_t served_requests::allocate(location_id where, std::size_t bytes) {
  return ask_word(where, {.what = served::allocate}, {nullptr, bytes, {}, {}});
}

void served_requests::deallocate(place const& at, std::size_t bytes) {
  admission const inside(here_.gate());
  order(asked(at.where), at.where, {.what = served::deallocate, .slot = no_slot}, {at.here(), bytes, {}, {}}, {},
        false);
}

void served_requests::gather(int delta) {
  admission const inside(here_.gate());
  if ((gathering_ += delta) != 0) return;
  send();
  for (location_id const where : std::exchange(gathered_, {})) has_put(where);
}

std::uint64_t served_requests::mark(location_id where) {
  admission const inside(here_.gate());
  asked_location& to = asked(where);
  if (!to.done) order(to, where, {.what = served::nothing, .slot = no_slot}, {}, {}, true);
  send();
  return to.asked;
}

bool served_requests::has_come(location_id where, std::uint64_t answer) {
  return asked(where).answered.load(std::memory_order_acquire) >= answer;
}

void served_requests::wait(location_id where, std::uint64_t answer) {
  asked_location const& at = asked(where);
  for (std::uint32_t round = 0; at.answered.load(std::memory_order_acquire) < answer; ++round) rest(round);
}

void served_requests::wait_all() {
  std::vector<std::pair<location_id, std::uint64_t>> open;
  {
    admission const inside(here_.gate());
    for (auto const& [where, one] : asked_) {  // which changes inside the gate alone
      if (!one->done || one->asked != one->answered.load(std::memory_order_acquire))
        open.emplace_back(location_id{where}, 0);
    }
    for (auto& [where, answer] : open) answer = mark(where);
  }
  for (auto const& [where, answer] : open) wait(where, answer);
}

/// The answer may be on its way, so the wire is looked at for a while before the core is given up. Once the job has
/// failed nobody waits any more for what answers would bring, so nothing is taken in.
void served_requests::rest(std::uint32_t round) try {
  constexpr std::uint32_t spins = 2000;
  constexpr std::uint64_t nap_ns = 1'000'000;
  if (wire_.progress() || (round < spins && here_.settings().transport != transport_kind::sim)) return;
  admission const inside(here_.gate());
  endpoint& net = here_.connection();
  here_.gate() != nullptr&& here_.by_outsider() ? net.attend(net.now() + nap_ns) : net.idle(round, net.now() + nap_ns);
} catch (...) {
  wire_.quit();
  throw;
}

std::uint32_t served_requests::take_slot(slot&& with) {
  std::lock_guard const hold(mutex_);
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  std::uint32_t const at = free_slots_.back();
  free_slots_.pop_back();
  slots_[at] = std::move(with);
  slots_[at].to.counts = slots_[at].counts;
  slots_[at].to.steps = slots_[at].steps;
  slots_[at].used = true;
  return at;
}

/// The slot whose answer this can be; null: none, it is damaged.
served_requests::slot* served_requests::awaits(served_head const& answer) {
  if (answer.slot >= slots_.size() || !slots_[answer.slot].used) return nullptr;
  slot& of = slots_[answer.slot];
  if (of.word != nullptr) return &of;
  std::uint64_t const all = of.to.bytes();
  bool const fits = answer.bytes <= of.left && answer.offset <= all && answer.bytes <= all - answer.offset;
  return fits ? &of : nullptr;
}

std::byte* served_requests::place_of(served_head const& answer) {
  std::lock_guard const hold(mutex_);
  slot const* const of = awaits(answer);
  bool const in_a_row = of != nullptr && of->word == nullptr && of->counts.empty();
  return in_a_row ? of->to.first + answer.offset : nullptr;
}

bool served_requests::fill(served_order const& answer) {
  served_head const& h = answer.head;
  if (h.slot == no_slot) return true;
  slot* const awaiting = awaits(h);
  if (awaiting == nullptr) return false;
  slot& of = *awaiting;
  if (of.word != nullptr) {
    *of.word = h.address;
  } else {
    if (!answer.placed) unpack(of.to, h.offset, answer.data);
    of.left -= h.bytes;
  }
  if (of.left != 0) return true;
  of.used = false;
  free_slots_.push_back(h.slot);
  return true;
}

bool served_requests::answered(served_order const& answer) {
  served_head const& h = answer.head;
  std::lock_guard const hold(mutex_);
  auto const of = asked_.find(h.from);
  if (of == asked_.end()) return false;
  asked_location& at = *of->second;
  if (h.credit > at.in_flight.load(std::memory_order_relaxed) || !fill(answer)) return false;
  at.in_flight.fetch_sub(h.credit, std::memory_order_relaxed);
  at.answered.fetch_add(1, std::memory_order_release);
  return true;
}

}  // namespace sheaf::detail
