// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/sim_network.hpp"

#include <cstring>
#include <string>

#include "sheaf/base/error.hpp"
#include "sheaf/transport/endpoint.hpp"
#include "transport/sim/scheduler.hpp"

namespace sheaf::detail {

sim_endpoint::sim_endpoint(scheduler& owner, location_id self, std::uint32_t size, std::uint32_t lanes,
                           std::uint32_t const* near)
    : endpoint(self, size, sim_inline_capacity, lanes, near), scheduler_(owner) {
  state_.id = self;
  threads = &owner;
}

buffer sim_endpoint::do_acquire(location_id, std::size_t bytes) { return {&memory(), memory().take(bytes), bytes}; }

bool sim_endpoint::do_send(location_id dest, traffic kind, buffer& b) {
  scheduler_.may_switch();
  sim_network& net = scheduler_.network();
  net.check(dest, b.size(), b.capacity());
  sim_link& link = net.link_to(state_, dest, kind);
  if (!finds_room(link, true)) return false;
  sim_entry& e = net.admit(link, b.size(), true);
  if (kind != traffic::answer) state_.in_flight += b.capacity();
  e.block = std::move(b);
  return true;
}

bool sim_endpoint::do_send_inline(location_id dest, traffic kind, std::span<std::byte const> bytes) {
  scheduler_.may_switch();
  sim_network& net = scheduler_.network();
  net.check(dest, bytes.size(), sim_inline_capacity);
  sim_link& link = net.link_to(state_, dest, kind);
  if (!finds_room(link, false)) return false;
  std::memcpy(net.admit(link, bytes.size(), false).bytes, bytes.data(), bytes.size());
  return true;
}

// Whether the pair has credit for one more entry; in a timed play also where that has come by now.
bool sim_endpoint::finds_room(sim_link& link, bool for_buffer) {
  sim_network& net = scheduler_.network();
  if (!net.is_full(link, for_buffer)) return true;
  if (scheduler_.catch_up() && !net.is_full(link, for_buffer)) return true;
  net.watch(link);
  return false;
}

bool sim_endpoint::do_receive(wanted which, arrival& out) { return scheduler_.receive(state_, which, out); }

void sim_endpoint::do_consumed(location_id source, traffic kind, buffer* keep) {
  sim_network& net = scheduler_.network();
  net.check(source, 1, 1);
  sim_link* const last = state_.delivered;  // most often that; the others lie with their senders
  bool const is_last = last != nullptr && last->source == source && last->kind == kind;
  sim_link* const link = is_last ? last : net.find(net.at(source), self(), kind);
  if (link == nullptr || link->held == nullptr) {
    throw usage_error(name_of(self()) + " consumes an arrival from " + name_of(source) +
                      " that it does not hold; each is consumed once");
  }
  auto const gone = std::move(link->held);
  net.make_ready(state_, *link);
  std::uint64_t const due = net.agenda_.now() + net.settings_.costs.latency_ns;
  link->consumed.push({gone->block.capacity(), due});
  if (!link->credit.possible()) net.agenda_.make_possible(link->credit, due);
  if (keep != nullptr) *keep = std::move(gone->block);
}

std::uint32_t sim_endpoint::do_backlog(location_id dest, traffic kind) {
  sim_network& net = scheduler_.network();
  net.check(dest, 1, 1);
  scheduler_.catch_up();
  sim_link* const link = net.find(state_, dest, kind);
  if (link == nullptr || link->entries == 0) return 0;
  net.watch(*link);
  return link->entries;
}

// How often the caller came before does not matter: it waits exactly until something comes.
void sim_endpoint::do_idle(std::uint32_t, std::uint64_t deadline_ns) {
  counts_.sleeps += scheduler_.idle(state_, deadline_ns, gate_);
}

std::uint64_t sim_endpoint::do_now() { return scheduler_.look_at_clock(); }

void sim_endpoint::do_outside(outside_call what, std::uint64_t deadline_ns) {
  if (what == outside_call::wake) return scheduler_.ring(state_);
  if (what == outside_call::check) return scheduler_.throw_if_ended();
  scheduler_.attend(state_, deadline_ns, gate_);
}

void sim_endpoint::do_fail(std::string_view reason) noexcept { scheduler_.fail(state_, reason); }

sim_location& sim_network::at(location_id id) noexcept { return locations_[number(id)].state(); }

void sim_network::start_run() {
  for (sim_endpoint& each : locations_) {
    each.state().links.clear();
    each.state().delivered = nullptr;
  }
  share_ = settings_.job.buffer_budget / locations_.size();
  sent_ = delivered_ = 0;
}

bool sim_network::receive(sim_location& at, wanted which, arrival& out) {
  std::span<traffic const> classes = classes_of(which);
  if (which == wanted::all && at.meets_routes) classes = routed_orders[at.turn++ % routed_orders.size()];
  auto const found = std::find_if(classes.begin(), classes.end(),
                                  [&](traffic kind) { return !at.ready[static_cast<std::size_t>(kind)].empty(); });
  if (found == classes.end()) return false;
  sim_link& link = *at.ready[static_cast<std::size_t>(*found)].pop();
  link.queued = false;
  link.held = link.arrived.pop();
  at.delivered = &link;
  out = {link.source, link.kind, {link.held->data(), link.held->size}};
  ++delivered_;
  return true;
}

void sim_network::make_ready(sim_location& at, sim_link& link) noexcept {
  if (link.held != nullptr || link.arrived.empty() || std::exchange(link.queued, true)) return;
  at.ready[static_cast<std::size_t>(link.kind)].push(&link);
}

void sim_network::arrive(sim_link& link) {
  agenda_.take_out(link.arrive);
  if (agenda_.timed() && enter(link)) return;
  link.arrived.push(link.travelling.pop());
  if (!link.travelling.empty()) {
    agenda_.make_possible(link.arrive, std::max(agenda_.now(), link.travelling.front()->due));
  }
  sim_location& to = *link.arrive.owner;
  to.meets_routes = to.meets_routes || is_routed(link.kind);
  make_ready(to, link);
  agenda_.wake(to);
}

// The first byte of the next entry is at the receiver's interface, or its last one is in. True: it has not arrived, but
// the step was made possible again for when it will have.
bool sim_network::enter(sim_link& link) {
  link.entering = !link.entering;
  if (!link.entering) return false;
  loggp const& costs = settings_.costs;
  std::size_t const bytes = link.travelling.front()->size;
  std::uint64_t const first_byte = link.arrive.owner->clock.in.pass(costs, agenda_.now(), bytes);
  agenda_.make_possible(link.arrive, first_byte + costs.transfer_ns(bytes));
  return true;
}

void sim_network::credit(sim_link& link) {
  agenda_.take_out(link.credit);
  std::size_t const held = link.consumed.pop().held;
  --link.entries;
  link.buffers -= held != 0;
  if (link.kind != traffic::answer) at(link.source).in_flight -= held;
  if (!link.consumed.empty()) agenda_.make_possible(link.credit, link.consumed.front().due);
  if (std::exchange(link.watched, false)) agenda_.wake(*link.credit.owner);
}

void sim_network::check(location_id dest, std::size_t bytes, std::size_t limit) const {
  if (number(dest) >= locations_.size()) {
    throw usage_error(name_of(dest) + " does not exist: there are 0..." + std::to_string(locations_.size() - 1));
  }
  if (bytes == 0 || bytes > limit) {
    throw usage_error("an entry of " + std::to_string(bytes) + " bytes cannot be sent: 1..." + std::to_string(limit) +
                      " fit");
  }
}

static std::uint64_t key_of(location_id dest, traffic kind) noexcept {
  return std::uint64_t{number(dest)} * traffic_classes + static_cast<std::size_t>(kind);
}

sim_link* sim_network::find(sim_location& from, location_id dest, traffic kind) const noexcept {
  auto const at = from.links.find(key_of(dest, kind));
  return at != from.links.end() ? &at->second : nullptr;
}

sim_link& sim_network::link_to(sim_location& from, location_id dest, traffic kind) {
  auto const [place, is_new] = from.links.try_emplace(key_of(dest, kind));
  sim_link& link = place->second;
  if (!is_new) return link;
  link.source = from.id;
  link.dest = dest;
  link.kind = kind;
  start_step(link.arrive, at(link.dest), step_kind::arrive, link.source, kind);
  start_step(link.credit, at(link.source), step_kind::credit, link.dest, kind);
  link.arrive.link = link.credit.link = &link;
  return link;
}

void sim_network::start_step(step& s, sim_location& owner, step_kind what, location_id peer, traffic kind) {
  s.owner = &owner;
  s.label = step::label_of(owner.id, what, peer, kind);
  s.priority = picker_.priority();
}

void sim_network::watch(sim_link& link) {
  link.watched = true;
  at(link.source).watched = true;
}

bool sim_network::is_full(sim_link const& link, bool for_buffer) noexcept {
  if (link.entries >= settings_.job.ring_slots) return true;
  if (!for_buffer || link.buffers == 0) return false;
  return link.buffers >= settings_.job.window || (link.kind != traffic::answer && at(link.source).in_flight >= share_);
}

// A timed play's entry goes through its sender's interface. When its first byte is at the other one.
std::uint64_t sim_network::leave(sim_location& from, std::size_t bytes) noexcept {
  agenda_.spend(settings_.costs.overhead_ns);
  return from.clock.out.pass(settings_.costs, agenda_.now(), bytes) + settings_.costs.latency_ns;
}

// One more entry on its way.
sim_entry& sim_network::admit(sim_link& link, std::size_t bytes, bool is_buffer) {
  auto fresh = std::make_unique<sim_entry>();
  sim_entry& e = *fresh;
  e.size = bytes;
  if (agenda_.timed()) e.due = leave(at(link.source), bytes);
  ++link.entries;
  link.buffers += is_buffer;
  link.travelling.push(std::move(fresh));
  if (!link.arrive.possible()) agenda_.make_possible(link.arrive, e.due);
  agenda_.record(link.arrive.label + (bytes << 48));
  ++sent_;
  return e;
}

}  // namespace sheaf::detail
