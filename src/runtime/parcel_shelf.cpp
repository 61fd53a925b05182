// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/parcel_shelf.hpp"

#include <algorithm>
#include <utility>

#include "message/reports.hpp"
#include "runtime/collective.hpp"

namespace sheaf::detail {
namespace {

constexpr std::size_t kept_capacity = 4096;  // a recycled parcel keeps no more memory than this

/// Whether operation a comes before operation b; sequence numbers wrap around.
bool before(std::uint16_t a, std::uint16_t b) { return static_cast<std::int16_t>(a - b) < 0; }

using told = std::pair<std::uint32_t, std::vector<told_call>>;  // and of which team

/// What another location has called, since a message from here did not agree with it.
struct difference_arrival : control_arrival<difference_arrival> {
  static constexpr char const* what = "list of collective calls";

  static void take(location& here, location_id source, std::span<std::byte const> record) {
    auto const [team, theirs] = decode<told>(record);
    call_history const* const ours = collectives_of(here).shelf.history(team);
    (ours != nullptr ? *ours : call_history()).compare(here.id(), team, source, theirs);
  }
};

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
  p.bytes.assign(bytes.begin(), bytes.end());
  return true;
}

parcel_shelf::parcels parcel_shelf::taken(collective_key const& key, location_id const* source) {
  parcels taken;
  parcels& here = lists_[key.team].here;
  auto const found = std::find_if(here.begin(), here.end(), [&](parcel const& p) {
    return p.key == key && (source == nullptr || p.source == *source);
  });
  if (found != here.end()) taken.splice(taken.begin(), here, found);
  return taken;
}

void parcel_shelf::recycle(parcels& from, parcels::iterator p) {
  if (p->bytes.capacity() > kept_capacity) p->bytes = {};
  free_.splice(free_.begin(), from, p);
}

bool parcel_shelf::any_of_wave(collective_key const& key) const {
  parcels const& here = lists_[key.team].here;
  return std::any_of(here.begin(), here.end(), [&](parcel const& p) {
    return p.key.sequence == key.sequence && p.key.wave == key.wave && p.key.mark == key.mark;
  });
}

void parcel_shelf::drop(list& l, auto old) {
  for (auto at = l.here.begin(); at != l.here.end();) {
    auto const p = at++;
    if (old(p->key)) recycle(l.here, p);
  }
}

void parcel_shelf::drop_upto(collective_key const& key) {
  drop(lists_[key.team], [&](collective_key const& k) {
    auto const ahead = static_cast<std::int16_t>(k.wave - key.wave);
    return k.sequence == key.sequence && k.mark == key.mark && k.step == key.step && ahead <= 0;
  });
}

std::uint32_t parcel_shelf::open(collective_call const& call, std::uint16_t sequence, location_id const*& differs) {
  list& l = of(call.members.id());
  l.open.push_back(sequence);
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

void parcel_shelf::close(std::uint32_t team, std::uint16_t sequence, std::uint16_t next_sequence) {
  list& l = lists_[team];
  std::erase(l.open, sequence);
  std::uint16_t const oldest = l.open.empty() ? next_sequence : l.open.front();
  if (oldest == l.oldest) return;
  l.oldest = oldest;
  drop(l, [&](collective_key const& k) { return before(k.sequence, l.oldest); });
}

std::uint32_t call_history::add(collective_call const& call) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  state_ = ((state_ ^ (call.said.mark | (call.root ? *call.root + 1 : 0) << 32U)) * odd ^
            (call.scope | static_cast<std::uint64_t>(call.how.by) << 16U | std::uint64_t{call.how.depth} << 24U)) *
           odd;
  entry const last{call.said, call.from, call.root, call.scope, call.how, static_cast<std::uint32_t>(state_ >> 32U)};
  if (recent_.size() < kept) {
    recent_.push_back(last);
  } else {
    recent_[(count_ - first_) % kept] = last;
  }
  ++count_;
  return last.mark;
}

call_history::entry const* call_history::find(std::uint16_t sequence) const {
  std::uint16_t const back = static_cast<std::uint16_t>(count_ - sequence);  // 1: the last one
  return back == 0 || back > recent_.size() ? nullptr : &recent_[(count_ - first_ - back) % kept];
}

namespace {

std::string text_of(detection how) {
  switch (how.by) {
    case detector::depth:
      return " with nesting depth " + std::to_string(how.depth);
    case detector::four_counter:
      return " with four counters";
    case detector::channel_counting:
      return " with channel counting";
    case detector::sinha_kale_ramkumar:
      return " with the detector of Sinha, Kale and Ramkumar";
    case detector::coloured_wave:
      break;
  }
  return {};
}

}  // namespace

std::string call_history::text(entry const& call) {
  std::string all = call.said.what;
  if (!call.said.values.empty()) all.append(" of ").append(call.said.values);
  if (call.scope != 0) all += " of scope " + std::to_string(call.scope) + text_of(call.how);
  if (call.root) all += " with root " + std::to_string(*call.root);
  std::string const from = place(call.from);
  return all + from.substr(0, from.size() - (from.empty() ? 0 : 1));
}

void call_history::tell(location& here, std::uint32_t team, location_id other) {
  if (told_) return;
  told_ = true;
  told all{team, {}};
  for (std::size_t back = recent_.size(); back > 0; --back) {
    entry const& one = recent_[(count_ - first_ - back) % kept];
    all.second.push_back({static_cast<std::uint16_t>(count_ - back), one.mark, text(one)});
  }
  send_control(here, number(other), handler_number<difference_arrival>, {}, encode(all));
}

void call_history::compare(location_id here, std::uint32_t team, location_id other,
                           std::vector<told_call> const& theirs) const {
  std::string const rule =
      "; all members of a team call the same ones in the same order, with the same type, root, arrays and sections";
  std::string const whose = "sheaf: members of team " + std::to_string(team) + " call different collective operations";
  for (told_call const& their : theirs) {
    if (agrees(their.sequence, their.mark)) continue;
    std::string const own = text(*find(their.sequence));
    char const* const apart = own == their.text ? " of other arrays, sections or types" : "";
    throw mismatched_calls(whose + ": " + name_of(here) + " " + own + "; " + name_of(other) + " " + their.text + apart +
                           rule);
  }
  throw mismatched_calls(whose + ", locations " + std::to_string(number(here)) + " and " +
                         std::to_string(number(other)) + " since more than " + std::to_string(kept) + " calls" + rule);
}

}  // namespace sheaf::detail
