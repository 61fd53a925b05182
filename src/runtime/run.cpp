// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/run.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <string>

#include "runtime/fatal_signals.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/transport/launch.hpp"

namespace sheaf::detail {
namespace {

/// What each location runs around the user's program.
class job final : public location_body {
 public:
  job(options const& settings, program what)
      : settings_(settings), program_(what), signals_(settings.report_signals), stack_(settings.report_signals) {}

  void run(endpoint& connection) override {
    signals_.arm();
    signal_stack const stack(settings_.report_signals);
    location here(connection, settings_);
    location* const before = std::exchange(ambient_location, &here);
    make_collectives(here);
    try {
      team const all(here, here.world());
      int const result = program_.call(program_.context, all);
      rmi_fence(all);
      keep(result);
    } catch (job_aborted const& ended) {
      fail(connection, ended.what(), false);
    } catch (std::exception const& thrown) {
      fail(connection,
           "location " + std::to_string(number(here.id())) + ": " + std::string(without_prefix(thrown.what())), true);
    } catch (...) {
      fail(connection, "location " + std::to_string(number(here.id())) + ": an unknown exception", true);
    }
    destroy_collectives(here);
    ambient_location = before;
  }

  int result() const {
    if (failed_) throw job_failed("sheaf: " + text_);
    return result_;
  }

 private:
  void keep(int result) {
    std::lock_guard const lock(mutex_);
    result_ = std::max(result_, result);
  }

  /// The first cause wins; a consequence (job_aborted) is kept only when there is no cause in this process.
  void fail(endpoint& connection, std::string const& text, bool cause) {
    {
      std::lock_guard const lock(mutex_);
      if (!failed_ || (cause && !cause_)) text_ = text;
      failed_ = true;
      cause_ = cause_ || cause;
    }
    if (cause) connection.fail(text);
  }

  options const settings_;
  program const program_;
  fatal_signals signals_;
  signal_stack const stack_;  // of the thread that called run(), under all that this job does there
  std::mutex mutex_;
  int result_ = 0;
  bool failed_ = false;
  bool cause_ = false;
  std::string text_;
};

/// What `automatic` stands for here; and over MPI, whether processes have several locations each.
transport_kind chosen(options const& asked) {
  transport_kind kind = asked.transport;
  if (kind == transport_kind::automatic) kind = under_mpi_launcher() ? transport_kind::mpi : transport_kind::thread;
  return kind == transport_kind::mpi && asked.threads > 1 ? transport_kind::hybrid : kind;
}

}  // namespace

int run_program(options const& asked, program what) {
  if (ambient_location != nullptr) {
    throw usage_error("sheaf: run() was called by a location of a running job; call it from outside");
  }
  options settings = asked;
  settings.transport = chosen(asked);
  settings = settings.resolved();
  job body(settings, what);
  switch (settings.transport) {
    case transport_kind::mpi:
      launch_mpi(settings, body);
      break;
    case transport_kind::hybrid:
      launch_hybrid(settings, body);
      break;
    case transport_kind::sim:
      launch_simulator(settings, body);
      break;
    default:
      launch_threads(settings, body);
      break;
  }
  return body.result();
}

int run_main(program what) noexcept {
  try {
    return run_program(options::from_environment(), what);
  } catch (std::exception const& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}

}  // namespace sheaf::detail
