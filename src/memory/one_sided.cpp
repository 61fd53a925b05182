// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory/detail/one_sided.hpp"

#include <sched.h>

#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "base/call_text.hpp"
#include "memory/kernels.hpp"
#include "memory/memory_server.hpp"
#include "memory/other_process.hpp"
#include "memory/paired_rows.hpp"
#include "memory/served_requests.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/memory/transfer.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/runtime/detail/futures.hpp"

namespace sheaf::detail {
namespace {

/// The holder of a guard adds for microseconds, but may have lost its core.
void wait_for_guard(void* context, std::uint32_t round) {
  constexpr std::uint32_t spins = 200, yields = 2000;
  constexpr std::uint64_t nap_ns = 100'000;
  if (round < spins) return;
  if (round < yields) return static_cast<void>(sched_yield());
  location& here = static_cast<one_sided*>(context)->here;
  admission const inside(here.gate());
  endpoint& net = here.connection();
  here.gate() != nullptr&& here.by_outsider() ? net.attend(net.now() + nap_ns) : net.idle(round, net.now() + nap_ns);
}

/// Whoever loads later sees the stores before it. An exchange, since the thread sanitizer knows no fences.
void order_stores() noexcept {
  std::atomic<std::uint32_t> word{0};
  word.exchange(1);
}

void check_elements(strided const& to, element_kind of) {
  std::size_t const bytes = bytes_of(of);
  if (to.row % bytes == 0) return;
  throw usage_error("sheaf: accumulate: rows of " + std::to_string(to.row) + " bytes at address " +
                    std::to_string(address_of(to.first)) + " are not whole elements of " + std::to_string(bytes) +
                    " bytes");
}

}  // namespace

/// Throws usage_error where the sizes differ, or are none of memory; true: there is nothing to do.
bool one_sided::is_empty(const_strided const& remote, const_strided const& local, char const* what) {
  std::size_t const there = remote.bytes(), bytes = local.bytes();
  auto const begin = [&] { return "sheaf: " + std::string(what) + ": the "; };
  if (there != bytes) {
    throw usage_error(begin() + "remote part has " + std::to_string(there) + " bytes, and the local one " +
                      std::to_string(bytes) + "; make them equal");
  }
  if (bytes >= most_bytes) throw usage_error(begin() + "parts have more bytes than there are addresses");
  if (bytes != 0 && local.first == nullptr) {
    throw usage_error(begin() + "local part of " + std::to_string(bytes) + " bytes begins at a null pointer");
  }
  return bytes == 0;
}

one_sided::one_sided(location& mine) : here(mine), ways_(mine.size()) {
  endpoint& net = here.connection();
  auto const shared = net.memory().shared();
  shared_start_ = address_of(shared.data());
  shared_bytes_ = shared.size();
  for (std::uint32_t l = 0; l < here.size(); ++l) ways_[l] = way_to(location_id{l});
  if (side_wire* const wire = net.side; wire != nullptr) {
    served_ = std::make_unique<served_requests>(here, *wire);
    static_cast<memory_server&>(wire->server()).let_ask(number(here.id()), served_.get());
  }
}

/// What was put is to be there when the job ends, unless it has failed.
one_sided::~one_sided() {
  try {
    fence_all();
    go_on();
  } catch (error const&) {
  }
  for (awaited_end const& one : awaited_) one.state->set_error("the job has ended");
  if (side_wire* const wire = here.connection().side; wire != nullptr) {
    static_cast<memory_server&>(wire->server()).let_ask(number(here.id()), nullptr);
  }
  give_back_nodes();
}

void one_sided::make(location& here) {
  admission const inside(here.gate());
  if (here.memory == nullptr) here.memory = new one_sided(here);
}

one_sided::way one_sided::way_to(location_id where) const {
  endpoint const& net = here.connection();
  if (net.tells_near() && !net.near(where)) return way::asked;
  bool const same_process = number(where) / net.lanes() == number(here.id()) / net.lanes();
  return same_process || shared_bytes_ == 0 ? way::all : way::shared;
}

/// What is not shared on this host is copied by the system; where that is forbidden, its process is asked. Then all
/// that goes there waits in one line, until nothing is in it.
one_sided::route one_sided::route_to(place const& at, char const* what) {
  check(at, 1, what);
  if (is_direct(at)) return route::direct;
  way const usual = way_to(at.where);
  std::atomic<way>& now = ways_[number(at.where)];
  if (usual == way::asked) {
    if (served_ == nullptr) refuse(at, what);
    open_.store(true, std::memory_order_relaxed);
    return route::served;
  }
  if (now.load(std::memory_order_relaxed) == way::asked) {
    bool const inside = at.address - shared_start_ < shared_bytes_;
    if (!inside) return route::served;
    fence(at.where);
    now.store(usual, std::memory_order_relaxed);
    return route::direct;
  }
  if (served_ == nullptr || process_of(at.where).is_open(at.here())) return route::by_system;
  now.store(way::asked, std::memory_order_relaxed);
  open_.store(true, std::memory_order_relaxed);
  return route::served;
}

other_process& one_sided::process_of(location_id where) {
  admission const inside(here.gate());
  endpoint& net = here.connection();
  std::uint32_t before = 0;  // near locations with smaller numbers
  for (std::uint32_t l = 0; l < number(where); ++l) before += net.near(location_id{l}) ? 1U : 0U;
  std::uint32_t const process = before / net.lanes();
  if (process >= processes_.size()) processes_.resize(process + 1);
  if (auto& one = processes_[process]; one == nullptr) {
    host_memory const& memory = net.memory();
    std::uint64_t const part = shared_start_ + process * memory.mapped().size();
    one = std::make_unique<other_process>(memory.process_of(process), where, memory.guards_for(part));
  }
  return *processes_[process];
}

void one_sided::put_parts(location_id where, strided const& remote, const_strided const& local) {
  if (is_empty(remote, local, "put")) return check({where, 0}, 0, "put");
  switch (route_to({where, address_of(remote.first)}, "put")) {
    case route::direct:
      return paired_rows(remote, local).each(copy_rows);
    case route::by_system:
      return process_of(where).write(paired_rows(remote, local));
    case route::served:
      return served_->put(where, remote, local);
  }
}

void one_sided::get_parts(location_id where, const_strided const& remote, strided const& local) {
  if (is_empty(remote, local, "get")) return check({where, 0}, 0, "get");
  switch (route_to({where, address_of(remote.first)}, "get")) {
    case route::direct:
      return paired_rows(local, remote).each(copy_rows);
    case route::by_system:
      return process_of(where).read(paired_rows(local, remote));
    case route::served:
      return served_->get(where, remote, local);
  }
}

void one_sided::accumulate(location_id where, element_kind of, strided const& remote, const_strided const& local,
                           void const* scale) {
  if (is_empty(remote, local, "accumulate")) return check({where, 0}, 0, "accumulate");
  check_elements(remote, of);
  guard_wait const wait{wait_for_guard, this};
  host_memory const& memory = here.connection().memory();
  switch (route_to({where, address_of(remote.first)}, "accumulate")) {
    case route::direct:
      return paired_rows(remote, local).each([&](paired_rows::block const& b) {
        add_rows(b, of, scale, memory, wait);
      });
    case route::by_system:
      return process_of(where).add(paired_rows(remote, local), of, scale, wait);
    case route::served:
      return served_->add(where, of, remote, local, scale);
  }
}

std::uint64_t one_sided::change_slowly(place const& at, std::size_t bytes, change_kind how, std::uint64_t operand,
                                       std::uint64_t expected) {
  if (at.address % bytes != 0) {
    throw usage_error("sheaf: the address " + std::to_string(at.address) + " of an atomic operation on " +
                      std::to_string(bytes) + " bytes is not a multiple of that");
  }
  guard_wait const wait{wait_for_guard, this};
  switch (route_to(at, "an atomic operation")) {
    case route::direct:
      return change_word(at.here(), bytes, how, operand, expected, here.connection().memory(), wait);
    case route::by_system:
      return process_of(at.where).change(at.here(), bytes, how, operand, expected, wait);
    case route::served:
      break;
  }
  return served_->change(at, bytes, how, operand, expected);
}

void one_sided::wait_open(location_id where) {
  if (way_to(where) != way::all) served_->wait(where, served_->mark(where));
}

void one_sided::gather_served(int delta) { served_->gather(delta); }

void one_sided::fence(location_id where) {
  check({where, 0}, 0, "fence");
  order_stores();
  arrive(where);
}

void one_sided::fence_all() {
  order_stores();
  if (open_.load(std::memory_order_relaxed)) served_->wait_all();
}

place one_sided::allocate(location_id where, std::size_t bytes, filled how) {
  check({where, 0}, 0, "allocate");
  if (bytes == 0) return {where, 0};
  if (way_to(where) != way::asked) {
    std::byte* const made = here.connection().memory().take(bytes);
    if (how == filled::with_zeros) std::memset(made, 0, bytes);
    return {where, address_of(made)};
  }
  if (served_ == nullptr) refuse({where, 0}, "allocate");
  std::uint64_t const made = served_->allocate(where, bytes);
  if (made == 0) throw std::bad_alloc();
  return {where, made};
}

void one_sided::deallocate(place const& at, std::size_t bytes) {
  if (bytes == 0) return;
  check(at, bytes, "deallocate");
  if (way_to(at.where) == way::asked) return served_->deallocate(at, bytes);
  fence(at.where);
  here.connection().memory().give_back(at.here(), bytes);
}

void one_sided::check(place const& at, std::size_t bytes, char const* what) const {
  if (number(at.where) >= here.size()) {
    throw usage_error("sheaf: " + std::string(what) + ": there is no " + name_of(at.where) + "; the job has 0 to " +
                      std::to_string(here.size() - 1));
  }
  if (at.address == 0 && bytes != 0) {
    throw usage_error("sheaf: " + std::string(what) + ": the global pointer is null");
  }
}

void one_sided::check_same(location_id one, location_id other, char const* what) {
  if (one == other) return;
  throw usage_error("sheaf: " + std::string(what) + ": the values are for " + name_of(one) + ", and the word is at " +
                    name_of(other) + "; both must be at one location");
}

void one_sided::refuse(place const& at, char const* what) const {
  check(at, 1, what);
  throw usage_error("sheaf: " + std::string(what) + ": this location cannot reach that memory of " + name_of(at.where));
}

void one_sided::answer_when_done(location_id where, future_state<void>& state) {
  constexpr auto nothing = [] { return stored<void>{}; };
  order_stores();
  admission const inside(here.gate());
  if (!open_.load(std::memory_order_relaxed) || way_to(where) == way::all) return state.answer(nothing);
  std::uint64_t const answer = served_->mark(where);
  bool const by_outsider = here.gate() != nullptr && here.by_outsider();  // whose futures nobody completes
  if (by_outsider) served_->wait(where, answer);
  if (served_->has_come(where, answer)) return state.answer(nothing);
  awaited_.push_back({where, answer, &state});
  is_under_way = true;
}

bool one_sided::go_on() {
  std::vector<future_state<void>*> done;
  std::erase_if(awaited_, [&](awaited_end const& one) {
    bool const come = served_->has_come(one.where, one.answer);
    if (come) done.push_back(one.state);
    return come;
  });
  is_under_way = !awaited_.empty();
  for (future_state<void>* const state : done) state->answer([] { return stored<void>{}; });
  return !done.empty();
}

void rethrow_with_call_site(usage_error const& wrong, call_site where) {
  throw usage_error(wrong.what() + called_at(where));
}

future<void> done_at(one_sided& by, location_id where) {
  by.check({where, 0}, 0, "a future of a transfer");
  asking<void> made(by.here, by.unanswered);
  by.answer_when_done(where, *made.state());
  return made.sent();
}

}  // namespace sheaf::detail
