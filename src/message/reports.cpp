// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/reports.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/insight.hpp"
#include "message/outside.hpp"
#include "message/parked.hpp"
#include "message/router.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {
namespace {

constexpr std::size_t most_groups = 8;  // lines for the coroutines of a location
constexpr std::size_t most_calls = 32;  // that are told of those of a line

std::string of_team(std::uint32_t team) { return " of team " + std::to_string(team); }

std::string object_of(run_tag tag) {
  if (tag.is_published()) return " on the object published as number " + std::to_string(tag.object());
  return (tag.object() == 0 ? " on" : " on object " + std::to_string(tag.object())) + of_team(tag.team());
}

std::string method_of(run_tag tag) {
  handler_entry const* const handler = find_handler(tag.handler());
  return handler == nullptr ? "a method named by a pointer" : readable(handler->name);
}

/// Which request, as far as it is known.
std::string request_text(run_tag tag) { return tag.handler() == 0 ? "" : " to " + method_of(tag) + object_of(tag); }

/// A call of an object that migrates, in words.
std::string request_text(run_tag tag, std::uint64_t object, std::uint64_t birth) {
  return " to " + method_of(tag) + " on object " + std::to_string(object) + " of member " + std::to_string(birth) +
         of_team(tag.team());
}

std::string whose(std::uint32_t on) { return "location " + std::to_string(on) + "'s"; }

/// What a coroutine is suspended for in the end: it may await another one.
struct root {
  future_state_base const* state;
  call_site from{};  ///< where the last of them awaits it; unknown where there is none between
};
root root_of(future_state_base const& first) {
  root found{&first};
  while (found.state->is_frame()) {
    awaiting const* const at = static_cast<task_frame const*>(found.state)->suspended_at();
    if (at == nullptr) break;
    if (at->from().file != nullptr) found.from = at->from();
    found.state = &at->on();
  }
  return found;
}

/// The answer that a state awaits.
awaited_text answer_of(future_state_base const& state, asked_calls const& asked) {
  if (state.is_frame()) return {" for a coroutine"};
  if (state.ready()) return {", and its result is there"};
  asked_calls::question const* const question = asked.find(state);
  if (question == nullptr) return {" for the result of a coroutine or a continuation"};
  auto const& [of, call] = *question;
  if (of.tag.handler() == 0)
    return {" for the members" + of_team(of.tag.team()) + ", in a collective operation", wait_site::several, call,
            of.tag.team()};
  if (of.object != 0) return {" for the answer" + request_text(of.tag, of.object, of.birth), wait_site::several, call};
  std::string const of_whom = of.on == wait_site::several ? "the answers of all members" : whose(of.on) + " answer";
  return {" for " + of_whom + request_text(of.tag), of.on, call};
}

awaited_text future_text(future_state_base const& first, asked_calls const& asked) {
  root const end = root_of(first);
  awaited_text answer = answer_of(*end.state, asked);
  if (end.from.file != nullptr) answer.text = " for a coroutine that waits in co_await" + place(end.from) + answer.text;
  return answer;
}

std::string room_text(wait_site const& site) {
  std::string const text =
      site.on != wait_site::several
          ? " for room at location " + std::to_string(site.on) + ", which has not executed what it was sent"
          : " for room at others, which have not executed what they were sent";
  return site.tag.handler() == 0 ? text : text + "; the request is" + request_text(site.tag);
}

std::string answer_text(wait_site const& site) {
  if (site.object != 0)
    return " for the answer" + request_text(site.tag, site.object, site.birth) +
           ", which was last known to be at location " + std::to_string(site.on);
  return site.on == wait_site::several ? " for others' answers"
                                       : " for " + whose(site.on) + " answer" + request_text(site.tag);
}

std::string members_text(wait_site const& site) {
  std::string members = " for the members" + of_team(site.tag.team());
  if (site.root != wait_site::several) members += ", with root " + std::to_string(site.root);
  return members;
}

/// Coroutines whose lines would be the same.
struct group {
  frame_origin origin;
  call_site from;
  root awaited;
  asked_of of{};
  bool asks = false;  ///< it awaits the answer of a request, of which `of` is said
  std::uint64_t count = 0;

