// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/machine.hpp"
#include "transport/host/sanitizers.hpp"

namespace sheaf::host {
namespace {

constexpr std::size_t page = std::size_t{64} << 10;  // of every system, or a multiple

std::size_t round_up(std::size_t bytes, std::size_t to) noexcept { return (bytes + to - 1) / to * to; }

std::string name_of(std::uint64_t key) {
  char name[32];
  std::snprintf(name, sizeof name, "sheaf-%016llx", static_cast<unsigned long long>(key));
  return name;
}

/// False: the system does not give it; errno says why. A file beyond its limit would end the process by a signal.
bool reserve(int file, std::size_t from, std::size_t bytes) noexcept {
  rlimit limit{};
  bool const limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < from + bytes;
  int problem = limited ? EFBIG : 0;
  // By steps, since some kernels undo a step that a signal interrupts, and others take memory, too: where there is too
  // little, the system ends some process.
  constexpr std::size_t step = std::size_t{16} << 20, look_every = 4 * step;
  std::size_t done = 0;
  for (; problem == 0 && done < bytes; done += step) {
    std::size_t const left = bytes - done;
    bool const looks = done % look_every == 0 && left >= look_every;
    if (looks && left > detail::available_memory()) {
      problem = ENOMEM;
      continue;
    }
    auto const at = static_cast<off_t>(from + done), some = static_cast<off_t>(std::min(step, left));
    do problem = posix_fallocate(file, at, some);
    while (problem == EINTR);
  }
  if (problem != 0 && done != 0) {
    auto const taken = static_cast<off_t>(std::min(done, bytes));  // behind that are others' pieces
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from), taken);
  }
  errno = problem;
  return problem == 0;
}

/// A processor that compares the last 12 bits of addresses lets a load wait for an earlier store to the same place of
/// another 4 KiB. So pieces of that size, and the segments of neighbours, do not all begin at one such place.
constexpr std::size_t aside = 9 * std::size_t{64};

std::size_t room_for(std::size_t bytes) noexcept {
  std::size_t const room = std::bit_ceil(std::max(bytes, host_memory::line));
  return 4096 <= room && room < segment::large ? room + aside : room;
}

std::size_t class_of(std::size_t room) noexcept { return static_cast<std::size_t>(std::bit_width(room)) - 1; }

/// Addresses that programs, libraries and sanitizers leave alone; the last for systems with few, or a limit on them.
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

std::uint32_t what_fits(std::size_t members) noexcept {
  std::uint32_t fits = 0;
  for (std::size_t i = first_place; i < std::size(places); ++i) {
    if (region_at(places[i], members) != nullptr) fits |= 1U << i;
  }
  return fits;
}

/// Empty: it is there.
std::string map(memory_file const& one, std::byte* at, std::size_t bytes) {
  void* const got = mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, one.file.number(), 0);
  if (got == MAP_FAILED) return std::string("mmap: ") + std::strerror(errno);
  if (std::memcmp(got, &one.key, sizeof one.key) != 0) return "a file has another key";
  madvise(got, bytes, MADV_DONTFORK);
  madvise(got, bytes, MADV_DONTDUMP);  // a dump would fill what is not there
  return {};
}

}  // namespace

memory_file memory_file::create(std::string& problem) {
  memory_file made;
  if (getrandom(&made.key, sizeof made.key, 0) != sizeof made.key) made.key = 0;
  made.file = descriptor(memfd_create(name_of(made.key).c_str(), MFD_CLOEXEC));
  bool const there = made.file && reserve(made.file.number(), 0, page) &&
                     pwrite(made.file.number(), &made.key, sizeof made.key, 0) == sizeof made.key;
  if (there) return made;
  problem = errno == EFBIG ? "files are limited (ulimit -f)" : std::string("memfd_create: ") + std::strerror(errno);
  return memory_file{};
}

/// The link is read first: in another namespace the number may be any process's, and opening its files have effects.
memory_file memory_file::open(std::int32_t process, std::int32_t number, std::uint64_t key, std::string& problem) {
  std::string const path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
  char link[64] = {};
  bool const there = readlink(path.c_str(), link, sizeof link - 1) >= 0;
  if (there && ("/memfd:" + name_of(key) + " (deleted)") != link) {
    problem = path + " is another file: the processes are in different namespaces";
    return {};
  }
  memory_file found{key, descriptor(there ? ::open(path.c_str(), O_RDWR | O_CLOEXEC) : -1)};
  if (!found.file) problem = path + ": " + std::strerror(errno);
  return found;
}

segment::segment(descriptor file, std::byte* start, std::size_t bytes, std::size_t apart,
                 std::span<std::byte const> all)
    : file_(std::move(file)),
      start_(start),
      size_(bytes),
      all_(all),
      place_(all.empty() ? 0 : static_cast<std::size_t>(start - all.data()) / bytes),
      ready_(page) {
  static_assert(front <= page);
  reinterpret_cast<head*>(start_)->process.store(getpid(), std::memory_order_relaxed);
  take_small(round_up(apart, line));
}

void segment::back(std::size_t from, std::size_t bytes) const {
  if (!reserve(file_.number(), from, bytes)) throw std::bad_alloc();
}

/// Small pieces lie side by side, in memory that is added in steps.
std::byte* segment::take_small(std::size_t room) {
  constexpr std::size_t least_step = std::size_t{1} << 20;
  if (room > size_ - next_) throw std::bad_alloc();
  if (next_ + room > ready_) {
    std::size_t const needed = round_up(next_ + room - ready_, page);
    std::size_t const step = std::max(needed, std::min(least_step, size_ - ready_));
    back(ready_, step);
    ready_ += step;
  }
  return start_ + std::exchange(next_, next_ + room);
}

