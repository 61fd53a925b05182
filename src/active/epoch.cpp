// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/active/epoch.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/call_text.hpp"
#include "base/gate.hpp"

namespace sheaf {

detection_request::detection_request(team const& members, detection how, call_site where)
    : state_(state_of(members, where)), how_(how) {
  here_of(members, where).check_owner("a detection_request", where);
  if (how.by == detector::depth && how.depth > detection::most_depth) {
    throw usage_error("sheaf: nesting_depth(" + std::to_string(how.depth) + "): at most " +
                      std::to_string(detection::most_depth) + "; detector::coloured_wave takes any depth" +
                      detail::called_at(where));
  }
  state_.detections.push_back(how);
  ++state_.keepers;
}

detection_request::~detection_request() {
  state_.detections.erase(std::ranges::find(state_.detections, how_));
  state_.let_go();
}

namespace {

detection strongest(std::vector<detection> const& asked) {
  return asked.empty() ? detection{} : *std::ranges::max_element(asked);
}

}  // namespace

scoped_epoch::scoped_epoch(team const& members, call_site where) : team_(members), from_(where) {
  detail::location& here = here_of(members, where);
  here.check_owner("an epoch", where);
  here.check_may_wait(detail::wait_kind::collective, "an epoch", where);
  scope_.emplace(members, strongest(state_of(members).detections), where);
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
      detail::epoch_calls::poison(team_, scope_->number(), "");
    if (!inside_) {
      if (by_exception) abandon_fence(team_, scope_->number());  // of ask_end, whose value may refer to what is gone
      return;
    }
    leave();
    scope_->begin_fence(from_);
  } catch (...) {  // the job ends, and the exception that passes says more
  }
}

namespace {

constexpr std::uint64_t part_patience_ns = 10'000'000'000;

/// The watchdog does not judge what comes from other threads.
void warn_of_parts(location_id here, std::uint32_t expected, std::uint32_t begun, call_site from) {
  std::string const text =
      "sheaf: warning: " + detail::name_of(here) + " has waited for 10 s at the end of an epoch for " +
      std::to_string(expected) + " epoch_parts that have not begun, and " + std::to_string(begun) +
      " that have not ended (scoped_epoch::expect_parts). The epoch began" + detail::called_at(from) + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace

void scoped_epoch::leave() {
  if (!inside_) {
    throw usage_error(
        "sheaf: an epoch of team " + std::to_string(team_.id()) +
        " was ended twice; end() and ask_end() end it once, and its destructor where neither was called. It began" +
        detail::called_at(from_));
  }
  detail::location& here = here_of(team_);
  bool const by_exception = std::uncaught_exceptions() != exceptions_;
  if (!by_exception && here.out().scope() != scope_->for_messages()) {
    throw usage_error("sheaf: an epoch of team " + std::to_string(team_.id()) +
                      " was ended before one that the program began inside it; end that first. The outer one began" +
                      detail::called_at(from_));
  }
  here.out().enter(before_);
  inside_ = false;
  if (by_exception) expected_ = 0;  // nobody may begin one any more
  // Whoever begins a part counts it before it is expected no longer, so this order finds it in one of them.
  auto const none_left = [this] { return expected_ == 0 && parts_ == 0; };
  if (none_left()) return;
  here.expect_from_outside(+1);
  detail::at_end const over{[&here] { here.expect_from_outside(-1); }};
  detail::wait_site const site{.what = "the end of an epoch", .for_what = detail::awaited::parts, .from = from_};
  std::uint64_t const strange = here.connection().now() + part_patience_ns;
  here.wait(detail::wait_kind::collective, site, [&, told = false]() mutable {
    if (none_left()) return true;
    if (!told && here.connection().now() > strange) {
      told = true;
      warn_of_parts(here.id(), expected_, parts_, from_);
    }
    return false;
  });
}

namespace {

[[noreturn]] void throw_ended(team const& of, call_site where) {
  throw usage_error("sheaf: the epoch of team " + std::to_string(of.id()) +
                    " has been ended; attached threads send in one that goes on, so begin another" +
                    detail::called_at(where));
}

}  // namespace

void scoped_epoch::expect_parts(std::uint32_t threads, call_site where) {
  if (!inside_) throw_ended(team_, where);
  if (here_of(team_, where).gate() == nullptr && threads != 0) {
    throw usage_error("sheaf: expect_parts(" + std::to_string(threads) +
                      ") where no thread can attach; set SHEAF_PROGRESS to shared, helper or hand_over" +
                      detail::called_at(where));
  }
  if (threads > ~std::uint32_t{0} / 2 - expected_) {
    throw usage_error("sheaf: expect_parts(" + std::to_string(threads) + ") after " + std::to_string(expected_) +
                      " others; at most 2^31 - 1 in all" + detail::called_at(where));
  }
  expected_ += threads;
}

namespace {

detail::location& attached_to(team const& members, call_site where) {
  if (detail::ambient_location == nullptr) {
    throw usage_error("sheaf: an epoch_part on a thread that is not attached; make a sheaf::attached_thread first" +
                      detail::called_at(where));
  }
  return here_of(members, where);
}

}  // namespace

epoch_part::epoch_part(scoped_epoch& whole, call_site where) : whole_(whole), here_(attached_to(whole.team_, where)) {
  detail::admission const inside(here_.gate());
  bool const is_attached = here_.gate() != nullptr && here_.gate()->is_guest();
  if (!is_attached) {
    throw usage_error("sheaf: an epoch_part is for threads that are attached to " + detail::name_of(here_.id()) +
                      "; the location's own program sends in the scoped_epoch itself" + detail::called_at(where));
  }
  ++whole.parts_;  // before it is expected no longer
  std::uint32_t left = whole.expected_;
  while (left != 0 && !whole.expected_.compare_exchange_weak(left, left - 1)) {
  }
  if (left == 0) {
    --whole.parts_;
    if (!whole.inside_) throw_ended(whole.team_, where);
    throw usage_error("sheaf: more epoch_parts of an epoch of team " + std::to_string(whole.team_.id()) +
                      " than expect_parts has told" + detail::called_at(where));
  }
  before_ = here_.out().enter(whole.scope_->for_messages());
}

epoch_part::~epoch_part() {
  detail::admission const inside(here_.gate());
  here_.out().enter(before_);
  try {
    if (std::uncaught_exceptions() != exceptions_)
      detail::epoch_calls::poison(whole_.team_, whole_.scope_->number(), "on an attached thread");
    here_.out().flush();
  } catch (...) {  // the job ends
  }
  --whole_.parts_;
  here_.in().stir();
  here_.connection().wake();
}

namespace detail {

void epoch_calls::poison(team const& members, std::uint32_t scope, std::string const& why) {
  admission const inside(here_of(members).gate());
  state_of(members).counts_of(scope).errors.add([&] {
    return name_of(here_of(members).id()) + " left an epoch by an exception" + (why.empty() ? "" : ": " + why);
  });
}

}  // namespace detail
}  // namespace sheaf
