// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/parcel_shelf.hpp"

#include <cstring>
#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {
namespace {

constexpr std::size_t kept_capacity = 4096;  // a recycled parcel keeps no more memory than this

/// Whether operation a comes before operation b; sequence numbers wrap around.
bool before(std::uint16_t a, std::uint16_t b) { return static_cast<std::int16_t>(a - b) < 0; }

[[noreturn]] void throw_different_calls(collective_key const& ours, parcel const& theirs) {
  throw usage_error("sheaf: collective operation " + std::to_string(ours.sequence) + " of team " +
                    std::to_string(ours.team) + " is " + name(ours.kind) + " here and " + name(theirs.key.kind) +
                    " on location " + std::to_string(number(theirs.source)) +
                    "; all members of a team must call the same operations in the same order");
}

}  // namespace

char const* name(collective_kind kind) noexcept {
  switch (kind) {
    case collective_kind::barrier:
      return "barrier";
    case collective_kind::fence:
      return "rmi_fence";
    case collective_kind::broadcast:
      return "broadcast";
    case collective_kind::reduce:
      return "all_reduce or all_gather";
    case collective_kind::scan:
      return "scan";
    case collective_kind::gather:
      return "gather";
    case collective_kind::reduce_to_one:
      return "reduce";
    case collective_kind::all_to_all:
      return "all_to_all";
    case collective_kind::reduce_scatter:
      return "reduce_scatter";
  }
  return "an unknown operation";
}

parcel_shelf::~parcel_shelf() {
  for (list& l : lists_) {
    while (l.first != nullptr) {
      parcel* const p = l.first;
      l.first = p->next;
      delete p;
    }
  }
  while (free_ != nullptr) {
    parcel* const p = free_;
    free_ = p->next;
    delete p;
  }
}

parcel_shelf::list& parcel_shelf::of(std::uint32_t team) {
  if (team >= lists_.size()) lists_.resize(team + 1);
  return lists_[team];
}

void parcel_shelf::put(collective_key const& key, location_id source, std::span<std::byte const> bytes) {
  list& l = of(key.team);
  if (before(key.sequence, l.oldest)) return;
  parcel* p = free_;
  if (p != nullptr) {
    free_ = p->next;
  } else {
    p = new parcel;
  }
  p->next = nullptr;
  p->key = key;
  p->source = source;
  p->size = static_cast<std::uint32_t>(bytes.size());
  if (bytes.size() <= parcel::small_bytes) {
    if (!bytes.empty()) std::memcpy(p->small, bytes.data(), bytes.size());
  } else {
    p->large.assign(bytes.begin(), bytes.end());
  }
  // The list's links point into `lists_`, which may move: an empty list has no link to keep.
  if (l.first == nullptr) {
    l.first = p;
  } else {
    *l.last = p;
  }
  l.last = &p->next;
}

parcel* parcel_shelf::take(collective_key const& key, location_id const* source) {
  if (key.team >= lists_.size()) return nullptr;
  list& l = lists_[key.team];
  for (parcel** at = &l.first; *at != nullptr; at = &(*at)->next) {
    parcel* const p = *at;
    if (p->key.sequence != key.sequence) continue;
    if (p->key.kind != key.kind) throw_different_calls(key, *p);
    if (p->key != key || (source != nullptr && p->source != *source)) continue;
    unlink(l, at);
    return p;
  }
  return nullptr;
}

/// Takes the parcel that `at` points to out of the list.
void parcel_shelf::unlink(list& l, parcel** at) {
  parcel* const p = *at;
  *at = p->next;
  if (l.last == &p->next) l.last = at;
}

void parcel_shelf::recycle(parcel* p) {
  if (p->large.capacity() > kept_capacity) p->large = {};
  p->next = free_;
  free_ = p;
}

bool parcel_shelf::any_of_wave(collective_key const& key) const {
  if (key.team >= lists_.size()) return false;
  for (parcel const* p = lists_[key.team].first; p != nullptr; p = p->next) {
    if (p->key.sequence == key.sequence && p->key.wave == key.wave && p->key.kind == key.kind) return true;
  }
  return false;
}

template <class Old>
void parcel_shelf::drop(list& l, Old old) {
  for (parcel** at = &l.first; *at != nullptr;) {
    parcel* const p = *at;
    if (!old(p->key)) {
      at = &p->next;
      continue;
    }
    unlink(l, at);
    recycle(p);
  }
}

void parcel_shelf::drop_upto(collective_key const& key) {
  if (key.team >= lists_.size()) return;
  drop(lists_[key.team], [&](collective_key const& k) {
    auto const ahead = static_cast<std::int16_t>(k.wave - key.wave);
    return k.sequence == key.sequence && k.kind == key.kind && k.step == key.step && ahead <= 0;
  });
}

void parcel_shelf::open(std::uint32_t team) { ++of(team).open; }

void parcel_shelf::close(std::uint32_t team, std::uint16_t next_sequence) {
  list& l = lists_[team];
  if (--l.open != 0) return;
  l.oldest = next_sequence;
  drop(l, [&](collective_key const& k) { return before(k.sequence, l.oldest); });
}

}  // namespace sheaf::detail
