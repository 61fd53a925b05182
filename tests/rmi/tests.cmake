# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# A library of its own, for method pointers into another module than the program.

add_library(sheaf_test_methods SHARED "${PROJECT_SOURCE_DIR}/tests/rmi/library/counter.cpp")
target_include_directories(sheaf_test_methods PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(sheaf_test_methods PRIVATE sheaf::sheaf)
sheaf_warnings(sheaf_test_methods)
target_link_libraries(test_rmi PRIVATE sheaf_test_methods)

# Jobs that hang on purpose over MPI: hanging_jobs.hpp has their programs, watchdog_test.cpp those over threads.
add_executable(test_hanging "${PROJECT_SOURCE_DIR}/tests/rmi/hanging/hanging_main.cpp")
target_include_directories(test_hanging PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(test_hanging PRIVATE sheaf::sheaf)
sheaf_warnings(test_hanging)

# sheaf_hanging_test(JOB TEXT): TEXT is a regular expression that what the job prints must match.
function(sheaf_hanging_test job text)
  set(how COMMAND test_hanging ${job} LABELS rmi ENV SHEAF_WATCHDOG_MS=50 TIMEOUT 60)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_mpi_test(rmi.hanging.${mpi}.${job} ${mpi} 3 ${how})
    sheaf_add_hybrid_test(rmi.hanging.hybrid.${mpi}.${job} ${mpi} 2x2 ${how})
    foreach(test IN ITEMS rmi.hanging.${mpi}.${job} rmi.hanging.hybrid.${mpi}.${job})
      if(TEST ${test})
        set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "deadlock: all [34] .*${text}")
      endif()
    endforeach()
  endforeach()
endfunction()

# A job that sends itself the signal that asks what it waits for.
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  set(asked COMMAND test_hanging asked LABELS rmi TIMEOUT 60)
  sheaf_add_mpi_test(rmi.asked.${mpi} ${mpi} 3 ${asked})
  sheaf_add_hybrid_test(rmi.asked.hybrid.${mpi} ${mpi} 2x2 ${asked})
  foreach(test IN ITEMS rmi.asked.${mpi} rmi.asked.hybrid.${mpi})
    if(TEST ${test})
      set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION
        "the whole job of [34] locations:.*location 1 waits in fence, called at .*location 2 waits in fence.*location 0 polls")
    endif()
  endforeach()
endforeach()

sheaf_hanging_test(never_called "location 0 waits in wait_for_request, called at .*location 1 waits in fence, called at the end")
sheaf_hanging_test(cycle_of_methods "a cycle of waiting methods: location 0 .* waits for location 1 .* waits for location 0")
sheaf_hanging_test(missing_member "location 0 waits in fence, .*; location 2 has not come to it.*location 2 waits in wait_for_request")
sheaf_hanging_test(never_registered "location 1 holds 5 requests .*for object 2 of team 0.*5 received, 0 executed")
sheaf_hanging_test(behind_a_held_one "stands behind requests that are held, .*location 1 holds 1 request .*3 sent, 1 received, 0 executed")
sheaf_hanging_test(no_reply "waits in future::get, .*location 1's answer.*asks, called by location 0, waits in sync")
sheaf_hanging_test(different_teams "location 0 waits in barrier.*a cycle of waits: location 0 waits for location 1")
sheaf_hanging_test(suspended_method "asks, called by location 0, waits in co_await, called at .*location 2's answer to .*; 40 coroutines wait so")
sheaf_hanging_test(cycle_of_coroutines "a cycle of waiting methods: location 0 .*gives, called by location 1. waits for location 1 .*returns")
sheaf_hanging_test(moved_object "waits in migrating::sync, called at .*object 2 of member 1 of team 0, which was last known to be at location 2")
