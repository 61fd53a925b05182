# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# DMCS: its rules in the simulator (test_dmcs), and programs in C, as dmcs.PROGRAM.LIBRARY.nN.
target_link_libraries(test_dmcs PRIVATE sheaf_dmcs_static)
target_include_directories(test_dmcs PRIVATE "${PROJECT_SOURCE_DIR}/compat/dmcs/src")

enable_language(C)
foreach(program IN ITEMS services memory)
  add_executable(test_dmcs_${program} "${CMAKE_CURRENT_LIST_DIR}/${program}.c")
  set_target_properties(test_dmcs_${program} PROPERTIES C_STANDARD 17)
  target_compile_options(test_dmcs_${program} PRIVATE -Wall -Wextra)
  target_link_libraries(test_dmcs_${program} PRIVATE sheaf_dmcs)
  sheaf_add_test(dmcs.${program}.alone.n1 COMMAND test_dmcs_${program} LABELS dmcs)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    foreach(ranks IN ITEMS 2 3 7)
      sheaf_add_mpi_test(dmcs.${program}.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND test_dmcs_${program} LABELS dmcs)
    endforeach()
    sheaf_add_mpi_test(dmcs.${program}.${mpi}.apart.n2 ${mpi} 2 COMMAND test_dmcs_${program} LABELS dmcs
      ENV SHEAF_HOST_MEMORY=0)
    sheaf_add_mpi_test(dmcs.${program}.${mpi}.caps1.n3 ${mpi} 3 COMMAND test_dmcs_${program} LABELS dmcs
      ENV ${caps_at_one})
    if(NOT SHEAF_SANITIZE)
      sheaf_add_test(dmcs.${program}.hosts.${mpi} LABELS dmcs mpi hosts PROCESSORS 2 ENV RANKS_PER_HOST=2
        COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:test_dmcs_${program}>)
      set_tests_properties(dmcs.${program}.hosts.${mpi} PROPERTIES RESOURCE_LOCK sheaf_hosts)
    endif()
  endforeach()
endforeach()
