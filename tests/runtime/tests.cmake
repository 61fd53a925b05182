# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# MPI jobs that end by a signal, which libsheaf names before the MPI library says what it knows. (CTest takes a program
# of its own that ends so for failed: those without MPI are in fatal_signals_test.cpp. Sanitizers take the signals.)
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
endif()
