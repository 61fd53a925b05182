// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/run_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "base/machine.hpp"
#include "base/settings.hpp"
#include "sheaf/command_error.hpp"
#include "sheaf/find_program.hpp"
#include "sheaf/start_job.hpp"

namespace sheaf::tool {
namespace {

/// The SHEAF_* variables of this process.
std::vector<std::pair<std::string, std::string>> own_settings() {
  std::vector<std::pair<std::string, std::string>> all;
  for (char const* const* at = environ; at != nullptr && *at != nullptr; ++at) {
    std::string const entry = *at;
    std::size_t const equals = entry.find('=');
    if (entry.rfind("SHEAF_", 0) != 0 || equals == std::string::npos || equals + 1 == entry.size()) continue;
    all.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Everything from the first word that is no option of ours.
std::vector<std::string> program_words(CLI::App const& options) {
  std::vector<std::string> words = options.remaining();
  if (words.empty()) throw command_error("which program? Usage: sheaf run -n N [-t T] PROGRAM [ARGUMENTS]");
  if (words[0].size() > 1 && words[0][0] == '-') {
    throw command_error("there is no option " + words[0] +
                        "; sheaf run --help lists them. What is for the program stands behind its name");
  }
  return words;
}

/// Throws command_error where the launcher would run out of open files, at which Open MPI's hangs. The processes look
/// for themselves at what else there is.
void check_files(launch_plan const& job) {
  std::uint64_t const files = detail::read_machine().open_files, needed = 40 + 4 * std::uint64_t{job.processes};
  if (job.kind == launcher_kind::none || files >= needed) return;
  throw command_error("a process may have " + std::to_string(files) + " files open, and the launcher needs about " +
                      std::to_string(needed) + " for " + std::to_string(job.processes) +
                      " processes; raise the limit: ulimit -n 1024");
}

unsigned number_of(char const* variable) {
  char const* const value = detail::variable(variable);
  return value != nullptr ? static_cast<unsigned>(std::strtoul(value, nullptr, 10)) : 0;
}

}  // namespace

std::pair<std::string, std::string> parse_setting(std::string const& text) {
  std::size_t const equals = text.find('=');
  if (equals == std::string::npos) throw command_error("--set " + text + ": write NAME=VALUE");
  std::string name = text.substr(0, equals), value = text.substr(equals + 1);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  if (name.rfind("SHEAF_", 0) != 0) name = "SHEAF_" + name;
  for (detail::setting const& row : detail::all_settings()) {
    if (row.name != name) continue;
    options ignored;
    if (!row.assign(ignored, row, value)) {
      throw command_error("--set " + text + ": '" + value + "' is not legal; it must be " + row.legal());
    }
    return {name, value};
  }
  throw command_error("--set " + text + ": there is no setting " + name + "; sheaf info lists them");
}

run_command::run_command(CLI::App& app)
    : command(app.add_subcommand("run", "Start a program on many locations: threads, processes or both")) {
  CLI::App* const run = options_;
  run->prefix_command();
  run->add_option("-n,--locations", request_.locations, "how many locations in all; default: one for each core")
      ->check(CLI::Range(1u, 65536u));
  run->add_option("-t,--threads", request_.threads, "locations in each process; default 1")
      ->check(CLI::Range(1u, 1024u));
  run->add_option("--hosts", hosts_, "a:4,b:4 (locations on each host), a,b (evenly), or a file with one host a line");
  run->add_option("--transport", request_.transport, "thread and sim: one process without MPI; default: what fits")
      ->check(CLI::IsMember({"auto", "thread", "sim", "mpi", "hybrid"}));
  run->add_option("--seed", seed_, "the schedule, with --transport sim");
  run->add_option("--mpi", request_.mpi, "which MPI library; default: the first whose launcher is there")
      ->check(CLI::IsMember({"openmpi", "mpich"}));
  run->add_option("--launcher-option", request_.launcher_options, "one more word for the launcher; may be repeated")
      ->allow_extra_args(false);
  run->add_option("--bind", request_.bind, "bind processes to cores of their own; default: where there are enough")
      ->check(CLI::IsMember({"auto", "core", "none"}));
  run->add_option("--set", settings_, "NAME=VALUE, a setting for all processes: --set BUFFER_BYTES=4096")
      ->allow_extra_args(false);
  run->add_flag("--label", request_.label, "put the launcher's mark of its process in front of each line of output");
  run->add_flag("--dry-run", dry_run_, "print the command instead of running it");
}

launch_plan run_command::plan() {
  request_.program = program_words(*options_);
  if (!hosts_.empty()) request_.hosts = parse_hosts(hosts_);
  request_.settings = own_settings();
  for (std::string const& each : settings_) {
    auto setting = parse_setting(each);
    ::setenv(setting.first.c_str(), setting.second.c_str(), 1);
    std::erase_if(request_.settings, [&](auto const& old) { return old.first == setting.first; });
    request_.settings.push_back(std::move(setting));
  }
  options const given = options::from_environment();
  if (seed_) {
    if (request_.transport == "auto") request_.transport = "sim";
    if (request_.transport != "sim") throw command_error("--seed is for --transport sim");
    std::erase_if(request_.settings, [](auto const& old) { return old.first == "SHEAF_SEED"; });
    request_.settings.emplace_back("SHEAF_SEED", std::to_string(*seed_));
  }
  if (request_.transport == "auto") request_.transport = name(given.transport);
  if (request_.mpi == "auto" && !given.mpi_library.empty()) request_.mpi = given.mpi_library;
  if (request_.locations == 0) request_.locations = number_of("SHEAF_LOCATIONS");
  if (request_.threads == 0) request_.threads = number_of("SHEAF_THREADS");
  return make_plan(request_, look_around());
}

int run_command::run() {
  try {
    launch_plan const job = plan();
    if (!job.note.empty()) std::fprintf(stderr, "sheaf run: %s\n", job.note.c_str());
    if (dry_run_) {
      std::printf("%s\n", shell_line(job).c_str());
      return 0;
    }
    check_program(request_.program[0]);
    if (request_.hosts.empty()) check_files(job);
    return start_job(job);
  } catch (command_error const& failure) {
    std::fprintf(stderr, "sheaf run: %s\n", failure.what());
    return failure.code();
  } catch (option_error const& failure) {
    std::fprintf(stderr, "sheaf run: %s\n", std::string(without_prefix(failure.what())).c_str());
    return 2;
  }
}

}  // namespace sheaf::tool