  [[nodiscard]] auto key() const {
    return std::tuple(origin.method.data(), origin.caller, from.file, from.line, awaited.from.file, awaited.from.line,
                      awaited.state->unanswered, asks, of.tag.word(), of.on, of.birth, of.object);
  }
};

std::uint64_t requests_in(std::byte const* from, std::byte const* end) {
  std::uint64_t sum = 0;
  run_header header;
  while (from < end) {
    std::size_t const head = run_header::read(from, static_cast<std::size_t>(end - from), header);
    if (head == 0) break;
    sum += header.count;
    from += head + header.bytes;
  }
  return sum;
}

/// The end of the runs in an open buffer that are counted: where others may enter, of those that could not leave.
std::byte const* counted_end(outbox const& box, bool gated) {
  if (gated) return box.data + box.stamped;
  return box.tag == run_tag{} ? box.cursor : box.data + box.run;
}

/// Records in runs that are not counted yet.
std::uint64_t uncounted_records(outbox const& box, bool gated) {
  if (box.data == nullptr) return 0;
  std::byte const* const closed = box.tag == run_tag{} ? box.cursor : box.data + box.run;
  return requests_in(counted_end(box, gated), closed) + box.open_records();
}

/// The method in which a location waits.
std::string caller_text(execution const* waiting, bool continuation) {
  if (continuation) return "a continuation";
  if (waiting == nullptr || waiting->handler == nullptr) return "a method";
  return readable(waiting->handler->name) + ", called by " + name_of(waiting->source);
}

wait_report report_of(wait_site const& site, awaited_text const& what) {
  return {.text = site.what + place(site.from) + what.text, .on = what.on, .calls = {{0, 0, what.call}}};
}

}  // namespace

asked_calls::asked_calls(open_calls const& calls) {
  calls.questions.each_of_futures([&](future_state_base const* state, question_run const& run, std::uint64_t id) {
    all_[state] = {run.of, call_number(call_space::gathered, id)};
  });
  calls.replies.each_told([&](void const* state, asked_of const& of) { all_[state] = {of}; });
}

asked_calls::question const* asked_calls::find(future_state_base const& state) const {
  auto const at = all_.find(&state);
  return at == all_.end() ? nullptr : &at->second;
}

std::string coroutine_text(frame_origin const& of) {
  if (of.method.empty()) return "a coroutine";
  return readable(of.method) + ", called by location " + std::to_string(of.caller);
}

std::string place(call_site const& from) {
  if (from.file == nullptr) return "";
  std::string text = std::string(", called at ") + from.file;
  if (from.line != 0) text.append(":").append(std::to_string(from.line));
  return text + ",";
}

awaited_text purpose(wait_site const& site, asked_calls const& asked) {
  if (site.future != nullptr) return future_text(*site.future, asked);
  switch (site.for_what) {
    case awaited::answer:
      return {answer_text(site), site.on, site.call};
    case awaited::request:
      return {" for a request of any location"};
    case awaited::condition:
      return {" for its condition, which is false"};
    case awaited::members:
    case awaited::fence:
      return {members_text(site), wait_site::several, 0, site.tag.team()};
    case awaited::room:
      return {room_text(site), site.on};
    case awaited::parts:
      return {" for epoch_parts that attached threads have not ended, or not begun (expect_parts)"};
    default:
      return {"", site.on};
  }
}

