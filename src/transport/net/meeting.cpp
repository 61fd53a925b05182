// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/meeting.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include "base/buffer_budget.hpp"
#include "base/machine.hpp"
#include "base/modules.hpp"
#include "base/settings.hpp"
#include "base/stderr_pipe.hpp"
#include "sheaf/base/error.hpp"
#include "transport/heartbeat/heart.hpp"
#include "transport/net/net_endpoint.hpp"
#include "transport/side/tcp_side.hpp"

namespace sheaf::net {
namespace {

std::string describe(std::span<presence const> all, std::size_t rank) {
  return "MPI rank " + std::to_string(rank) + " " + host_and_process(all[rank]);
}

constexpr std::string_view common_settings[] = {
    "SHEAF_THREADS", "SHEAF_BUFFER_BYTES", "SHEAF_BUFFER_BUDGET_BYTES", "options::ring_slots", "SHEAF_WINDOW",
    "SHEAF_WIRE",    "SHEAF_TRACE",        "SHEAF_HEARTBEAT_LIMIT_S",   "SHEAF_STATISTICS"};

/// The values of these, each with a newline behind it.
std::string values_of(options settings) {
  settings.threads = threads_of(settings);
  if (!settings.trace.empty()) settings.trace = "a folder";  // of its host
  std::string text;
  for (std::string_view const name : common_settings) {
    for (detail::setting const& row : detail::all_settings()) {
      if (row.name == name) text += row.value(settings) + '\n';
    }
  }
  return text;
}

constexpr char const* start_mpi_yourself =
    "Start it with MPI_Init_thread and MPI_THREAD_SERIALIZED, or let Sheaf start it, ";

constexpr std::uint32_t most_named = 8;

constexpr std::chrono::microseconds little(50);

/// Launchers often bind each process to one core, where its threads take turns. Told once.
void warn_of_binding(meeting const& all, unsigned threads) {
  static std::atomic<bool> told{false};
  auto const allowed = static_cast<unsigned>(CPU_COUNT(&all.all[0].cores));
  auto const online = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  if (all.job->rank() != 0 || allowed >= std::min(threads, online) || told.exchange(true)) return;
  std::fprintf(
      stderr,
      "sheaf: warning: the launcher binds each process to %u of %u cores, but it has %u threads "
      "(SHEAF_THREADS); tell the launcher to bind no process (Open MPI: --bind-to none, MPICH: -bind-to none)\n",
      allowed, online, threads);
}

/// Collective. Whether the system keeps processes of the one host from memory of each other's that they do not share.
bool keeps_apart(meeting const& all) {
  auto const& near = all.host.ranks;
  auto const own = std::ranges::find(near, all.job->rank());
  std::uint32_t const next = own + 1 == near.end() ? near.front() : own[1];
  presence const& other = all.all[next];
  std::uint64_t word = 0;
  iovec const here{&word, sizeof word}, there{reinterpret_cast<void*>(other.word_at), sizeof word};
  process_vm_readv(static_cast<pid_t>(other.process), &here, 1, &there, 1, 0);
  bool const closed = word != other.word;  // or its number is another process's here
  for (;;) {
    if (auto const all_closed = all.job->sum(closed ? 1 : 0)) return *all_closed != 0;
    std::this_thread::sleep_for(little);
  }
}

/// Whether memory of some processes is reached by others only where their own process takes part.
bool needs_side_wire(meeting const& all) {
  if (detail::side_server_maker == nullptr || all.all.size() < 2) return false;
  return all.host.ranks.size() < all.all.size() || keeps_apart(all);
}

void play(options const& settings, meeting const& all, location_body& body) {
  unsigned const threads = threads_of(settings);
  if (threads > 1) warn_of_binding(all, threads);
  bool const bound = settings.pin && threads > 1;
  std::vector<int> const cores = bound ? own_cores(all.all, all.job->rank()) : std::vector<int>();
  auto const heart = heartbeat::start_heartbeats(settings, all);
  body.agreed(agreed(settings, all.all));
  options local = settings;
  local.locations = threads;
  local.buffer_bytes = settings.near_buffer_bytes;
  if (local.spin_polls == 0 && !crowded(all.all, all.job->rank())) local.spin_polls = 2000;
  std::unique_ptr<side::tcp_side> const beside =
      needs_side_wire(all) ? side::open_tcp_side(*all.job, all.all) : nullptr;
  play_process(*all.job, *all.line, all.sizes, local, cores, body, all.host, all.all, beside.get());
}

}  // namespace

std::string host_and_process(presence const& p) {
  return "(host " + std::string(p.host) + ", process " + std::to_string(p.process) + ")";
}

std::string locations_of(std::span<presence const> all, std::uint32_t process) {
  std::uint32_t const threads = all[process].threads;
  std::uint32_t const first = process * threads;
  std::string const which = threads == 1
                                ? "location " + std::to_string(first)
                                : "locations " + std::to_string(first) + " to " + std::to_string(first + threads - 1);
  return which + " " + host_and_process(all[process]);
}

bool same_host(presence const& a, presence const& b) { return std::memcmp(a.host, b.host, sizeof a.host) == 0; }

presence own_presence(options const& settings) {
  // Many systems let only a parent read and write memory of another process, unless that one permits it.
  if (detail::side_server_maker != nullptr) prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  static std::uint64_t const word = static_cast<std::uint64_t>(host::steady_ns()) * 2 + 1;
  presence p;
  p.word = word;
  p.word_at = reinterpret_cast<std::uintptr_t>(&word);
  p.build = detail::build_identity();
  p.process = static_cast<std::uint32_t>(getpid());
  p.threads = threads_of(settings);
  p.fence_form = static_cast<std::uint32_t>(settings.fence_form);
  p.tree_arity = settings.tree_arity;
  p.host_memory = settings.host_memory ? 1 : 0;
  gethostname(p.host, sizeof p.host - 1);
  values_of(settings).copy(p.settings, sizeof p.settings - 1);
  sched_getaffinity(0, sizeof p.cores, &p.cores);
  return p;
}

std::vector<presence> call_roll(bootstrap& job, presence own, std::string const& problem) {
  problem.copy(own.problem, sizeof own.problem - 1);
  std::vector<presence> all(job.size());
  job.exchange(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  if (!problem.empty()) throw option_error(problem);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].problem[0] == '\0') continue;
    throw option_error("sheaf: " + describe(all, rank) +
                       " cannot take part: " + std::string(without_prefix(all[rank].problem)));
  }
  return all;
}

