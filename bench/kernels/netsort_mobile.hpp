// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Mobile netsort (DMCS, section 7). Result: integers in order of their places. Method: a sorting network; each place
/// is an object, which moves to a random member after each comparison. The lower of two places sends its integer to the
/// upper one, which answers with the lesser. Nobody waits for a step of all: a place counts its own steps, and keeps
/// what comes too early. Places are called by name, which is computed, and found by Sheaf.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/netsort.h"
#include "sheaf/rmi/migrating.hpp"
#include "sheaf/sheaf.hpp"

namespace sheaf_bench {

/// What is sorted, how, and by how many.
struct netsort_work {
  netsort_network network = netsort_transposition;
  std::uint32_t size = 0;
  std::uint64_t seed = 0;
  std::uint32_t members = 1;

  [[nodiscard]] std::uint32_t steps() const { return netsort_steps(network, size); }
  [[nodiscard]] std::uint32_t first(std::uint32_t rank) const { return netsort_first(size, rank, members); }
  [[nodiscard]] std::uint32_t partner(std::uint32_t step, std::uint32_t place) const {
    return netsort_partner(network, size, step, place);
  }
  [[nodiscard]] std::uint32_t member_after(std::int64_t step, std::uint32_t place) const {
    return netsort_member(seed, place, step, members);
  }
  /// Its creator counts places from 1.
  [[nodiscard]] sheaf::object_id name_of(std::uint32_t place) const {
    std::uint32_t const owner = netsort_owner(size, place, members);
    return {owner, place - first(owner) + 1};
  }
};

class place_of_integer;

/// The places, and what they share.
struct netsort_places : sheaf::migrating<place_of_integer> {
  netsort_places(sheaf::team const& on, netsort_work const& of, std::size_t most_called = usually_called)
      : migrating(on, most_called), work(of), steps(of.steps()) {}
  netsort_work const work;
  std::uint32_t const steps;
};

class place_of_integer {
 public:
  /// An integer that has come, perhaps before its step.
  struct come {
    std::uint32_t step = 0;
    std::int32_t value = 0;
  };
  /// What travels.
  struct state {
    std::uint32_t number = 0;
    std::int32_t value = 0;
    std::uint32_t step = 0;
    std::uint32_t is_started = 0;
    std::vector<come> early{};
  };

  explicit place_of_integer(state of) : is_(std::move(of)) {}
  place_of_integer(netsort_places& here, std::uint32_t number)
      : is_{number, netsort_value(here.work.seed, number)}, here_(&here), own_(here.work.name_of(number)) {}

  [[nodiscard]] state const& now() const { return is_; }

  /// Goes to where its first comparison begins, and waits there.
  void scatter() { here_->leave(own_, here_->work.member_after(-1, is_.number)); }
  void start() {
    is_.is_started = 1;
    go_on();
  }
  void arrived(sheaf::migrating<place_of_integer>& here, sheaf::object_id own) {
    here_ = static_cast<netsort_places*>(&here);
    own_ = own;
    if (is_.is_started != 0) go_on();
  }

  /// From the other place of a step: the lower one sends its integer, the upper one the lesser of both. What is early
  /// waits.
  void take(std::uint32_t step, std::int32_t value) {
    if (is_.is_started == 0 || step != is_.step) return is_.early.push_back({step, value});
    compare(here_->work.partner(step, is_.number), value);
  }

 private:
  /// To where it must wait for another place.
  void go_on() {
    netsort_work const& work = here_->work;
    std::uint32_t other = is_.number;
    for (; is_.step < here_->steps; ++is_.step) {
      other = work.partner(is_.step, is_.number);
      if (other != is_.number) break;
    }
    if (is_.step == here_->steps) return;
    if (other > is_.number) return here_->async<&place_of_integer::take>(work.name_of(other), is_.step, is_.value);
    auto const now =
        std::find_if(is_.early.begin(), is_.early.end(), [&](come const& c) { return c.step == is_.step; });
    if (now == is_.early.end()) return;
    std::int32_t const value = now->value;
    is_.early.erase(now);
    compare(other, value);
  }
  void compare(std::uint32_t other, std::int32_t value) {
    if (other < is_.number) {
      here_->async<&place_of_integer::take>(here_->work.name_of(other), is_.step, std::min(value, is_.value));
      is_.value = std::max(value, is_.value);
    } else {
      is_.value = value;
    }
    finish_step();
  }
  void finish_step() {
    std::uint32_t const to = here_->work.member_after(is_.step++, is_.number);
    if (to == here_->members().rank()) return go_on();
    here_->leave(own_, to);
  }

  state is_;
  // Set where it arrives:
  netsort_places* here_ = nullptr;
  sheaf::object_id own_{};
};

}  // namespace sheaf_bench

template <>
struct sheaf::codec<sheaf_bench::place_of_integer> {
  using place = sheaf_bench::place_of_integer;
  static std::size_t size(place const& p) { return codec<place::state>::size(p.now()); }
  static void encode(byte_writer& to, place const& p) { codec<place::state>::encode(to, p.now()); }
  static place decode(byte_reader& from) { return place(codec<place::state>::decode(from)); }
};

namespace sheaf_bench {

/// Collective: creates the places of this member and lets them go to where they begin.
inline void netsort_scatter(sheaf::team const& members, netsort_places& places) {
  std::uint32_t const rank = members.rank();
  for (std::uint32_t n = places.work.first(rank), end = places.work.first(rank + 1); n < end; ++n)
    places.async<&place_of_integer::scatter>(places.create(place_of_integer(places, n)));
  sheaf::fence(members);
}

/// Collective: sorts.
inline void netsort_run(sheaf::team const& members, netsort_places& places) {
  for (sheaf::object_id const id : places.ids_here()) places.async<&place_of_integer::start>(id);
  sheaf::fence(members);
}

/// Collective: whether each integer stands once, and in order.
inline bool netsort_is_sorted(sheaf::team const& members, netsort_places& places) {
  std::vector<std::pair<std::uint32_t, std::int32_t>> here;
  for (sheaf::object_id const id : places.ids_here())
    here.emplace_back(places.find(id)->now().number, places.find(id)->now().value);
  auto const all = sheaf::gather(members, 0, here);
  if (members.rank() != 0) return sheaf::broadcast(members, 0, false);
  std::vector<std::int32_t> values(places.work.size);
  std::size_t count = 0;
  for (auto const& part : all) {
    for (auto const& [number, value] : part) values.at(number) = value;
    count += part.size();
  }
  bool const right = count == values.size() && netsort_is_right(values.data(), places.work.size, places.work.seed);
  return sheaf::broadcast(members, 0, right);
}

}  // namespace sheaf_bench
