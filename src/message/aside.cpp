// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// What outsiders have taken off the transport and put aside for the owner.
#include <algorithm>
#include <memory>
#include <utility>

#include "message/outside.hpp"
#include "message/parked.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/run_header.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/transport/endpoint.hpp"

namespace sheaf::detail {

/// Whether the next run is of a method that was named by a pointer, which the owner learns of from an earlier run, here
/// perhaps. Steps over it, if it is.
static bool owner_knows_it(execution& state, run_header& header) {
  auto const left = static_cast<std::size_t>(state.entry_end - state.run_end);
  std::size_t const head = run_header::read(state.run_end, left, header);
  if (head == 0 || header.bytes > left - head || find_handler(header.tag.handler()) != nullptr) return false;
  state.run_end += head + header.bytes;
  return true;
}

/// Parts an entry by its runs: which thread may execute them.
void outside::put_aside(arrival const& entry) {
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
      keep(concurrent_, entry, {from, end});
    } else {
      state.at = state.run_begin = from + head;
      state.run_end = end;
      state.count = header.count;
      state.begun = 0;
      state.handler->run(here_, nullptr, state);
    }
    state.run_end = end;
  }
  if (!mine.empty()) keep(is_request(entry.kind) ? requests_ : answers_, entry, std::move(mine));
  if (progress) here_.in_.stir();
  here_.endpoint_.consumed(entry.source, entry.kind);
}

void outside::keep(aside_entries& in, arrival entry, std::vector<std::byte> copy) {
  if (!copy.empty()) entry.bytes = copy;
  if (is_request(entry.kind)) bytes_ += copy.size();
  in.push_back(std::make_unique<aside_entry>(aside_entry{entry, std::move(copy)}));
}

/// Where much has been put aside already it keeps its credit, so that the pair stands still behind it: else who sends
/// to where nothing is executed would have room for ever.
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

/// An entry of the pair and class that was put aside is held: what comes later comes after it.
bool outside::is_stalled(location_id source, traffic kind) const {
  auto const& held = here_.in_.parked_->held;
  return std::any_of(held.begin(), held.end(),
                     [&](execution const& e) { return e.kept != nullptr && e.source == source && e.kind == kind; });
}

bool outside::take_from(aside_entries& queue, std::size_t place) {
  if (place >= queue.size()) return false;
  auto entry = std::move(queue[place]);
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
  taken_ += is_request(entry->kind) ? 1 : 0;
  execute_aside(std::move(entry));
  return true;
}

bool outside::take_request() {
  if (!here_.in_.stopped()) return take_from(requests_, first_takeable()) || take_from(concurrent_, 0);
  wanted const which = here_.in_.allowed();
  if (which == wanted::answers) return false;
  auto const is_next = [&](auto const& e) { return covers(which, e->kind) && !is_stalled(e->source, e->kind); };
  auto const next = std::find_if(requests_.begin(), requests_.end(), is_next);
  return take_from(requests_, static_cast<std::size_t>(next - requests_.begin()));
}

/// The place of the oldest request that is not behind a held one of its pair; their number, if there is none. What is
/// behind one stays so until retry_held, so that a location which holds one does not look at all of them in each step.
std::size_t outside::first_takeable() {
  auto const& all = requests_;
  auto const& held = here_.in_.parked_->held;
  if (std::none_of(held.begin(), held.end(), [](execution const& e) { return e.kept != nullptr; })) return 0;
  auto const from = all.begin() + static_cast<std::ptrdiff_t>(stalled_);
  auto const next =
      std::find_if(from, all.end(), [&](auto const& entry) { return !is_stalled(entry->source, entry->kind); });
  return stalled_ = static_cast<std::size_t>(next - all.begin());
}

void outside::execute_aside(std::unique_ptr<aside_entry> entry) {
  execution state(*entry);
  state.kept = entry.get();
  in_hand_.push_back(std::move(entry));
  here_.in_.execute(state);
}

void outside::forget(aside_entry* kept) {
  if (is_request(kept->kind)) bytes_ -= kept->copy.size();
  if (kept->is_lent()) here_.endpoint_.consumed(kept->source, kept->kind);
  std::erase_if(in_hand_, [kept](auto const& one) { return one.get() == kept; });
}

}  // namespace sheaf::detail
