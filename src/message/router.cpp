// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/router.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/buffer_budget.hpp"
#include "message/hop_records.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

namespace {

std::size_t share_of_budget(sender const& of) {
  return of.settings.buffer_budget / budget_shares(of.settings.transport, of.net.size(), of.net.lanes());
}

/// How many locations each host has, if it has as many as the others, numbered in a row; else a process.
std::uint32_t locations_per_host(endpoint const& net) {
  if (!net.tells_near()) return net.lanes();
  std::uint32_t const self = number(net.self());
  std::uint32_t first = self, end = self + 1;
  while (first != 0 && net.near(location_id{first - 1})) --first;
  while (end != net.size() && net.near(location_id{end})) ++end;
  std::uint32_t const count = end - first;
  return first % count == 0 && net.size() % count == 0 ? count : net.lanes();
}

/// Of a hop from `from` to `next`, where records come in class `before`. No cycle of links waits for credit, whatever
/// paths there are at a time: a ring's numbers begin anew once, and there it changes to the other class, which only has
/// that and dissemination.
traffic class_of_hop(route const& by, std::uint32_t from, std::uint32_t next, traffic before) {
  bool const begins_anew = by.kind() == route_kind::ring && next < from;
  return begins_anew || by.kind() == route_kind::dissemination ? traffic::late_hop : before;
}

}  // namespace

outbox& stream::routed_box(std::uint32_t dest, std::uint32_t next, route_kind path) {
  outbox& shown = shown_[dest | static_cast<std::uint32_t>(path) << 16U];
  if (shown.path != 0) return shown;
  shown.owner = this;
  shown.dest = dest;
  shown.shown = true;
  shown.path = static_cast<std::uint8_t>(path) & 7U;
  shown.other = &filled_box(next);
  return shown;
}

std::byte* stream::append_hop(outbox& box, run_tag tag, hop_form const& next) {
  bool const goes_on = box.tag == tag && std::memcmp(box.data + box.run, next.head, hop_form::head_bytes) == 0;
  if (!goes_on || next.bytes > box.room()) {
    close_run(box);
    if (hop_form::head_bytes + next.bytes > box.room()) return nullptr;
    box.run = box.used();
    box.tag = tag;
    box.record_bytes = box.count = 0;
    std::memcpy(box.cursor, next.head, hop_form::head_bytes);
    box.cursor += hop_form::head_bytes;
  }
  ++box.count;
  return std::exchange(box.cursor, box.cursor + next.bytes);
}

bool stream::make_hop_room(outbox& box, std::size_t bytes, bool may_overflow) {
  std::size_t const needed = hop_form::head_bytes + bytes;
  if (box.data != nullptr && needed > box.room()) {
    if (!ship(box, flush_reason::full, may_overflow)) return false;
    box.threshold = std::min(grown(box.threshold), sizes_for(box.dest).most);
  }
  if (box.data == nullptr) open_buffer(box, needed, may_overflow);
  return true;
}

/// Who passes its records on does not gather them.
void stream::mark_urgent(outbox& box) {
  std::byte* const at = box.data + box.run + run_header::wire_bytes;
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  word |= hop_form::urgent;
  std::memcpy(at, &word, sizeof word);
}

router::router(sender& of_all) : all_(of_all), path_(all_.settings.path) {
  std::uint32_t const per_host = locations_per_host(all_.net);
  for (std::size_t kind = 1; kind < routes_.size(); ++kind)
    routes_[kind] = route(static_cast<route_kind>(kind), all_.net.size(), per_host);
  if (path_ == route_kind::automatic) path_ = route::chosen(all_.net.size(), per_host, share_of_budget(all_));
}

route const* router::path_of(route_kind kind, std::uint32_t partners) const {
  bool const by_itself = kind == route_kind::automatic;
  bool const chosen = by_itself && all_.settings.path == route_kind::automatic && partners != 0;
  if (chosen && partners - 1 <= share_of_budget(all_) / route::worth_sending) return nullptr;
  route const& path = routes_[static_cast<std::size_t>(by_itself ? path_ : kind)];
  bool const has_addresses = all_.net.size() <= std::size_t{1} << 16U;
  return has_addresses && path.most_hops() > 1 ? &path : nullptr;
}

outbox* router::box_to(std::uint32_t dest, route const& by) {
  std::uint32_t const self = number(all_.here.id());
  if (dest == self || dest >= all_.net.size()) return nullptr;
  std::uint32_t const next = by.next(self, dest);
  if (next == dest) return nullptr;
  admission const inside(all_.here.gate());
  return &all_.of(class_of_hop(by, self, next, traffic::hop)).routed_box(dest, next, by.kind());
}

