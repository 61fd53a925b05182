// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/active/detail/message_core.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/call_text.hpp"
#include "base/gate.hpp"
#include "message/router.hpp"
#include "sheaf/message/detail/record.hpp"
#include "sheaf/message/guarded_run.hpp"

namespace sheaf::detail {
namespace {

/// In place of a type that is destroyed while the end of an epoch goes on.
message_target grave;

/// None for 0 bytes.
std::optional<size_policy> fixed_sizes(sender const& out, std::size_t bytes) {
  if (bytes == 0) return {};
  auto const limited = [bytes](buffer_sizes const& to) {
    auto const size = static_cast<std::uint32_t>(std::min(bytes, to.capacity));
    return buffer_sizes{size, size, to.capacity};
  };
  return size_policy{limited(out.sizes.near), limited(out.sizes.far)};
}

[[noreturn]] void throw_anothers(call_site from) {
  throw usage_error(
      "sheaf: a message of a type with sent_by<sending_threads::owner_alone> was sent by a thread that is "
      "not the location's own; leave that policy out, or take another sending_threads" +
      called_at(from));
}

}  // namespace

void message_target::receive(location& here, execution& state, void (*discard)(execution&)) const {
  if (runs != nullptr) return runs(here, handler.get(), state);
  auto const drop = [&] {
    discard(state);
    throw usage_error(this == &grave ? "dropped, since its message_type was destroyed here"
                                     : "dropped, since its message_type has no handler here; give one to its "
                                       "constructor or to set_handler on every member");
  };
  call_catching(drop, [&] { here.in().keep_exception(*state.team, state.handler->name, state.source); });
  state.begun = state.count;
  state.at = state.run_end;
}

message_core::message_core(team const& on, type_token type, std::uint32_t number, message_buffers const& how,
                           call_site from)
    : team_(on),
      here_(here_of(on, from)),
      state_(state_of(on, from)),
      object_(
          (refuse_in_epoch("a message_type was created", from), here_.registered().add_object(state_, &target_, type))),
      tag_(number, object_, on.id()),
      by_(how.by),
      boxes_(how.apart ? &own_boxes_ : &state_.boxes) {
  ++state_.keepers;
  if (how.age_ns != 0) here_.out().age_at_most(how.age_ns);
  if (!how.apart) return;
  stream_plan const plan{
      .sizes = fixed_sizes(here_.out(), how.bytes), .path = how.path, .by = how.by, .partners = state_.size()};
  if (here_.gate() != nullptr && by_ == sending_threads::apart) {
    own_by_thread_ = std::make_unique<thread_streams>(here_.out(), plan);
    return;
  }
  own_ = &here_.out().make_stream(plan);
  bool const is_alone = by_ == sending_threads::owner_alone;
  if (here_.gate() != nullptr && is_alone) own_->thread = here_.gate()->me();
  if (here_.gate() != nullptr && !is_alone) {
    shared_boxes_ = std::make_unique<std::atomic<outbox*>[]>(state_.size());
  }
  state_.boxes_of_streams.push_back(boxes_);  // which are of no use after the job
}

message_core::~message_core() {
  if (team_.is_here()) {
    if (!state_.is_any_fenced()) {
      here_.registered().remove_object(state_, object_);
    } else {
      admission const inside(here_.gate());
      state_.fade_object(object_, &grave);
    }
  }
  if (own_ != nullptr) {
    if (team_.is_of_this_job()) here_.out().end_stream(*own_);
    std::erase(state_.boxes_of_streams, boxes_);
  }
  if (own_by_thread_ != nullptr && team_.is_of_this_job()) own_by_thread_->end();
  state_.let_go();
}

void message_core::refuse_in_epoch(char const* what, call_site from) const {
  if (state_.ended) throw_ended(state_, from);
  here_.check_owner("a message_type", from);
  if (here_.out().scope().number() == 0) return;
  throw usage_error(std::string("sheaf: ") + what +
                    " in an epoch; create message types and set their handlers before it" + called_at(from));
}

void message_core::set_handler(message_target handler, call_site from) {
  refuse_in_epoch("the handler of a message_type was set", from);
  target_ = std::move(handler);
}

/// A handler may run before its location has come to the epoch. A program's continuation may run after its end.
void message_core::check_epoch(packed_call_site from) const {
  if (state_.ended) throw_ended(state_, from);
  run_scope const scope = here_.out().scope();
  bool const is_over = scope.is_of_messages() && !state_.is_open(scope.number());
  if (scope.number() != 0 && scope.team() == team_.id() && !is_over) return;
  bool const elsewhere = scope.number() != 0 && scope.team() != team_.id();
  throw usage_error(
      "sheaf: a message of a " + name() + " on team " + std::to_string(team_.id()) +
      (elsewhere ? " was sent in an epoch of team " + std::to_string(scope.team()) : " was sent outside of an epoch") +
      (here_.gate() != nullptr && here_.by_outsider()
           ? "; this thread is not the location's own: it sends in an epoch_part, once it is attached"
           : "; send it in sheaf::epoch(team, f) of its own team, or in a handler there") +
      called_at(from));
}

void message_core::check_sending(std::uint64_t dest, packed_call_site from) const {
  if (here_.gate() == nullptr) here_.check_owner("a message", from);
  if (is_anothers()) throw_anothers(from);
  check_epoch(from);
  if (dest >= state_.size()) throw_bad_destination(dest, state_, from);
  if (here_.out().scope().generation() == run_scope::too_deep) throw_too_deep(here_.out().scope(), from);
}

outbox& message_core::box_for(std::uint64_t dest, packed_call_site from) {
  check_epoch(from);
  if (is_anothers()) throw_anothers(from);
  outbox& known = boxes().at(dest);
  if (&known != &member_boxes::unmet) return known;
  if (own_ == nullptr && own_by_thread_ == nullptr) return meet_member(state_, dest, from);
  if (dest >= state_.size()) throw_bad_destination(dest, state_, from);
  std::uint32_t const location = number(state_.members[dest]);
  if (own_by_thread_ != nullptr) return own_by_thread_->of_caller().box(location);
  if (shared_boxes_ != nullptr) {
    if (outbox* const met = shared_boxes_[dest].load(std::memory_order_acquire); met != nullptr) return *met;
  }
  admission const inside(here_.gate());
  outbox& met = own_->box(location);
  if (shared_boxes_ != nullptr) {
    shared_boxes_[dest].store(&met, std::memory_order_release);
  } else {
    boxes_->put(dest, met, state_.size());
  }
  return met;
}

std::uint64_t message_core::epoch_mark() const {
  run_scope const now = here_.out().scope();
  return std::uint64_t{ends_of(now)} << 32U | now.number();
}

void const* message_core::sending_thread() const { return here_.gate() != nullptr ? here_.gate()->me() : nullptr; }

bool message_core::is_anothers() const { return is_owners_alone() && here_.by_outsider(); }

std::string message_core::name() const { return std::string(readable(find_handler(tag_.handler())->name)); }

void message_core::tell_dropped(run_scope in, std::string const& why) {
  admission const inside(here_.gate());
  state_.counts_of(in.number()).errors.add([&] { return name_of(here_.id()) + ", " + name() + ": " + why; });
}

bool message_core::handle_here(void* value, packed_call_site from) {
  constexpr std::uint32_t most_here = 16;
  check_sending(state_.rank, from);
  if (here_.gate() != nullptr && here_.by_outsider()) return false;
  if (handling_here_ == most_here || target_.one == nullptr) return false;
  restoring const deeper(handling_here_, handling_here_ + 1);
  run_scope const in = here_.out().scope();
  auto const call = [&] { target_.one(target_.handler.get(), value, state_.rank); };
  call_catching([&] { here_.in().run_as_method(call); },
                [&] {
                  admission const inside(here_.gate());
                  state_.counts_of(in.number()).errors.add([&] {
                    return exception_text(here_.id(), find_handler(tag_.handler())->name, here_.id());
                  });
                });
  return true;
}

/// Of a type that shares the stream of requests: that of the calling thread.
void message_core::flush() {
  if (state_.ended) return;
  admission const inside(here_.gate());
  stream* its = own_ != nullptr ? own_ : &here_.out().of(traffic::request);
  if (own_ == nullptr && here_.gate() != nullptr) {
    auto const& all = own_by_thread_ != nullptr ? own_by_thread_ : here_.out().requests_by_thread;
    its = all->known_of_caller();
  }
  if (its != nullptr) its->flush(flush_reason::asked);
  here_.out().routes.flush(flush_reason::asked);
}

}  // namespace sheaf::detail
