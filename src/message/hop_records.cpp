// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "message/hop_records.hpp"

#include <cstring>
#include <string>

#include "sheaf/base/error.hpp"

namespace sheaf::detail {

hop_form::hop_form(run_header of, std::uint32_t each, route_kind path) {
  of.count = 0;
  of.bytes = 0;
  of.encode(head);
  std::uint32_t const word = each | static_cast<std::uint32_t>(path) << path_from;
  std::memcpy(head + run_header::wire_bytes, &word, sizeof word);
}

[[gnu::cold, gnu::noinline]] void throw_bad_hop(execution const& state, char const* what) {
  throw wire_error(std::string("sheaf: ") + what + " in an entry that " + name_of(state.source) +
                   " passed on; the processes run different builds, or memory was overwritten");
}

hop_run current_run(execution& state) {
  if (state.at == state.run_end) {
    run_header next;
    auto const left = static_cast<std::size_t>(state.entry_end - state.at);
    std::size_t const head = run_header::read(state.at, left, next);
    if (head != run_header::wire_bytes || next.bytes < 4 || next.bytes > left - head)
      throw_bad_hop(state, "a run header is damaged");
    state.run_begin = state.at;
    state.run_end = state.at + head + next.bytes;
    state.at += hop_form::head_bytes;
  }
  hop_run run;
  std::uint32_t word = 0;
  run.header = run_header::decode(state.run_begin);
  std::memcpy(&word, state.run_begin + run_header::wire_bytes, sizeof word);
  run.each = word & hop_form::most_each;
  run.urgent = (word & hop_form::urgent) != 0;
  run.path = static_cast<route_kind>(word >> hop_form::path_from);
  if (run.path <= route_kind::direct || run.path > route_kind::node_wise) throw_bad_hop(state, "there is no such path");
  return run;
}

hop_record record_at(execution const& state, hop_run const& run, std::uint32_t locations) {
  auto const left = static_cast<std::size_t>(state.run_end - state.at);
  std::size_t const head = hop_form::address_bytes + (run.each == 0 ? hop_form::size_bytes : 0);
  if (left < head) throw_bad_hop(state, "a record is cut off");
  address to{};
  std::memcpy(&to, state.at, sizeof to);
  std::uint64_t size = run.each;
  if (size == 0) std::memcpy(&size, state.at + sizeof to, sizeof size);
  if (size > left - head) throw_bad_hop(state, "a record is cut off");
  if (to.dest >= locations || to.origin >= locations) throw_bad_hop(state, "an address is of no location");
  std::byte const* const payload = state.at + head;
  return {to.dest, to.origin, {payload, static_cast<std::size_t>(size)}, payload + size};
}

}  // namespace sheaf::detail