/// The run of a question that is alone in it. If there is none, its record, which begins at `at`, is taken back.
question_run* router::begin_question(outbox& box, record_form const& next, std::uint32_t dest, std::byte* at) {
  try {
    return &all_.here.calls().questions.begin(*next.who, {next.tag, dest});
  } catch (...) {
    box.cursor = at;
    --box.count;
    throw;
  }
}

/// The program polls at times, and waits for credit. False: there is none, and the record may not overflow.
bool router::may_append(outbox& to, run_tag tag, bool may_overflow, call_site from) {
  outbox const& box = to.filled();
  bool const may_wait = may_overflow && !all_.here.in().in_handler();
  if (may_wait) {
    ++all_.of(traffic::request).unpolled;
    all_.here.poll_if_due();
  }
  if (may_wait && box.blocked) to.owner->wait_for_credit(box, tag, from);
  if (!may_overflow && box.blocked) all_.drain();
  return may_overflow || !box.blocked;
}

std::byte* router::append(outbox& to, record_form const& next, bool may_overflow, call_site from) {
  if (!may_append(to, next.tag, may_overflow, from)) return nullptr;
  outbox& box = to.filled();
  std::size_t const bytes = next.bytes + (next.who == nullptr ? 0 : run_header::questions_bytes);
  bool const fixed = next.each != 0 && bytes <= hop_form::most_each;
  std::byte* at = nullptr;
  run_header header;
  // To make room a source may append, which in the program may execute requests, and a cut may come: hence the loop.
  while (true) {
    run_scope const in = all_.scope();
    if (in.generation() == run_scope::too_deep && is_in(in, next.tag)) throw_too_deep(in, from);
    header = all_.here.registered().header_for(next.tag, in);
    hop_form form(header, fixed ? static_cast<std::uint32_t>(bytes) : 0, static_cast<route_kind>(to.path));
    form.bytes = hop_form::address_bytes + (fixed ? 0 : hop_form::size_bytes) + bytes;
    if (at = to.owner->append_hop(box, next.tag, form); at != nullptr) break;
    if (!to.owner->make_hop_room(box, form.bytes, may_overflow)) return nullptr;
    box.stage = stage_to(routes_[to.path], box.dest, to.dest);
  }
  to.questions = nullptr;
  if (next.who != nullptr) to.questions = begin_question(box, next, to.dest, at);

  address const its{static_cast<std::uint16_t>(to.dest), static_cast<std::uint16_t>(number(all_.here.id()))};
  std::memcpy(std::exchange(at, at + sizeof its), &its, sizeof its);
  std::uint64_t const size = bytes;
  if (!fixed) std::memcpy(std::exchange(at, at + sizeof size), &size, sizeof size);
  if (question_run* const alone = to.questions; alone != nullptr) {
    std::memcpy(std::exchange(at, at + run_header::questions_bytes), &alone->number, run_header::questions_bytes);
    box.place = alone->places;
    all_.here.calls().questions.close(*alone, 1);
  }
  all_.count_sent(to.dest, next.tag, header.in_scope(), 1);
  return at;
}

/// Of a record whose size varies.
void router::retract(outbox& to, std::size_t bytes) {
  outbox& box = to.filled();
  if (to.questions != nullptr) {
    all_.here.calls().questions.end_alone(to.questions->first_id());
    bytes += run_header::questions_bytes;
  }
  box.cursor -= bytes + hop_form::address_bytes + hop_form::size_bytes;
  --box.count;
  all_.count_sent(to.dest, box.tag, run_header::decode(box.data + box.run).in_scope(), 0 - std::uint64_t{1});
}

/// Where more and more comes, what was opened first waits for no longer than most_ns.
std::uint64_t router::quiet_from() const { return std::min(came_ + quiet_ns, open_since_ + most_ns); }

bool router::is_quiet() const { return came_ == 0 || all_.net.now() >= quiet_from(); }

bool router::each_open(auto visit) const {
  auto const in = [&](outbox const* box) { return box->data != nullptr && !box->blocked && visit(*box); };
  return std::ranges::any_of(all_.streams(), [&](stream const* each) {
    return is_routed(each->kind()) && std::ranges::any_of(each->open_, in);
  });
}

bool router::any_open() const {
  return each_open([](outbox const&) { return true; });
}

void router::begin_turn() {
  if (open_since_ == 0) return;  // no buffer of a route was ever opened
  bool const late = all_.net.now() >= open_since_ + most_ns;
  turn_ = is_quiet() ? static_cast<std::int32_t>(route::last_stage) : none;
  if (turn_ == none || late) return;
  each_open([&](outbox const& box) { return turn_ = std::min<std::int32_t>(turn_, box.stage), false; });
}

