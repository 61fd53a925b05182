// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "allocations.hpp"
#include "parts.hpp"
#include "process.hpp"

namespace sheaf_armci {
namespace {

/// Of each other process, by its number. The words lie in memory that the others reach.
struct notes {
  std::uint64_t* received = nullptr;     ///< words here
  std::vector<std::uint64_t> addresses;  ///< of their words there
  std::vector<std::uint64_t> sent, awaited;
};
notes all;

struct awaited_note {
  std::uint64_t* word;
  std::uint64_t number;

  [[nodiscard]] std::uint64_t come() const noexcept { return std::atomic_ref(*word).load(std::memory_order_acquire); }
  static bool is_here(void const* of) noexcept {
    auto const& one = *static_cast<awaited_note const*>(of);
    return one.come() >= one.number;
  }
};

}  // namespace

void begin_notes() {
  all.received = static_cast<std::uint64_t*>(take_zeros(here.count * sizeof(std::uint64_t)));
  all.addresses = exchanged(sheaf::detail::address_of(all.received), here.world.comm);
  all.sent.resize(here.count);
  all.awaited.resize(here.count);
}

void end_notes() {
  give_back("ARMCI_Finalize", all.received);
  all = {};
}

}  // namespace sheaf_armci

using namespace sheaf_armci;

int armci_notify(int proc) {
  location_id const to = checked_process("armci_notify", proc);
  auto const its = static_cast<std::size_t>(proc);
  std::size_t const mine = static_cast<std::size_t>(here.self) * sizeof(std::uint64_t);
  translated("armci_notify", [&](one_sided& by) {
    by.change({to, all.addresses[its] + mine}, sizeof(std::uint64_t), sheaf::detail::change_kind::add, 1);
  });
  return static_cast<int>(++all.sent[its]);
}

int armci_notify_wait(int proc, int* pval) {
  static_cast<void>(checked_process("armci_notify_wait", proc));
  auto const its = static_cast<std::size_t>(proc);
  awaited_note const next{all.received + its, ++all.awaited[its]};
  translated("armci_notify_wait",
             [&](one_sided& by) { by.wait_for("armci_notify_wait", {}, &awaited_note::is_here, &next); });
  if (pval != nullptr) *pval = static_cast<int>(next.number);
  return static_cast<int>(next.come());
}
