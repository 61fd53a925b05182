// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/host/host_endpoint.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstring>
#include <exception>
#include <future>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "base/buffer_budget.hpp"
#include "base/machine.hpp"
#include "base/pause_core.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/host/segment.hpp"

namespace sheaf::host {
namespace {

/// Empty polls before the core is told to save power: a reply that is on its way comes within these.
constexpr std::uint32_t eager_rounds = 256;

/// Binds the calling thread to one core while it lives. A core that the system refuses is no error: the thread floats.
class pinned {
 public:
  explicit pinned(int core) noexcept {
    bound_ = sched_getaffinity(0, sizeof before_, &before_) == 0;
    if (!bound_ || core >= CPU_SETSIZE) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(core), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  pinned& operator=(pinned&&) = delete;
  ~pinned() {
    if (bound_) sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_;
  bool bound_;
};

}  // namespace

host_job::host_job(options const& resolved) : settings(resolved) {
  std::byte* const at = heap_.take(process_root::bytes(settings.locations));
  roots_ = {::new (at) process_root};
  for (std::uint32_t i = 0; i < settings.locations; ++i) {
    boxes_.push_back(::new (roots_[0]->boxes() + i) mailbox{doorbell(doorbell::used_by::one_process)});
  }
}

host_job::host_job(options const& local, std::span<process_root* const> roots, std::uint32_t place, host_memory& own,
                   std::function<std::string()> lost)
    : settings(local),
      own_(&own),
      first_(place * local.locations),
      roots_(roots.begin(), roots.end()),
      lost_(std::move(lost)) {
  for (process_root* const root : roots_) {
    for (std::uint32_t i = 0; i < settings.locations; ++i) boxes_.push_back(root->boxes() + i);
  }
  std::swap(roots_[0], roots_[place]);
}

/// All segments are as large as the own one, and begin with the root.
std::span<std::byte const> host_job::memory_of(location_id l) const noexcept {
  if (own_ == nullptr || number(l) - first_ < settings.locations) return {};
  std::byte const* const box =
      reinterpret_cast<std::byte const*>(boxes_[number(l) / settings.locations * settings.locations]);
  return {box - sizeof(process_root) - segment::front, own_->mapped().size()};
}

host_job::~host_job() {
  if (own_ == nullptr) heap_.give_back(reinterpret_cast<std::byte*>(roots_[0]), 0);
}

void host_job::fail(location_id by, std::string_view reason) noexcept {
  char whole[sizeof process_root::reason];
  int const bytes = std::snprintf(whole, sizeof whole, "location %u ended the job: %.*s", number(by),
                                  static_cast<int>(reason.size()), reason.data());
  fail({whole, std::min<std::size_t>(static_cast<std::size_t>(bytes), sizeof whole - 1)});
}

void host_job::fail(std::string_view whole_reason) noexcept {
  using enum process_root::state;
  for (process_root* const root : roots_) {
    auto expected = runs;
    if (!root->job.compare_exchange_strong(expected, failing, std::memory_order_seq_cst)) continue;
    whole_reason.copy(root->reason, sizeof root->reason - 1);
    root->job.store(has_failed, std::memory_order_seq_cst);
  }
  for (mailbox* const box : boxes_) box->bell.ring();
}

std::uint64_t host_job::watched(std::uint64_t deadline_ns, std::uint64_t now_ns) {
  constexpr std::uint64_t second = 1'000'000'000;
  if (!lost_) return deadline_ns;
  std::uint64_t next = next_look_.load(std::memory_order_relaxed);
  if (now_ns >= next && next_look_.compare_exchange_strong(next, now_ns + second, std::memory_order_relaxed)) {
    if (std::string const who = lost_(); !who.empty()) fail(who);
    next = now_ns + second;
  }
  return deadline_ns == 0 ? next : std::min(next, deadline_ns);
}

void host_job::throw_reason() const { throw job_aborted(roots_[0]->reason); }

host_endpoint::host_endpoint(location_id self, host_job& job)
    : endpoint(self, job.size(), ring_slot::inline_capacity),
      job_(job),
      box_(job.box(number(self))),
      in_(traffic_classes, inbox(size(), heads_)),
      share_(job.settings.buffer_budget /
             detail::budget_shares(job.settings.transport, size(), job.settings.locations)),
      pool_(job.settings.buffer_bytes, job.shown()),
      own_pool_(job.settings.buffer_bytes, job.shown()) {
  for (auto& by_class : lines_) by_class.resize(size());
  memory_ = &job.shown();
  own_home_ = &own_blocks_;
  near_home_ = far_home_ = this;
}

/// Blocks still in flight (of a job that failed) go back to the pool, which frees them.
host_endpoint::~host_endpoint() {
  lent.end_all();  // which may be blocks of its own
  for (ring_sender* const line : made_) line->abandon();
  for (std::byte* const block : copied_) pool_.put(block, pool_.largest());
}

ring_sender& host_endpoint::make_line(location_id dest, traffic kind) {
  options const& o = job_.settings;
  auto& line = lines_[index(kind)][number(dest)];
  made_.reserve(made_.size() + 1);
  line = std::make_unique<ring_sender>(self(), kind, o.ring_slots, o.window, box_.bell, pool_for(dest),
                                       in_flight_[index(kind)], job_.shown());
  made_.push_back(line.get());
  ring& made = line->shared();
  std::atomic<ring*>& fresh = job_.box(number(dest)).fresh;
  made.next_fresh = fresh.load(std::memory_order_relaxed);
  while (!fresh.compare_exchange_weak(made.next_fresh, &made, std::memory_order_seq_cst)) {
  }
  return *line;
}

buffer host_endpoint::do_acquire(location_id dest, std::size_t bytes) {
  for (auto const& by_class : lines_) {  // large blocks that are consumed are freed
    ring_sender* const line = by_class[number(dest)].get();
    if (line != nullptr && line->any_out()) line->refresh();
  }
  if (dest != self() && !copied_.empty() && bytes <= pool_.largest()) {
    std::byte* const block = copied_.back();
    copied_.pop_back();
    return {this, block, pool_.largest()};
  }
  block_pool& pool = pool_for(dest);
  if (pool.empty() && bytes <= pool.largest()) reclaim_all();
  std::span<std::byte> const block = pool.take(bytes);
  return {&home_for(dest), block.data(), block.size()};
}

void host_endpoint::reclaim_all() noexcept {
  for (ring_sender* const line : made_) {
    if (line->any_out()) line->refresh();
  }
}

bool host_endpoint::refuse(ring_sender& line) {
  line.refuse();
  if (!line.listed) {
    refused_.push_back(&line);
    line.listed = true;
  }
  return false;
}

/// Requests in flight beyond the location's share of the budget leave each pair one buffer: what a receiver does not
/// consume then holds up nobody but its own pair, as with a window of one.
bool host_endpoint::has_room(ring_sender const& line, traffic kind) const noexcept {
  bool const in_share = kind == traffic::answer || in_flight_[index(kind)] < share_;
  return line.has_window() && (in_share || line.flights() == 0);
}

/// Small ones would arrive later, and gain little.
bool host_endpoint::is_to_be_copied(location_id dest, buffer const& b) const noexcept {
  constexpr std::size_t least = 4096;
  return b.streams() && b.size() >= least && b.capacity() == pool_.largest() && dest != self();
}

/// Gives the buffer another block with the same bytes, and keeps its own to be filled next: it is in this core's
/// caches. A block that comes back from its receiver is in that one's, and small records that are stored there wait for
/// each line (docs/internals/message-path.md).
void host_endpoint::copy_to_another(buffer& b) try {
  if (pool_.empty()) reclaim_all();
  std::size_t const capacity = b.capacity(), bytes = b.size();
  copied_.reserve(copied_.size() < copied_.capacity() ? 0 : 2 * copied_.size() + 8);
  std::byte* const fresh = pool_.take(capacity).data();
  std::memcpy(fresh, b.data(), bytes);
  copied_.push_back(b.release());
  b = buffer(this, fresh, capacity);
  b.set_size(bytes);
} catch (std::bad_alloc const&) {  // then it goes by pointer
}

bool host_endpoint::do_send(location_id dest, traffic kind, buffer& b) {
  assert(b.size() != 0 && b.size() <= b.capacity());
  ring_sender& line = line_to(dest, kind);
  if (!has_room(line, kind)) {
    line.has_window() ? reclaim_all() : line.refresh();
    if (!has_room(line, kind)) return refuse(line);
  }
  if (is_to_be_copied(dest, b)) copy_to_another(b);
  std::size_t const bytes = b.size();
  std::size_t const capacity = b.capacity();
  line.put_block({b.release(), bytes}, capacity);
  job_.box(number(dest)).bell.ring();
  return true;
}

bool host_endpoint::do_send_inline(location_id dest, traffic kind, std::span<std::byte const> entry) {
  assert(!entry.empty() && entry.size() <= inline_capacity());
  ring_sender& line = line_to(dest, kind);
  if (!line.has_slot()) {
    line.refresh();
    if (!line.has_slot()) return refuse(line);
  }
  line.put_inline(entry);
  job_.box(number(dest)).bell.ring();
  return true;
}

std::uint32_t host_endpoint::do_backlog(location_id dest, traffic kind) {
  ring_sender* const line = lines_[index(kind)][number(dest)].get();
  if (line == nullptr || line->backlog() == 0) return 0;
  line->refresh();
  return line->backlog();
}

void host_endpoint::meet_fresh_rings() {
  ring* next = box_.fresh.exchange(nullptr, std::memory_order_acquire);
  while (next != nullptr) {
    meet(next->kind);
    in_[index(next->kind)].add(*next, job_.memory_of(next->source));
    next = next->next_fresh;
  }
}

bool host_endpoint::do_receive(wanted which, arrival& out) {
  last_wanted_ = which;
  if (box_.fresh.load(std::memory_order_relaxed) != nullptr) [[unlikely]]
    meet_fresh_rings();
  for (traffic const kind : looked_for(which)) {
    if (in_[index(kind)].poll(out)) return true;
  }
  job_.check();
  return false;
}

bool host_endpoint::do_shows_nothing() const noexcept {
  if (box_.fresh.load(std::memory_order_relaxed) != nullptr || job_.failed()) return false;
  constexpr std::size_t few = 8;
  return heads_.size() <= few && std::ranges::none_of(heads_, &ring_head::shows);
}

void host_endpoint::do_consumed(location_id source, traffic kind, buffer* keep) {
  in_[index(kind)].consumed(source, keep);
}

bool host_endpoint::changed() {
  auto const has_credit = [](ring_sender* line) { return line->credit_came() && std::exchange(line->listed, false); };
  if (job_.failed()) return true;
  if (box_.fresh.load(std::memory_order_seq_cst) != nullptr) meet_fresh_rings();
  if (std::erase_if(refused_, has_credit) != 0) return true;
  return std::ranges::any_of(looked_for(last_wanted_), [&](traffic kind) { return in_[index(kind)].any_ready(); });
}

void host_endpoint::do_idle(std::uint32_t round, std::uint64_t deadline_ns) {
  job_.check();
  unsigned const spins = job_.settings.spin_polls;
  if (round < spins) {
    if (round >= eager_rounds) detail::pause_core();
    return;
  }
  if (changed()) return;
  if (deadline_ns != 0 && do_now() >= deadline_ns) return;
  if (round - spins >= job_.settings.yield_polls) {
    sleep(deadline_ns);
  } else if (yielding_.pays()) {
    detail::gate_break const outside(gate_);
    yielding_.yield();
  } else {  // rounds go on, by which others know how long it has waited
    std::uint64_t const soon = do_now() + yielding::sleep_ns;
    sleep(deadline_ns == 0 ? soon : std::min(soon, deadline_ns));
  }
  job_.check();
}

void host_endpoint::do_outside(outside_call what, std::uint64_t deadline_ns) {
  if (what == outside_call::wake) return box_.bell.ring();
  if (what == outside_call::check) static_cast<void>(job_.watched(0, do_now()));
  job_.check();
  if (what == outside_call::check) return;
  last_wanted_ = wanted::all;
  sleep(deadline_ns, sleeper::outsider);
}

void host_endpoint::do_fail(std::string_view reason) noexcept { job_.fail(self(), reason); }

void play_together(std::uint32_t count, std::vector<int> const& cores, std::function<void(std::uint32_t)> const& play,
                   char const* variable, std::function<void()> const& tend) {
  std::promise<bool> all_there;
  std::shared_future<bool> const may_play = all_there.get_future().share();
  std::atomic<std::uint32_t> playing{count - 1};
  std::exception_ptr thrown;
  std::mutex thrown_by_one;
  auto const play_bound = [&](std::uint32_t i) noexcept {
    try {
      std::unique_ptr<pinned> const bound = i < cores.size() ? std::make_unique<pinned>(cores[i]) : nullptr;
      play(i);
    } catch (...) {
      std::lock_guard const lock(thrown_by_one);
      if (thrown == nullptr) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  char const* refused_by = nullptr;
  try {
    threads.reserve(count);
    for (std::uint32_t i = 1; i < count; ++i) {
      threads.emplace_back([&, i] {
        if (may_play.get()) play_bound(i);
        playing.fetch_sub(1, std::memory_order_release);
      });
    }
  } catch (std::system_error const&) {
    refused_by = detail::limit_of_threads();
  } catch (std::bad_alloc const&) {
    refused_by = "memory";
  }
  all_there.set_value(refused_by == nullptr);
  if (refused_by == nullptr) play_bound(0);
  while (refused_by == nullptr && tend && playing.load(std::memory_order_acquire) != 0) tend();
  for (std::thread& t : threads) t.join();
  if (thrown != nullptr) std::rethrow_exception(thrown);
  if (refused_by == nullptr) return;
  throw option_error("sheaf: " + std::string(variable) + " is " + std::to_string(count) +
                     "; the system gives this process 1 to " + std::to_string(threads.size() + 1) +
                     " threads now. Ask for fewer locations, or raise its limit (" + refused_by + ").");
}

}  // namespace sheaf::host

void sheaf::launch_threads(options const& settings, location_body& body) {
  host::host_job job(settings);
  // Each is made by its own thread, and outlives all threads.
  std::vector<std::unique_ptr<host::host_endpoint>> endpoints(settings.locations);
  auto const play = [&](std::uint32_t i) {
    job.or_fail(location_id{i}, [&] { endpoints[i] = std::make_unique<host::host_endpoint>(location_id{i}, job); });
    body.run(*endpoints[i]);
  };
  bool const bound = settings.pin && settings.locations > 1 && settings.locations <= detail::usable_cores();
  auto const cores = bound ? detail::allowed_cores() : std::vector<int>();
  host::play_together(settings.locations, cores, play, "SHEAF_LOCATIONS");
}
