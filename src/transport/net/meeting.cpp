// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/meeting.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "base/buffer_budget.hpp"
#include "base/stderr_pipe.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/net/packet.hpp"

namespace sheaf::net {

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

namespace {

constexpr char const* start_mpi_yourself =
    "Start it with MPI_Init_thread and MPI_THREAD_SERIALIZED, or let Sheaf start it, ";

}  // namespace

std::uint32_t threads_of(options const& settings) {
  return settings.transport == transport_kind::hybrid ? settings.threads : 1;
}

unsigned meeting::spins(options const& settings) const {
  constexpr unsigned usual = 2000;
  if (settings.spin_polls != 0) return settings.spin_polls;
  return crowded(all, job->rank()) ? 0 : usual;
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
  if (settings.locations == 0 || settings.locations == std::uint64_t{job.size()} * threads) return {};
  return "sheaf: SHEAF_LOCATIONS=" + std::to_string(settings.locations) + " but the MPI launcher started " +
         std::to_string(job.size()) + " processes" +
         (threads == 1 ? "" : " of " + std::to_string(threads) + " threads") + ": unset it, or start that many";
}

void or_end_job(meeting const& m, std::function<void()> const& f) {
  std::string why = "an unknown exception";
  try {
    return f();
  } catch (std::exception const& thrown) {
    why = without_prefix(thrown.what());
  } catch (...) {
  }
  std::uint32_t const self = m.job->rank();
  m.job->abort(self * m.all[self].threads, why);
  throw job_aborted("sheaf: " + why);
}

meeting meet(options const& settings, thread_level level, std::size_t root_bytes) {
  bootstrap_ptr job = load_bootstrap(settings.mpi_library, level, settings.communicator);
  limits const sizes = limits_for(settings, job->size());
  meeting m{std::move(job), {}, sizes, {}, {}};
  presence own = own_presence(m.sizes, settings.buffer_bytes, threads_of(settings));
  own.buffer_budget = settings.buffer_budget;
  own.window = settings.window;
  own.heartbeat_limit = settings.heartbeat_limit_s;
  own.traced = settings.trace.empty() ? 0 : 1;
  own.statistics = settings.statistics ? 1 : 0;
  own.fence_form = static_cast<std::uint32_t>(settings.fence_form);
  own.tree_arity = settings.tree_arity;
  own.host_memory = settings.host_memory ? 1 : 0;
  m.all = call_roll(*m.job, own, problem_of(*m.job, settings));
  std::string const problem = disagreement(m.all);
  if (!problem.empty()) throw option_error("sheaf: " + problem);
  or_end_job(m, [&] { m.host = share_memory(*m.job, m.all, root_bytes); });
  or_end_job(m, [&] { m.line = open_wire(m.job, settings.wire); });
  return m;
}

}  // namespace sheaf::net

namespace sheaf {

void refuse_launch(std::string const& why, options const& asked) noexcept {
  if (asked.communicator == nullptr && !net::others_were_launched()) return;
  detail::write_last_line(why + " (the other processes are told)");  // MPI may end this one as it starts
  try {
    auto const job = net::load_bootstrap(asked.mpi_library, net::thread_level::single, asked.communicator);
    net::call_roll(*job, net::own_presence({}, 0), why);
  } catch (std::exception const&) {  // its own, which the caller tells; or there is no way to the others
  }
}

}  // namespace sheaf