void report_suspended(frame_list const& list, asked_calls const& asked, location_report& to) {
  std::vector<group> groups;
  list.each_suspended([&](task_frame const& frame) {
    awaiting const& at = *frame.suspended_at();
    group one{frame.origin(), at.from(), root_of(at.on())};
    if (auto const* const question = asked.find(*one.awaited.state); question != nullptr) {
      one.of = question->of;
      one.asks = true;
    }
    auto same = std::find_if(groups.begin(), groups.end(), [&](group const& g) { return g.key() == one.key(); });
    if (same == groups.end() && groups.size() == most_groups) {
      ++to.more_suspended;
      return;
    }
    if (same == groups.end()) {
      groups.push_back(one);
      awaited_text const on = future_text(at.on(), asked);
      to.suspended.push_back({coroutine_text(one.origin), "co_await" + place(one.from) + on.text, on.on});
      same = groups.end() - 1;
    }
    wait_report& line = to.suspended[static_cast<std::size_t>(same - groups.begin())];
    line.count = ++same->count;
    if (line.calls.size() < most_calls)
      line.calls.push_back({one.origin.caller, one.origin.answers, answer_of(*one.awaited.state, asked).call});
  });
}

void reports::add_waits(asked_calls const& asked, location_report& to) const {
  for (location::wait_scope const* scope = here_.innermost_; scope != nullptr; scope = scope->outer_) {
    wait_site const& site = scope->site_;
    awaited_text const what = purpose(site, asked);
    wait_report wait = report_of(site, what);
    if (scope->nested_) wait.in = caller_text(scope->waiting_, scope->continuation_.any);
    if (auto const* const resumed = scope->continuation_.coroutine; resumed != nullptr) {
      // What waits may be a destructor at the coroutine's end; the frame is gone then.
      frame_origin const origin = here_.calls_.coroutines.has(resumed) ? resumed->origin() : frame_origin();
      wait.in = coroutine_text(origin);
      wait.calls.front().caller = origin.caller;
      wait.calls.front().answers = origin.answers;
    }
    wait.on_anybody = site.for_what == awaited::request || site.for_what == awaited::condition;
    wait.on_requests = site.for_what == awaited::fence;
    if (team_state const* const team = here_.registered().find_team(what.team); team != nullptr) {
      wait.team = what.team;
      for (location_id const member : team->members.in_order()) wait.those.push_back(number(member));
    }
    to.waits.insert(to.waits.begin(), std::move(wait));
  }
}

/// The outboxes of all streams of requests straight to `dest`, as far as they were used.
std::vector<outbox const*> reports::boxes_for(std::uint32_t dest) const {
  std::vector<outbox const*> all;
  for (stream const* const each : out_.streams()) {
    outbox const* const box = each->kind() == traffic::request ? each->used_box(dest) : nullptr;
    if (box != nullptr) all.push_back(box);
  }
  return all;
}

/// Requests for `dest` that the transport does not have.
std::uint64_t reports::unsent(std::uint32_t dest) const {
  std::uint64_t sum = 0;
  for (outbox const* const box : boxes_for(dest)) {
    if (box->data != nullptr) sum += requests_in(box->data, counted_end(*box, out_.gated));
    if (auto const* const queue = box->owner->overflow_of(*box); queue != nullptr)
      queue->waiting.each([&](buffer const& b) { sum += requests_in(b.data(), b.data() + b.size()); });
  }
  return sum;
}

/// Requests of `source` that have arrived and are not counted as executed.
std::uint64_t reports::unexecuted(std::uint32_t source) const {
  std::uint64_t sum = 0;
  auto const add = [&](execution const& e) {
    if (number(e.source) != source || e.kind != traffic::request) return;
    if (e.team != nullptr) sum += e.count;
    if (e.piece_of != nullptr) {
      sum += e.team == nullptr ? e.piece_of->count : 0;
    } else if (e.run_end != e.entry_end) {
      sum += requests_in(e.run_end, e.entry_end);
    }
  };
  for (execution const* e = in_.active_; e != nullptr; e = e->outer) add(*e);
  for (execution const& e : in_.parked_->held) add(e);
  if (here_.others_ == nullptr) return sum;
  for (auto const* const queue : {&here_.others_->requests_, &here_.others_->concurrent_}) {
    for (auto const& aside : *queue) {
      auto const bytes = aside->bytes;
      if (number(aside->source) == source && aside->kind == traffic::request)
        sum += requests_in(bytes.data(), bytes.data() + bytes.size());
    }
  }
  return sum;
}

