// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/outside.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>

#include "base/call_text.hpp"
#include "base/insight.hpp"
#include "base/threading.hpp"
#include "message/hop_records.hpp"
#include "message/parked.hpp"
#include "message/router.hpp"
#include "message/silence.hpp"
#include "message/trace_slice.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

bool location::by_outsider() const { return !gate_->by_owner(); }

void location::check_owner_slowly(char const* what, call_site from) const {
  if (gate_ == nullptr ? thread_ == own_thread() : gate_->by_owner()) return;
  throw usage_error(std::string("sheaf: ") + what + " on " + name_of(id()) +
                    " came from a thread that is not its own; " +
                    (gate_ == nullptr ? "others may issue requests with SHEAF_PROGRESS=helper, hand_over or shared, "
                                        "once they are attached (docs/guide/progress.md)"
                                      : "attached threads and concurrent methods may issue requests (async, and "
                                        "attached threads sync and ask), all else is for the location's "
                                        "program") +
                    called_at(from));
}

void outside::let_into(location& here) {
  guests::open(here);
  here.others_ = new outside(here);
  here.gate_ = here.in_.gate_ = &here.others_->gate_;
  here.calls_.coroutines.share(*here.gate_);
  here.connection().share(here.gate_);
  here.out_->gated = true;
  here.out_->of(traffic::request).thread = here.gate_->me();
  here.out_->requests_by_thread = std::make_unique<thread_streams>(*here.out_);
  here.out_->requests_by_thread->add(here.out_->of(traffic::request));
}

void outside::refuse_wait(location const& here, char const* what, call_site from) {
  throw usage_error(std::string("sheaf: ") + what + " was called in a method of " + name_of(here.id()) +
                    " that is declared concurrent; such a method may send, but not wait. Declare it otherwise, or send "
                    "the rest of the work as a request" +
                    called_at(from));
}

std::exception_ptr outside::ending_of(location const& here) { return here.in_.parked_->ending; }

/// Where the location's program leaves the job, it may wait for this thread before it tells anybody.
void outside::throw_if_over() {
  here_.endpoint_.attend(endpoint::at_once);
  if (!leaves(here_)) return;
  try {
    std::rethrow_exception(ending_of(here_));
  } catch (std::exception const& why) {
    throw job_aborted(why.what());
  }
}

/// An attached thread waits for credit of the pair and not for the reserve: its cap is raised as long as a location is
/// stopped by it, so that who waits for that would send on and on to where nothing is executed.
void outside::before_append(outbox const& box, run_tag tag, call_site from) {
  bool const by_owner = gate_.by_owner();
  if (by_owner) let_outsiders_call_all();
  bool const is_due = here_.out().held.requests() > here_.out().held.cap && box.blocked;
  if (by_owner || !is_due || !gate_.is_guest()) return;
  box.owner->wait_for_credit(box, tag, from);
}

/// More requests than the location holds back itself are not put aside.
bool outside::is_full() const { return bytes_ >= here_.settings().reserve_bytes || here_.in_.stopped(); }

bool outside::assist() {
  if (gate_.resting) return false;
  constexpr int most_entries = 16;
  bool moved = here_.in_.has(errand::send_overflow) && here_.out().drain();
  moved = (here_.in_.has(errand::pass_on) && here_.out().routes.go_on()) || moved;
  if (here_.out().age_ns != 0) here_.out().flush_old();
  arrival entry;
  for (int i = 0; i < most_entries; ++i) {
    if (!here_.endpoint_.receive(is_full() ? wanted::moves : wanted::all, entry)) break;
    if (insight) here_.out().counts.link(number(entry.source)).received(entry.bytes.size());
    put_aside(entry);
    moved = true;
  }
  if (moved) attached.tell();
  return moved;
}

/// What ends the job here ends it for the location's own thread, too, which gets it at its next step.
bool outside::assist_guest() {
  try {
    return assist();
  } catch (ends_job const&) {
    if (here_.in_.parked_->ending == nullptr) here_.in_.parked_->ending = std::current_exception();
    here_.in_.remind(errand::job_ends);
    nudge();
    throw;
  }
}

void outside::keep_from_outsiders(void const* object) {
  unmade_.push_back(object);
  here_.out().goes_in = true;
}

void outside::let_outsiders_call_all() {
  unmade_.clear();
  here_.out().goes_in = false;
}

