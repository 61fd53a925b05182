// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/active/detail/stages.hpp"

#include <string>
#include <utility>

namespace sheaf::detail {

namespace {

/// So many messages pass between two polls.
constexpr std::uint32_t sends_between_polls = 1024;

}  // namespace

std::size_t checked_slots(std::size_t wanted) {
  constexpr std::size_t most = std::size_t{1} << 31U;
  if (wanted <= most) return wanted < 2 ? 2 : wanted;
  throw usage_error("sheaf: a policy with " + std::to_string(wanted) + " slots; its table has at most " +
                    std::to_string(most));
}

stage_source::stage_source(message_core& core)
    : out_(core.here().out()), core_(core), members_(core.here().gate() == nullptr ? core.members().size() : 0) {}

void stage_source::join(std::size_t bytes) {
  admission const inside(core_.here().gate());
  count(bytes);
  out_.add(*this);
}

void stage_source::leave() {
  if (!core_.members().is_of_this_job()) return;
  admission const inside(core_.here().gate());
  count(0);
  if (holds()) {
    core_.tell_dropped(scope_, "messages that its policies held were dropped, since it was destroyed in their epoch");
  }
  out_.remove(*this);
  tell(out_.counts);
}

/// Handlers that what goes on has executed may have held more, of another scope, too.
void stage_source::flush(flush_reason) {
  if (core_.is_anothers()) return;
  ++passing_;  // threads leave here in any order, as they may wait
  at_end const handed_on{[this] { --passing_; }};
  auto const seen = sends_seen();
  hand_on();
  announced_ = holds();
  if (announced_ && seen == sends_seen()) throw_keeps();
}

std::pair<std::uint32_t, std::uint32_t> stage_source::sends_seen() const {
  bool const only_slowly = core_.here().gate() != nullptr;
  return {only_slowly ? 0 : until_poll_, slow_sends_};
}

void stage_source::throw_keeps() const {
  throw usage_error("sheaf: a policy of " + core_.name() +
                    " still holds messages after its flush, which nothing has followed; flush hands on all, and then "
                    "empty() is true (sheaf/active/policies.hpp)");
}

void stage_source::flush_all() {
  if (!core_.members().is_of_this_job()) return;
  admission const inside(core_.here().gate());
  flush(flush_reason::asked);
}

bool stage_source::may_pass_beside(std::uint64_t dest, packed_call_site from) const {
  core_.check_sending(dest, from);  // before the gate, which may be gone
  return core_.here().gate() != nullptr && core_.here().by_outsider();
}

/// What goes on may wait for room.
bool stage_source::release(bool may_overflow) {
  if (!may_overflow || !holds() || core_.is_anothers()) return false;
  flush(flush_reason::budget);
  return true;
}

void stage_source::enter() {
  run_scope const now = out_.scope();
  auto const is_other = [&] { return now.number() != scope_.number() || core_.ends_of(now) != seen_ends_; };
  while (is_other() && holds()) flush(flush_reason::asked);
  if (is_other()) {
    forget();
    seen_ends_ = core_.ends_of(now);
    scope_ = now;
  } else if (now.generation() <= scope_.generation() || !holds()) {
    scope_ = now;
  }
  if (core_.here().gate() == nullptr && now.generation() == 0) seen_changes_ = out_.scope_changes;
}

/// To the location it holds nothing yet: so its age begins, and whoever sleeps is told.
void stage_source::announce() {
  announced_ = true;
  restoring const not_yet(hidden_, true);
  out_.begins_to_hold();
}

void stage_source::poll() {
  until_poll_ = sends_between_polls;
  location& here = core_.here();
  if (here.in().in_handler() || (here.gate() != nullptr && here.by_outsider())) return;
  admission const inside(here.gate());
  out_.of(traffic::request).unpolled += sends_between_polls;
  here.poll_if_due();
}

void stage_source::count(std::size_t bytes) {
  out_.count_tables(static_cast<std::ptrdiff_t>(bytes - counted_));
  counted_ = bytes;
}

void stage_source::add_counts(location_counts& to, std::string_view type, std::string_view policy,
                              std::uint64_t looked_up, std::uint64_t hits) {
  if (looked_up != 0) to.policy(readable(type) + ", " + std::string(policy), looked_up, hits);
}

}  // namespace sheaf::detail
