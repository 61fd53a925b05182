// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/active/epoch.hpp"

#include "base/call_text.hpp"

namespace sheaf {

scoped_epoch::scoped_epoch(team const& members, call_site where) : team_(members), from_(where) {
  detail::location& here = here_of(members, where);
  here.check_owner("an epoch", where);
  here.check_may_wait(detail::wait_kind::collective, "an epoch", where);
  scope_.emplace(members, detail::scope::generations::uncounted, where);
  before_ = here.out().enter(scope_->for_messages());
  inside_ = true;
}

scoped_epoch::~scoped_epoch() noexcept(false) {
  if (!team_.is_here()) return;
  bool const by_exception = std::uncaught_exceptions() != exceptions_;
  if (inside_ && !by_exception) {
    end(from_);
    return;
  }
  try {
    if (by_exception && (inside_ || state_of(team_).is_open(scope_->number())))
      detail::epoch_parts::poison(team_, scope_->number(), "");
    if (!inside_) {
      if (by_exception) abandon_fence(team_, scope_->number());  // of ask_end, whose value may refer to what is gone
      return;
    }
    leave();
    scope_->begin_fence(from_);
  } catch (...) {  // the job ends, and the exception that passes says more
  }
}

void scoped_epoch::leave() {
  if (!inside_) {
    throw usage_error("sheaf: an epoch of team " + std::to_string(team_.id()) + " was ended twice; it began" +
                      detail::called_at(from_));
  }
  here_of(team_).out().enter(before_);
  inside_ = false;
}

namespace detail {

void epoch_parts::poison(team const& members, std::uint32_t scope, std::string const& why) {
  admission const inside(here_of(members).gate());
  kept_errors& errors = state_of(members).counts_of(scope).errors;
  if (errors.count++ >= kept_errors::most_texts) return;
  errors.texts.push_back(name_of(here_of(members).id()) + " left an epoch by an exception" +
                         (why.empty() ? "" : ": " + why));
}

}  // namespace detail
}  // namespace sheaf
