// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/memory/detail/one_sided.hpp"

#include <sched.h>

#include <cstring>
#include <memory>
#include <string>

#include "memory/kernels.hpp"
#include "memory/paired_rows.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/memory/transfer.hpp"
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
  here.by_outsider() ? net.attend(net.now() + nap_ns) : net.idle(round, net.now() + nap_ns);
}

/// Throws usage_error where the sizes differ; true: there is nothing to do.
bool is_empty(std::size_t remote, std::size_t local, char const* what) {
  if (remote == local) return remote == 0;
  throw usage_error("sheaf: " + std::string(what) + ": the remote part has " + std::to_string(remote) +
                    " bytes, and the local one " + std::to_string(local) + "; make them equal");
}

void check_elements(strided const& to, element_kind of) {
  std::size_t const bytes = bytes_of(of);
  bool aligned = to.row % bytes == 0;
  // Others than integers are added under a guard, which needs no alignment.
  bool const exact = of == element_kind::integer32 || of == element_kind::integer64;
  if (exact) {
    aligned = aligned && address_of(to.first) % bytes == 0;
    for (std::ptrdiff_t const step : to.steps) aligned = aligned && step % static_cast<std::ptrdiff_t>(bytes) == 0;
  }
  if (aligned) return;
  throw usage_error("sheaf: accumulate: rows of " + std::to_string(to.row) + " bytes at address " +
                    std::to_string(address_of(to.first)) + " are not whole, aligned elements of " +
                    std::to_string(bytes) + " bytes");
}

}  // namespace

one_sided::one_sided(location& mine) : here(mine), ways_(mine.size()) {
  endpoint const& net = here.connection();
  auto const shared = net.memory().shared();
  shared_start_ = address_of(shared.data());
  shared_bytes_ = shared.size();
  for (std::uint32_t l = 0; l < here.size(); ++l) {
    bool const same_process = l / net.lanes() == number(here.id()) / net.lanes();
    bool const near = !net.tells_near() || net.near(location_id{l});
    bool const all = near && (same_process || shared.empty());
    ways_[l] = all ? way::all : near ? way::shared : way::asked;
  }
}

void one_sided::make(location& here) {
  admission const inside(here.gate());
  if (here.memory == nullptr) here.memory = std::make_unique<one_sided>(here);
}

void one_sided::put_parts(location_id where, strided const& remote, const_strided const& local) {
  if (is_empty(remote.bytes(), local.bytes(), "put")) return;
  place const to{where, address_of(remote.first)};
  if (!is_direct(to)) refuse(to, "put");
  paired_rows(remote, local).each(copy_rows);
}

void one_sided::get_parts(location_id where, const_strided const& remote, strided const& local) {
  if (is_empty(remote.bytes(), local.bytes(), "get")) return;
  place const from{where, address_of(remote.first)};
  if (!is_direct(from)) refuse(from, "get");
  paired_rows(local, remote).each(copy_rows);
}

void one_sided::accumulate(location_id where, element_kind of, strided const& remote, const_strided const& local,
                           void const* scale) {
  if (is_empty(remote.bytes(), local.bytes(), "accumulate")) return;
  check_elements(remote, of);
  place const to{where, address_of(remote.first)};
  if (!is_direct(to)) refuse(to, "accumulate");
  guard_wait const wait{wait_for_guard, this};
  host_memory const& memory = here.connection().memory();
  paired_rows(remote, local).each([&](paired_rows::block const& b) { add_rows(b, of, scale, memory, wait); });
}

std::uint64_t one_sided::change(place const& at, std::size_t bytes, change_kind how, std::uint64_t operand,
                                std::uint64_t expected) {
  if (at.address % bytes != 0) {
    throw usage_error("sheaf: the address " + std::to_string(at.address) + " of an atomic operation on " +
                      std::to_string(bytes) + " bytes is not a multiple of that");
  }
  if (!is_direct(at)) refuse(at, "an atomic operation");
  return change_word(at.here(), bytes, how, operand, expected);
}

void one_sided::wait_open(location_id) {}

void one_sided::fence(location_id where) { check({where, 0}, 0, "fence"); }
void one_sided::fence_all() {}

place one_sided::allocate(location_id where, std::size_t bytes, filled how) {
  check({where, 0}, 0, "allocate");
  if (bytes == 0) return {where, 0};
  if (ways_[number(where)] == way::asked) refuse({where, 0}, "allocate");
  std::byte* const made = here.connection().memory().take(bytes);
  if (how == filled::with_zeros) std::memset(made, 0, bytes);
  return {where, address_of(made)};
}

void one_sided::deallocate(place const& at, std::size_t bytes) {
  if (bytes == 0) return;
  check(at, bytes, "deallocate");
  if (!is_direct(at)) refuse(at, "deallocate");
  here.connection().memory().give_back(at.here(), bytes);
}

void one_sided::check(place const& at, std::size_t bytes, char const* what) const {
  if (number(at.where) >= here.size()) {
    throw usage_error("sheaf: " + std::string(what) + ": there is no " + name_of(at.where) + "; the job has 0 to " +
                      std::to_string(here.size() - 1));
  }
  if (at.address == 0 && bytes != 0) {
    throw usage_error("sheaf: " + std::string(what) + ": the global pointer is null, and " + std::to_string(bytes) +
                      " bytes are asked for");
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

future<void> done_at(one_sided& by, location_id where) {
  by.check({where, 0}, 0, "ask");
  asking<void> made(by.here, by.here.registered().world());
  made.state()->set_value();
  return made.sent();
}

}  // namespace sheaf::detail
