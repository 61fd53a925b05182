# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# OpenSHMEM's C interface: plain SHMEM programs over ours, as shmem.PROGRAM.LIBRARY.nN, and over Open MPI's own where it
# works, as shmem.PROGRAM.peer.nN, which says that the programs are right.
if(NOT SHEAF_BUILD_SHMEM)
  return()
endif()
enable_language(C)
find_program(SHEAF_OSHCC oshcc)
find_program(SHEAF_OSHRUN oshrun)

foreach(program IN ITEMS transfers words collectives)
  set(source "${CMAKE_CURRENT_LIST_DIR}/${program}.c")
  add_executable(test_shmem_${program} ${source})
  set_target_properties(test_shmem_${program} PROPERTIES C_STANDARD 11)
  target_compile_options(test_shmem_${program} PRIVATE -Wall -Wextra)
  target_link_libraries(test_shmem_${program} PRIVATE sheaf_shmem)
  sheaf_add_test(shmem.${program}.alone.n1 COMMAND test_shmem_${program} LABELS shmem)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    foreach(ranks IN ITEMS 1 2 3 4 7)
      sheaf_add_mpi_test(shmem.${program}.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND test_shmem_${program} LABELS shmem)
    endforeach()
  endforeach()
  if(NOT SHEAF_SANITIZE)
    foreach(mpi IN LISTS SHEAF_MPI_NAMES)
      sheaf_add_test(shmem.${program}.hosts.${mpi} LABELS shmem mpi hosts PROCESSORS 2 ENV RANKS_PER_HOST=2
        COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:test_shmem_${program}>)
      set_tests_properties(shmem.${program}.hosts.${mpi} PROPERTIES RESOURCE_LOCK sheaf_hosts)
    endforeach()
  endif()

  if(SHEAF_OSHCC AND SHEAF_OSHRUN AND NOT SHEAF_SANITIZE)
    set(peer "${CMAKE_BINARY_DIR}/bin/peer_shmem_${program}.oshmem")
    add_custom_command(OUTPUT ${peer} COMMAND ${SHEAF_OSHCC} -std=c11 -O1 ${source} -o ${peer}
      DEPENDS ${source} "${CMAKE_CURRENT_LIST_DIR}/check.h" VERBATIM)
    add_custom_target(peer_shmem_${program} ALL DEPENDS ${peer})
    sheaf_add_test(shmem.${program}.peer.n3 COMMAND ${SHEAF_OSHRUN} --oversubscribe -n 3 ${peer} LABELS shmem
      PROCESSORS 3)
    # Debian's crashes in shmem_finalize, behind the last check.
    set_tests_properties(shmem.${program}.peer.n3 PROPERTIES PASS_REGULAR_EXPRESSION "all checks passed with 3 PEs")
  endif()
endforeach()

# What the texts of errors must say.
add_executable(test_shmem_errors "${CMAKE_CURRENT_LIST_DIR}/errors.c")
set_target_properties(test_shmem_errors PROPERTIES C_STANDARD 11)
target_link_libraries(test_shmem_errors PRIVATE sheaf_shmem)
set(texts
  early "shmem_long_p: called before shmem_init or after shmem_finalize. call it between them"
  pe "SHMEM Error: shmem_long_p: there is no PE 7. they are 0 to 0"
  address "shmem_long_put: address 0x.* is not symmetric. pass what shmem_malloc"
  free "shmem_free: the pointer is none that shmem_malloc"
  alignment "shmem_align: an alignment of 24 bytes. pass a power of two"
  comparison "shmem_long_wait_until: the comparison is 9. pass SHMEM_CMP_EQ to SHMEM_CMP_LE"
  signal "shmem_long_put_signal: sig_op is 5. pass SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD"
  set "shmem_sync: an active set of 2 PEs from 0, 1 apart. PEs are 0 to 0"
  team "shmem_team_sync: the team is SHMEM_TEAM_INVALID"
  lock "shmem_set_lock: .* is locked by this location already"
  forgotten "all is well")
while(texts)
  list(POP_FRONT texts name text)
  sheaf_add_test(shmem.error.${name} COMMAND test_shmem_errors ${name} LABELS shmem)
  set_tests_properties(shmem.error.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${text}")
endwhile()
