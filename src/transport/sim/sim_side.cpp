// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/sim/sim_side.hpp"

#include <algorithm>
#include <utility>

namespace sheaf::detail {

sim_side::sim_side(scheduler& owner, std::vector<std::unique_ptr<sim_side>> const& all, std::uint32_t number,
                   std::span<sim_endpoint* const> locations)
    : scheduler_(owner),
      all_(all),
      number_(number),
      locations_(locations.begin(), locations.end()),
      sent_(all.size()),
      taken_(all.size()),
      server_(side_server_maker({*this, locations[0]->memory(), sheaf::number(locations[0]->self()),
                                 static_cast<std::uint32_t>(locations.size())})) {}

sim_side_line& sim_side::line_to(std::uint32_t process) {
  auto const [place, is_new] = lines_.try_emplace(process);
  sim_side_line& line = place->second;
  if (!is_new) return line;
  line.from = this;
  line.to = all_[process].get();
  line.arrive.line = &line;
  sim_location& owner = line.to->locations_[0]->state();
  scheduler_.network().start_step(line.arrive, owner, step_kind::aside, locations_[0]->self(), {});
  return line;
}

/// A location's fiber sends, or a server that has just been handed a message.
void sim_side::send(std::uint32_t to_process, std::span<std::byte const> head, std::span<std::byte const> body) {
  scheduler_.may_switch_in_location();
  sim_side_line& line = line_to(to_process);
  std::vector<std::byte> bytes(head.begin(), head.end());
  bytes.insert(bytes.end(), body.begin(), body.end());
  std::uint64_t const due = scheduler_.leave_beside(locations_[0]->state(), bytes.size());
  scheduler_.record(line.arrive.label + (bytes.size() << 48));
  line.travelling.push({std::move(bytes), due});
  if (!line.arrive.possible()) scheduler_.make_possible(line.arrive, due);
  ++sent_[to_process];
}

std::size_t sim_side::queued(std::uint32_t to_process) const noexcept {
  auto const line = lines_.find(to_process);
  std::size_t bytes = 0;
  if (line != lines_.end()) line->second.travelling.each([&](auto const& one) { bytes += one.bytes.size(); });
  return bytes;
}

/// As over TCP, long data go to their place before the message is taken.
bool sim_side::take(std::uint32_t from, std::span<std::byte const> message) {
  constexpr std::size_t most_begin = 256;
  std::span<std::byte> const place =
      server_->place_for(from, message.first(std::min(most_begin, message.size())), message.size());
  if (place.empty()) return server_->take(from, message);
  std::ranges::copy(message.last(place.size()), place.begin());
  return server_->take_placed(from, message.first(message.size() - place.size()));
}

void sim_side::arrive(sim_side_line& line) {
  line.entering = scheduler_.agenda_.timed() && !line.entering;
  if (line.entering) {
    std::size_t const bytes = line.travelling.front().bytes.size();
    return scheduler_.make_possible(line.arrive, scheduler_.enter_beside(locations_[0]->state(), bytes));
  }
  --scheduler_.beside_;
  sim_side_line::message const message = line.travelling.pop();
  if (!line.travelling.empty()) scheduler_.make_possible(line.arrive, line.travelling.front().due);
  bool const news = take(line.from->number_, message.bytes);
  ++taken_[line.from->number_];
  if (!news) return;
  for (sim_endpoint* const each : locations_) scheduler_.wake(each->state());
}

void scheduler::start_sides() {
  std::uint32_t const lanes = locations_.front().lanes();
  bool const any_far = near_.size() > 1 && side_server_maker != nullptr;
  std::size_t const processes = any_far ? (locations_.size() + lanes - 1) / lanes : 0;
  sides_.clear();
  sides_.resize(processes);
  for (std::uint32_t p = 0; p < processes; ++p) {
    std::vector<sim_endpoint*> mine;
    for (std::size_t l = p * lanes; l < std::min<std::size_t>(locations_.size(), (p + 1) * lanes); ++l) {
      mine.push_back(&locations_[l]);
    }
    sides_[p] = std::make_unique<sim_side>(*this, sides_, p, mine);
  }
}

std::uint64_t scheduler::leave_beside(sim_location& first, std::size_t bytes) noexcept {
  ++beside_;
  if (!agenda_.timed()) return 0;
  sim_location& by = running_ == nullptr ? first : *running_->run.owner;
  if (running_ != nullptr) agenda_.spend(settings_.costs.overhead_ns);
  return by.clock.out.pass(settings_.costs, agenda_.now(), bytes) + settings_.costs.latency_ns;
}

std::uint64_t scheduler::enter_beside(sim_location& first, std::size_t bytes) noexcept {
  return first.clock.in.pass(settings_.costs, agenda_.now(), bytes) + settings_.costs.transfer_ns(bytes);
}

}  // namespace sheaf::detail