outside::executor outside::executor_of(aside_entry const& work) const {
  execution state(work);
  run_header header;
  static_cast<void>(here_.in_.find_next_run(state, header));
  team_state const* const team = here_.registered_.find_team(header.tag.team());
  if (team == nullptr) return header.tag.is_published() ? executor::anybody : executor::owner;
  if (state.handler->object_type == nullptr) return executor::anybody;
  if (header.tag.object() >= team->objects.size()) return executor::owner;
  object_entry const& entry = team->objects[header.tag.object()];
  if (entry.object == nullptr) return entry.destroyed ? executor::anybody : executor::owner;
  bool const is_made = std::find(unmade_.begin(), unmade_.end(), entry.object) == unmade_.end();
  return is_made ? executor::anybody : executor::nobody_yet;
}

bool outside::run_concurrent() {
  if (concurrent_.empty() || here_.in_.stopped()) return false;
  executor who = executor::nobody_yet;
  auto const next = std::find_if(concurrent_.begin(), concurrent_.end(), [&](auto const& each) {
    who = executor_of(*each);
    return who != executor::nobody_yet;
  });
  if (next == concurrent_.end()) return false;
  auto work = std::move(*next);
  concurrent_.erase(next);
  if (who == executor::owner) {  // who will hold it
    requests_.push_back(std::move(work));
    return true;
  }
  execution state(*work);
  bytes_ -= work->copy.size();
  static_cast<void>(here_.in_.open_next_run(state));  // this thread sends in the run's scope until its next run
  here_.watch_.expect(+1);                            // no deadlock meanwhile
  at_end const over{[this] { here_.watch_.expect(-1); }};
  bool const traced = here_.endpoint_.trace != nullptr;
  std::uint64_t const began = traced ? here_.endpoint_.now() : 0;
  {
    gate_break const open(&gate_);
    run_handler(here_, state.object, state);
  }
  if (traced && here_.endpoint_.trace != nullptr) count_traced_run(here_, state, began);
  here_.in_.close_executed_run(state);
  here_.in_.flush_answers(state);
  here_.in_.stir();
  if (gate_.resting) here_.endpoint_.wake();  // what the owner waits for may be this
  return true;
}

void outside::help() {
  admission const inside(&gate_);
  std::uint64_t seen = 0, pause = 0;
  while (!gate_.closing) {
    if (run_concurrent()) continue;
    if (gate_.moving) {
      gate_.park(0);
      continue;
    }
    gate_.moving = true;
    bool const moved = assist();
    if (moved) {
      gate_.give_way();
    } else {
      pause_help(seen, pause);
    }
    gate_.moving = false;
    if (!concurrent_.empty()) gate_.call();  // one of them sees to the transport next
  }
}

/// Sleeps outside of the gate. While the owner comes and goes, or rests, for a time that doubles, so that neither it
/// nor those who send to it have to do with this thread; else at the transport's bell.
void outside::pause_help(std::uint64_t& seen, std::uint64_t& pause) {
  constexpr std::uint64_t shortest_ns = 100'000, longest_ns = 10'000'000;
  std::uint64_t const flush_due = here_.out().flush_due();
  std::uint64_t const due = look_for_silence(flush_due);
  bool const idle = gate_.owner_entries == std::exchange(seen, gate_.owner_entries);
  if (idle && !gate_.resting && !is_full() && concurrent_.empty()) {  // else for objects that are being made
    pause = shortest_ns;
    gate_.attending = flush_due == 0;
    here_.endpoint_.attend(due);
    gate_.attending = false;
    return;
  }
  pause = std::clamp(2 * pause, shortest_ns, longest_ns);
  std::uint64_t const until = here_.endpoint_.now() + pause;
  gate_.park(due != 0 && !gate_.resting ? std::min(until, due) : until);
}

/// Warns of a location that leaves alone what it could take. Returns `deadline`, or when to look again if earlier.
std::uint64_t outside::look_for_silence(std::uint64_t deadline) {
  if (!here_.silence_->wanted()) return deadline;
  std::size_t entries = 0;  // looked up, not counted: this runs inside the gate, and they may be many
  if (!gate_.resting && !here_.in_.stopped()) {
    if (first_takeable() < requests_.size()) entries += requests_.size();
    if (!unmade_.empty()) entries += concurrent_.size();
  }
  std::string const told = here_.silence_->look_aside(here_.endpoint_, entries, bytes_, taken_, deadline);
  if (told.empty()) return deadline;
  gate_break const open(&gate_);  // whoever reads this may be slow
  std::fputs(told.c_str(), stderr);
  return deadline;
}

