// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/launch_plan.hpp"

#include <algorithm>

#include "sheaf/command_error.hpp"

namespace sheaf::tool {
namespace {

std::string text(unsigned number) { return std::to_string(number); }

bool without_mpi(std::string const& transport) { return transport == "thread" || transport == "sim"; }

void fill_numbers(launch_request& r, launch_machine const& m) {
  bool const one_process = r.transport == "thread";
  if (r.locations == 0 && one_process) r.locations = r.threads;
  if (r.threads == 0) r.threads = 1;
  if (r.locations != 0) return;
  if (unsigned const room = room_on(r.hosts); room != 0) {
    r.locations = room;
  } else if (!r.hosts.empty()) {
    r.locations = static_cast<unsigned>(r.hosts.size()) * r.threads;
  } else if (m.tasks != 0 && !without_mpi(r.transport)) {
    r.locations = m.tasks * r.threads;
  } else {
    r.locations = std::max(1u, m.threads / r.threads) * r.threads;
  }
}

void check_multiple(launch_request const& r) {
  unsigned const n = r.locations, t = r.threads;
  if (n % t == 0) return;
  std::string threads = "1";
  for (unsigned each = 2; each <= std::min(n, 1024u); ++each) threads += n % each == 0 ? ", " + text(each) : "";
  unsigned const below = n / t * t;
  throw command_error("-n is " + text(n) + " and -t " + text(t) +
                      ": the locations must be a multiple of the threads of a process; ask for -n " +
                      (below != 0 ? text(below) + " or " : "") + text(below + t) + ", or for -t " + threads);
}

void check_without_mpi(launch_request const& r) {
  std::string const why = " is for processes, and --transport " + r.transport + " runs one";
  if (!r.hosts.empty()) throw command_error("--hosts" + why + " on this host: leave one of them out");
  if (r.mpi != "auto") throw command_error("--mpi" + why + " without MPI: leave one of them out");
  if (r.label) throw command_error("--label" + why + ": its locations share one output");
  if (r.transport == "thread" && r.threads != 1 && r.threads != r.locations) {
    throw command_error("-n is " + text(r.locations) + " and -t " + text(r.threads) +
                        ", but --transport thread runs one process, whose threads are the locations: leave -t out");
  }
}

/// Which program starts the processes. One process needs none, unless MPI is asked for.
launcher_kind choose(launch_request const& r, launch_machine const& m, std::string& note) {
  if (without_mpi(r.transport)) return launcher_kind::none;
  bool const asked = r.transport != "auto" || r.mpi != "auto" || !r.hosts.empty() || r.label;
  if (!asked && r.locations == r.threads) return launcher_kind::none;
  if (r.mpi != "mpich" && !m.openmpi.empty()) return launcher_kind::openmpi;
  if (r.mpi != "openmpi" && !m.mpich.empty()) return launcher_kind::mpich;
  if (!asked && r.threads == 1) {
    note = "no MPI launcher is on PATH: one process of " + text(r.locations) + " threads";
    return launcher_kind::none;
  }
  std::string const wanted = r.mpi == "openmpi" ? "mpirun.openmpi or Open MPI's mpirun"
                             : r.mpi == "mpich" ? "mpiexec.mpich, mpiexec.hydra or MPICH's mpiexec"
                                                : "mpirun.openmpi, mpirun, mpiexec.mpich, mpiexec.hydra or mpiexec";
  throw command_error("no MPI launcher is on PATH (" + wanted +
                      "): install that MPI library, or run in one process with --transport thread");
}

/// What each process is bound to: `unit` cores or hardware threads, or nothing where there are not enough.
enum class binding { none, core, hardware_thread };

binding choose_binding(launch_request const& r, launch_machine const& m) {
  if (r.bind != "auto") return r.bind == "none" ? binding::none : binding::core;
  if (!r.hosts.empty() || m.allocated) return binding::core;
  if (r.locations <= m.cores) return binding::core;
  return r.locations <= m.threads ? binding::hardware_thread : binding::none;
}

using words = std::vector<std::string>;

void append(words& to, words const& more) { to.insert(to.end(), more.begin(), more.end()); }

std::string host_words(launch_request const& r) {
  std::string all;
  for (host const& each : r.hosts) {
    all += (all.empty() ? "" : ",") + each.name + ":" + text(each.locations / r.threads);
  }
  return all;
}

words openmpi_words(launch_request const& r, launch_machine const& m, launch_plan const& plan) {
  words all{m.openmpi};
  if (!r.hosts.empty()) append(all, {"--host", host_words(r)});
  bool const here = r.hosts.empty() && !m.allocated;
  binding const bound = choose_binding(r, m);
  if (here && plan.processes > m.cores && bound != binding::hardware_thread) all.emplace_back("--oversubscribe");
  if (bound == binding::none) {
    append(all, {"--bind-to", "none"});
  } else {
    if (bound == binding::hardware_thread) all.emplace_back("--use-hwthread-cpus");
    append(all, {"--bind-to", bound == binding::core ? "core" : "hwthread", "--map-by", "slot:PE=" + text(r.threads)});
  }
  if (r.label) all.emplace_back("--tag-output");
  for (auto const& [name, value] : plan.environment) append(all, {"-x", name});
  return all;
}

words mpich_words(launch_request const& r, launch_machine const& m, launch_plan const& plan) {
  words all{m.mpich};
  if (!r.hosts.empty()) append(all, {"-hosts", host_words(r)});
  binding const bound = choose_binding(r, m);
  std::string const unit = bound == binding::core ? "core:" : "hwthread:";
  append(all, {"-bind-to", bound == binding::none ? "none" : unit + text(r.threads)});
  if (r.label) all.emplace_back("-l");
  for (auto const& [name, value] : plan.environment) append(all, {"-genv", name, value});
  return all;
}

void set(launch_plan& plan, std::string const& name, std::string const& value) {
  auto const at = std::find_if(plan.environment.begin(), plan.environment.end(),
                               [&](auto const& each) { return each.first == name; });
  if (at != plan.environment.end()) {
    at->second = value;
  } else {
    plan.environment.emplace_back(name, value);
  }
}

/// The number of locations is told where it might differ from what is started: a launcher of another MPI library starts
/// many jobs of one process.
void set_shape(launch_request const& r, launch_plan& plan) {
  bool const processes = plan.kind != launcher_kind::none;
  std::string const alone = r.transport == "sim" ? "sim" : "thread";
  set(plan, "SHEAF_TRANSPORT", !processes ? alone : r.threads > 1 ? "hybrid" : "mpi");
  set(plan, "SHEAF_LOCATIONS", text(r.locations));
  bool const all_threads = !processes && alone == "thread";
  set(plan, "SHEAF_THREADS", text(all_threads ? r.locations : r.threads));
  if (plan.kind == launcher_kind::openmpi) set(plan, "SHEAF_MPI", "openmpi");
  if (plan.kind == launcher_kind::mpich) set(plan, "SHEAF_MPI", "mpich");
}

std::string quoted(std::string const& word) {
  constexpr char const* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string inside;
  for (char const c : word) inside += c == '\'' ? "'\\''" : std::string(1, c);
  return "'" + inside + "'";
}

}  // namespace

launch_plan make_plan(launch_request request, launch_machine const& machine) {
  fill_numbers(request, machine);
  if (without_mpi(request.transport)) {
    check_without_mpi(request);
  } else {
    check_multiple(request);
  }
  if (!request.hosts.empty()) request.hosts = place_on_hosts(request.hosts, request.locations, request.threads);
  launch_plan plan;
  plan.kind = choose(request, machine, plan.note);
  plan.threads = plan.kind == launcher_kind::none ? request.locations : request.threads;
  plan.processes = request.locations / plan.threads;
  plan.environment = request.settings;
  set_shape(request, plan);
  if (plan.kind != launcher_kind::none) {
    bool const openmpi = plan.kind == launcher_kind::openmpi;
    plan.command = openmpi ? openmpi_words(request, machine, plan) : mpich_words(request, machine, plan);
    append(plan.command, request.launcher_options);
    append(plan.command, {"-n", text(plan.processes)});  // last: Hydra takes no option for all processes behind it
  }
  append(plan.command, request.program);
  if (plan.kind == launcher_kind::openmpi && machine.root) {
    set(plan, "OMPI_ALLOW_RUN_AS_ROOT", "1");
    set(plan, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  }
  return plan;
}

std::string shell_line(launch_plan const& plan) {
  std::string line;
  for (auto const& [name, value] : plan.environment) line += name + "=" + quoted(value) + " ";
  for (std::string const& word : plan.command) line += quoted(word) + " ";
  line.pop_back();
  return line;
}

}  // namespace sheaf::tool