/// What was copied when it was put aside has given it back.
static bool keeps_credit(execution const& e) {
  return e.piece_of == nullptr && (e.kept == nullptr || e.kept->is_lent());
}

std::uint64_t reports::unsettled_requests() const {
  std::uint64_t sum = 0;
  for (traffic const kind : request_classes()) {
    stream const* const its = out_.known(kind);
    if (its == nullptr) continue;
    its->each_box([&](outbox const& box) { sum += here_.endpoint_.backlog(location_id{box.dest}, kind); });
  }
  for (execution const* e = in_.active_; e != nullptr; e = e->outer)
    sum -= is_request(e->kind) && !e->consumed && keeps_credit(*e) ? 1 : 0;
  for (execution const& e : in_.parked_->held) sum -= keeps_credit(e) ? 1 : 0;
  sum -= out_.routes.waiting();
  if (here_.others_ == nullptr) return sum;
  for (auto const& aside : here_.others_->requests_) sum -= aside->is_lent() ? 1 : 0;
  return sum;
}

/// Those that this location had to do with, by number.
std::vector<std::uint32_t> reports::peers() const {
  if (!insight) return {};
  std::vector<std::uint32_t> all = out_.counts.links().sorted_keys();
  for (stream const* const each : out_.streams()) {
    each->each_box([&](outbox const& box) {
      if (box.data != nullptr && each->kind() == traffic::request) all.push_back(box.dest);
    });
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

link_report reports::link_to(std::uint32_t peer) const {
  link_counts const* const known = out_.counts.links().find(peer);
  link_counts const counts = known == nullptr ? link_counts() : *known;
  std::uint64_t uncounted = 0;
  for (outbox const* const box : boxes_for(peer)) uncounted += uncounted_records(*box, out_.gated);
  return {peer, counts.created + uncounted, counts.created - unsent(peer), counts.executed + unexecuted(peer),
          counts.executed};
}

void reports::add_to(location_report& to) const {
  to.location = number(here_.id());
  to.activity = in_.activity();
  asked_calls const asked(here_.calls_);
  add_waits(asked, to);
  report_suspended(here_.calls_.coroutines, asked, to);
  for (std::size_t i = 0; here_.others_ != nullptr && i < here_.others_->attached.waits().size(); ++i) {
    wait_site const& site = here_.others_->attached.waits()[i]->site;
    wait_report& wait = to.suspended.emplace_back(report_of(site, purpose(site, asked)));
    wait.in = "a thread that is attached to it";
  }
  for (auto const& team : here_.registered().teams()) {
    std::uint64_t const awaited = here_.calls_.questions.awaited_by(team->awaited);
    to.teams.push_back({team->id, team->next_collective, team->sent, team->executed, awaited, team->call_mark});
  }
  for (std::uint32_t const peer : peers()) to.links.push_back(link_to(peer));
  for (execution const& e : in_.parked_->held) {
    if (keeps_credit(e)) to.stalled.push_back(number(e.source));
  }
  for (std::size_t i = 0; here_.others_ != nullptr && i < here_.others_->requests_.size(); ++i) {
    aside_entry const& aside = *here_.others_->requests_[i];
    if (aside.is_lent()) to.stalled.push_back(number(aside.source));
  }
  for (traffic const kind : {traffic::delivery, traffic::hop, traffic::late_hop}) {
    auto const k = static_cast<std::size_t>(kind);
    endpoint_counts const& c = here_.endpoint_.counts();
    to.passes_on = to.passes_on || c.buffers_sent[k] + c.inline_sent[k] + c.entries_received[k] != 0;
  }
  to.kept = in_.held_requests() + here_.registered().untold_exceptions();
}

}  // namespace sheaf::detail