std::string disagreement(std::span<presence const> all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    std::string const both = describe(all, 0) + " and " + describe(all, i);
    if (all[i].build != all[0].build) {
      return both + " run different builds: start the same program file with the same libsheaf on every host";
    }
    std::istringstream firsts(all[0].settings), others(all[i].settings);
    for (std::string_view const name : common_settings) {
      std::string first, other;
      std::getline(firsts, first), std::getline(others, other);
      if (first == other) continue;
      for (std::string* const value : {&first, &other}) *value = value->empty() ? "no value" : *value;
      return both + " have different settings: " + std::string(name) + " gives " + first + " and " + other +
             "; let the launcher pass the SHEAF_* variables to every host";
    }
  }
  return {};
}

options agreed(options settings, std::span<presence const> all) {
  for (presence const& p : all) {
    if (p.fence_form == static_cast<std::uint32_t>(fence_form_kind::tree)) settings.fence_form = fence_form_kind::tree;
    settings.tree_arity = std::max(settings.tree_arity, p.tree_arity);
  }
  return settings;
}

bool crowded(std::span<presence const> all, std::uint32_t self) {
  cpu_set_t cores{};
  std::uint32_t locations = 0;
  for (presence const& p : all) {
    if (!same_host(p, all[self])) continue;
    locations += p.threads;
    CPU_OR(&cores, &cores, &p.cores);
  }
  return locations > static_cast<std::uint32_t>(CPU_COUNT(&cores));
}