void router::end_turn() {
  if (std::exchange(any_gone_, false)) came_ = all_.net.now();
}

void router::opens() {
  if (!any_open()) open_since_ = all_.net.now();
}

std::uint8_t router::stage_to(route const& by, std::uint32_t next, std::uint32_t dest) const {
  return static_cast<std::uint8_t>(next == dest ? route::last_stage : by.stage(number(all_.here.id()), next));
}

/// It may be over: whoever asks has looked before, and time has passed.
std::uint64_t router::quiet_at() const {
  if (came_ == 0 || !any_open()) return 0;
  return quiet_from();
}

void router::flush(flush_reason why) {
  for (traffic const kind : {traffic::delivery, traffic::hop, traffic::late_hop}) {
    if (all_.known(kind) != nullptr) all_.of(kind).flush(why);
  }
}

bool router::pass_on(execution& state) {
  std::uint32_t const self = number(all_.here.id());
  while (state.at != state.entry_end) {
    hop_run const run = current_run(state);
    hop_form form(run.header, run.each, run.path);
    route const& by = routes_[static_cast<std::size_t>(run.path)];
    std::vector<outbox*> touched;  // of an urgent run
    auto const leave = [&touched] {
      for (outbox* const box : touched) {
        if (!box->blocked) box->owner->flush(*box, flush_reason::urgent);
      }
    };
    while (state.at != state.run_end) {
      hop_record const record = record_at(state, run, all_.net.size());
      if (record.dest == self) throw_bad_hop(state, "a record is at its destination, but not said to be");
      std::uint32_t const next = by.next(self, record.dest);
      stream& via = all_.of(next == record.dest ? traffic::delivery : class_of_hop(by, self, next, state.kind));
      outbox& box = via.filled_box(next);
      if (box.blocked) return leave(), false;
      form.bytes = static_cast<std::size_t>(record.end - state.at);
      std::byte* to = nullptr;
      while (to = via.append_hop(box, run.header.tag, form), to == nullptr) {
        via.make_hop_room(box, form.bytes, true);
        box.stage = stage_to(by, next, record.dest);
      }
      std::memcpy(to, state.at, form.bytes);
      state.at = record.end;
      ++passed_on;
      if (run.urgent && std::ranges::find(touched, &box) == touched.end()) touched.push_back(&box);
    }
    leave();
  }
  return true;
}

/// As in a method, so that nothing that makes room for it waits.
bool router::pass_on_as_method(execution& state) {
  auto const go = [&] { return pass_on(state); };
  bool const is_outsider = all_.gated && all_.here.by_outsider();
  return is_outsider ? go() : all_.here.in().run_as_method(go);
}

void router::take(arrival const& entry) {
  execution state(entry);
  all_.here.in().stir();
  came_ = all_.net.now();
  if (pass_on_as_method(state)) return all_.net.consumed(entry.source, entry.kind);
  passing_.push_back(state);
  all_.here.in().remind(errand::pass_on);
}

bool router::go_on() {
  bool any = false;
  std::erase_if(passing_, [&](execution& state) {
    std::byte const* const before = state.at;
    bool const all = pass_on_as_method(state);
    any = any || state.at != before;
    if (all) all_.net.consumed(state.source, state.kind);
    return all;
  });
  if (passing_.empty()) all_.here.in().done_with(errand::pass_on);
  if (any) all_.here.in().stir();
  return any;
}

bool router::all_counted() const {
  return std::ranges::all_of(all_.sources(), [](source const* each) { return each->is_counted() || each->empty(); });
}

bool router::all_taken() const {
  auto const waits = [](stream const* each) { return is_hop(each->kind()) && each->overflows(); };
  return all_counted() && std::ranges::none_of(all_.streams(), waits);
}

std::string router::explain() const {
  std::uint32_t const size = all_.net.size();
  bool const chosen = all_.settings.path == route_kind::automatic;
  if (size == 1 || (size <= route::few && chosen)) return "";
  route const& path = routes_[static_cast<std::size_t>(path_)];
  std::string const text = std::string("requests take the path ") + name(path_) + ": " +
                           std::to_string(path.neighbours()) + " neighbours, at most " +
                           std::to_string(path.most_hops()) + " hops; ";
  if (!chosen) return text + "options::path says so\n";
  return text + "this location's share of the buffer budget has " + std::to_string(share_of_budget(all_) / (size - 1)) +
         " bytes for each of " + std::to_string(size - 1) + " destinations, and " +
         std::to_string(route::worth_sending) + " are worth sending\n";
}

}  // namespace sheaf::detail
