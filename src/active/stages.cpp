// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/active/detail/stages.hpp"

namespace sheaf::detail {

void stage_source::join(std::size_t bytes) {
  admission const inside(core_.here().gate());
  count(bytes);
  out_.add(*this);
}

void stage_source::leave() {
  if (!core_.members().is_of_this_job()) return;
  admission const inside(core_.here().gate());
  count(0);
  out_.remove(*this);
  tell(out_.counts);
}

void stage_source::flush(flush_reason) {
  sending_in const as_held(out_, scope_);
  hand_on();
  holds_ = !empty();
}

void stage_source::flush_all() {
  admission const inside(gate());
  if (core_.members().is_of_this_job()) flush(flush_reason::asked);
}

void stage_source::add_counts(location_counts& to, std::string_view type, std::string_view policy,
                              std::uint64_t looked_up, std::uint64_t hits) {
  if (looked_up != 0) to.policy(readable(type) + ", " + std::string(policy), looked_up, hits);
}

bool stage_source::release(bool) {
  if (empty()) return false;
  flush(flush_reason::budget);
  return true;
}

void stage_source::enter(std::uint64_t dest, packed_call_site from) {
  core_.check_sending(dest, from);
  run_scope const now = out_.scope();
  if (now.number() != scope_.number() || core_.ended_epochs() != seen_ends_) {
    if (!empty()) flush(flush_reason::asked);
    forget();
    seen_ends_ = core_.ended_epochs();
    scope_ = now;
  } else if (now.generation() <= scope_.generation() || empty()) {
    scope_ = now;
  }
  if (gate() == nullptr && now.generation() == 0) seen_changes_ = out_.scope_changes;
}

void stage_source::begins_to_hold() {
  holds_ = true;
  out_.begins_to_hold();
}

void stage_source::count(std::size_t bytes) {
  out_.count_tables(static_cast<std::ptrdiff_t>(bytes - counted_));
  counted_ = bytes;
}

}  // namespace sheaf::detail
