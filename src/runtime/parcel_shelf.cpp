// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/parcel_shelf.hpp"

#include <algorithm>
#include <cstring>

namespace sheaf::detail {
namespace {

constexpr std::size_t kept_capacity = 4096;  // a recycled parcel keeps no more memory than this

/// Whether operation a comes before operation b; sequence numbers wrap around.
bool before(std::uint16_t a, std::uint16_t b) { return static_cast<std::int16_t>(a - b) < 0; }

}  // namespace

parcel_shelf::list& parcel_shelf::of(std::uint32_t team) {
  if (team >= lists_.size()) lists_.resize(team + 1);
  return lists_[team];
}

bool parcel_shelf::put(collective_key const& key, location_id source, std::span<std::byte const> bytes) {
  list& l = of(key.team);
  if (l.calls != nullptr && !l.calls->agrees(key.sequence, key.mark)) [[unlikely]]
    return false;
  if (l.calls != nullptr && before(key.sequence, l.oldest)) return true;
  if (free_.empty()) free_.emplace_back();
  parcel& p = free_.front();
  l.here.splice(l.here.end(), free_, free_.begin());
  p.key = key;
  p.source = source;
  p.size = bytes.size();
  if (bytes.size() <= parcel::small_bytes) {
    if (!bytes.empty()) std::memcpy(p.small, bytes.data(), bytes.size());
  } else {
    p.large.assign(bytes.begin(), bytes.end());
  }
  return true;
}

parcel* parcel_shelf::take(collective_key const& key, location_id const* source) {
  if (key.team >= lists_.size()) return nullptr;
  parcels& here = lists_[key.team].here;
  auto const found = std::find_if(here.begin(), here.end(), [&](parcel const& p) {
    return p.key == key && (source == nullptr || p.source == *source);
  });
  if (found == here.end()) return nullptr;
  taken_.splice(taken_.begin(), here, found);
  return &*found;
}

void parcel_shelf::recycle(parcel* p) {
  auto const at = std::find_if(taken_.begin(), taken_.end(), [p](parcel const& one) { return &one == p; });
  recycle(taken_, at);
}

void parcel_shelf::recycle(parcels& from, parcels::iterator p) {
  if (p->large.capacity() > kept_capacity) p->large = {};
  free_.splice(free_.begin(), from, p);
}

bool parcel_shelf::any_of_wave(collective_key const& key) const {
  if (key.team >= lists_.size()) return false;
  parcels const& here = lists_[key.team].here;
  return std::any_of(here.begin(), here.end(), [&](parcel const& p) {
    return p.key.sequence == key.sequence && p.key.wave == key.wave && p.key.mark == key.mark;
  });
}

template <class Old>
void parcel_shelf::drop(list& l, Old old) {
  for (auto at = l.here.begin(); at != l.here.end();) {
    auto const p = at++;
    if (old(p->key)) recycle(l.here, p);
  }
}

void parcel_shelf::drop_upto(collective_key const& key) {
  if (key.team >= lists_.size()) return;
  drop(lists_[key.team], [&](collective_key const& k) {
    auto const ahead = static_cast<std::int16_t>(k.wave - key.wave);
    return k.sequence == key.sequence && k.mark == key.mark && k.step == key.step && ahead <= 0;
  });
}

std::uint32_t parcel_shelf::open(collective_call const& call, std::uint16_t sequence, location_id const*& differs) {
  list& l = of(call.members.id());
  ++l.open;
  if (l.calls == nullptr) {
    l.calls = std::make_unique<call_history>(sequence);
    l.oldest = sequence;
  }
  std::uint32_t const mark = l.calls->add(call);
  for (parcel const& p : l.here) {
    if (p.key.sequence == sequence && p.key.mark != mark) [[unlikely]]
      differs = &p.source;
  }
  return mark;
}

void parcel_shelf::forget_calls(std::uint32_t team) { lists_[team].calls.reset(); }

call_history* parcel_shelf::history(std::uint32_t team) {
  return team < lists_.size() ? lists_[team].calls.get() : nullptr;
}

void parcel_shelf::close(std::uint32_t team, std::uint16_t next_sequence) {
  list& l = lists_[team];
  if (--l.open != 0) return;
  l.oldest = next_sequence;
  drop(l, [&](collective_key const& k) { return before(k.sequence, l.oldest); });
}

}  // namespace sheaf::detail