/// Of a large piece only what is asked for is backed, behind which its room ends without pages.
std::byte* segment::take_large(std::size_t room, std::size_t bytes) {
  std::size_t const at = ready_;
  if (room > size_ - at) throw std::bad_alloc();
  std::size_t& backed = backed_[start_ + at];
  back(at, round_up(bytes, page));
  backed = round_up(bytes, page);
  next_ = ready_ = at + room;
  return start_ + at;
}

std::byte* segment::take(std::size_t bytes) {
  if (bytes > size_) throw std::bad_alloc();
  std::size_t const room = room_for(bytes);
  std::lock_guard const hold(mutex_);
  take_returned();
  pieces& of = pieces_[class_of(room)];
  if (of.free.empty()) {
    if (of.free.capacity() == of.made) of.free.reserve(2 * of.made + 8);  // so that giving back never allocates
    std::byte* const made = room < large ? take_small(room) : take_large(room, bytes);
    ++of.made;
    return made;
  }
  std::byte* const found = of.free.back();
  if (room >= large) {
    std::size_t& backed = backed_.at(found);
    std::size_t const needed = round_up(bytes, page);
    if (backed < needed) back(static_cast<std::size_t>(found - start_) + backed, needed - backed);
    idle_ -= backed;
    backed = std::max(backed, needed);
  }
  of.free.pop_back();
  return found;
}

/// Only the owner takes pieces from the list, all at once, so a piece that is put there again harms nobody.
void segment::give_back(std::byte* data, std::size_t bytes) noexcept {
  head& owner = head_of(reinterpret_cast<std::uintptr_t>(data));
  if (&owner == reinterpret_cast<head*>(start_)) {
    std::lock_guard const hold(mutex_);
    return put_back(data, bytes);
  }
  auto* const piece = ::new (data) returned_piece{owner.returned.load(std::memory_order_relaxed), bytes};
  while (
      !owner.returned.compare_exchange_weak(piece->next, data, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

void segment::take_returned() {
  std::atomic<std::byte*>& list = reinterpret_cast<head*>(start_)->returned;
  if (list.load(std::memory_order_relaxed) == nullptr) return;
  for (std::byte* data = list.exchange(nullptr, std::memory_order_acquire); data != nullptr;) {
    returned_piece const piece = *reinterpret_cast<returned_piece*>(data);
    put_back(std::exchange(data, piece.next), piece.bytes);
  }
}

void segment::put_back(std::byte* data, std::size_t bytes) noexcept {
  std::size_t const room = room_for(bytes);
  if (room >= large) {
    std::size_t& backed = backed_.find(data)->second;
    if (idle_ + backed > kept) {
      auto const at = static_cast<off_t>(data - start_);
      fallocate(file_.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, static_cast<off_t>(room));
      backed = 0;
    }
    idle_ += backed;
  }
  pieces_[class_of(room)].free.push_back(data);
}

std::size_t segment::backed() const {
  struct stat now {};
  return fstat(file_.number(), &now) == 0 ? static_cast<std::size_t>(now.st_blocks) * 512 : 0;
}

/// What each process tells the others: where its file is and which places are free; then what keeps it from sharing.
struct host_map::word {
  std::uint64_t key = 0;
  std::int32_t process = 0;
  std::int32_t file = -1;  ///< -1: there is none
  std::uint32_t fits = 0;  ///< a bit for each place
  char problem[124] = {};
};

void unmap::operator()(std::byte* start) const noexcept { munmap(start, bytes); }

std::string host_map::map_all(std::span<std::uint32_t const> members, std::uint32_t self, memory_file& own,
                              std::span<word const> offers, std::size_t root_bytes) try {
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
    word const& of = offers[members[i]];
    if (members[i] == self) {
      problem = map(own, start(i), size_);
      if (!problem.empty()) return problem;
      own_ = std::make_unique<segment>(std::move(own.file), start(i), size_, root_bytes + i % 4 * 2 * aside,
                                       std::span(region_.get(), members.size() * size_));
      continue;
    }
    memory_file const found = memory_file::open(of.process, of.file, of.key, problem);
    if (found.file) problem = map(found, start(i), size_);
    std::string const folder = "/proc/" + std::to_string(of.process);
    processes_[i] = descriptor(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  return problem;
} catch (std::bad_alloc const&) {
  return "no memory for the first bytes of a segment";
}

host_map::host_map(exchange_function const& exchange, std::span<std::uint32_t const> members, std::uint32_t self,
                   std::uint32_t processes, std::size_t root_bytes) {
  word mine;
  memory_file own;
  if (!members.empty()) {
    std::string problem;
    own = memory_file::create(problem);
    mine = {own.key, getpid(), own.file.number(), what_fits(members.size()), {}};
    problem.copy(mine.problem, sizeof mine.problem - 1);
  }
  std::vector<word> const offers = exchanged(exchange, mine, processes);
  word done;
  if (!members.empty()) map_all(members, self, own, offers, root_bytes).copy(done.problem, sizeof done.problem - 1);
  std::vector<word> const outcomes = exchanged(exchange, done, processes);
  for (std::uint32_t const rank : members) {
    if (outcomes[rank].problem[0] == '\0' || !problem_.empty()) continue;
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
