# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Which tests a preset builds and runs. All of them run in the preset release. A sanitizer runs the subset in
# which it can find something: what is left out executes the same code, or code that it cannot judge.
set(SHEAF_TEST_SUBSET "" CACHE STRING "The tests to build and run: asan, tsan; empty: all")
set_property(CACHE SHEAF_TEST_SUBSET PROPERTY STRINGS "" asan tsan)

# What is not built: folders of tests/, patterns of FOLDER/NAME_test, and patterns of conformance tests' names, which
# are not run.
set(SHEAF_TEST_LEAVE_OUT "")
# Which cases of the built programs run where SHEAF_TEST_SHARDS is set, as GoogleTest's filter; SHEAF_TEST_FILTER_FOLDER
# is added for one folder.
set(SHEAF_TEST_FILTER "*")
# Variables for every test.
set(SHEAF_TEST_SUBSET_ENVIRONMENT "")

# The suites of transports differ in the number of locations, in the limits, and in the seeds. With a sanitizer they run
# on 3 locations (no power of two) and on 8 (more than cores), and on processes of 2 and 3 threads: others execute the
# same lines. In the case with one packet at a time, six threads mostly wait for each other.
set(transport_cases "net_endpoint.*_one_packet_at_a_time")
foreach(n IN ITEMS 1 2 4 7)
  string(APPEND transport_cases ":*/thread_suite.*_n${n}:*/processes_over_a_fake.*/n${n}")
endforeach()
string(APPEND transport_cases ":*/processes_over_a_fake.*/n8")  # one thread plays all, so that there are no cores
foreach(shape IN ITEMS 1x1 1x3 2x1 3x2 2x4)
  string(APPEND transport_cases ":*_a_fake.*/${shape}")
endforeach()

if(SHEAF_TEST_SUBSET STREQUAL "asan")
  # No schedules (one fault of memory shows in any of many alike) and no exact costs. 30 seeds in place of 300, and
  # a quarter of the requests in the suites. Graph algorithms run between threads; they are the same code in
  # the simulator, for which there are other tests. More threads than cores are for the other sanitizer.
  list(APPEND SHEAF_TEST_LEAVE_OUT simulation cost
    "conformance.(thread|sim).n[247]" "conformance.(thread|sim).caps1.n[24]"
    "conformance.(thread|sim).(shared|helper|hand_over).n1")
  set(SHEAF_TEST_FILTER "-${transport_cases}:*/thread_suite.*_n8:*_a_fake.*/2x3_first_only")
  set(SHEAF_TEST_FILTER_graph ":*/sim")
  set(SHEAF_TEST_FILTER_dmcs ":dmcs_netsort.schedules:dmcs_netsort.many_processes")
  # A job that fails leaves its shared arrays where they are, as others may still read them.
  set(SHEAF_TEST_FILTER_view ":*.that_members_give_differently_are_told/*")
  set(SHEAF_TEST_SUBSET_ENVIRONMENT SHEAF_TEST_SEEDS=30 SHEAF_TEST_DIVISOR=4)
elseif(SHEAF_TEST_SUBSET STREQUAL "tsan")
  # Only what has several threads: nothing in the simulator, which plays all locations in one thread. Signals are left out
  # because the sanitizer holds one back while its thread reads; jobs one after another, because they count what is left.
  # An eighth of the requests in the suites: what races is found by who calls what, not by how often. Graph
  # algorithms share nothing between locations but messages; examples run some of them.
  list(APPEND SHEAF_TEST_LEAVE_OUT async simulation cost tools graph "base/[^gt].*" "message/[^o].*"
    "transport/(block_pool|heartbeat_pulse|net_engine|net_own|net_parts|net_sharing|net_wire|ring|sim|wait_reports).*"
    "runtime/(job_signals|team_tree)_test" "conformance.sim.*" "conformance.thread.n[1247]"
    "conformance.thread.caps1.n[24]" "conformance.thread.(shared|helper|hand_over).n1")
  set(SHEAF_TEST_FILTER "-${transport_cases}:again.*_leave*:*_schedule*:*every_seed*:wave.*:fence_size.*:dmcs_*")
  string(APPEND SHEAF_TEST_FILTER ":*/sim:*/sim_*:*/net_endpoint_over_a_fake.passes_the_suite/2x2")
  set(SHEAF_TEST_SUBSET_ENVIRONMENT SHEAF_TEST_DIVISOR=8)
  foreach(n IN ITEMS 1 2 4 7)
    string(APPEND SHEAF_TEST_FILTER ":*/thread_*_n${n}")
  endforeach()
elseif(SHEAF_TEST_SUBSET)
  message(FATAL_ERROR "SHEAF_TEST_SUBSET is '${SHEAF_TEST_SUBSET}': use asan, tsan, or nothing for all tests")
endif()
