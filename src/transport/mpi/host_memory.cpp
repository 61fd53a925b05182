// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/mpi/host_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>
#include <unordered_map>

namespace sheaf::mpi {

/// What the first process of a host tells the others: an object of shared memory, and the key that it begins with.
/// Names of hosts may lie: then another machine's object is not there, or has another key.
struct host_memory::offer {
  char name[48] = {};  ///< empty: there is none
  std::uint64_t key = 0;
};

namespace {

constexpr std::size_t front = 64;  ///< the key's line, before the rings

struct file {
  int const number;
  explicit file(int of) noexcept : number(of) {}
  file(file const&) = delete;
  file& operator=(file const&) = delete;
  ~file() {
    if (number >= 0) ::close(number);
  }
};

std::byte* map(int file_number, std::size_t bytes) noexcept {
  void* const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_number, 0);
  return start == MAP_FAILED ? nullptr : static_cast<std::byte*>(start);
}

struct tally {
  std::uint32_t processes = 0;
  bool refused = false;

  [[nodiscard]] bool may_share() const noexcept {
    return !refused && processes >= 2 && processes <= ring_shape::most_processes;
  }
  void count(presence const& p) noexcept {
    ++processes;
    refused = refused || p.host_memory == 0;
  }
};

bool any_share(std::span<presence const> all) {
  std::unordered_map<std::string_view, tally> hosts;
  for (presence const& p : all) hosts[{p.host, sizeof p.host}].count(p);
  return std::any_of(hosts.begin(), hosts.end(), [](auto const& host) { return host.second.may_share(); });
}

}  // namespace

std::vector<std::uint32_t> places_on_host(std::span<presence const> all, std::uint32_t self) {
  std::vector<std::uint32_t> places(all.size(), host_rings::elsewhere);
  tally here;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!same_host(all[rank], all[self])) continue;
    places[rank] = here.processes;
    here.count(all[rank]);
  }
  if (!here.may_share()) places.clear();
  return places;
}

void host_memory::unmap::operator()(std::byte* start) const noexcept { munmap(start, bytes); }

/// All of its memory is there then: a page that is missing later would be a SIGBUS.
host_memory::offer host_memory::create() {
  offer mine;
  std::random_device random;
  mine.key = std::uint64_t{random()} << 32 | random();
  std::snprintf(mine.name, sizeof mine.name, "/sheaf-%d-%016llx", getpid(), static_cast<unsigned long long>(mine.key));
  file const object(shm_open(mine.name, O_CREAT | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR));
  if (object.number < 0) return {};
  std::size_t const bytes = front + shape_.bytes();
  int problem = EINTR;
  while (problem == EINTR) problem = posix_fallocate(object.number, 0, static_cast<off_t>(bytes));
  std::byte* const start = problem == 0 ? map(object.number, bytes) : nullptr;
  if (start == nullptr) {
    shm_unlink(mine.name);
    return {};
  }
  memory_ = mapping(start, unmap{bytes});
  std::memcpy(start, &mine.key, sizeof mine.key);
  return mine;
}

void host_memory::open(offer const& one) {
  if (one.name[0] == '\0') return;
  file const object(shm_open(one.name, O_RDWR, 0));
  std::size_t const bytes = front + shape_.bytes();
  if (object.number < 0 || lseek(object.number, 0, SEEK_END) != static_cast<off_t>(bytes)) return;
  std::byte* const start = map(object.number, bytes);
  if (start == nullptr) return;
  mapping found(start, unmap{bytes});
  if (std::memcmp(start, &one.key, sizeof one.key) == 0) memory_ = std::move(found);
}

host_memory::host_memory(wire& line, std::span<presence const> all) : self_(line.rank()) {
  if (!any_share(all)) return;  // every process finds the same
  places_ = places_on_host(all, self_);
  auto const here = [&](std::size_t rank) { return !places_.empty() && places_[rank] != host_rings::elsewhere; };
  std::size_t first = 0;
  while (!places_.empty() && places_[first] != 0) ++first;
  shape_ = ring_shape::of(static_cast<std::uint32_t>(
      std::count_if(places_.begin(), places_.end(), [](std::uint32_t p) { return p != host_rings::elsewhere; })));

  bool const leads = here(self_) && first == self_;
  offer const mine = leads ? create() : offer();
  std::vector<offer> offers(all.size());
  line.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(offers)));
  if (here(self_) && !leads) open(offers[first]);

  std::byte const has{memory_ != nullptr};
  std::vector<std::byte> have(all.size());
  line.exchange({&has, 1}, have);
  if (leads && memory_ != nullptr) shm_unlink(mine.name);  // all have it open, or will never have
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (here(rank) && have[rank] == std::byte{0}) memory_.reset();
  }
}

host_rings host_memory::rings() const {
  if (memory_ == nullptr) return {};
  return {memory_.get() + front, shape_, places_, self_};
}

}  // namespace sheaf::mpi
