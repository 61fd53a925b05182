// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

namespace sheaf::host {
namespace {

constexpr std::size_t page = std::size_t{64} << 10;  // of every system, or a multiple

std::size_t round_up(std::size_t bytes, std::size_t to) noexcept { return (bytes + to - 1) / to * to; }

std::string name_of(std::uint64_t key) {
  char name[32];
  std::snprintf(name, sizeof name, "sheaf-%016llx", static_cast<unsigned long long>(key));
  return name;
}

/// False: the system does not give it; errno says why.
bool reserve(int file, std::size_t from, std::size_t bytes) noexcept {
  int problem = EINTR;
  while (problem == EINTR) problem = posix_fallocate(file, static_cast<off_t>(from), static_cast<off_t>(bytes));
  errno = problem;
  return problem == 0;
}

/// A file that grows beyond the limit would end the process by a signal.
bool limited_below(std::size_t bytes) noexcept {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes;
}

std::size_t room_for(std::size_t bytes) noexcept { return std::bit_ceil(std::max(bytes, segment::front)); }

std::size_t class_of(std::size_t room) noexcept { return static_cast<std::size_t>(std::bit_width(room)) - 1; }

}  // namespace

// ---- Files -------------------------------------------------------------------------------------------------------

descriptor& descriptor::operator=(descriptor&& other) noexcept {
  descriptor(std::move(*this));
  number_ = other.release();
  return *this;
}

descriptor::~descriptor() {
  if (number_ >= 0) close(number_);
}

int descriptor::release() noexcept { return std::exchange(number_, -1); }

memory_file memory_file::create(std::string& problem) {
  memory_file made;
  if (getrandom(&made.key, sizeof made.key, 0) != sizeof made.key) made.key = 0;
  made.file = descriptor(memfd_create(name_of(made.key).c_str(), MFD_CLOEXEC));
  bool const there = made.file && !limited_below(page) && reserve(made.file.number(), 0, page) &&
                     pwrite(made.file.number(), &made.key, sizeof made.key, 0) == sizeof made.key;
  if (there) return made;
  problem =
      limited_below(page) ? "files are limited (ulimit -f)" : std::string("memfd_create: ") + std::strerror(errno);
  return memory_file{};
}

/// The link is read before anything is opened: in another namespace the number may be that of any other process, and
/// opening its files might have effects.
memory_file memory_file::open(std::int32_t process, std::int32_t number, std::uint64_t key, std::string& problem) {
  std::string const path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
  char link[64] = {};
  if (readlink(path.c_str(), link, sizeof link - 1) < 0) {
    problem = path + ": " + std::strerror(errno);
    return memory_file{};
  }
  if (("/memfd:" + name_of(key) + " (deleted)") != link) {
    problem = path + " is another file: the processes are in different namespaces";
    return memory_file{};
  }
  memory_file found{key, descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC))};
  if (!found.file) problem = path + ": " + std::strerror(errno);
  return found;
}

// ---- Memory ------------------------------------------------------------------------------------------------------

segment::segment(descriptor file, std::byte* start, std::size_t bytes) noexcept
    : file_(std::move(file)), start_(start), size_(bytes), ready_(page) {}

void segment::back(std::size_t from, std::size_t bytes) const {
  if (limited_below(from + bytes) || !reserve(file_.number(), from, bytes)) throw std::bad_alloc();
}

bool segment::grow(std::size_t bytes) {
  try {
    if (bytes != 0) take_small(round_up(bytes, front));
    return true;
  } catch (std::bad_alloc const&) {
    return false;
  }
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
    if (backed < needed) back(static_cast<std::size_t>(found - start_), needed);
    idle_ -= backed;
    backed = std::max(backed, needed);
  }
  of.free.pop_back();
  return found;
}

void segment::give_back(std::byte* data, std::size_t bytes) noexcept {
  std::size_t const room = room_for(bytes);
  std::lock_guard const hold(mutex_);
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

}  // namespace sheaf::host
