// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/machine.hpp"
#include "base/settings.hpp"
#include "base/stderr_pipe.hpp"
#include "base/trace_log.hpp"
#include "message/outside.hpp"
#include "runtime/helpers.hpp"
#include "runtime/job_end.hpp"
#include "runtime/job_signals.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/runtime/collectives.hpp"
#include "sheaf/runtime/fence.hpp"
#include "sheaf/runtime/statistics.hpp"
#include "sheaf/transport/launch.hpp"

namespace sheaf::detail {
namespace {

bool is_several(transport_kind kind) { return kind == transport_kind::mpi || kind == transport_kind::hybrid; }

/// Collective.
void print_statistics(team const& all) {
  statistics const total = total_statistics(all);
  if (all.rank() != 0) return;
  std::string const head = "sheaf: statistics of " + std::to_string(all.size()) + " locations\n";
  std::fputs((head + total.text()).c_str(), stderr);
}

/// What each location runs around the user's program.
class job final : public location_body {
 public:
  job(options const& settings, program what)
      : settings_(settings),
        program_(what),
        signals_(settings.report_signals, settings.report_signals && settings.transport != transport_kind::sim),
        stack_(settings.report_signals),
        trace_(settings),
        several_(is_several(settings.transport)),
        watch_(std::chrono::seconds(settings.transport == transport_kind::sim ? 0 : settings.finish_limit_s),
               [this](std::string const& missing) { end_late(missing); }) {}

  void run(endpoint& connection) override {
    signals_.arm();
    signal_stack const stack(settings_.report_signals);
    watch_.begun(connection.self());
    location* const before = ambient_location;
    try {
      play(connection);
    } catch (std::exception const& thrown) {  // before the program, or after it
      ambient_location = before;
      fail(connection, at(connection, without_prefix(thrown.what())), true);
    }
    watch_.left(connection.self());
  }

  void agreed(options const& settings) override { settings_ = settings; }
  void ending(char const* what) override { watch_.ending(what); }
  bool overdue() override { return watch_.overdue(); }

  /// Once all of the job has left.
  int end() {
    ended_.store(true, std::memory_order_seq_cst);
    trace_.write();
    if (failed_) throw job_failed("sheaf: " + text_);
    return result_.value_or(0);
  }

 private:
  void play(endpoint& connection) {
    begin_trace(connection);
    location here(connection, settings_);
    location* const before = std::exchange(ambient_location, &here);
    make_collectives(here);
    signals_.note(here);
    std::optional<helpers> helping;
    try {
      helping.emplace(here, siblings_);
      team const all = team_of(here, here.registered().world());
      agree_on_trace(all);
      int const result = program_.call(program_.context, all);
      helping->check_nobody_attached();
      fence(all, {"the end of the program", 0});
      check_finished(all);
      if (settings_.statistics) print_statistics(all);
      keep(result);
      watch_.done(here.id());
    } catch (...) {
      fail_by(connection, here);
    }
    helping.reset();
    here.calls().coroutines.end_those_of(nullptr);
    signals_.forget(here);
    destroy_collectives(here);
    end_trace(connection);
    ambient_location = before;
  }

  static std::string at(endpoint const& connection, std::string_view what) {
    return name_of(connection.self()) + ": " + std::string(what);
  }

  void keep(int result) {
    std::lock_guard const lock(mutex_);
    result_ = std::max(result_.value_or(result), result);
  }

  void begin_trace(endpoint& connection) {
    if (!trace_.wanted()) return;
    std::uint32_t const self = number(connection.self());
    std::uint32_t const first = several_ ? self / connection.lanes() * connection.lanes() : 0;
    connection.trace = trace_.open(self, first, connection.size(), connection.now());
  }

  /// The processes of a job write a file each; this tells which belong together.
  void agree_on_trace(team const& all) {
    if (!trace_.wanted() || !several_) return;
    std::uint64_t const now = here_of(all).connection().now();
    trace_.set_job(run_plan(broadcasting<std::uint64_t>({all, says("the trace of a job"), {}, 0}, now)));
  }

  void end_trace(endpoint& connection) {
    trace_log* const log = connection.trace;
    if (log == nullptr || log->finished()) return;
    connection.trace = nullptr;
    trace_.finish(log, connection.now());
  }

