// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <sched.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sheaf/base/options.hpp"
#include "sheaf/transport/launch.hpp"
#include "transport/host/host_endpoint.hpp"
#include "transport/host/segment.hpp"
#include "transport/net/gateway.hpp"
#include "transport/net/wire.hpp"

namespace sheaf::side {
class tcp_side;
}

namespace sheaf::net {

/// What each process tells all others before the first packet.
struct presence {
  std::uint64_t build = 0;
  std::uint32_t process = 0;
  std::uint32_t threads = 1;     ///< locations
  std::uint32_t fence_form = 0;  ///< a fence_form_kind; as resolved on the process's host, like the next
  std::uint32_t tree_arity = 0;
  std::uint32_t host_memory = 0;  ///< whether it is to be shared
  std::uint64_t word = 0;         ///< a number, and where it is in the memory of the process
  std::uint64_t word_at = 0;
  char host[64] = {};
  char settings[256] = {};  ///< those that all must have alike
  char problem[512] = {};   ///< why it cannot take part; empty: it can
  cpu_set_t cores = {};
};

/// This process, with the build_identity of its program and what these settings, which are resolved(), say.
presence own_presence(options const& settings);

/// "(host h, process p)".
std::string host_and_process(presence const& p);

/// "location 2 (host h, process p)", or "locations 4 to 7 (…)": those of a process.
std::string locations_of(std::span<presence const> all, std::uint32_t process);

bool same_host(presence const& a, presence const& b);

/// Collective: everybody's presence, by rank. `problem` is what keeps this process from taking part; empty: nothing. If
/// one has one, all throw option_error: with their own, or else naming that process and its problem.
std::vector<presence> call_roll(bootstrap& job, presence own, std::string const& problem = {});

/// What keeps these processes from working together, naming the first pair that differs; empty: nothing.
std::string disagreement(std::span<presence const> all);

/// `settings` with the form and arity of collectives that all processes take: their hosts may suggest different ones.
/// The tree and the larger arity, which are for crowded hosts, go before the others.
options agreed(options settings, std::span<presence const> all);

/// Whether the locations on the host of process `self` outnumber the cores that they may use together.
bool crowded(std::span<presence const> all, std::uint32_t self);

/// The core for each location of process `self`, those of a process side by side. Empty where there is not one for each
/// of those that may use the same cores: bound ones would keep others off a core while another one is idle; and where
/// processes may use sets of cores that overlap and are not the same.
std::vector<int> own_cores(std::span<presence const> all, std::uint32_t self);

/// The processes of this host that share memory, and where.
struct neighbours {
  std::vector<std::uint32_t> ranks = {};        ///< in ascending order, this one among them; empty: it shares none
  std::vector<host::process_root*> roots = {};  ///< theirs
  host_memory* own = nullptr;                   ///< mapped by all of them
  std::function<std::string()> lost = {};       ///< which of the others has ended before the job, in a sentence
  host::host_map map = {};                      ///< holds all that; the places in it are those in `ranks`

  [[nodiscard]] std::unique_ptr<host::host_job> job(options const& local, std::uint32_t self) const;
};

/// Collective. A host shares memory where all its processes want to (presence::host_memory) and can; else the first one
/// that wants to says why it does not. Asks nobody where none wants to. `all` outlives the result.
neighbours share_memory(bootstrap& job, std::span<presence const> all);

/// The ranks of those that are to share memory with `self`, itself among them; empty where they share none.
std::vector<std::uint32_t> sharers(std::span<presence const> all, std::uint32_t self);

/// What the first of those says that want to share and do not; empty: nothing. `problem`: host_map's, naming a rank.
std::string text_of_apart(std::span<presence const> all, std::uint32_t self, std::string const& problem);

/// The processes of a job that have met and fit together.
struct meeting {
  bootstrap_ptr job;
  wire_ptr line;
  limits sizes;
  std::vector<presence> all;
  neighbours host;
};

/// The sizes of a job. A packet takes a whole buffer (4 KiB to 1 MiB; larger ones are cut) with its slice's header and
/// an acknowledgement. 8 to 32 receives of about 2 MiB in all are posted. What all locations may have sent to those of
/// one process fits into half of its budget, but each pair has one buffer.
limits limits_for(options const& settings, std::uint32_t processes);

/// How many locations each process has.
std::uint32_t threads_of(options const& settings);

/// What keeps this process from taking part: MPI lets fewer threads call it than the settings need, or the launcher has
/// started another number of processes. Empty: nothing.
std::string problem_of(bootstrap const& job, options const& settings);

/// What a process says about those that do not come to the last meeting.
std::string text_of_missing(std::span<presence const> all, std::vector<std::uint32_t> const& missing, unsigned limit_s);

/// The end of a job over a wire, when it takes too long: those there call each other, the first names who is not heard.
class last_meeting {
 public:
  /// All outlive it. Grace, in nanoseconds, is how long to listen.
  last_meeting(engine& e, std::span<presence const> all, location_body& body, unsigned limit_s,
               std::uint64_t grace_ns = 2'000'000'000);

  /// In each round of engine::finish, with a time of a steady clock. Ends the job when the others have had their time.
  void look(std::uint64_t now);

 private:
  engine& engine_;
  std::span<presence const> const all_;
  location_body& body_;
  unsigned const limit_s_;
  std::uint64_t const grace_ns_;
  std::uint64_t called_at_ = 0;
  bool told_ = false;
};

/// Plays the locations of one process, a thread each, until everybody's have returned. `local.locations`: their number;
/// `cores`: where to bind them (empty: they float); `all`: for the texts where `body` is overdue.
void play_process(bootstrap& job, wire& line, limits const& sizes, options const& local, std::vector<int> const& cores,
                  location_body& body, neighbours const& near = {}, std::span<presence const> all = {},
                  side::tcp_side* beside = nullptr);

}  // namespace sheaf::net
