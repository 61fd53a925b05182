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

engine::engine(sheaf::team const& on, bool with_threads)
    : team_(on),
      here_(sheaf::detail::here_of(on)),
      state_(sheaf::detail::state_of(on)),
      memory_(sheaf::detail::one_sided::of(here_)),
      count_(on.size()),
      object_(here_.registered().add_object(state_, this, sheaf::detail::token_of<engine>())),
      sent_to_((count_ + 63) / 64),
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

/// Executes the oldest of the queue, or the oldest that accesses memory. False: there is none.
bool engine::run_next(bool memory_only) {
  auto const is_wanted = [&](item const& one) {
    operation kind{};
    if (one.kind != item::data) return !memory_only;
    std::memcpy(&kind, one.bytes.data() + offsetof(data_head, kind), sizeof kind);
    return !memory_only || kind != operation::put_op;
  };
  if (memory_only && queued_memory_ == 0) return false;
  auto const at = std::find_if(queue_.begin(), queue_.end(), is_wanted);
  if (at == queue_.end()) return false;
  item const one = std::move(*at);
  queue_.erase(at);
  operation kind = operation::put_op;
  if (one.kind == item::data) std::memcpy(&kind, one.bytes.data() + offsetof(data_head, kind), sizeof kind);
  if (kind != operation::put_op) --queued_memory_;
  bool const calls = kind == operation::put_op;
  if (!calls || lock_ == nullptr) {
    restoring const inside(in_handlers_, in_handlers_ + (calls ? 1 : 0));
    executed_ += execute(one);
    return true;
  }
  ++running_;
  leave(nullptr);
  int const executed = execute(one);
  sheaf::detail::location* outer = nullptr;
  enter(outer);
  executed_ += executed;
  --running_;
  return true;
}

int engine::run_queue() {
  int const before = executed_;
  while (run_next(false)) continue;
  return executed_ - before;
}

bool engine::settle_memory() {
  bool any = false;
  while (run_next(true)) any = true;
  return any;
}

template <class Done>
void engine::wait(char const* what, std::uint32_t on, Done const& done) {
  begin_anew();
  settle_memory();
  if (lock_ != nullptr) return wait_in_turns(done);
  restoring const meanwhile(mode_, mode::waiting);
  sheaf::detail::wait_site const site{.what = what, .for_what = sheaf::detail::awaited::answer, .on = on};
  here_.wait(sheaf::detail::wait_kind::answer, site, done);
}

/// Of one thread among several: each receives what comes for all.
template <class Done>
void engine::wait_in_turns(Done const& done) {
  for (std::uint32_t round = 0; !done(); ++round) {
    settle_memory();
    restoring const meanwhile(mode_, mode::waiting);
    if (here_.poll()) {
      round = 0;
      continue;
    }
    mode_ = mode::taking;
    let_others_in(round);
  }
}

void engine::let_others_in(std::uint32_t round) {
  leave(nullptr);
  pause(round);
  sheaf::detail::location* outer = nullptr;
  enter(outer);
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

void engine::wait_for(char const* what, dmcs_request const& request) {
  wait(what, sheaf::detail::wait_site::several, [&] { return request.open == 0; });
}

int engine::poll(char const* what) {
  if (lock_ != nullptr) return poll_in_turns();
  if (in_handlers_ != 0)
    throw usage_error(std::string(what) + " was called in a handler; return from it: the poll that called it goes on");
  begin_anew();
  int const before = executed_;
  run_queue();
  {
    restoring const meanwhile(mode_, mode::polling);
    here_.poll();
  }
  run_queue();
  return executed_ - before;
}

int engine::poll_in_turns() {
  begin_anew();
  int const before = executed_;
  here_.poll();
  run_queue();
  int const executed = executed_ - before;
  if (executed == 0) let_others_in(0);
  return executed;
}

void engine::barrier(char const* what) {
  if (in_handlers_ != 0) throw usage_error(std::string(what) + " was called in a handler; call it outside");
  begin_anew();
  settle_memory();
  restoring const meanwhile(mode_, mode::waiting);
  sheaf::barrier(team_);
}

/// A fence brings all that is sent to where it belongs, and may leave handlers in queues, which may send more.
void engine::fence(char const* what) {
  if (in_handlers_ != 0) throw usage_error(std::string(what) + " was called in a handler; call it outside");
  for (bool any = true; any;) {
    run_queue();
    if (lock_ != nullptr) let_others_in(0);  // whose handlers are to end
    {
      restoring const meanwhile(mode_, mode::fencing);
      sheaf::fence(team_);
    }
    std::uint32_t const left = static_cast<std::uint32_t>(run_queue()) + running_;
    restoring const meanwhile(mode_, mode::waiting);
    any = sheaf::all_reduce(team_, left, std::plus<>()) != 0;
  }
}

}  // namespace sheaf_dmcs
