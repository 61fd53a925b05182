// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/side/tcp_side.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include "base/machine.hpp"
#include "base/time_limit.hpp"
#include "sheaf/base/error.hpp"
#include "transport/host/ring.hpp"

namespace sheaf::side {

using host::steady_ns;
using what = event_tag::what;

namespace {

/// Of two times, where 0 is never.
std::uint64_t earlier(std::uint64_t a, std::uint64_t b) noexcept { return a == 0 || (b != 0 && b < a) ? b : a; }

}  // namespace

tcp_side::tcp_side(side_identity who)
    : who_(std::move(who)),
      door_(poller_),
      call_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      out_(std::make_unique<std::atomic<outgoing*>[]>(who_.processes)),
      taken_(who_.processes),
      room_(std::make_unique_for_overwrite<std::byte[]>(frame_reader::room_bytes)) {
  if (!call_) throw std::system_error(errno, std::generic_category(), "no event descriptor");
}

tcp_side::~tcp_side() {
  stop();
  for (std::uint32_t i = 0; i < who_.processes; ++i) delete out_[i].load(std::memory_order_relaxed);
}

place tcp_side::own_place() const {
  place own{.port = door_.port()};
  for (address const& one : detail::own_addresses()) {
    if (own.count < place::most_addresses) own.at[own.count++] = one;
  }
  static_cast<void>(!getrandom(&own.key, sizeof own.key, 0));
  return own;
}

void tcp_side::meet(std::span<place const> all, std::function<bool(std::uint32_t)> const& near) {
  std::vector<std::vector<destination>> routes(all.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (near(i)) routes[i].push_back({detail::loopback_address, all[i].port});
    std::size_t const count = std::min<std::size_t>(all[i].count, place::most_addresses);
    for (address const& at : std::span(all[i].at).first(count)) routes[i].push_back({at, all[i].port});
  }
  greeting const own{.key = all[0].key, .from = who_.self};
  dialer_.emplace(poller_, own, std::move(routes), who_.dialing);
  door_.open(own, who_.processes);
}

void tcp_side::start(host_memory& memory, side_events events) {
  events_ = std::move(events);
  server_ = detail::side_server_maker({*this, memory, who_.self * who_.lanes, who_.lanes});
  detail::no_signals const while_it_starts;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (std::system_error const& refused) {
    throw option_error("sheaf: " + who_.name_of(who_.self) + " has no thread for one-sided memory of other hosts: " +
                       refused.what() + " (" + detail::limit_of_threads() + ")");
  }
}

void tcp_side::quit() noexcept {
  ending_.store(true, std::memory_order_seq_cst);
  std::lock_guard const until_nobody_takes(taking_);
}

void tcp_side::stop() noexcept {
  ending_.store(true, std::memory_order_seq_cst);
  if (thread_.joinable()) {
    call_thread();
    thread_.join();
  }
  server_.reset();
}

/// Nothing waits before it.
void tcp_side::say_goodbye() noexcept {
  ending_.store(true, std::memory_order_seq_cst);
  std::lock_guard const alone(taking_);
  for (auto& [number, one] : lines_) {
    outgoing& out = out_to(one.process);
    std::lock_guard const hold(out.mutex);
    static_cast<void>(!frame_writer().send_goodbye(one.socket.number()));
  }
}

tcp_side::outgoing& tcp_side::out_to(std::uint32_t process) {
  outgoing* out = out_[process].load(std::memory_order_acquire);
  if (out != nullptr) return *out;
  auto fresh = std::make_unique<outgoing>();
  if (out_[process].compare_exchange_strong(out, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *out;
}

std::uint64_t tcp_side::sent(std::uint32_t to_process) const noexcept {
  outgoing const* const out = out_[to_process].load(std::memory_order_acquire);
  return out == nullptr ? 0 : out->sent.load(std::memory_order_relaxed);
}

std::size_t tcp_side::queued(std::uint32_t to_process) const noexcept {
  outgoing const* const out = out_[to_process].load(std::memory_order_acquire);
  return out == nullptr ? 0 : out->waiting.load(std::memory_order_relaxed);
}

/// Inside the lock is a call of the system that copies at most a message: who waits for it waits for no other process.
void tcp_side::send(std::uint32_t to_process, std::span<std::byte const> head, std::span<std::byte const> body) {
  used_.store(true, std::memory_order_relaxed);
  outgoing& out = out_to(to_process);
  std::lock_guard const hold(out.mutex);
  all_sent_.fetch_add(1, std::memory_order_seq_cst);
  out.sent.fetch_add(1, std::memory_order_relaxed);
  if (out.how != ending::none) return;  // the job ends
  bool const waited = out.frames.waits();
  bool const good = out.frames.send(out.socket(), head, body);
  after_sending(out, to_process, good, waited);
}

/// With the line's mutex: sees to it that what waits goes on.
void tcp_side::after_sending(outgoing& out, std::uint32_t process, bool good, bool waited) {
  out.waiting.store(out.frames.waiting(), std::memory_order_relaxed);
  if (!good) {
    int const problem = errno;
    out.how = ending::lost;
    if (problem == EFAULT) {
      fail("what " + who_.name_of(process) + " asked for is not in memory that " + who_.name_of(who_.self) + " has");
    } else {
      lose(process, problem);
    }
    if (out.by != nullptr) poller_.change(out.socket(), {what::line, out.by->number}, EPOLLIN);
    return;
  }
  if (out.by == nullptr) {
    if (!std::exchange(out.called, true)) ask_for(process);
  } else if (waited != out.frames.waits()) {
    poller_.change(out.socket(), {what::line, out.by->number},
                   EPOLLIN | (waited ? 0u : static_cast<unsigned>(EPOLLOUT)));
  }
}

/// Has the process called by who takes in next. The thread may sleep: it looks at the flag after it has heard the call.
void tcp_side::ask_for(std::uint32_t process) {
  {
    std::lock_guard const hold(calls_mutex_);
    to_call_.push_back(process);
    any_to_call_.store(true, std::memory_order_seq_cst);
  }
  call_thread();
}

void tcp_side::make_calls(std::uint64_t now) {
  std::vector<std::uint32_t> whom;
  {
    std::lock_guard const hold(calls_mutex_);
    whom.swap(to_call_);
    any_to_call_.store(false, std::memory_order_seq_cst);
  }
  for (std::uint32_t const process : whom) dialer_->call(process, now);
}

/// The process may have called meanwhile: then this line is not needed, and the process drops it, as nothing has come
/// by it.
void tcp_side::connected(dialer::outcome&& made) {
  outgoing& out = out_to(made.process);
  std::lock_guard const hold(out.mutex);
  if (out.by != nullptr || out.how != ending::none) return;
  if (!made.line) {
    return fail("no connection for one-sided memory from " + who_.name_of(who_.self) + " to " +
                who_.name_of(made.process) + ": tried " + made.tried +
                ". Let TCP through between the hosts, to any port");
  }
  send_by(out, add_line(std::move(made.line), made.process));
}

tcp_side::line& tcp_side::add_line(host::descriptor&& socket, std::uint32_t process) {
  used_.store(true, std::memory_order_relaxed);
  std::uint32_t const number = ++numbers_;
  poller_.change(socket.number(), {what::line, number}, EPOLLIN);
  line& made = lines_[number];
  made.socket = std::move(socket);
  made.process = process;
  made.number = number;
  return made;
}

/// With the mutex of `out`.
void tcp_side::send_by(outgoing& out, line& by) {
  out.by = &by;
  bool const waited = out.frames.waits();
  bool const good = out.frames.send_waiting(out.socket());
  after_sending(out, by.process, good, false);
  arrived_ = arrived_ || (waited && !out.frames.waits());  // somebody may wait for room
}

/// The thread looks at `looks_`, too.
bool tcp_side::progress() {
  looks_.fetch_add(1, std::memory_order_relaxed);
  return take_all() == looked::moved;
}

/// What goes wrong here is want of memory, or a refusal of the system: the job cannot go on.
tcp_side::looked tcp_side::take_all() try {
  std::unique_lock const alone(taking_, std::try_to_lock);
  if (!alone) return looked::busy;
  if (ending_.load(std::memory_order_seq_cst)) return looked::nothing;
  poller::event room[16];
  std::span<poller::event const> const ready = poller_.ready(room);
  bool const by_time = any_to_call_.load(std::memory_order_seq_cst) || next_time() != 0;
  if (ready.empty() && !by_time) [[likely]]
    return looked::nothing;
  std::uint64_t const now = steady_ns();
  bool moved = false;
  for (poller::event const& e : ready) moved = handle(e, now) || moved;
  look(now);
  if (std::exchange(arrived_, false)) {
    news_.fetch_add(1, std::memory_order_seq_cst);
    events_.arrived();
  }
  return moved ? looked::moved : looked::nothing;
} catch (std::exception const& thrown) {
  fail(thrown.what());
  return looked::nothing;
}

bool tcp_side::handle(poller::event const& e, std::uint64_t now) {
  std::uint32_t const number = e.tag.number;
  switch (e.tag.kind) {
    case what::listener:
      door_.meet(now);
      break;
    case what::stranger:
      if (auto who = door_.hear(number)) add_line(std::move(who->line), who->process);
      break;
    case what::call:
      if (auto made = dialer_->ready(number, now)) connected(std::move(*made));
      break;
    case what::line:
      if (auto const at = lines_.find(number); at != lines_.end()) {
        if ((e.events & EPOLLOUT) != 0) send_waiting(at->second);
        if ((e.events & ~static_cast<unsigned>(EPOLLOUT)) != 0) take_from(number);
      }
      return true;
  }
  return false;
}

/// What time alone is reason for.
void tcp_side::look(std::uint64_t now) {
  if (any_to_call_.load(std::memory_order_seq_cst)) make_calls(now);
  while (auto made = dialer_->look(now)) connected(std::move(*made));
  door_.look(now);
  tell_of_loss(now);
  std::uint64_t const next = earlier(dialer_->next(), door_.next());
  // The thread may have begun to sleep with another time in mind.
  if (next_look_.exchange(next, std::memory_order_seq_cst) != next && next != 0) call_thread();
}

/// For a frame_reader. Who has sent a message by a line will never give that up, so it may be used for answers.
struct tcp_side::receiver {
  tcp_side& side;
  line& from;

  void take(std::span<std::byte const> message) const {
    if (!from.any) hear_first();
    side.has_taken(from, side.server_->take(from.process, message));
  }
  [[nodiscard]] std::span<std::byte> place_for(std::span<std::byte const> begin, std::size_t length) const {
    return side.server_->place_for(from.process, begin, length);
  }
  void take_placed(std::span<std::byte const> begin) const {
    if (!from.any) hear_first();
    side.has_taken(from, side.server_->take_placed(from.process, begin));
  }

 private:
  void hear_first() const {
    from.any = true;
    outgoing& out = side.out_to(from.process);
    std::lock_guard const hold(out.mutex);
    if (out.by == nullptr && out.how == ending::none) side.send_by(out, from);
  }
};

/// Takes in what has come by this connection, up to a limit, so that others have their turn.
void tcp_side::take_from(std::uint32_t number) {
  constexpr int reads = 4;
  line& from = lines_.at(number);
  std::span<std::byte> const room(room_.get(), frame_reader::room_bytes);
  receiver const to{*this, from};
  auto state = frame_reader::state::open;
  for (int i = 0; i < reads && state == frame_reader::state::open; ++i) {
    state = from.frames.read(from.socket.number(), room, to);
  }
  if (state == frame_reader::state::open || state == frame_reader::state::idle) return;
  end_line(from, state);
  lines_.erase(number);  // which takes it off the list of what is watched
}

void tcp_side::has_taken(line& from, bool news) {
  arrived_ = arrived_ || news;
  taken_[from.process].fetch_add(1, std::memory_order_release);
  all_taken_.fetch_add(1, std::memory_order_seq_cst);
}

/// Nothing comes by it any more, and nothing is sent. One that has ended before its first message may be a connection
/// that its process has given up for another one.
void tcp_side::end_line(line& from, frame_reader::state how) {
  int const problem = errno;
  outgoing& out = out_to(from.process);
  std::lock_guard const hold(out.mutex);
  bool const in_use = from.any || out.by == &from;
  if (out.by == &from) out.by = nullptr;
  if (how == frame_reader::state::damaged) {
    fail(who_.name_of(from.process) + " sent a damaged frame for one-sided memory: its length is not possible");
  } else if (how == frame_reader::state::ended && problem == EFAULT) {
    fail("what " + who_.name_of(from.process) + " put or sent to " + who_.name_of(who_.self) +
         " has a place in memory that this process does not have, or must not write");
  } else if (how == frame_reader::state::ended && in_use) {
    lose(from.process, problem);
  }
  if (in_use) out.how = how == frame_reader::state::goodbye ? ending::left : ending::lost;
}

void tcp_side::send_waiting(line const& by) {
  outgoing& out = out_to(by.process);
  std::lock_guard const hold(out.mutex);
  if (out.by != &by || out.how != ending::none) return;
  bool const waited = out.frames.waits();
  bool const good = out.frames.send_waiting(out.socket());
  after_sending(out, by.process, good, waited);
  arrived_ = arrived_ || (waited && !out.frames.waits());  // somebody may wait for room
}

/// The job may end by itself soon, and then for a better reason: who ends it, or a launcher that has seen it.
void tcp_side::lose(std::uint32_t process, int problem) noexcept {
  if (ending_.load(std::memory_order_seq_cst)) return;
  {
    std::lock_guard const hold(loss_mutex_);
    if (!loss_.empty()) return;
    loss_ = who_.name_of(process) + " is lost: its connection to " + who_.name_of(who_.self) +
            " for one-sided memory has ended before the job (" + (problem == 0 ? "closed" : std::strerror(problem)) +
            "). Its process was killed, called exit(), or tells of an error";
    tell_loss_at_.store(steady_ns() + who_.patience_ns, std::memory_order_seq_cst);
  }
  call_thread();
}

void tcp_side::tell_of_loss(std::uint64_t now) {
  std::uint64_t const due = tell_loss_at_.load(std::memory_order_seq_cst);
  if (due == 0 || now < due) return;
  tell_loss_at_.store(0, std::memory_order_seq_cst);
  std::string why;
  {
    std::lock_guard const hold(loss_mutex_);
    why = loss_;
  }
  if (!ending_.load(std::memory_order_seq_cst)) fail(why);
}

std::size_t tcp_side::strangers() {
  std::lock_guard const alone(taking_);
  return door_.strangers();
}

// ---- The thread -----------------------------------------------------------------------------------------------------

void tcp_side::call_thread() noexcept {
  constexpr std::uint64_t one = 1;
  static_cast<void>(!::write(call_.number(), &one, sizeof one));
}

/// While the program looks by itself, for a while. True: who did has said that it looks no more.
bool tcp_side::stand_aside() {
  constexpr timespec at_most{0, 100'000};
  aside_.store(true, std::memory_order_seq_cst);
  pollfd called{call_.number(), POLLIN, 0};
  ppoll(&called, 1, &at_most, nullptr);
  aside_.store(false, std::memory_order_seq_cst);
  std::uint64_t calls = 0;
  return ::read(call_.number(), &calls, sizeof calls) > 0;
}

/// One that comes just before the thread stands aside is missed: then that ends with its time.
void tcp_side::rests() noexcept {
  if (aside_.load(std::memory_order_seq_cst)) call_thread();
}

std::uint64_t tcp_side::next_time() const noexcept {
  return earlier(next_look_.load(std::memory_order_seq_cst), tell_loss_at_.load(std::memory_order_seq_cst));
}

/// For poll: how long the thread may sleep. Looked at after what calls it was read, so that no call is missed: who
/// calls has changed this before.
int tcp_side::sleep_ms() const noexcept {
  constexpr std::uint64_t ms = 1'000'000;
  if (any_to_call_.load(std::memory_order_seq_cst)) return 0;
  std::uint64_t const next = next_time();
  if (next == 0) return -1;
  std::uint64_t const now = steady_ns();
  return next <= now ? 0 : static_cast<int>((next - now + ms - 1) / ms);
}

/// Sleeps until something comes. While the program looks by itself, it looks only from time to time whether that has
/// stopped. What comes is not missed between the two: a socket stays ready until somebody has read it.
void tcp_side::run() {
  std::uint32_t seen = looks_.load(std::memory_order_relaxed);
  while (!ending_.load(std::memory_order_seq_cst)) {
    if (std::uint32_t const now = looks_.load(std::memory_order_seq_cst); now != seen) {
      seen = now;
      if (stand_aside()) seen = looks_.load(std::memory_order_seq_cst);
      continue;
    }
    constexpr int looks_before_sleep = 40;
    pollfd come[] = {{poller_.number(), POLLIN, 0}, {call_.number(), POLLIN, 0}};
    poll(come, 2, sleep_ms());
    std::uint64_t calls = 0;
    if (come[1].revents != 0) static_cast<void>(!::read(call_.number(), &calls, sizeof calls));
    // What comes next is often near: to sleep and be woken costs more than to look a few times.
    for (int empty = 0; empty < looks_before_sleep && looks_.load(std::memory_order_relaxed) == seen &&
                        !ending_.load(std::memory_order_seq_cst);) {
      looked const now = take_all();
      empty = now == looked::moved ? 0 : empty + 1;
      if (now == looked::busy) --seen;  // the program serves, perhaps for long
    }
  }
}

std::unique_ptr<tcp_side> open_tcp_side(net::bootstrap& job, std::span<net::presence const> all) try {
  std::uint32_t const self = job.rank();
  auto const name_of = [all](std::uint32_t process) { return net::locations_of(all, process); };
  auto made = std::make_unique<tcp_side>(side_identity{self, job.size(), all[self].threads, name_of});
  place const own = made->own_place();
  std::vector<place> places(job.size());
  job.exchange(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(places)));
  made->meet(places, [&](std::uint32_t process) { return net::same_host(all[process], all[self]); });
  return made;
} catch (std::system_error const& refused) {
  throw option_error("sheaf: " + net::locations_of(all, job.rank()) +
                     " cannot offer one-sided memory to other hosts: " + refused.what());
}

}  // namespace sheaf::side