void outside::nudge() {
  if (gate_.attending || gate_.resting) here_.endpoint_.wake();
  constexpr std::uint64_t soon_ns = 1'000'000;
  if (gate_.parked_until() != 0 && gate_.moving && gate_.parked_until() > here_.endpoint_.now() + soon_ns) gate_.call();
}

void outside::end_help() {
  admission const inside(&gate_);
  gate_.closing = true;
  gate_.call();
  here_.endpoint_.wake();
}

bool outside::serve() {
  if (!gate_.try_enter()) return false;
  at_end const outside_again{[this] { gate_.leave(); }};
  if (gate_.closing || gate_.resting) return false;
  if (assist() || run_concurrent()) return true;
  look_for_silence(0);
  return false;
}

void outside::serve_others() {
  if (serve_ == nullptr) return;
  gate_break const open(&gate_);
  serve_();
}

void outside::rest(std::uint32_t round, std::uint64_t deadline, bool long_ago) {
  constexpr std::uint32_t rounds_between = 16;
  constexpr std::uint64_t sleep_ns = 1'000'000;
  bool const simulated = here_.endpoint_.threads != nullptr;  // one round there lasts until something happens
  if (serve_ != nullptr && (simulated || long_ago || round % rounds_between == rounds_between - 1)) {
    serve_others();
    std::uint64_t const until = here_.endpoint_.now() + sleep_ns;
    deadline = deadline == 0 ? until : std::min(deadline, until);
  }
  restoring const rested(gate_.resting, true);
  std::uint64_t const before = here_.in_.activity_;
  gate_.give_way();  // to one that comes out of a concurrent method, or sends, and finds nobody asleep yet to wake
  if (here_.in_.activity_ != before || here_.out().may_leave()) return;
  here_.endpoint_.idle(round, deadline);
}

/// Whether the next run is of a method named by a pointer, which only the owner knows. Steps over it, if it is.
static bool owner_knows_it(execution& state, run_header& header) {
  auto const left = static_cast<std::size_t>(state.entry_end - state.run_end);
  std::size_t const head = run_header::read(state.run_end, left, header);
  if (head == 0 || header.bytes > left - head || find_handler(header.tag.handler()) != nullptr) return false;
  state.run_end += head + header.bytes;
  return true;
}

void outside::put_aside(arrival const& entry) {
  if (is_hop(entry.kind)) return here_.out().routes.take(entry);
  if (entry.kind != traffic::delivery) {
    part(entry);
  } else {
    std::vector<std::byte> copy;
    for (execution state(entry); !state.finished();) {
      hop_piece const piece = here_.in_.next_piece(state, copy);
      std::vector<std::byte> run(run_header::wire_bytes);
      piece.header.encode(run.data());
      run.insert(run.end(), piece.records.begin(), piece.records.end());
      part({piece.origin, traffic::request, run});
    }
  }
  here_.endpoint_.consumed(entry.source, entry.kind);
}

/// Parts an entry by its runs: which thread may execute them.
void outside::part(arrival const& entry) {
  std::vector<std::byte> mine;
  bool progress = false;  // no question of the stall watch is
  execution state(entry);
  while (state.run_end != state.entry_end) {
    std::byte const* const from = state.run_end;
    run_header header;
    std::size_t const head = owner_knows_it(state, header) ? 0 : here_.in_.find_next_run(state, header);
    std::byte const* const end = head == 0 ? state.run_end : from + head + header.bytes;
    progress = progress || head == 0 || state.handler->is_progress;
    if (head == 0 || !state.handler->any_thread) {
      mine.insert(mine.end(), from, end);
    } else if (is_request(entry.kind)) {
      keep_concurrent(entry, *state.handler, header, {from, end});
    } else {
      state.at = state.run_begin = from + head;
      state.run_end = end;
      state.count = header.count;
      state.begun = 0;
      run_handler(here_, nullptr, state);
    }
    state.run_end = end;
  }
  if (!mine.empty()) keep(is_request(entry.kind) ? requests_ : answers_, entry, std::move(mine));
  if (progress) here_.in_.stir();
}

