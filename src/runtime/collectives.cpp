// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/collectives.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/call_text.hpp"
#include "runtime/value_machines.hpp"
#include "runtime/wave.hpp"
#include "sheaf/message/guarded_run.hpp"

namespace sheaf {
namespace detail {
namespace {

struct spans_differ : usage_error, ends_job {
  using usage_error::usage_error;
};

/// Members may be apart by so many operations of a team: less than call_history keeps.
constexpr std::uint32_t most_open = 64;

struct barrier_machine {
  operation own;
  detail::wave wave;

  explicit barrier_machine(collective_call const& call) : own(call), wave(own) { wave.begin({}); }
  bool advance() { return wave.advance(); }
};

/// Whether messages go one way only. Then members wait for each other once in so many calls.
bool is_one_way(collective_call const& call) { return call.root.has_value(); }
bool is_to_catch_up(collective_call const& call) {
  return is_one_way(call) && state_of(call.members).next_collective % most_open == 0;
}

/// Goes on until the machine of the call is done.
template <class Machine, class... A>
void complete(collective_call const& call, A&&... a) {
  location& here = here_of(call.members);
  admission const inside(here.gate());
  Machine machine(call, std::forward<A>(a)...);
  finish(here, machine, waits_for(call));
}

tree_use use_of(collective_call const& call, collective_kind kind) {
  if (kind == collective_kind::broadcast) return tree_use::broadcast;
  if (kind == collective_kind::scan) return tree_use::scan;
  return is_one_way(call) ? tree_use::reduce : tree_use::all_reduce;
}

/// An operation that goes on by itself, whenever a message has come for one.
template <class Machine>
class begun_with final : public begun_operation {
 public:
  template <class... A>
  begun_with(std::unique_ptr<begun_call> owner, collective_call const& call, A&&... a)
      : begun_operation(state_of(call.members)), owner_(std::move(owner)), machine_(call, std::forward<A>(a)...) {}
  bool advance() override { return machine_.advance(); }
  void end() override {
    if (owner_ != nullptr) owner_->end();
  }

