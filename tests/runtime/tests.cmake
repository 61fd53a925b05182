# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# A job begun and ended by calls, which one of the processes may leave without an end.
add_executable(test_job "${PROJECT_SOURCE_DIR}/tests/runtime/job/job_main.cpp")
target_link_libraries(test_job PRIVATE sheaf::sheaf)
sheaf_warnings(test_job)
sheaf_add_test(runtime.job.alone COMMAND test_job LABELS runtime ENV SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=1)
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  sheaf_add_mpi_test(runtime.job.${mpi} ${mpi} 3 COMMAND test_job LABELS runtime TIMEOUT 30)
  foreach(how IN ITEMS leave throw)
    sheaf_add_mpi_test(runtime.job.${mpi}.${how} ${mpi} 3 COMMAND test_job ${how} LABELS runtime TIMEOUT 30)
    if(TEST runtime.job.${mpi}.${how})
      set_tests_properties(runtime.job.${mpi}.${how} PROPERTIES
        PASS_REGULAR_EXPRESSION "location 1: a sheaf::job was destroyed before its end"
        FAIL_REGULAR_EXPRESSION "location [02]: a sheaf::job was destroyed")
    endif()
  endforeach()
endforeach()

# MPI jobs that end by a signal, which libsheaf names before the MPI library says what it knows. (CTest takes a program
# of its own that ends so for failed: those without MPI are in job_signals_test.cpp. Sanitizers take the signals.)
if(NOT SHEAF_SANITIZE)
  add_executable(test_crash "${PROJECT_SOURCE_DIR}/tests/runtime/crash/crash_main.cpp")
  target_link_libraries(test_crash PRIVATE sheaf::sheaf)
  sheaf_warnings(test_crash)

  foreach(how IN ITEMS SIGSEGV SIGABRT SIGFPE)
    foreach(mpi IN LISTS SHEAF_MPI_NAMES)
      sheaf_add_mpi_test(runtime.crash.${mpi}.${how} ${mpi} 3 COMMAND test_crash ${how} LABELS runtime TIMEOUT 30)
      if(TEST runtime.crash.${mpi}.${how})
        set_tests_properties(runtime.crash.${mpi}.${how} PROPERTIES
          PASS_REGULAR_EXPRESSION "sheaf: location 2 .host [^,]+, process [0-9]+. ended by ${how}")
      endif()
    endforeach()
  endforeach()

  set(exits "sheaf: location 2 .host [^,]+, process [0-9]+. calls exit.. before its job has ended")
  add_test(NAME runtime.crash.exit COMMAND test_crash exit)
  set_tests_properties(runtime.crash.exit PROPERTIES LABELS runtime TIMEOUT 30 PASS_REGULAR_EXPRESSION "${exits}"
    ENVIRONMENT "SHEAF_TRANSPORT=thread;SHEAF_LOCATIONS=3")
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_mpi_test(runtime.crash.${mpi}.exit ${mpi} 3 COMMAND test_crash exit LABELS runtime TIMEOUT 30)
    if(TEST runtime.crash.${mpi}.exit)
      set_tests_properties(runtime.crash.${mpi}.exit PROPERTIES PASS_REGULAR_EXPRESSION "${exits}")
    endif()
  endforeach()

  # Processes that are lost without a word, or only seem to be.
  add_executable(test_lost "${PROJECT_SOURCE_DIR}/tests/runtime/crash/lost_main.cpp")
  target_link_libraries(test_lost PRIVATE sheaf::sheaf)
  sheaf_warnings(test_lost)
  set(watched SHEAF_HEARTBEAT_LIMIT_S=2)
  set(silent "sheaf: locations? 2.* is silent|sheaf: locations 4 to 5 .host [^,]+, process [0-9]+. are silent: ")
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_mpi_test(runtime.lost.${mpi}.stopped ${mpi} 3 COMMAND test_lost SIGSTOP LABELS runtime TIMEOUT 60
      ENV ${watched})
    sheaf_add_hybrid_test(runtime.lost.hybrid.${mpi}.stopped ${mpi} 3x2 COMMAND test_lost SIGSTOP LABELS runtime
      TIMEOUT 60 ENV ${watched})
    sheaf_add_mpi_test(runtime.lost.${mpi}.computing ${mpi} 3 COMMAND test_lost compute LABELS runtime TIMEOUT 60
      ENV SHEAF_HEARTBEAT_LIMIT_S=4)
    sheaf_add_mpi_test(runtime.lost.${mpi}.forks ${mpi} 2 COMMAND test_lost forks LABELS runtime TIMEOUT 30)
    if(TEST runtime.lost.${mpi}.stopped)
      set_tests_properties(runtime.lost.${mpi}.forks PROPERTIES
        PASS_REGULAR_EXPRESSION "a child left well in the job.*a child left well after it")
      set_tests_properties(runtime.lost.${mpi}.stopped runtime.lost.hybrid.${mpi}.stopped PROPERTIES
        PASS_REGULAR_EXPRESSION "${silent}")
      set_tests_properties(runtime.lost.${mpi}.computing PROPERTIES PASS_REGULAR_EXPRESSION "^all is well.$")
    endif()
    # A cable is cut: three hosts of one location each, of one process of two locations, and two hosts of two processes.
    foreach(form IN ITEMS n3 3x2 two_each)
      set(shape_n3 3 SHEAF_THREADS=1)
      set(shape_3x2 3 SHEAF_THREADS=2)
      set(shape_two_each 2 RANKS_PER_HOST=2)
      list(GET shape_${form} 0 hosts)
      list(GET shape_${form} 1 setting)
      sheaf_add_test(runtime.lost.hosts.${mpi}.${form} LABELS runtime mpi hosts
        ENV SHEAF_HEARTBEAT_LIMIT_S=4 ${setting}
        COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/cut_host.sh" ${mpi} ${hosts} 2 $<TARGET_FILE:test_lost> wait)
      set_tests_properties(runtime.lost.hosts.${mpi}.${form} PROPERTIES RESOURCE_LOCK sheaf_hosts)
    endforeach()
  endforeach()
  # A location whose thread does not end; a process that is stopped at the end.
  set(stuck "In this process all its locations have ended, and it waits for the threads of its locations to end")
  sheaf_add_test(runtime.stuck.thread COMMAND test_lost stuck LABELS runtime TIMEOUT 60 PROCESSORS 2
    ENV SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=2 SHEAF_FINISH_LIMIT_S=1)
  set_tests_properties(runtime.stuck.thread PROPERTIES PASS_REGULAR_EXPRESSION "SHEAF_FINISH_LIMIT_S.*${stuck}")
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    foreach(how IN ITEMS stuck stopped_at_end)
      set(texts "location 0 ends the job .*SHEAF_FINISH_LIMIT_S.*: locations 2 to 3 .host .* have not come to the last meet")
      if(how STREQUAL "stopped_at_end")  # which may be before the others have come out of the last fence
        list(APPEND texts "SHEAF_FINISH_LIMIT_S.*locations? [01].* not come out of the last fence")
      endif()
      sheaf_add_hybrid_test(runtime.${how}.hybrid.${mpi} ${mpi} 2x2 COMMAND test_lost ${how} LABELS runtime TIMEOUT 60
        ENV SHEAF_FINISH_LIMIT_S=1)
      if(TEST runtime.${how}.hybrid.${mpi})
        set_tests_properties(runtime.${how}.hybrid.${mpi} PROPERTIES PASS_REGULAR_EXPRESSION "${texts}")
      endif()
    endforeach()
  endforeach()
  # A process that is killed where the launcher does not end the job: found by heartbeats alone, and by its host.
  sheaf_add_mpi_test(runtime.lost.openmpi.killed openmpi 3 COMMAND test_lost SIGKILL LABELS runtime TIMEOUT 60
    LAUNCH --enable-recovery ENV SHEAF_HEARTBEAT_LIMIT_S=4 SHEAF_HOST_MEMORY=0)
  if(TEST runtime.lost.openmpi.killed)
    set_tests_properties(runtime.lost.openmpi.killed PROPERTIES
      PASS_REGULAR_EXPRESSION "sheaf: location 2 .host [^,]+, process [0-9]+. is silent: ")
  endif()
  # The same without heartbeats: those of its host see that it has ended.
  sheaf_add_mpi_test(runtime.lost.openmpi.killed_unwatched openmpi 3 COMMAND test_lost SIGKILL LABELS runtime TIMEOUT 60
    LAUNCH --enable-recovery)
  if(TEST runtime.lost.openmpi.killed_unwatched)
    set_tests_properties(runtime.lost.openmpi.killed_unwatched PROPERTIES PASS_REGULAR_EXPRESSION
      "location 2 .host [^,]+, process [0-9]+. ended before the job: its process was killed")
  endif()
  sheaf_mostly_waits(runtime.stuck.thread runtime.lost.openmpi.killed)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_mostly_waits(runtime.lost.${mpi}.stopped runtime.lost.hybrid.${mpi}.stopped runtime.lost.${mpi}.computing
      runtime.stuck.hybrid.${mpi} runtime.stopped_at_end.hybrid.${mpi})
  endforeach()
endif()

# One process of three cannot start, before MPI has started or after the processes have met: all end, and say which.
add_executable(test_uneven "${PROJECT_SOURCE_DIR}/tests/runtime/crash/uneven_main.cpp")
target_link_libraries(test_uneven PRIVATE sheaf::sheaf ${CMAKE_DL_LIBS})
sheaf_warnings(test_uneven)
set_target_properties(test_uneven PROPERTIES ENABLE_EXPORTS ON)
set(uneven_value SHEAF_BUFFER_BYTES=bad "cannot take part: SHEAF_BUFFER_BYTES is 'bad'")
set(uneven_trace SHEAF_TRACE=/dev/null/no "cannot take part: .*/dev/null/no")
set(uneven_locations SHEAF_LOCATIONS=100 "cannot take part: SHEAF_LOCATIONS=100 but")
set(uneven_heart TEST_REFUSE_THREADS=1 "location 1 ends the job .host .*location 1 .*cannot send heartbeats: no thread")
set(uneven_thread TEST_REFUSE_THREADS=1 "location 2 ends the job .host .*SHEAF_THREADS is 2.* the system gives")
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  foreach(what IN ITEMS value trace locations heart hybrid.value hybrid.thread)
    string(REPLACE "hybrid." "" case ${what})
    set(settings ${uneven_${case}})
    list(POP_BACK settings text)
    set(form SHEAF_HEARTBEAT_LIMIT_S=30)
    if(NOT case STREQUAL what)
      set(form SHEAF_HEARTBEAT_LIMIT_S=0 SHEAF_THREADS=2)
    endif()
    sheaf_add_mpi_test(runtime.uneven.${mpi}.${what} ${mpi} 1 COMMAND test_uneven LABELS runtime TIMEOUT 30 ENV ${form}
      LAUNCH $<TARGET_FILE:test_uneven> : -n 1 env ${settings} $<TARGET_FILE:test_uneven> : -n 1)
    if(TEST runtime.uneven.${mpi}.${what})
      set_tests_properties(runtime.uneven.${mpi}.${what} PROPERTIES PROCESSORS 3 PASS_REGULAR_EXPRESSION "${text}")
    endif()
  endforeach()
endforeach()

# Jobs one after another in one process, with hearts.
add_executable(test_again "${PROJECT_SOURCE_DIR}/tests/runtime/crash/again_main.cpp")
target_include_directories(test_again PRIVATE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(test_again PRIVATE sheaf::sheaf)
sheaf_warnings(test_again)
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  sheaf_add_mpi_test(runtime.again.${mpi} ${mpi} 3 COMMAND test_again LABELS runtime TIMEOUT 300 ENV SHEAF_HEARTBEAT_LIMIT_S=30)
  sheaf_add_hybrid_test(runtime.again.hybrid.${mpi} ${mpi} 2x2 COMMAND test_again LABELS runtime TIMEOUT 300
    ENV SHEAF_HEARTBEAT_LIMIT_S=30)
endforeach()
