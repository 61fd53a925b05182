// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/info_command.hpp"

#include <algorithm>
#include <cstdio>

#include "base/machine.hpp"
#include "base/settings.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/build_facts.hpp"
#include "sheaf/launch_plan.hpp"
#include "sheaf/mpi_modules.hpp"
#include "sheaf/topology.hpp"
#include "sheaf/transport/launch.hpp"

namespace sheaf::tool {
namespace {

std::vector<report::row> describe_mpi() {
  launch_machine const here = look_around();
  std::vector<report::row> all;
  for (auto const& [name, launcher] : {std::pair("openmpi", here.openmpi), std::pair("mpich", here.mpich)}) {
    module_state const module = try_module(name);
    all.push_back({{"library", name}, {"launcher", launcher}, {"module", module.file}, {"state", module.state}});
  }
  return all;
}

std::string limit(std::uint64_t number) { return number == detail::unlimited ? "no limit" : std::to_string(number); }
std::string bytes(std::uint64_t number) { return number == detail::unlimited ? "no limit" : detail::in_bytes(number); }

report::row describe_limits(detail::machine_readings const& machine) {
  return {{"/dev/shm", bytes(machine.shared_free) + " free of " + bytes(machine.shared_total)},
          {"open files (ulimit -n)", limit(machine.open_files)},
          {"memory available", bytes(detail::available_memory())}};
}

std::vector<report::row> describe_findings(options const& job, detail::machine_readings const& machine) {
  std::string const found = shared_memory_finding(job, machine);
  if (found.empty()) return {};
  return {{{"weight", "warning"}, {"finding", found}}};
}

/// Where a value comes from: the object's own default, a variable, the command line, or the defaults of the transport.
std::string origin_of(detail::setting const& row, options const& given, options const& job, std::string const& option) {
  if (!option.empty()) return option;
  if (detail::variable(row.name) != nullptr) return "environment";
  std::string const value = row.value(job);
  bool const over_mpi = job.transport == transport_kind::mpi || job.transport == transport_kind::hybrid;
  bool const met = std::string_view(row.name) == "SHEAF_LOCATIONS";  // known once processes have met
  if (row.high != 0 && value == "0" && row.low != 0) return over_mpi && met ? "set at start" : "not used";
  bool const own = value == row.value(given);
  return own ? "default" : std::string("default of ").append(name(job.transport));
}

std::vector<report::row> describe_settings(options const& given, options const& job, bool transport, bool locations) {
  std::vector<report::row> all;
  for (detail::setting const& row : detail::all_settings()) {
    if (!row.is_variable()) continue;
    std::string const variable = row.name;
    bool const by_option = (transport && variable == "SHEAF_TRANSPORT") || (locations && variable == "SHEAF_LOCATIONS");
    all.push_back({{"setting", variable},
                   {"value", row.value(job)},
                   {"origin", origin_of(row, given, job, by_option ? "command line" : "")},
                   {"legal", row.legal()},
                   {"meaning", row.meaning}});
  }
  return all;
}

transport_kind kind_of(std::string const& word, options const& given) {
  for (auto kind : {transport_kind::thread, transport_kind::sim, transport_kind::mpi, transport_kind::hybrid}) {
    if (word == name(kind)) return kind;
  }
  if (given.transport != transport_kind::automatic) return given.transport;
  bool const launched = under_mpi_launcher();
  return !launched ? transport_kind::thread : given.threads > 1 ? transport_kind::hybrid : transport_kind::mpi;
}

}  // namespace

info_command::info_command(CLI::App& app)
    : command(app.add_subcommand("info", "The build, the MPI libraries, the machine, its limits and all settings")) {
  options_->add_option("--transport", transport_, "show the settings of a job over this transport")
      ->check(CLI::IsMember({"auto", "thread", "sim", "mpi", "hybrid"}));
  options_->add_option("-n,--locations", locations_, "show the settings of a job of so many locations")
      ->check(CLI::Range(1u, 65536u));
  options_->add_flag("--json", json_, "as JSON");
}

int info_command::run() {
  try {
    options const given = options::from_environment();
    options asked = given;
    asked.transport = kind_of(transport_, given);
    if (locations_ != 0) asked.locations = locations_;
    options const job = asked.resolved();
    detail::machine_readings const machine = detail::read_machine();
    report all;
    all.add("build", describe_build());
    all.add_table("MPI", describe_mpi());
    all.add("machine", describe_topology());
    all.add("limits", describe_limits(machine));
    all.add_table("findings", describe_findings(job, machine));
    all.add_table("settings", describe_settings(given, job, transport_ != "auto", locations_ != 0));
    std::fputs((json_ ? all.json() : all.text()).c_str(), stdout);
    return 0;
  } catch (error const& failure) {
    std::fprintf(stderr, "sheaf info: %s\n", std::string(without_prefix(failure.what())).c_str());
    return 2;
  }
}

}  // namespace sheaf::tool
