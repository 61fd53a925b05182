// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "engine.hpp"
#include "handlers.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"

namespace sheaf_dmcs {

using sheaf::usage_error;
using sheaf::detail::handler_number;
using sheaf::detail::restoring;

namespace {
/// The caller is a program in C, which says no place: what is known is the function that it called.
constexpr sheaf::call_site in(char const* what) { return {what, 0}; }
}  // namespace

engine::engine(sheaf::team const& on, bool with_threads)
    : team_(on),
      here_(sheaf::detail::here_of(on)),
      state_(sheaf::detail::state_of(on)),
      memory_(sheaf::detail::one_sided::of(here_)),
      count_(on.size()),
      object_(here_.registered().add_object(state_, this, sheaf::detail::token_of<engine>())),
      repeats_to_(with_threads ? 0 : count_),
      met_(count_),
      lock_(with_threads ? std::make_unique<std::mutex>() : nullptr) {
  std::array const handlers{handler_number<services<0>>, handler_number<services<1>>, handler_number<services<2>>,
                            handler_number<services<3>>, handler_number<services<4>>, handler_number<op_records>,
                            handler_number<data_records>};
  for (std::size_t i = 0; i < handlers.size(); ++i) tags_[i] = {handlers[i], object_, on.id()};
}

engine::~engine() { here_.registered().remove_object(state_, object_); }

void engine::enter(sheaf::detail::location*& outer) {
  ++wanting_;
  lock_->lock();
  --wanting_;
  adopt(here_);
  outer = std::exchange(sheaf::detail::ambient_location, &here_);
}
void engine::leave(sheaf::detail::location* outer) {
  sheaf::detail::ambient_location = outer;
  lock_->unlock();
}

/// Executes the oldest of the queue, and adds what that was. False: there is none.
bool engine::run_next(std::uint64_t& executed) {
  if (queue_.empty()) return false;
  item const one = std::move(queue_.front());
  queue_.pop_front();
  ++popped_;
  if (one.is_memory) --queued_memory_;
  if (one.is_memory || lock_ == nullptr) {
    restoring const inside(in_handlers(), in_handlers() + (one.is_memory ? 0 : 1));
    executed += execute(one);
    return true;
  }
  ++running_;
  {
    released const others_go_on(*this);
    restoring const inside(in_handlers_of_thread, in_handlers_of_thread + 1);
    executed += execute(one);
  }
  --running_;
  return true;
}

std::uint64_t engine::run_all() {
  std::uint64_t executed = 0;
  while (run_next(executed)) continue;
  return executed;
}

/// Executes what accesses memory in the queue, in order, where handlers have to wait.
void engine::settle_memory() {
  settled_ = std::max(settled_, popped_);
  while (queued_memory_ != 0) {
    item& oldest = queue_[settled_++ - popped_];
    if (!oldest.is_memory) continue;
    item const one = std::exchange(oldest, {});
    --queued_memory_;
    executed_ += execute(one);
  }
}

template <class Done>
void engine::wait(char const* what, std::uint32_t on, Done const& done) {
  check_thread();
  if (!in_place_.empty()) kept_ = here_.in().keep(std::exchange(in_place_, {}), 1).owner;  // before it is given back
  begin_anew();
  settle_memory();
  flush();
  if (lock_ != nullptr) {
    wait_in_turns(mode::waiting, done);
    return take_in();
  }
  restoring const meanwhile(mode_, mode::waiting);
  sheaf::detail::wait_site const site{.what = what, .for_what = sheaf::detail::awaited::answer, .on = on};
  here_.wait(sheaf::detail::wait_kind::answer, site, [&] {
    if (!done()) return false;
    for (unsigned most = here_.settings().ring_slots; most != 0 && here_.step(); --most) continue;  // as take_in
    return true;
  });
}

/// Takes in what has arrived, where a wait ends, outside of handlers. Answers are received before requests, so without
/// this the data of a get could be there, and those of a put that its target had sent before not yet.
void engine::take_in() {
  settle_memory();
  restoring const meanwhile(mode_, mode::waiting);
  here_.poll();
}

/// Of one thread among several: each receives what comes for all. In a fence all goes through the queue, in order.
template <class Done>
void engine::wait_in_turns(mode as, Done const& done) {
  for (std::uint32_t round = 0; !done(); ++round) {
    if (as == mode::waiting) settle_memory();
    bool any = false;
    {
      restoring const meanwhile(mode_, as == mode::waiting ? as : mode::taking);
      any = here_.poll();
    }
    if ((as == mode::polling && run_queue() != 0) || any) {
      round = 0;
    } else {
      let_others_in(round);
    }
  }
}

std::byte* engine::append_in_turns(sheaf::detail::outbox& box, sheaf::run_tag tag, std::size_t bytes,
                                   std::uint32_t each) {
  std::byte* at = nullptr;
  wait_in_turns(mode::taking, [&] { return (at = box.try_append(tag, bytes, each)) != nullptr; });
  return at;
}

void engine::let_others_in(std::uint32_t round) {
  released const others_go_on(*this);
  pause(round);
}

/// Spins, yields, sleeps. Who wants the lock sleeps, and needs some time to get it: a mutex is not fair.
void engine::pause(std::uint32_t round) const {
  constexpr std::uint32_t spins = 100, yields = 1000;
  if (wanting_.load(std::memory_order_relaxed) != 0) return std::this_thread::sleep_for(std::chrono::microseconds(1));
  if (round < spins) return;
  if (round < yields) return std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::microseconds(std::min(round / 10, 500U)));
}