void outside::keep(aside_entries& in, arrival entry, std::vector<std::byte> copy) {
  if (!copy.empty()) entry.bytes = copy;
  if (is_request(entry.kind)) bytes_ += copy.size();
  in.push_back(std::make_unique<aside_entry>(aside_entry{entry, std::move(copy)}));
}

/// In pieces of `grain` records, where it has more and its handler says so.
void outside::keep_concurrent(arrival const& entry, handler_entry const& handler, run_header const& header,
                              std::span<std::byte const> run) {
  if (!has_helpers() || handler.grain == 0 || header.count <= handler.grain)
    return keep(concurrent_, entry, {run.begin(), run.end()});
  for (std::uint32_t at = 0; at < header.count; at += handler.grain) {
    std::uint32_t const count = std::min(handler.grain, header.count - at);
    auto const records =
        run.subspan(run_header::wire_bytes + std::size_t{at} * handler.record_bytes, count * handler.record_bytes);
    std::vector<std::byte> piece(run.begin(), run.begin() + run_header::wire_bytes);
    run_header::encode_sizes(piece.data(), count, records.size());
    piece.insert(piece.end(), records.begin(), records.end());
    keep(concurrent_, entry, std::move(piece));
  }
  gate_.call();
}

/// Others than attached threads, which execute nothing.
bool outside::has_helpers() const { return here_.settings().progress != progress_kind::shared; }

bool outside::share_out(arrival const& entry) {
  if (!has_helpers()) return false;
  execution state(entry);
  run_header header;
  if (entry.kind != traffic::request || is_full() || owner_knows_it(state, header)) return false;
  static_cast<void>(here_.in_.find_next_run(state, header));
  if (state.handler->grain == 0 || header.count <= state.handler->grain) return false;
  put_aside(entry);
  nudge();
  return true;
}

/// Where much is put aside already it keeps its credit, so that who sends to where nothing is executed waits.
bool outside::must_wait(arrival const& entry) {
  if (!is_request(entry.kind) || !is_stalled(entry.source, entry.kind)) return false;
  if (!is_full()) {
    put_aside(entry);
  } else {
    keep(requests_, entry, {});
    here_.in_.stir();
  }
  return true;
}

/// An entry of the pair and class that was put aside, or a piece, is held: what comes later comes after it. A delivery
/// may have records of any origin.
bool outside::is_stalled(location_id source, traffic kind) const {
  auto const& held = here_.in_.parked_->held;
  return std::any_of(held.begin(), held.end(), [&](execution const& e) {
    bool const is_aside = e.kept != nullptr || e.piece_of != nullptr;
    return is_aside && (kind == traffic::delivery || (e.source == source && e.kind == kind));
  });
}

bool outside::take_from(aside_entries& queue, std::size_t place) {
  if (place >= queue.size()) return false;
  in_hand_.push_back(std::move(queue[place]));
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
  aside_entry& entry = *in_hand_.back();
  taken_ += is_request(entry.kind) ? 1 : 0;
  execution state(entry);
  state.kept = &entry;
  here_.in_.execute(state);
  return true;
}

bool outside::take_request() {
  if (!here_.in_.stopped()) return take_from(requests_, first_takeable()) || take_from(concurrent_, 0);
  return false;
}

/// The place of the oldest request that is not behind a held one of its pair; their number, if there is none. What is
/// behind one stays so until retry_held, so that a location which holds one does not look at all of them in each step.
std::size_t outside::first_takeable() {
  auto const& all = requests_;
  auto const& held = here_.in_.parked_->held;
  if (std::none_of(held.begin(), held.end(), [](auto const& e) { return e.kept != nullptr || e.piece_of != nullptr; }))
    return 0;
  auto const from = all.begin() + static_cast<std::ptrdiff_t>(stalled_);
  auto const next = std::find_if(from, all.end(), [&](auto const& e) { return !is_stalled(e->source, e->kind); });
  return stalled_ = static_cast<std::size_t>(next - all.begin());
}

void outside::forget(aside_entry* kept) {
  if (is_request(kept->kind)) bytes_ -= kept->copy.size();
  if (kept->is_lent()) here_.endpoint_.consumed(kept->source, kept->kind);
  std::erase_if(in_hand_, [kept](auto const& one) { return one.get() == kept; });
}

}  // namespace sheaf::detail
