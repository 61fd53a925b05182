// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/runtime/job.hpp"

#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "sheaf/base/ambient.hpp"
#include "transport/sim/fiber.hpp"

namespace sheaf {

/// sheaf::run on a stack of its own, whose program gives control back to who began the job until the job ends.
struct job::parts {
  static constexpr std::size_t stack_bytes = std::size_t{1} << 20;

  explicit parts(options&& asked) : settings(std::move(asked)), stacks(1, stack_bytes) {}

  static void run(void* self) noexcept {
    auto& its = *static_cast<parts*>(self);
    try {
      sheaf::run(its.settings, [&its](team all) {
        its.world.emplace(all);
        its.here = &here_of(all);
        its.flow.suspend();
        its.world.reset();
        if (!its.ends) throw error("sheaf: a sheaf::job was destroyed before its end(); call end() on every process");
      });
    } catch (...) {
      its.failure = std::current_exception();
    }
  }

  options settings;
  detail::fiber_stacks stacks;
  detail::fiber flow;
  std::thread::id const owner = std::this_thread::get_id();
  std::optional<team> world;
  detail::location* here = nullptr;
  bool ends = false;
  std::exception_ptr failure;
};

static std::string other_locations(options const& settings) {
  if (settings.transport == transport_kind::sim) return "the simulator";
  if (settings.transport == transport_kind::hybrid) return "threads in each process (SHEAF_THREADS)";
  return std::to_string(settings.locations) + " threads (SHEAF_LOCATIONS)";
}

job::job(options settings) {
  if (detail::ambient_location != nullptr) {
    throw usage_error(
        "sheaf: a sheaf::job was begun by a location of a running job, which may be that of a C interface (DMCS, "
        "Adlib, ARMCI, OpenSHMEM); end that one first");
  }
  settings.transport = detail::chosen_transport(settings);
  bool const alone = settings.transport == transport_kind::thread && settings.locations <= 1;
  if (!alone && settings.transport != transport_kind::mpi) {
    throw usage_error("sheaf: a sheaf::job has one location in each process, and the settings ask for " +
                      other_locations(settings) +
                      "; unset that, and start processes (mpirun -n 4 PROGRAM), or use sheaf::run");
  }
  if (alone) settings.locations = 1;
  parts_ = std::make_unique<parts>(std::move(settings));
  parts_->flow.prepare(parts_->stacks.stack(0), &parts::run, parts_.get());
  parts_->flow.resume();
  if (parts_->failure != nullptr) std::rethrow_exception(parts_->failure);
  detail::ambient_location = parts_->here;
}

void job::leave() {
  parts_->flow.resume();
  detail::ambient_location = nullptr;
}

job::~job() {
  if (parts_->world) leave();
}

team job::world() const {
  if (!parts_->world) throw usage_error("sheaf: a sheaf::job was asked for its world after its end()");
  return *parts_->world;
}

void job::end() {
  if (!parts_->world) throw usage_error("sheaf: end() of a sheaf::job was called twice");
  if (parts_->owner != std::this_thread::get_id())
    throw usage_error("sheaf: end() of a sheaf::job was called by another thread than the one that began it");
  parts_->ends = true;
  leave();
  if (parts_->failure != nullptr) std::rethrow_exception(parts_->failure);
}

}  // namespace sheaf