void engine::finish(char const* what, open_call& call) {
  wait(what, call.from, [&] { return call.done; });
}

void engine::check(dmcs_request const& request) const {
  if (request.open <= state_.awaited) return;
  throw usage_error("the request says that " + std::to_string(request.open) + " calls with it are open, and " +
                    std::to_string(state_.awaited) +
                    " of this process are; let it be DMCS_REQUEST_INIT before its first call");
}

void engine::wait_for(char const* what, dmcs_request const& request) {
  check(request);
  wait(what, sheaf::detail::wait_site::several, [&] { return request.open == 0; });
}

int engine::poll(char const* what) {
  check_outside(what);
  begin_anew();
  if (lock_ != nullptr) return poll_in_turns();
  std::uint64_t const before = executed_;
  std::uint64_t queued = run_queue();
  {
    restoring const meanwhile(mode_, mode::polling);
    here_.poll();
  }
  queued += run_queue();
  begin_anew();  // handlers have sent
  return static_cast<int>(executed_ - before + queued);
}

int engine::poll_in_turns() {
  here_.poll();
  std::uint64_t const executed = run_queue();
  executed == 0 ? let_others_in(0) : begin_anew();  // handlers have sent
  return static_cast<int>(executed);
}

void engine::refuse_thread() {
  throw usage_error("called by another thread than dmcs_init; start with dmcs_init_threads, and all threads may call");
}

void engine::refuse_in_handler(char const* what) {
  throw usage_error(std::string(what) + " was called in a handler; return from it first");
}

void engine::barrier(char const* what) {
  check_outside(what);
  begin_anew();
  settle_memory();
  flush();
  if (lock_ != nullptr) {
    auto const all = sheaf::ask_barrier(team_, in(what));
    wait_in_turns(mode::waiting, [&] { return all.ready(); });
  } else {
    restoring const meanwhile(mode_, mode::waiting);
    sheaf::barrier(team_, in(what));
  }
  take_in();
}

namespace {
/// Of all processes: what they have sent and executed, what is not at its end, and how many shut down.
struct tally {
  std::uint64_t sent = 0, executed = 0, unfinished = 0, ending = 0;
  bool operator==(tally const&) const = default;
  [[nodiscard]] bool is_settled() const { return sent == executed && unfinished == 0; }
  void check_end(std::uint32_t count) const {
    if (ending == 0 || ending == count) return;
    throw usage_error(std::to_string(ending) + " of " + std::to_string(count) +
                      " processes have called dmcs_shutdown, and the others dmcs_fence; call the same in all");
  }
};
tally sum(tally const& a, tally const& b) {
  return {a.sent + b.sent, a.executed + b.executed, a.unfinished + b.unfinished, a.ending + b.ending};
}
}  // namespace

/// A fence of the team brings all that is sent to where it belongs, and may leave handlers in queues, which may send
/// more.
void engine::fence(char const* what, bool is_last) {
  check_outside(what);
  begin_anew();
  if (lock_ != nullptr) return fence_in_turns(what, is_last);
  for (bool any = true; any;) {
    run_queue();
    {
      restoring const meanwhile(mode_, mode::polling);
      sheaf::fence(team_, in(what));
    }
    tally const mine{.unfinished = run_queue(), .ending = is_last ? 1U : 0U};
    restoring const meanwhile(mode_, mode::polling);  // what they send takes effect in order, too
    tally const now = sheaf::all_reduce(team_, mine, sum, in(what));
    now.check_end(count_);
    any = now.unfinished != 0;
  }
  sheaf::barrier(team_, in(what));  // nobody receives in the fence what others send behind it: it is queued
  begin_anew();                     // handlers have sent
}

/// Other threads act meanwhile, so it cannot be a fence of the team. All is at its end where two sums over all
/// processes, the second begun behind the first, are equal and settled (F. Mattern, 1987: four counters).
void engine::fence_in_turns(char const* what, bool is_last) {
  tally before;
  for (bool first = true;; first = false) {
    while (poll_in_turns() != 0) continue;
    flush();
    sheaf::detail::team_state const& all = here_.registered().world();
    tally const mine{all.sent, all.executed, queue_.size() + running_ + state_.awaited, is_last ? 1U : 0U};
    auto asked = sheaf::ask_all_reduce(team_, mine, sum, in(what));
    wait_in_turns(mode::polling, [&] { return asked.ready(); });
    tally const now = asked.get();
    now.check_end(count_);
    if (!first && now == before && now.is_settled()) return begin_anew();
    before = now;
  }
}

}  // namespace sheaf_dmcs