 private:
  std::unique_ptr<begun_call> const owner_;
  Machine machine_;
};

std::unique_ptr<begun_operation> begun_for(collective_call const& call, collective_kind kind,
                                           std::unique_ptr<begun_call> owner) {
  if (kind == collective_kind::barrier) return std::make_unique<begun_with<barrier_machine>>(std::move(owner), call);
  if (kind == collective_kind::fence) return begun_fence_for(call, std::move(owner));
  collective_values& values = owner->values();
  if (kind == collective_kind::exchange)
    return std::make_unique<begun_with<exchange_machine>>(std::move(owner), call, values.each);
  encoded_operation const op = owner->operation();
  return std::make_unique<begun_with<tree_machine>>(std::move(owner), call, use_of(call, kind), values.one, op);
}

void advance_begun(void* of) {
  auto& here = *static_cast<location*>(of);
  auto& its = collectives_of(here).apart();
  its.advance_is_due = false;
  here.in().run_as_method([&] {  // so that an operation of the user's which sends executes nothing meanwhile
    for (std::size_t i = 0; i < its.begun.size();) {
      if (!its.begun[i]->advance()) {
        ++i;
        continue;
      }
      auto const done = std::move(its.begun[i]);
      its.begun.erase(its.begun.begin() + static_cast<std::ptrdiff_t>(i));
      done->end();
    }
  });
}

void open_beside(collective_call const& call, collective_kind kind, std::unique_ptr<begun_call> owner) {
  location& here = here_of(call.members);
  team_state const& team = state_of(call.members);
  admission const inside(here.gate());
  auto& all = collectives_of(here).apart().begun;
  auto const room = [&] {
    auto const first = std::find_if(all.begin(), all.end(), [&](auto const& one) { return &one->team == &team; });
    return first == all.end() || team.next_collective - (*first)->number < most_open;
  };
  auto const begin_now = [&] {  // in a wait, which knows what to do with errors that end the job
    if (!room()) return false;
    all.push_back(begun_for(call, kind, std::move(owner)));
    advance_begun(&here);
    return true;
  };
  here.wait(wait_kind::collective, waits_for(call), begin_now);
}

}  // namespace

void advance_soon(location& here) {
  auto* const its = collectives_of(here).rare.get();
  if (its == nullptr || its->begun.empty() || std::exchange(its->advance_is_due, true)) return;
  here.in().defer(&advance_begun, &here);
}

bool try_begun(location& here) {
  auto* const its = collectives_of(here).rare.get();
  auto const is_stirred = [](auto const& each) { return each->is_stirred(); };
  if (its == nullptr || here.in().stopped() || std::ranges::none_of(its->begun, is_stirred)) return false;
  advance_soon(here);
  return true;
}

std::span<std::byte> room_of(encoded& bytes, std::size_t first) { return std::span(bytes).subspan(first); }
std::span<std::byte const> bytes_of(encoded const& bytes, std::size_t first) { return std::span(bytes).subspan(first); }

void check_may_call(collective_call const& call) {
  here_of(call.members, call.from).check_may_wait(wait_kind::collective, call.said.what, call.from);
  if (is_one_way(call)) static_cast<void>(call.members.location_of(*call.root, call.from));  // throws: there is none
}

void check_one_for_each(collective_call const& call, std::size_t values) {
  if (values == call.members.size()) return;
  throw usage_error(std::string("sheaf: ") + call.said.what + " got " + std::to_string(values) +
                    " values in a team of " + std::to_string(call.members.size()) +
                    "; give one for each member, by rank" + called_at(call.from));
}

void check_equal_lengths(collective_call const& call, std::size_t some, std::size_t others) {
  if (some == others) return;
  throw spans_differ(std::string("sheaf: in ") + call.said.what + " members gave spans of " + std::to_string(some) +
                     " and of " + std::to_string(others) + " elements; all give spans of one length" +
                     called_at(call.from));
}

void carry_out(collective_call const& call, collective_kind kind, collective_values& values, encoded_operation op) {
  check_may_call(call);
  bool const catch_up = is_to_catch_up(call);
  if (kind == collective_kind::barrier) return complete<barrier_machine>(call);
  if (kind == collective_kind::exchange) return complete<exchange_machine>(call, values.each);
  complete<tree_machine>(call, use_of(call, kind), values.one, op);
  if (catch_up) barrier(call.members, call.from);
}

void apply_behind(collective_call const& call, void (*f)(void*), void* context) {
  auto const apply = [&] {  // in a wait, which knows what to do with errors that end the job
    call_to_the_end("the operation of a collective call", [&] { f(context); });
    return true;
  };
  here_of(call.members).wait(wait_kind::collective, waits_for(call), apply);
}

void begin(collective_call const& call, collective_kind kind, begun_call* owned) {
  std::unique_ptr<begun_call> owner(owned);
  collective_call beside = call;
  beside.is_beside = true;
  bool const catch_up = is_to_catch_up(call);
  open_beside(beside, kind, std::move(owner));
  if (!catch_up) return;
  collective_call meeting{call.members, says("barrier"), call.from};
  meeting.is_beside = true;
  open_beside(meeting, collective_kind::barrier, nullptr);
}

void encoded_operation::add(encoded& mine, bytes left, bytes right) const {
  call_to_the_end("the operation of a collective call", [&] { combine(op, mine, left, right); });
}

void throw_undecodable_value(char const* why) {
  throw wire_error(std::string("sheaf: a value of a collective operation or a reduction does not decode: ") + why +
                   "; the processes run different builds, or memory was overwritten");
}

void append_encoded(void const*, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
  bool const is_left = left.data() == mine.data();
  auto const theirs = is_left ? right : left;
  mine.insert(is_left ? mine.end() : mine.begin(), theirs.begin(), theirs.end());
}

}  // namespace detail

void barrier(team const& members, call_site where) {
  detail::collective_values none;
  detail::carry_out({members, detail::says("barrier"), where}, detail::collective_kind::barrier, none, {});
}

future<void> ask_barrier(team const& members, call_site where) {
  return detail::start_plan(detail::barrier_plan({members, detail::says("barrier"), where}));
}

}  // namespace sheaf
