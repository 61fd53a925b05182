# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Between processes on the machine's own memory: litmus tests, and processes that are killed.
if(NOT SHEAF_SANITIZE)
  foreach(program IN ITEMS litmus killed)
    add_executable(test_memory_${program} "${PROJECT_SOURCE_DIR}/tests/memory/processes/${program}_main.cpp")
    target_link_libraries(test_memory_${program} PRIVATE sheaf::sheaf)
    sheaf_warnings(test_memory_${program})
  endforeach()

  # Threads and processes reach each other's memory in the same way.
  foreach(n IN ITEMS 2 4)
    sheaf_add_test(memory.litmus.thread.n${n} COMMAND test_memory_litmus LABELS memory PROCESSORS ${n}
      ENV SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=${n})
    foreach(mpi IN LISTS SHEAF_MPI_NAMES)
      sheaf_add_mpi_test(memory.litmus.${mpi}.n${n} ${mpi} ${n} COMMAND test_memory_litmus LABELS memory)
    endforeach()
  endforeach()

  # The job ends by name within seconds, whoever waits for the lock or the guard of a process that is gone. (The
  # launcher of MPICH ends the others before they can say anything.)
  foreach(how IN ITEMS lock sum)
    sheaf_add_mpi_test(memory.killed.openmpi.${how} openmpi 3 COMMAND test_memory_killed ${how} LABELS memory
      TIMEOUT 30 LAUNCH --enable-recovery)
    if(TEST memory.killed.openmpi.${how})
      set_tests_properties(memory.killed.openmpi.${how} PROPERTIES PASS_REGULAR_EXPRESSION
        "location 2 .host [^,]+, process [0-9]+. ended before the job: its process was killed")
    endif()
  endforeach()
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_mpi_test(memory.nowhere.${mpi} ${mpi} 3 COMMAND test_memory_killed nowhere LABELS memory TIMEOUT 30
      ENV SHEAF_HOST_MEMORY=0)
    if(TEST memory.nowhere.${mpi})
      set_tests_properties(memory.nowhere.${mpi} PROPERTIES PASS_REGULAR_EXPRESSION
        "what location 0 .* asked for is not in memory that location 2" FAIL_REGULAR_EXPRESSION "is lost")
    endif()
  endforeach()
endif()
