// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// What has come to its destination by a route: records of many origins into runs of one.
#include <algorithm>
#include <utility>
#include <vector>

#include "message/hop_records.hpp"
#include "message/parked.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf::detail {

/// Takes records from the cursor on: of one origin in a row as a run, which is copied if it has several.
hop_piece executor::next_piece(execution& entry, std::vector<std::byte>& copy) const {
  hop_run const run = current_run(entry);
  hop_record const first = record_at(entry, run, here_.size());
  if (first.dest != number(here_.id())) throw_bad_hop(entry, "a record is not at its destination, but said to be");
  hop_piece piece{run.header, location_id{first.origin}, first.payload};
  entry.at = first.end;
  handler_entry const* const handler = find_handler(run.header.tag.handler());
  bool const gathers = run.each != 0 && handler != nullptr && !handler->asks;
  copy.clear();
  while (gathers && entry.at != entry.run_end) {
    hop_record const next = record_at(entry, run, here_.size());
    if (next.origin != first.origin || next.dest != first.dest) break;
    if (copy.empty()) copy.assign(first.payload.begin(), first.payload.end());
    copy.insert(copy.end(), next.payload.begin(), next.payload.end());
    entry.at = next.end;
  }
  if (!copy.empty()) piece.records = copy;
  piece.header.bytes = piece.records.size();
  piece.header.count = run.each == 0 ? 1 : static_cast<std::uint32_t>(piece.records.size() / run.each);
  return piece;
}

/// Executes the records of an entry that are at their destination. The cursor moves before they begin, so that a
/// handler that waits leaves the rest to go on.
void executor::unpack(execution& entry) {
  while (!entry.finished()) {
    std::vector<std::byte> copy = std::move(parked_->spare);
    hop_piece const what = next_piece(entry, copy);
    execution piece(arrival{what.origin, traffic::request, what.records});
    piece.piece_of = &what.header;
    piece.consumed = true;
    holds_one_of(what.origin) ? hold(piece) : execute(piece);
    if (copy.capacity() > parked_->spare.capacity()) parked_->spare = std::move(copy);
  }
}

/// A piece that is held, with memory of its own. There is no limit: the credit of its origin, which shares links with
/// others', cannot be kept.
struct kept_piece {
  run_header header;
  std::vector<std::byte> records;
};

void executor::keep_piece(execution& state) {
  if (state.keeps_piece) return;
  std::size_t const bytes = static_cast<std::size_t>(state.entry_end - state.entry_begin);
  auto* const kept = new kept_piece{*state.piece_of, {state.entry_begin, state.entry_end}};
  here_.out().kept_arrivals.fetch_add(bytes, std::memory_order_relaxed);
  state.keeps_piece = true;
  state.piece_of = &kept->header;
  state.entry_begin = state.at = state.run_end = kept->records.data();
  state.entry_end = state.entry_begin + bytes;
}

/// It has been executed, or the job ends.
void executor::drop_piece(execution const& state) {
  if (!state.keeps_piece) return;
  here_.out().kept_arrivals.fetch_sub(static_cast<std::size_t>(state.entry_end - state.entry_begin),
                                      std::memory_order_relaxed);
  delete reinterpret_cast<kept_piece const*>(state.piece_of);
}

bool executor::holds_one_of(location_id origin) const {
  auto const is_one = [origin](execution const& e) {
    return (e.piece_of != nullptr || e.kept != nullptr) && e.source == origin;
  };
  return !parked_->held.empty() && std::ranges::any_of(parked_->held, is_one);
}

}  // namespace sheaf::detail
