// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/base/options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "base/machine.hpp"
#include "sheaf/base/error.hpp"

namespace {

using sheaf::option_error;
using sheaf::options;
using sheaf::transport_kind;

/// A variable set for the length of a test.
class with_variable {
 public:
  with_variable(char const* name, char const* value) : name_(name) {
    if (char const* const old = std::getenv(name); old != nullptr) old_ = old;
    set(value);
  }
  with_variable(with_variable const&) = delete;
  with_variable& operator=(with_variable const&) = delete;
  ~with_variable() { set(old_ ? old_->c_str() : nullptr); }

 private:
  void set(char const* value) const { value != nullptr ? setenv(name_, value, 1) : unsetenv(name_); }

  char const* name_;
  std::optional<std::string> old_;
};

/// For tests of what launchers say, which may run under one.
struct without_launcher {
  with_variable const all[7] = {{"OMPI_COMM_WORLD_SIZE", nullptr},
                                {"OMPI_COMM_WORLD_LOCAL_SIZE", nullptr},
                                {"MPI_LOCALNRANKS", nullptr},
                                {"PMI_LOCAL_SIZE", nullptr},
                                {"PMI_SIZE", nullptr},
                                {"SLURM_STEP_NUM_TASKS", nullptr},
                                {"SLURM_STEP_NUM_NODES", nullptr}};
};

/// What from_environment says about one variable: the error's text, or "".
std::string complaint(char const* name, char const* value) {
  with_variable const set(name, value);
  try {
    options::from_environment();
  } catch (option_error const& e) {
    return e.what();
  }
  return "";
}

TEST(options, an_empty_environment_gives_the_plain_object) {
  options const o = options::from_environment();
  EXPECT_EQ(o.transport, transport_kind::automatic);
  EXPECT_EQ(o.locations, 0u);
  EXPECT_EQ(o.nesting_limit, 64u);
  EXPECT_TRUE(o.pin);
  EXPECT_TRUE(o.report_signals);
}

TEST(options, each_variable_reaches_its_field) {
  with_variable const a("SHEAF_LOCATIONS", "12"), b("SHEAF_BUFFER_BYTES", "256"), e("SHEAF_WINDOW", "2"),
      f("SHEAF_RESERVE_BYTES", "5000"), l("SHEAF_SEED", "18446744073709551615"), n("SHEAF_PIN", "0"),
      p("SHEAF_TRANSPORT", "sim"), q("SHEAF_MPI", "mpich"), s("SHEAF_THREADS", "8"), t("SHEAF_STATISTICS", "1"),
      u("SHEAF_TRACE", "here"), v("SHEAF_TRACE_BYTES", "4096"), w("SHEAF_PROGRESS", "helper"),
      x("SHEAF_HEARTBEAT_LIMIT_S", "86400"), y("SHEAF_HELPERS", "3"), z("SHEAF_FINISH_LIMIT_S", "0"),
      aa("SHEAF_BUFFER_BUDGET_BYTES", "77"), bb("SHEAF_HOST_MEMORY", "0"), cc("SHEAF_WIRE", "fabric_2"),
      dd("SHEAF_WATCHDOG_MS", "9");
  options const o = options::from_environment();
  EXPECT_EQ(o.transport, transport_kind::sim);
  EXPECT_EQ(o.locations, 12u);
  EXPECT_EQ(o.threads, 8u);
  EXPECT_TRUE(o.statistics);
  EXPECT_EQ(o.trace, "here");
  EXPECT_EQ(o.trace_bytes, 4096u);
  EXPECT_EQ(o.seed, 18446744073709551615u);
  EXPECT_EQ(o.progress, sheaf::progress_kind::helper);
  EXPECT_EQ(o.helpers, 3u);
  EXPECT_EQ(o.buffer_bytes, 256u);
  EXPECT_EQ(o.window, 2u);
  EXPECT_EQ(o.reserve_bytes, 5000u);
  EXPECT_EQ(o.buffer_budget, 77u);
  EXPECT_FALSE(o.host_memory);
  EXPECT_FALSE(o.pin);
  EXPECT_EQ(o.mpi_library, "mpich");
  EXPECT_EQ(o.wire, "fabric_2");
  EXPECT_EQ(o.watchdog_ms, 9u);
  EXPECT_EQ(o.heartbeat_limit_s, 86'400u);
  EXPECT_EQ(o.finish_limit_s, 0u);
}

TEST(options, a_field_without_a_variable_is_not_set_from_outside) {
  with_variable const a("options::ring_slots", "3");
  EXPECT_EQ(options::from_environment().ring_slots, 0u);
}

TEST(options, the_end_of_a_job_may_take_a_minute_unless_that_is_set) {
  EXPECT_EQ(options().finish_limit_s, 60u);
  EXPECT_EQ(complaint("SHEAF_FINISH_LIMIT_S", "86400"), "");
  EXPECT_NE(complaint("SHEAF_FINISH_LIMIT_S", "86401").find("from 0 to 86400"), std::string::npos);
}

TEST(options, the_limit_of_heartbeats_stays_open_unless_that_is_set) {
  options o;
  o.transport = transport_kind::mpi;
  EXPECT_EQ(o.resolved().heartbeat_limit_s, options::of_transport) << "until the hosts are known";
  EXPECT_EQ(complaint("SHEAF_HEARTBEAT_LIMIT_S", "0"), "");
  EXPECT_NE(complaint("SHEAF_HEARTBEAT_LIMIT_S", "86401").find("from 0 to 86400"), std::string::npos);
}

TEST(options, a_refused_number_is_named_with_its_interval_and_the_remedy) {
  EXPECT_EQ(complaint("SHEAF_WINDOW", "0"),
            "sheaf: SHEAF_WINDOW is '0'; it must be a whole number from 1 to 1048576. Set it so, or unset it for the "
            "default.");
}

TEST(options, the_budget_of_a_process_is_512_mebibytes_unless_that_is_set) {
  options o;
  for (auto kind : {transport_kind::thread, transport_kind::sim, transport_kind::mpi, transport_kind::hybrid}) {
    o.transport = kind;
    EXPECT_EQ(o.resolved().buffer_budget, std::size_t{512} << 20);
  }
  EXPECT_EQ(complaint("SHEAF_BUFFER_BUDGET_BYTES", "1"), "");
  EXPECT_EQ(complaint("SHEAF_BUFFER_BUDGET_BYTES", "0"),
            "sheaf: SHEAF_BUFFER_BUDGET_BYTES is '0'; it must be a whole number from 1 to 1099511627776. Set it so, or "
            "unset it for the default.");
  o.buffer_budget = std::size_t{2} << 40;
  EXPECT_THROW(static_cast<void>(o.resolved()), option_error);
}

TEST(options, numbers_are_parsed_strictly) {
  for (char const* text : {"-1", "+4", "4 ", " 4", "4k", "0x10", "4.0", "none", "99999999999999999999999"}) {
    EXPECT_NE(complaint("SHEAF_WINDOW", text), "") << text;
  }
  EXPECT_EQ(complaint("SHEAF_WINDOW", "1048576"), "");
  EXPECT_NE(complaint("SHEAF_WINDOW", "1048577"), "");
}

TEST(options, an_empty_variable_counts_as_unset) { EXPECT_EQ(complaint("SHEAF_WINDOW", ""), ""); }

TEST(options, a_variable_without_its_unit_or_of_a_field_is_refused) {
  for (auto const& [wrong, meant] :
       {std::pair("SHEAF_WATCHDOG", "SHEAF_WATCHDOG_MS? Correct its name, or unset it."),
        std::pair("SHEAF_HEARTBEAT", "SHEAF_HEARTBEAT_LIMIT_S? Correct its name, or unset it."),
        std::pair("SHEAF_POLL_EVERY", "options::poll_every? Set that in the program, or unset the variable.")}) {
    EXPECT_EQ(complaint(wrong, "1"),
              std::string("sheaf: the variable ") + wrong + " is set but is no setting; did you mean " + meant);
  }
}

TEST(options, a_misspelt_variable_is_refused_with_the_name_that_was_meant) {
  for (char const* name : {"SHEAF_LOCATION", "SHEAF_LOCATIONSS", "SHAEF_LOCATIONS", "SHEAF_L0CATIONS", "HEAF_LOCATIONS",
                           "SHEAF-LOCATIONS", "SHEAF_LOCATIOSN"}) {
    EXPECT_EQ(complaint(name, "3"),
              "sheaf: the variable " + std::string(name) +
                  " is set but is no setting; did you mean SHEAF_LOCATIONS? Correct its name, or unset it.");
  }
  for (char const* name : {"SHEAF_ROOT", "SHEAF_TEST_SEEDS", "SHEAF_LOCATE", "SHEAF", "SHEAF_", "SHEAF_LOCAIONTS"}) {
    EXPECT_EQ(complaint(name, "3"), "") << name;
  }
}

TEST(options, names_are_parsed_strictly) {
  EXPECT_NE(complaint("SHEAF_TRANSPORT", "threads").find("auto, thread, sim, mpi or hybrid"), std::string::npos);
  EXPECT_NE(complaint("SHEAF_MPI", "in/tel").find("openmpi, mpich or the name of another"), std::string::npos);
  EXPECT_NE(complaint("SHEAF_PIN", "yes").find("0 or 1"), std::string::npos);
}

TEST(options, names_and_kinds_agree) {
  for (auto kind : {transport_kind::automatic, transport_kind::thread, transport_kind::sim, transport_kind::mpi,
                    transport_kind::hybrid}) {
    with_variable const set("SHEAF_TRANSPORT", sheaf::name(kind));
    EXPECT_EQ(options::from_environment().transport, kind);
  }
}

TEST(options, resolved_fills_every_default_and_keeps_what_is_set) {
  for (auto kind : {transport_kind::thread, transport_kind::sim, transport_kind::mpi, transport_kind::hybrid}) {
    options o;
    o.transport = kind;
    o.window = 3;
    options const r = o.resolved();
    EXPECT_EQ(r.window, 3u);
    EXPECT_GE(r.buffer_bytes, 1024u);
    EXPECT_GE(r.ring_slots, 16u);
    EXPECT_GE(r.first_flush_bytes, 1u);
    EXPECT_GE(r.reserve_bytes, r.buffer_bytes);
    EXPECT_GE(r.stack_bytes, std::size_t{64} << 10);
    EXPECT_GE(r.yield_polls, 1u);
  }
}

TEST(options, resolving_twice_changes_nothing) {
  options o;
  o.transport = transport_kind::thread;
  o.locations = 1000;
  options const once = o.resolved(), twice = once.resolved();
  EXPECT_EQ(once.spin_polls, twice.spin_polls);
  EXPECT_EQ(once.yield_polls, twice.yield_polls);
  EXPECT_EQ(once.reserve_bytes, twice.reserve_bytes);
}

TEST(options, nothing_of_a_plain_job_is_changed) {
  for (auto kind : {transport_kind::thread, transport_kind::sim, transport_kind::mpi}) {
    options o;
    o.transport = kind;
    o.locations = 300;
    o.seed = 5;
    EXPECT_TRUE(changed_from_default(o).empty());
    EXPECT_TRUE(changed_from_default(o.resolved()).empty());
  }
}

TEST(options, every_changed_setting_is_told_with_its_variable) {
  with_variable const a("SHEAF_BUFFER_BYTES", "256"), d("SHEAF_WINDOW", "2"), e("SHEAF_RESERVE_BYTES", "5000"),
      m("SHEAF_PIN", "0"), n("SHEAF_MPI", "mpich"), q("SHEAF_TRANSPORT", "sim"), s("SHEAF_HEARTBEAT_LIMIT_S", "7"),
      t("SHEAF_WATCHDOG_MS", "7"), u("SHEAF_BUFFER_BUDGET_BYTES", "77"), w("SHEAF_PROGRESS", "hand_over");
  auto const changed = changed_from_default(options::from_environment());
  EXPECT_EQ(changed.size(), 10u) << "with options::flush_age_ns, which follows from the last";
  for (auto const& [variable, value] : changed) {
    if (variable == "options::flush_age_ns") continue;
    EXPECT_STREQ(getenv(variable.c_str()), value.c_str()) << variable;
  }
}

TEST(options, a_changed_field_without_a_variable_is_told_with_its_name) {
  options o;
  o.transport = transport_kind::sim;
  o.ring_slots = 3;
  o.fence_form = sheaf::fence_form_kind::tree;
  EXPECT_EQ(changed_from_default(o),
            (sheaf::setting_list{{"options::ring_slots", "3"}, {"options::fence_form", "tree"}}));
}

TEST(errors, are_told_without_our_name_behind_other_words) {
  EXPECT_EQ(sheaf::without_prefix("sheaf: a"), "a");
  EXPECT_EQ(sheaf::without_prefix("a sheaf: b"), "a sheaf: b");
  EXPECT_EQ(sheaf::without_prefix("sheaf"), "sheaf");
  EXPECT_EQ(sheaf::without_prefix(""), "");
}

TEST(options, crowded_threads_do_not_spin) {
  options o;
  o.transport = transport_kind::thread;
  EXPECT_EQ(o.resolved().locations, sheaf::detail::usable_cores());
  EXPECT_GT(o.resolved().spin_polls, 0u);
  o.locations = sheaf::detail::usable_cores() + 1;
  EXPECT_EQ(o.resolved().spin_polls, 0u);
}

TEST(options, an_mpi_job_within_one_host_gathers_less) {
  without_launcher const nobody_says;
  options o;
  o.transport = sheaf::transport_kind::mpi;
  auto const sizes = [&] { return std::pair(o.resolved().first_flush_bytes, o.resolved().buffer_bytes); };
  EXPECT_EQ(sizes(), std::pair(std::size_t{8192}, std::size_t{32768})) << "nobody says where the processes are";
  with_variable const all("OMPI_COMM_WORLD_SIZE", "4");
  {
    with_variable const here("OMPI_COMM_WORLD_LOCAL_SIZE", "2");
    EXPECT_EQ(sizes(), std::pair(std::size_t{8192}, std::size_t{32768}));
  }
  with_variable const here("OMPI_COMM_WORLD_LOCAL_SIZE", "4");
  EXPECT_EQ(sizes(), std::pair(std::size_t{4096}, std::size_t{16384}));
  o.buffer_bytes = 1000;
  EXPECT_EQ(sizes(), std::pair(std::size_t{1000}, std::size_t{1000}));
}

TEST(options, slurms_processes_are_taken_to_be_spread_evenly) {
  without_launcher const nobody_says;
  using sheaf::detail::processes_here;
  EXPECT_EQ(processes_here(), 0u);
  with_variable const all("SLURM_STEP_NUM_TASKS", "4");
  auto const on = [](char const* hosts) {
    with_variable const number("SLURM_STEP_NUM_NODES", hosts);
    return processes_here();
  };
  EXPECT_EQ(on("1"), 4u);
  EXPECT_EQ(on("2"), 2u);
  EXPECT_EQ(on("3"), 2u);
  with_variable const one("SLURM_STEP_NUM_NODES", "1");
  options o;
  o.transport = sheaf::transport_kind::mpi;
  EXPECT_EQ(o.resolved().buffer_bytes, std::size_t{16384}) << "one host";
  with_variable const here("OMPI_COMM_WORLD_LOCAL_SIZE", "2");
  EXPECT_EQ(processes_here(), 2u) << "the launcher's own word comes first";
}

TEST(options, threads_are_the_locations_of_a_process) {
  options o;
  o.transport = transport_kind::thread;
  o.threads = 3;
  EXPECT_EQ(o.resolved().locations, 3u);
  o.locations = 4;
  EXPECT_THROW((void)o.resolved(), option_error) << "both are given";
  o.transport = transport_kind::hybrid;
  EXPECT_EQ(o.resolved().threads, 3u);
  o.threads = 0;
  EXPECT_GE(o.resolved().threads, 1u);
  EXPECT_GE(o.resolved().mpi_every, 1u);
}

TEST(options, resolved_refuses_what_a_program_set_wrongly) {
  options o;
  EXPECT_THROW((void)o.resolved(), option_error) << "the transport is not chosen";
  o.transport = transport_kind::thread;
  o.buffer_bytes = 64;
  EXPECT_THROW((void)o.resolved(), option_error);
  o.buffer_bytes = 0;
  o.mpi_library = "no/name";
  EXPECT_THROW((void)o.resolved(), option_error);
}

TEST(options, progress_by_others_flushes_by_age_and_needs_threads) {
  options o;
  o.transport = transport_kind::thread;
  EXPECT_EQ(o.resolved().flush_age_ns, 0u);
  o.progress = sheaf::progress_kind::shared;
  EXPECT_EQ(o.resolved().flush_age_ns, 0u) << "nobody would look";
  for (auto const kind : {sheaf::progress_kind::helper, sheaf::progress_kind::hand_over}) {
    o.progress = kind;
    EXPECT_EQ(o.resolved().flush_age_ns, 500'000u);
  }
  o.flush_age_ns = 7;
  EXPECT_EQ(o.resolved().flush_age_ns, 7u);
}

}  // namespace