  /// What a program throws because the job has ended (a destructor that misses its end, say) is not the cause.
  void fail_by(endpoint& connection, location const& here) {
    std::exception_ptr const ending = outside::ending_of(here);
    try {
      std::rethrow_exception(ending != nullptr ? ending : std::current_exception());
    } catch (job_aborted const& ended) {
      fail(connection, ended.what(), false);
    } catch (...) {
      fail(connection, at(connection, text_of_thrown()) + here.registered().untold_exceptions(), true);
    }
  }

  /// The first cause wins; a consequence (job_aborted) is kept only when there is no cause in this process.
  void fail(endpoint& connection, std::string const& text, bool cause) {
    {
      std::lock_guard const lock(mutex_);
      if (!failed_ || (cause && !cause_)) text_ = text;
      failed_ = true;
      cause_ = cause_ || cause;
    }
    if (!cause) return;
    if (several_) {  // a wire between processes does not return from `fail`
      gate* const shared = ambient_location == nullptr ? nullptr : ambient_location->gate();
      admission const inside(shared);  // others may record, too
      end_trace(connection);
      trace_.write();
    }
    connection.fail(text);
  }

  /// The time to finish is up. Over MPI those at the last meeting go first: they name the processes that are not there.
  void end_late(std::string const& missing) {
    constexpr auto pause = std::chrono::milliseconds(20);
    for (int i = 0; i < (several_ ? 300 : 0) && !ended_.load(std::memory_order_seq_cst); ++i) {
      std::this_thread::sleep_for(pause);
    }
    if (ended_.load(std::memory_order_seq_cst)) return;
    write_last_line("sheaf: the end of the job takes longer than " + std::to_string(settings_.finish_limit_s) +
                    " s (SHEAF_FINISH_LIMIT_S), with all requests executed. In this process " + missing + " (" +
                    this_process() + ")");
    _exit(1);
  }

  options settings_;  // of all locations here
  program const program_;
  job_signals signals_;
  signal_stack const stack_;  // of the thread that called run(), under all that this job does there
  trace_file trace_;
  bool const several_;  // processes
  siblings siblings_;
  std::mutex mutex_;
  std::optional<int> result_;
  bool failed_ = false;
  bool cause_ = false;
  std::string text_;
  std::atomic<bool> ended_{false};
  finish_watch watch_;  // off in the simulator, whose time is not ours; last: its thread uses the rest
};

/// Calls `f`, before the processes of a job meet: where it throws, the others are told, which may wait already.
auto or_refuse(bool several, options const& asked, auto f) {
  try {
    return f();
  } catch (std::exception const& problem) {
    if (several) refuse_launch(problem.what(), asked);
    throw;
  }
}

}  // namespace

options settings_of_main() {
  char const* const transport = variable("SHEAF_TRANSPORT");
  std::string_view const word = transport == nullptr ? "" : transport;
  options as_said;  // what is not legal is passed over
  if (char const* const library = variable("SHEAF_MPI")) as_said.mpi_library = library;
  return or_refuse(word != "thread" && word != "sim", as_said, options::from_environment);
}

transport_kind chosen_transport(options const& asked) {
  transport_kind kind = asked.transport;
  if (kind == transport_kind::automatic) {
    bool const with_mpi = asked.communicator != nullptr || under_mpi_launcher();
    kind = with_mpi ? transport_kind::mpi : transport_kind::thread;
  }
  return kind == transport_kind::mpi && asked.threads > 1 ? transport_kind::hybrid : kind;
}

int run_program(options const& asked, program what) {
  if (ambient_location != nullptr) {
    throw usage_error("sheaf: run() was called by a location of a running job; call it from outside");
  }
  options settings = asked;
  settings.transport = chosen_transport(asked);
  auto const body = or_refuse(is_several(settings.transport), asked, [&] {
    settings = settings.resolved();
    check_machine(settings);
    return std::make_unique<job>(settings, what);
  });
  auto* const launch = is_several(settings.transport)              ? launch_mpi
                       : settings.transport == transport_kind::sim ? launch_simulator
                                                                   : launch_threads;
  launch(settings, *body);
  return body->end();
}

int run_main(program what) noexcept {
  try {
    return run_program(settings_of_main(), what);
  } catch (std::exception const& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}

}  // namespace sheaf::detail
