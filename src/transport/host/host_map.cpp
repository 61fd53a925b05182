// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/host_map.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "transport/host/sanitizers.hpp"

namespace sheaf::host {

/// What each process tells the others: where its file is, and at which of the places they could all be.
struct host_map::offer {
  std::uint64_t key = 0;
  std::int32_t process = 0;
  std::int32_t file = -1;  ///< -1: there is none
  std::uint32_t fits = 0;  ///< a bit for each place
  char problem[108] = {};
};

/// And whether it has mapped them.
struct host_map::outcome {
  std::uint32_t mapped = 0;
  char problem[124] = {};
};

namespace {

/// Where segments may lie: addresses that programs, their libraries and sanitizers leave alone. The last ones are for
/// systems with few addresses, or a limit on them.
struct place {
  std::uint64_t start;
  std::size_t bytes;  ///< of each segment
};
constexpr std::size_t GiB = std::size_t{1} << 30;
constexpr place places[] = {
    {0x2000'0000'0000, 64 * GiB}, {0x3000'0000'0000, 64 * GiB}, {0x1000'0000'0000, 64 * GiB},
    {0x4000'0000'0000, 4 * GiB},  {0x20'0000'0000, 4 * GiB},    {0x20'0000'0000, GiB},
};
/// The thread sanitizer leaves a program the lowest 512 GiB and ends one that maps memory above.
constexpr std::size_t first_place = SHEAF_HAS_TSAN ? 4 : 0;

template <std::size_t N>
void put(char (&to)[N], std::string const& text) noexcept {
  std::memcpy(to, text.data(), std::min(text.size(), N - 1));
}

template <class T>
std::vector<T> exchanged(exchange_function const& exchange, T const& mine, std::uint32_t processes) {
  std::vector<T> all(processes);
  exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

/// Empty where any of it is in use.
std::unique_ptr<std::byte, unmap> region_at(place const& p, std::size_t members) noexcept {
  std::size_t const bytes = members * p.bytes;
  void* const got = mmap(reinterpret_cast<void*>(p.start), bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) return {};
  std::unique_ptr<std::byte, unmap> region(static_cast<std::byte*>(got), {bytes});
  if (reinterpret_cast<std::uintptr_t>(got) != p.start) region.reset();  // an older system takes it for a wish
  return region;
}

}  // namespace

void unmap::operator()(std::byte* start) const noexcept { munmap(start, bytes); }

std::uint32_t host_map::what_fits(std::size_t members) noexcept {
  std::uint32_t fits = 0;
  for (std::size_t i = first_place; i < std::size(places); ++i) {
    if (region_at(places[i], members) != nullptr) fits |= 1U << i;
  }
  return fits;
}

/// Empty: it is there.
std::string host_map::map(memory_file const& one, std::byte* at, std::size_t bytes) {
  void* const got = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, one.file.number(), 0);
  if (got == MAP_FAILED) return std::string("mmap: ") + std::strerror(errno);
  if (std::memcmp(got, &one.key, sizeof one.key) != 0) return "a file has another key";
  madvise(got, bytes, MADV_DONTFORK);
  madvise(got, bytes, MADV_DONTDUMP);  // a dump would fill what is not there
  return {};
}

std::string host_map::map_all(std::span<std::uint32_t const> members, std::uint32_t self, memory_file& own,
                              std::span<offer const> offers, std::size_t root_bytes) {
  std::uint32_t fits = ~0U;
  for (std::uint32_t const rank : members) {
    if (offers[rank].file < 0) return offers[rank].problem;
    fits &= offers[rank].fits;
  }
  if (fits == 0) return "no range of addresses is free in all of them (ulimit -v limits them, too)";
  place const& chosen = places[std::countr_zero(fits)];
  size_ = chosen.bytes;
  region_ = region_at(chosen, members.size());
  if (region_ == nullptr) return "a range of addresses has just been taken";
  std::string problem;
  processes_.resize(members.size());
  for (std::size_t i = 0; i < members.size() && problem.empty(); ++i) {
    offer const& of = offers[members[i]];
    if (members[i] == self) {
      problem = map(own, start(i), size_);
      own_ = std::make_unique<segment>(std::move(own.file), start(i), size_);
      if (problem.empty() && !own_->grow(root_bytes)) problem = "no memory for the first bytes of a segment";
      continue;
    }
    memory_file const found = memory_file::open(of.process, of.file, of.key, problem);
    if (found.file) problem = map(found, start(i), size_);
    std::string const folder = "/proc/" + std::to_string(of.process);
    processes_[i] = descriptor(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  return problem;
}

host_map::host_map(exchange_function const& exchange, std::span<std::uint32_t const> members, std::uint32_t self,
                   std::uint32_t processes, std::size_t root_bytes) {
  offer mine;
  memory_file own;
  if (!members.empty()) {
    std::string problem;
    own = memory_file::create(problem);
    mine = {own.key, getpid(), own.file.number(), what_fits(members.size()), {}};
    put(mine.problem, problem);
  }
  std::vector<offer> const offers = exchanged(exchange, mine, processes);

  outcome done;
  put(done.problem, members.empty() ? std::string() : map_all(members, self, own, offers, root_bytes));
  done.mapped = done.problem[0] == '\0' ? 1 : 0;
  std::vector<outcome> const outcomes = exchanged(exchange, done, processes);
  for (std::uint32_t const rank : members) {
    if (outcomes[rank].mapped != 0 || !problem_.empty()) continue;
    problem_ = "rank " + std::to_string(rank) + " says: " + outcomes[rank].problem;
  }
  if (!problem_.empty()) own_.reset(), region_.reset();
}

/// A process whose first thread has ended before the others looks like one that nobody has waited for, but has threads.
bool host_map::has_gone(std::size_t place) const noexcept {
  if (!processes_[place]) return false;
  descriptor const status(openat(processes_[place].number(), "stat", O_RDONLY | O_CLOEXEC));
  char text[512] = {};
  if (!status || read(status.number(), text, sizeof text - 1) < 0) return errno == ENOENT || errno == ESRCH;
  char const* const behind_name = std::strrchr(text, ')');
  char state = 0;
  long threads = 0;
  constexpr char const* form = ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld";
  return behind_name != nullptr && std::sscanf(behind_name, form, &state, &threads) == 2 &&
         (state == 'Z' || state == 'X') && threads <= 1;
}

}  // namespace sheaf::host