std::vector<int> own_cores(std::span<presence const> all, std::uint32_t self) {
  presence const& own = all[self];
  std::uint32_t before = 0;  // locations that share our cores and come first
  std::uint32_t sharing = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    cpu_set_t common{};
    CPU_AND(&common, &all[i].cores, &own.cores);
    if (!same_host(all[i], own) || CPU_COUNT(&common) == 0) continue;
    if (CPU_EQUAL(&all[i].cores, &own.cores) == 0) return {};
    sharing += all[i].threads;
    before += i < self ? all[i].threads : 0;
  }
  std::vector<int> allowed;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &own.cores) != 0) allowed.push_back(static_cast<int>(core));
  }
  if (sharing > allowed.size()) return {};
  return {allowed.begin() + before, allowed.begin() + before + own.threads};
}

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

neighbours share_memory(bootstrap& job, std::span<presence const> all) {
  if (std::none_of(all.begin(), all.end(), [](presence const& p) { return p.host_memory != 0; })) return {};
  std::uint32_t const self = job.rank();
  neighbours near{sharers(all, self)};
  near.map = host::host_map([&job](auto own, auto others) { job.exchange(own, others); }, near.ranks, self, job.size(),
                            host::process_root::bytes(all[self].threads));
  std::string const text = text_of_apart(all, self, near.map.problem());
  if (!text.empty()) detail::write_line(text);
  if (!near.map.any()) return {};
  for (std::size_t place = 0; place < near.ranks.size(); ++place) {
    near.roots.push_back(reinterpret_cast<host::process_root*>(near.map.root(place)));
  }
  near.own = &near.map.own();
  return near;
}

std::unique_ptr<host::host_job> neighbours::job(options const& local, std::uint32_t self) const {
  if (ranks.empty()) return std::make_unique<host::host_job>(local);
  auto const place = std::lower_bound(ranks.begin(), ranks.end(), self) - ranks.begin();
  return std::make_unique<host::host_job>(local, roots, static_cast<std::uint32_t>(place), *own, lost);
}

limits limits_for(options const& settings, std::uint32_t processes) {
  constexpr std::size_t smallest_payload = std::size_t{4} << 10;
  constexpr std::size_t largest_payload = std::size_t{1} << 20;
  constexpr std::size_t posted_bytes = std::size_t{2} << 20;
  limits l;
  l.payload = std::clamp<std::size_t>(settings.buffer_bytes, smallest_payload, largest_payload) + slice::header_bytes +
              acknowledgement_bytes;
  l.receives = static_cast<std::uint32_t>(std::clamp<std::size_t>(posted_bytes / l.payload, 8, 32));
  l.ring_slots = settings.ring_slots;
  std::uint64_t const pairs = std::uint64_t{processes} * threads_of(settings) * threads_of(settings);
  std::uint64_t const room =
      settings.buffer_budget / 2 / (pairs * detail::far_buffer_bytes(settings, threads_of(settings)));
  l.window = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(room, 1, settings.window));
  return l;
}

std::uint32_t threads_of(options const& settings) {
  return settings.transport == transport_kind::hybrid ? settings.threads : 1;
}

std::string problem_of(bootstrap const& job, options const& settings) {
  std::uint32_t const threads = threads_of(settings);
  if (threads != 1 && job.level() == thread_level::single) {
    return "sheaf: SHEAF_THREADS is " + std::to_string(threads) +
           ", but MPI was started for processes of one thread (MPI_THREAD_SINGLE, or MPI_THREAD_FUNNELED on another "
           "thread). " +
           start_mpi_yourself + "or set SHEAF_THREADS=1";
  }
  if (settings.progress != progress_kind::inlined && job.level() < thread_level::one_at_a_time) {
    return "sheaf: SHEAF_PROGRESS is " + std::string(name(settings.progress)) +
           ", for which more than one thread must call MPI, one at a time; but MPI was started with less "
           "(MPI_THREAD_SINGLE or MPI_THREAD_FUNNELED). " +
           start_mpi_yourself + "or set SHEAF_PROGRESS=inline";
  }
  if (settings.threads_take_turns && job.level() < thread_level::one_at_a_time) {
    return "sheaf: threads are to take turns, but MPI was started for one thread (MPI_THREAD_SINGLE or "
           "MPI_THREAD_FUNNELED). " +
           std::string(start_mpi_yourself) + "or use one thread";
  }
  if (settings.locations == 0 || settings.locations == std::uint64_t{job.size()} * threads) return {};
  return "sheaf: SHEAF_LOCATIONS=" + std::to_string(settings.locations) + " but the MPI launcher started " +
         std::to_string(job.size()) + " processes" +
         (threads == 1 ? "" : " of " + std::to_string(threads) + " threads") + ": unset it, or start that many";
}

