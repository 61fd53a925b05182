// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/call_history.hpp"

#include "message/reports.hpp"
#include "runtime/collective.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {
namespace {

using told = std::pair<std::uint32_t, std::vector<told_call>>;  // and of which team

/// What another location has called, since a message from here did not agree with it.
struct difference_arrival {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;

  static void run(location& here, void*, execution& state) {
    auto const [team, theirs] = decode<told>(std::span(state.at, state.run_end));
    state.at = state.run_end;
    call_history const* const ours = collectives_of(here).shelf.history(team);
    (ours != nullptr ? *ours : call_history()).compare(here.id(), team, state.source, theirs);
  }
};

}  // namespace

std::uint32_t call_history::add(collective_call const& call) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  state_ = ((state_ ^ (call.said.mark | std::uint64_t{call.root} << 32U)) * odd ^
            (call.object | std::uint64_t{call.scope} << 32U)) *
           odd;
  entry const last{call.said, call.from, call.root, call.object, call.scope, static_cast<std::uint32_t>(state_ >> 32U)};
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

std::string call_history::text(entry const& call) {
  std::string all = call.said.what;
  if (call.object != 0) {
    all += " of " + readable(call.said.values) + " on object " + std::to_string(call.object);
  } else if (!call.said.values.empty()) {
    all.append(" of ").append(call.said.values);
  }
  if (call.scope != 0) all += " of scope " + std::to_string(call.scope);
  if (call.root != collective_call::no_root) all += " with root " + std::to_string(call.root);
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
  send_control(here, number(other), run_tag(handler_number<difference_arrival>, 0, 0), {}, encode(all));
}

void call_history::compare(location_id here, std::uint32_t team, location_id other,
                           std::vector<told_call> const& theirs) const {
  std::string const rule = "; all members of a team call the same ones in the same order, with the same type and root";
  std::string const whose = "sheaf: members of team " + std::to_string(team) + " call different collective operations";
  for (told_call const& their : theirs) {
    if (agrees(their.sequence, their.mark)) continue;
    throw mismatched_calls(whose + ": location " + std::to_string(number(here)) + " " + text(*find(their.sequence)) +
                           "; location " + std::to_string(number(other)) + " " + their.text + rule);
  }
  throw mismatched_calls(whose + ", locations " + std::to_string(number(here)) + " and " +
                         std::to_string(number(other)) + " since more than " + std::to_string(kept) + " calls" + rule);
}

}  // namespace sheaf::detail
