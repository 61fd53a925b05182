// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/spreading.hpp"

#include <cstring>
#include <string>

#include "runtime/team_tree.hpp"
#include "sheaf/rmi/detail/reducing.hpp"

namespace sheaf::detail {
namespace {

/// The way to each child, in the tree that has the origin at its root.
void each_child(team_object const& object, std::uint32_t origin, auto visit) {
  team_state& team = object.team;
  team_tree const tree(team, origin, object.here.settings().tree_arity);
  tree.each_child([&](std::uint32_t rank) { visit(object.here.member_box(team, rank)); });
}

/// Until some of what the program has sent to a child, or to itself, has left, if it waits for credit.
void await_credit(char const* what, team_object const& object, run_tag tag, call_site from) {
  auto const wait_for = [&](outbox& shown) {
    outbox const& box = shown.filled().pair();
    std::uint32_t const before = box.drained;
    if (!box.blocked) return;
    wait_site const site{.what = what, .for_what = awaited::room, .on = shown.dest, .tag = tag, .from = from};
    object.here.wait(wait_kind::credit, site, [&] { return !box.blocked || box.drained != before; });
  };
  each_child(object, object.team.rank, wait_for);
  wait_for(object.here.member_box(object.team, object.team.rank));
}

}  // namespace

void check_origin(team_state const& team, std::uint32_t origin) {
  if (origin < team.size()) [[likely]]
    return;
  throw wire_error("sheaf: a broadcast of rank " + std::to_string(origin) + " of team " + std::to_string(team.id) +
                   ", whose ranks are 0 to " + std::to_string(team.size() - 1));
}

void spread(team_object const& object, std::uint32_t origin, run_tag tag, std::span<std::byte const> record,
            std::uint32_t record_bytes) {
  check_origin(object.team, origin);
  each_child(object, origin, [&](outbox& box) { put_encoded(object.here, box, tag, record, record_bytes); });
}

void prepare_to_spread(char const* what, team_object const& object, run_tag tag, call_site from) {
  if (object.here.in().in_handler()) return;
  admission const inside(object.here.gate());
  object.here.poll_if_due();
  await_credit(what, object, tag, from);
}

encoded outcome::of_exception(std::string const& text) {
  encoded one(1 + text.size());
  one[0] = exception;
  std::memcpy(one.data() + 1, text.data(), text.size());
  return one;
}

std::string outcome::text(std::span<std::byte const> one) {
  return one.empty() ? std::string() : std::string(reinterpret_cast<char const*>(one.data()) + 1, one.size() - 1);
}

void outcome::append(void const*, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
  if (threw(left) || threw(right)) return keep_thrown(mine, left, right);
  if (left.data() == mine.data()) {
    mine.insert(mine.end(), right.begin() + 1, right.end());
  } else {
    mine.insert(mine.begin() + 1, left.begin() + 1, left.end());
  }
}

void outcome::keep_thrown(encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
  auto const kept = threw(left) ? left : right;
  if (kept.data() != mine.data()) mine.assign(kept.begin(), kept.end());
}

}  // namespace sheaf::detail
