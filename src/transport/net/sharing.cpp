// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/sharing.hpp"

#include "base/stderr_pipe.hpp"

namespace sheaf::net {

std::vector<std::uint32_t> sharers(std::span<presence const> all, std::uint32_t self) {
  std::vector<std::uint32_t> here;
  for (std::uint32_t rank = 0; rank < all.size(); ++rank) {
    if (!same_host(all[rank], all[self])) continue;
    if (all[rank].host_memory == 0) return {};
    here.push_back(rank);
  }
  return here.size() < 2 ? std::vector<std::uint32_t>() : here;
}

std::string text_of_apart(std::span<presence const> all, std::uint32_t self, std::string const& problem) {
  std::string why = problem;
  for (std::uint32_t rank = 0; rank < all.size(); ++rank) {
    if (!same_host(all[rank], all[self])) continue;
    bool const wants = all[rank].host_memory != 0;
    if (wants && rank < self) return {};  // that one says it
    if (!wants && why.empty()) why = locations_of(all, rank) + " has SHEAF_HOST_MEMORY=0";
  }
  if (why.empty() || all[self].host_memory == 0) return {};
  return "sheaf: warning: the processes of this host share no memory, so what they send each other goes by packets, "
         "which is slower: " +
         why + ". Correct that, or set SHEAF_HOST_MEMORY=0 for all of them.";
}

sharing share_memory(bootstrap& job, std::span<presence const> all, std::size_t root_bytes) {
  std::uint32_t const self = job.rank();
  sharing mine{sharers(all, self), {}};
  mine.map = host::host_map([&job](auto own, auto others) { job.exchange(own, others); }, mine.ranks, self, job.size(),
                            root_bytes);
  if (!mine.map.any()) mine.ranks.clear();
  std::string const text = text_of_apart(all, self, mine.map.problem());
  if (!text.empty()) detail::write_line(text);
  return mine;
}

std::string text_of_lost(sharing const& host, std::span<presence const> all) {
  for (std::size_t place = 0; place < host.ranks.size(); ++place) {
    if (!host.map.has_gone(place)) continue;
    return locations_of(all, host.ranks[place]) + " ended before the job: its process was killed, or called exit()";
  }
  return {};
}

}  // namespace sheaf::net