std::string text_of_missing(std::span<presence const> all, std::vector<std::uint32_t> const& missing,
                            unsigned limit_s) {
  std::string text = "the end of the job takes longer than " + std::to_string(limit_s) +
                     " s (SHEAF_FINISH_LIMIT_S), with all requests executed: ";
  if (missing.empty()) return text + "all processes have come to the last meeting, and MPI does not let them leave it";
  for (std::uint32_t i = 0; i < missing.size() && i < most_named; ++i) {
    text += (i == 0 ? "" : ", ") + locations_of(all, missing[i]);
  }
  if (missing.size() > most_named) text += " and " + std::to_string(missing.size() - most_named) + " more processes";
  return text + (missing.size() == 1 && all[missing[0]].threads == 1 ? " has" : " have") +
         " not come to the last meeting. They are stopped, or stand in code of the program that runs when a thread or "
         "an object of static storage ends";
}

last_meeting::last_meeting(engine& e, std::span<presence const> all, location_body& body, unsigned limit_s,
                           std::uint64_t grace_ns)
    : engine_(e), all_(all), body_(body), limit_s_(limit_s), grace_ns_(grace_ns) {}

void last_meeting::look(std::uint64_t now) {
  if (told_ || !body_.overdue()) return;
  std::uint32_t const self = engine_.job.rank();
  bool const begins = called_at_ == 0;
  if (begins) called_at_ = now;
  std::vector<std::uint32_t> absent;
  for (std::uint32_t i = 0; i < all_.size(); ++i) {
    if (i == self) continue;
    if (begins) engine_.call(i);
    if (!engine_.has_called(i)) absent.push_back(i);
  }
  bool const first = self == 0 || (absent.size() >= self && absent[self - 1] == self - 1);  // of those that are there
  if (now - called_at_ < (first ? grace_ns_ : 2 * grace_ns_)) return;
  told_ = true;
  engine_.job.abort(self * all_[self].threads, text_of_missing(all_, absent, limit_s_));
}

namespace {

side::side_events events_for(host::host_job& siblings, gateway& gate, std::uint32_t locations) {
  location_id const first{gate.process() * locations};
  return {.arrived =
              [&siblings, locations] {
                for (std::uint32_t i = 0; i < locations; ++i) siblings.bell(i).ring();
              },
          .fail =
              [&siblings, &gate, first](std::string_view why) {
                siblings.fail(first, why);
                gate.abort(first, why);
              },
          .check = [&siblings] { siblings.check(); }};
}

}  // namespace

void play_process(bootstrap& job, wire& line, limits const& sizes, options const& local, std::vector<int> const& cores,
                  location_body& body, neighbours const& near, std::span<presence const> all, side::tcp_side* beside) {
  std::unique_ptr<host::host_job> const shared = near.job(local, job.rank());
  host::host_job& siblings = *shared;
  locality const where(job.size(), local.locations, near.ranks, job.rank());
  std::vector<std::unique_ptr<net_endpoint>> endpoints(local.locations);  // outlive what holds their blocks
  gateway gate(job, line, sizes, siblings);
  detail::at_end const alone{[beside] {  // whatever happens here: its events use what is above
    if (beside != nullptr) beside->stop();
  }};
  if (beside != nullptr) beside->start(siblings.shown(), events_for(siblings, gate, local.locations));
  auto const play = [&](std::uint32_t i) {
    location_id const self{job.rank() * local.locations + i};
    siblings.or_fail(self, [&] { endpoints[i] = std::make_unique<net_endpoint>(i, siblings, where, gate, beside); });
    body.run(*endpoints[i]);
    endpoints[i]->close();
  };
  auto const tend = [&] {  // sees to the connection while other locations of this process still play
    try {
      gate.progress(0);
    } catch (error const&) {  // the others know
    }
    std::this_thread::sleep_for(little);
  };
  host::play_together(local.locations, cores, play, "SHEAF_THREADS", tend);
  // Nobody has told the launcher, and the last meeting would wait for who has gone.
  if (std::string const why = siblings.loss(); !why.empty()) job.abort(job.rank() * local.locations, why);
  body.ending("waits for the other processes in the last meeting");
  last_meeting last(gate.inner(), all, body, local.finish_limit_s);
  gate.finish([&](std::uint32_t) {
    std::this_thread::sleep_for(little);
    last.look(host::steady_ns());
  });
  if (beside != nullptr) beside->finish(job, [] { std::this_thread::sleep_for(little); });
  body.ending("closes its connection to the other processes");
}

}  // namespace sheaf::net

