// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/helpers.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "base/machine.hpp"
#include "base/stderr_pipe.hpp"
#include "base/threading.hpp"
#include "message/outside.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/runtime/attached_thread.hpp"

namespace sheaf::detail {
namespace {

/// Runs `f` as the location, on a thread that is not its own. What it throws ends the job.
void on_behalf_of(location& here, auto f) noexcept {
  restoring const meanwhile(ambient_location, &here);
  try {
    f();
  } catch (job_aborted const&) {  // the location hears of it itself
  } catch (...) {
    here.connection().fail(name_of(here.id()) + ", where a thread helps it: " + text_of_thrown());
  }
}

}  // namespace

void siblings::join(location& here) {
  std::lock_guard const lock(mutex_);
  members_.push_back(std::make_unique<member>(here));
}

void siblings::part(location& here) {
  std::unique_ptr<member> last;
  {
    std::lock_guard const lock(mutex_);
    auto const at = std::find_if(members_.begin(), members_.end(), [&](auto const& m) { return m->here == &here; });
    if (at == members_.end()) return;
    last = std::move(*at);
    members_.erase(at);
  }
  while (last->servers.load(std::memory_order_acquire) != 0) yield(here.connection().threads);
}

void siblings::serve_all_but(location& here) {
  for (std::size_t i = 0;; ++i) {
    member* other = nullptr;
    {
      std::lock_guard const lock(mutex_);
      if (i >= members_.size()) return;
      if (members_[i]->here == &here) continue;
      other = members_[i].get();
      other->servers.fetch_add(1, std::memory_order_relaxed);
    }
    on_behalf_of(*other->here, [other] { outside::of(*other->here).serve(); });
    other->servers.fetch_sub(1, std::memory_order_release);
  }
}

helpers::helpers(location& here, siblings& others) : here_(here), others_(others) {
  options const& settings = here.settings();
  if (settings.progress == progress_kind::helper) start(settings.helpers);
  if (settings.progress != progress_kind::hand_over) return;
  others.join(here);
  outside::of(here).serve_at_rest([this] { others_.serve_all_but(here_); });
}

/// Threads of the location's own, since methods may take long: none is that of heartbeats (docs/design/heartbeat.md).
void helpers::start(unsigned threads) {
  auto const help = [this] { on_behalf_of(here_, [this] { outside::of(here_).help(); }); };
  threading* const simulated = here_.connection().threads;
  threads_.reserve(threads);
  try {
    for (unsigned i = 0; i < threads; ++i) {
      if (simulated != nullptr)
        fibers_.push_back(simulated->start(help));
      else
        threads_.emplace_back(help);
    }
  } catch (std::system_error const&) {
    if (!threads_.empty()) return;  // fewer help
    throw option_error(
        std::string("sheaf: SHEAF_PROGRESS is helper; the system refuses this process another thread. Raise its "
                    "limit (") +
        limit_of_threads() + "), or set SHEAF_PROGRESS=inline.");
  }
}

helpers::~helpers() {
  if (here_.gate() == nullptr) return;
  outside::of(here_).serve_at_rest(nullptr);
  others_.part(here_);
  outside::of(here_).end_help();
  for (std::thread& t : threads_) t.join();
  for (std::uint64_t const fiber : fibers_) here_.connection().threads->join(fiber);
  constexpr std::uint64_t patience_ns = 10'000'000'000;
  if (outside::of(here_).attached.await_none(patience_ns)) return;
  write_last_line("sheaf: " + name_of(here_.id()) +
                  " has ended, but a thread that is attached to it does not detach; the process ends (" +
                  this_process() + ")");
  std::_Exit(1);
}

void helpers::check_nobody_attached() const {
  if (here_.gate() == nullptr) return;
  std::size_t const count = outside::of(here_).attached.present();
  if (count == 0) return;
  throw usage_error("sheaf: the program of " + name_of(here_.id()) + " has returned while " + std::to_string(count) +
                    (count == 1 ? " thread is" : " threads are") +
                    " attached to it; join them, so that they detach, before it returns");
}

}  // namespace sheaf::detail

namespace sheaf {
namespace {

detail::location& free_for_us(detail::location& here, std::uint64_t serial) {
  std::string which = "sheaf: a thread of the program's own cannot attach to ";
  if (!detail::guests::may_come(&here, serial)) {
    throw usage_error(which +
                      "a team's location, since SHEAF_PROGRESS is inline; set it to shared (nobody else helps), helper "
                      "or hand_over. Or the job of the team is over");
  }
  which += detail::name_of(here.id());
  if (here.connection().threads != nullptr && here.connection().threads->self() == nullptr) {
    throw usage_error(which + ", since simulated locations are fibers of one thread; set SHEAF_TRANSPORT=thread");
  }
  if (detail::ambient_location != nullptr) {
    throw usage_error(which + ": this thread is a location's own, or is attached already; attach each thread once");
  }
  return here;
}

}  // namespace

attached_thread::attached_thread(team const& where) : here_(free_for_us(*where.here_, where.serial_)) {
  here_.expect_from_outside(+1);
  detail::outside::of(here_).attached.enter();
  detail::ambient_location = &here_;
}

attached_thread::~attached_thread() {
  detail::ambient_location = nullptr;
  here_.expect_from_outside(-1);
  detail::outside::of(here_).attached.leave();
}

}  // namespace sheaf
