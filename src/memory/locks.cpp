// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The queue of Mellor-Crummey and Scott (ACM TOCS 9, 1991): the lock's word names the last who asked. Each who asks
// stores its name with the one before, and waits for a word of its own memory. So the lock goes from one to the next in
// the order of asking, with two one-sided operations, whoever computes or sleeps meanwhile.
#include <algorithm>
#include <atomic>
#include <new>
#include <string>

#include "base/call_text.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/memory/detail/one_sided.hpp"

namespace sheaf::detail {
namespace {

constexpr unsigned line_bits = 41;  // of the address of a line; the other bits are the location's

std::uint64_t name_of_node(location_id where, void const* node) noexcept {
  return std::uint64_t{number(where)} << line_bits | address_of(node) / host_memory::line;
}

place place_of_node(std::uint64_t name, std::size_t offset) noexcept {
  std::uint64_t const address = (name & ((std::uint64_t{1} << line_bits) - 1)) * host_memory::line;
  return {location_id{static_cast<std::uint32_t>(name >> line_bits)}, address + offset};
}

std::string text_of(place const& word) {
  return "the lock at address " + std::to_string(word.address) + " of " + name_of(word.where);
}

}  // namespace

/// A location's place in the queue of one lock, in memory that all near locations reach.
struct alignas(host_memory::line) one_sided::lock_node {
  std::atomic<std::uint64_t> next{0};     ///< the name of the one behind
  std::atomic<std::uint64_t> granted{0};  ///< not 0: the lock is ours
};

void one_sided::give_back_nodes() noexcept {
  for (held_lock const& one : held_) idle_nodes_.push_back(one.node);
  for (lock_node* const node : idle_nodes_) {
    here.connection().memory().give_back(reinterpret_cast<std::byte*>(node), sizeof *node);
  }
}

one_sided::lock_node* one_sided::take_node() {
  static_assert(sizeof(lock_node) == host_memory::line);
  if (!idle_nodes_.empty()) {
    lock_node* const node = idle_nodes_.back();
    idle_nodes_.pop_back();
    return ::new (node) lock_node;
  }
  return ::new (here.connection().memory().take(sizeof(lock_node))) lock_node;
}

one_sided::lock_node* one_sided::has_locked(place const& word) const noexcept {
  auto const one = std::find_if(held_.begin(), held_.end(), [&](held_lock const& h) { return h.word == word; });
  return one == held_.end() ? nullptr : one->node;
}

/// Where that is refused, the node is idle again.
std::uint64_t one_sided::leave_name(place const& word, change_kind how, lock_node* node) try {
  return change(word, sizeof(std::uint64_t), how, name_of_node(here.id(), node));
} catch (...) {
  idle_nodes_.push_back(node);
  throw;
}

void one_sided::lock(place const& word, call_site from) {
  here.check_may_wait(wait_kind::collective, "lock", from);
  here.check_owner("lock", from);
  if (has_locked(word) != nullptr) {
    throw usage_error("sheaf: lock: " + text_of(word) + " is locked by this location already" + called_at(from));
  }
  lock_node* const node = take_node();
  std::uint64_t const before = leave_name(word, change_kind::swap, node);
  held_.push_back({word, node});
  if (before == 0) return;
  change(place_of_node(before, offsetof(lock_node, next)), sizeof before, change_kind::store,
         name_of_node(here.id(), node));
  wait_for(
      "lock", from, [](void const* of) { return static_cast<lock_node const*>(of)->granted.load() != 0; }, node);
}

bool one_sided::try_lock(place const& word) {
  here.check_owner("try_lock");
  lock_node* const node = take_node();
  bool const free = leave_name(word, change_kind::swap_if, node) == 0;
  free ? held_.push_back({word, node}) : idle_nodes_.push_back(node);
  return free;
}

void one_sided::unlock(place const& word, call_site from) {
  here.check_owner("unlock", from);
  lock_node* const node = has_locked(word);
  if (node == nullptr) {
    throw usage_error("sheaf: unlock: " + text_of(word) + " is not locked by this location" + called_at(from));
  }
  fence_all();
  std::uint64_t const name = name_of_node(here.id(), node);
  if (node->next.load() == 0 && change(word, sizeof name, change_kind::swap_if, 0, name) != name) {
    // Somebody has asked, and is about to say who.
    wait_for(
        "unlock", from, [](void const* of) { return static_cast<lock_node const*>(of)->next.load() != 0; }, node);
  }
  std::uint64_t const next = node->next.load();
  if (next != 0) change(place_of_node(next, offsetof(lock_node, granted)), sizeof next, change_kind::store, 1);
  std::erase_if(held_, [&](held_lock const& one) { return one.node == node; });
  idle_nodes_.push_back(node);
}

void one_sided::wait_for(char const* what, call_site from, bool (*done)(void const*), void const* of) {
  constexpr std::uint32_t nap_us = 200;
  if (done(of)) return;
  here.check_may_wait(wait_kind::answer, what, from);
  wait_site const site{.what = what, .for_what = awaited::condition, .from = from, .nap_us = nap_us};
  here.wait(wait_kind::answer, site, [&] { return done(of); });
  admission const inside(here.gate());
  here.in().stir();  // no message has come, but the watchdog shall see that this location has gone on
}

}  // namespace sheaf::detail
