// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// The way out, as callers see it: to the stream of their thread, or into the gate and on to the stream.
#include "message/outside.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf {

using detail::outbox;

outbox& location::request_box(std::uint32_t dest) {
  if (gate_ != nullptr) [[unlikely]]
    return others_->requests_of_thread().box(dest);
  return out_->of(traffic::request).box(dest);
}

outbox& location::answer_box(std::uint32_t dest) {
  detail::admission const inside(gate_);
  return out_->of(traffic::answer).box(dest);
}

/// Where others may enter, no table has it: each look-up comes here, and to the stream of the caller.
outbox& location::member_box(detail::team_state& team, std::uint64_t rank) {
  outbox& box = request_box(number(team.members[rank]));
  if (gate_ == nullptr) team.boxes.put(rank, box, team.size());
  return box;
}

void location::set_aggregation(std::size_t first, std::size_t most, reach of) {
  detail::admission const inside(gate_);
  out_->set_aggregation(first, most, of);
}

namespace detail {

location& outbox::home() const { return owner->home(); }

std::byte* outbox::append_slowly(run_tag next_tag, std::size_t bytes, std::uint32_t each, call_site from) {
  location& here = home();
  if (here.gate() != nullptr) outside::of(here).before_append(*filled->pair, next_tag, from);
  return owner->append(*filled, next_tag, bytes, each, from);
}

placed::placed(location& here, outbox& box, run_tag tag, std::size_t bytes, std::uint32_t each, call_site from)
    : of_(*box.owner),
      at_(of_.place(*box.filled, tag, bytes, each)),
      slowly_(at_ == nullptr),
      inside_(slowly_ ? here.gate() : nullptr) {
  if (slowly_) at_ = box.append_slowly(tag, bytes, each, from);
}

placed::~placed() {
  if (!slowly_) of_.let_go();
}

std::byte* outbox::try_append_slowly(run_tag next_tag, std::size_t bytes, std::uint32_t each) {
  return owner->try_append(*filled, next_tag, bytes, each);
}

void outbox::send_urgent(run_tag its_tag, std::span<std::byte> entry, call_site from) {
  admission const inside(home().gate());
  owner->send_urgent(*filled, its_tag, entry, from);
}

bool outbox::offer(run_tag its_tag, std::span<std::byte> entry) {
  admission const inside(home().gate());
  return owner->offer(*filled, its_tag, entry);
}

void outbox::flush(flush_reason why) {
  admission const inside(home().gate());
  owner->flush(*filled, why);
}

}  // namespace detail
}  // namespace sheaf