namespace sheaf::net {
namespace {

/// Calls `f` once MPI has started, when others may wait for this process: an exception ends the job, with a line that
/// names the process.
template <class F>
void or_end_job(bootstrap& job, std::uint32_t threads, F const& f) {
  std::string why = "an unknown exception";
  try {
    return f();
  } catch (std::exception const& thrown) {
    why = without_prefix(thrown.what());
  } catch (...) {
  }
  job.abort(job.rank() * threads, why);
  throw job_aborted("sheaf: " + why);
}

/// Has the launcher end the job where MPI cannot: Hydra (MPICH) lets the others wait for a process that has ended
/// without MPI. What is written is PMI-1's message.
void have_launcher_end_job(std::string const& why) noexcept {
  char const* const connection = std::getenv("PMI_FD");
  if (connection == nullptr || std::getenv("HYDI_CONTROL_FD") == nullptr) return;
  detail::write_last_line(why);
  constexpr std::string_view text = "cmd=abort exitcode=1\n";
  static_cast<void>(!write(static_cast<int>(std::strtol(connection, nullptr, 10)), text.data(), text.size()));
}

/// Has no exception where all processes know the problem: then it is returned.
std::string take_part(meeting& all, options const& settings) {
  try {
    all.sizes = limits_for(settings, all.job->size());
    all.all = call_roll(*all.job, own_presence(settings), problem_of(*all.job, settings));
    if (std::string const problem = disagreement(all.all); !problem.empty()) return "sheaf: " + problem;
  } catch (option_error const& known) {
    return known.what();
  }
  all.host = share_memory(*all.job, all.all);
  all.line = open_wire(all.job, settings.wire);
  all.host.lost = [&all]() -> std::string {
    for (std::size_t place = 0; place < all.host.ranks.size(); ++place) {
      if (!all.host.map.has_gone(place)) continue;
      return locations_of(all.all, all.host.ranks[place]) +
             " ended before the job: its process was killed, called exit(), or tells of an error";
    }
    return {};
  };
  return {};
}

}  // namespace
}  // namespace sheaf::net

void sheaf::launch_mpi(options const& settings, location_body& body) {
  unsigned const threads = net::threads_of(settings);
  bool const single = threads == 1 && settings.progress == progress_kind::inlined && !settings.threads_take_turns;
  auto const level = single ? net::thread_level::single : net::thread_level::one_at_a_time;
  net::meeting all;
  try {
    all.job = net::load_bootstrap(settings.mpi_library, level, settings.communicator);
  } catch (std::exception const& problem) {
    // With a communicator MPI runs, and who is outside of it harms nobody.
    if (settings.communicator == nullptr) net::have_launcher_end_job(problem.what());
    throw;
  }
  std::string problem;
  net::or_end_job(*all.job, threads, [&] {
    problem = net::take_part(all, settings);
    if (problem.empty()) net::play(settings, all, body);
  });
  if (!problem.empty()) throw option_error(problem);
}

void sheaf::refuse_launch(std::string const& why, options const& asked) noexcept {
  if (asked.communicator == nullptr && (!under_mpi_launcher() || detail::processes() == 1)) return;
  detail::write_last_line(why + " (the other processes are told)");  // MPI may end this one as it starts
  try {
    auto const job = net::load_bootstrap(asked.mpi_library, net::thread_level::single, asked.communicator);
    net::call_roll(*job, net::own_presence({}), why);
  } catch (option_error const& problem) {  // its own, which the caller tells; or there is no way to the others
    if (problem.what() != why) net::have_launcher_end_job(problem.what());
  } catch (std::exception const& problem) {
    net::have_launcher_end_job(problem.what());
  }
}
