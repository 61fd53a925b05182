# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# DMCS: its rules, and the benchmark netsort, in the simulator (test_dmcs), and programs in C, as dmcs.PROGRAM.LIBRARY.nN.
target_link_libraries(test_dmcs PRIVATE sheaf_dmcs_static)
target_include_directories(test_dmcs PRIVATE "${PROJECT_SOURCE_DIR}/compat/dmcs/src")
target_include_directories(test_dmcs SYSTEM PRIVATE "${PROJECT_SOURCE_DIR}/bench")  # headers for C, too

enable_language(C)
set(huge "")
if(NOT SHEAF_SANITIZE)
  set(huge huge)
endif()
foreach(program IN ITEMS services memory)
  add_executable(test_dmcs_${program} "${CMAKE_CURRENT_LIST_DIR}/${program}.c")
  set_target_properties(test_dmcs_${program} PROPERTIES C_STANDARD 17)
  target_compile_options(test_dmcs_${program} PRIVATE -Wall -Wextra)
  target_link_libraries(test_dmcs_${program} PRIVATE sheaf_dmcs)
  sheaf_add_test(dmcs.${program}.alone.n1 COMMAND test_dmcs_${program} ${huge} LABELS dmcs)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    foreach(ranks IN ITEMS 2 3 7)
      sheaf_add_mpi_test(dmcs.${program}.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND test_dmcs_${program} ${huge} LABELS dmcs)
    endforeach()
    sheaf_add_mpi_test(dmcs.${program}.${mpi}.apart.n2 ${mpi} 2 COMMAND test_dmcs_${program} ${huge} LABELS dmcs
      ENV SHEAF_HOST_MEMORY=0)
    sheaf_add_mpi_test(dmcs.${program}.${mpi}.caps1.n3 ${mpi} 3 COMMAND test_dmcs_${program} ${huge} LABELS dmcs
      ENV ${caps_at_one})
    if(NOT SHEAF_SANITIZE)
      sheaf_add_test(dmcs.${program}.hosts.${mpi} LABELS dmcs mpi hosts PROCESSORS 2 ENV RANKS_PER_HOST=2
        COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:test_dmcs_${program}>)
      set_tests_properties(dmcs.${program}.hosts.${mpi} PROPERTIES RESOURCE_LOCK sheaf_hosts)
    endif()
  endforeach()
endforeach()

# Threads, locks, a program that owns MPI, and the texts of errors.
find_package(Threads REQUIRED)
set(programs threads errors guide lost contract)
if(NOT SHEAF_SANITIZE)
  list(APPEND programs locks)
endif()
foreach(program IN LISTS programs)
  add_executable(test_dmcs_${program} "${CMAKE_CURRENT_LIST_DIR}/${program}.c")
  set_target_properties(test_dmcs_${program} PROPERTIES C_STANDARD 17)
  target_compile_options(test_dmcs_${program} PRIVATE -Wall -Wextra)
  target_link_libraries(test_dmcs_${program} PRIVATE sheaf_dmcs Threads::Threads ${CMAKE_DL_LIBS})
endforeach()
foreach(pool IN ITEMS 0 2)
  sheaf_add_test(dmcs.threads.pool${pool}.alone.n1 COMMAND test_dmcs_threads ${pool} LABELS dmcs)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_mpi_test(dmcs.threads.pool${pool}.${mpi}.n3 ${mpi} 3 COMMAND test_dmcs_threads ${pool} LABELS dmcs)
    sheaf_add_mpi_test(dmcs.threads.pool${pool}.${mpi}.apart.n2 ${mpi} 2 COMMAND test_dmcs_threads ${pool} LABELS dmcs
      ENV SHEAF_HOST_MEMORY=0)
  endforeach()
endforeach()
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  sheaf_add_mpi_test(dmcs.threads.flood.${mpi}.n3 ${mpi} 3 COMMAND test_dmcs_threads flood LABELS dmcs TIMEOUT 60)
endforeach()
if(NOT SHEAF_SANITIZE)
  foreach(mode IN ITEMS single threads)
    sheaf_add_test(dmcs.locks.${mode}.alone.n1 COMMAND test_dmcs_locks ${mode} LABELS dmcs)
    foreach(mpi IN LISTS SHEAF_MPI_NAMES)
      sheaf_add_mpi_test(dmcs.locks.${mode}.${mpi}.n2 ${mpi} 2 COMMAND test_dmcs_locks ${mode} LABELS dmcs)
    endforeach()
  endforeach()
  # The libraries take no locks but by the symbols that this program stands in front of.
  sheaf_add_test(dmcs.locks.symbols LABELS dmcs
    COMMAND ${CMAKE_NM} -D --undefined-only $<TARGET_FILE:sheaf_dmcs> $<TARGET_FILE:sheaf>)
  set_tests_properties(dmcs.locks.symbols PROPERTIES PASS_REGULAR_EXPRESSION "U pthread_mutex_lock"
    FAIL_REGULAR_EXPRESSION "U (pthread_[a-z]*_(timed|clock|try(rd|wr))[a-z]*lock|pthread_spin_try|sem_[a-z]*wait|mtx_)")
endif()
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  set(target test_dmcs_beside_${mpi})
  add_executable(${target} "${CMAKE_CURRENT_LIST_DIR}/beside_mpi.c")
  set_target_properties(${target} PROPERTIES C_STANDARD 17)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  target_link_libraries(${target} PRIVATE sheaf_dmcs PkgConfig::SHEAF_MPI_${mpi})
  sheaf_add_mpi_test(dmcs.error.finalize.${mpi}.n2 ${mpi} 2 COMMAND ${target} early LABELS dmcs)
  if(TEST dmcs.error.finalize.${mpi}.n2)
    set_tests_properties(dmcs.error.finalize.${mpi}.n2 PROPERTIES
      PASS_REGULAR_EXPRESSION "MPI_Finalize .*a job of Sheaf has not ended. end it first: .*dmcs_shutdown")
  endif()
  foreach(ranks IN ITEMS 1 3)
    sheaf_add_mpi_test(dmcs.beside.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND ${target} near LABELS dmcs)
    sheaf_add_mpi_test(dmcs.beside.${mpi}.apart.n${ranks} ${mpi} ${ranks} COMMAND ${target} LABELS dmcs
      ENV SHEAF_HOST_MEMORY=0)
  endforeach()
  if(NOT SHEAF_SANITIZE)
    set(pause_openmpi "")
    set(pause_mpich pause)
    foreach(ranks IN ITEMS 1 2)
      set(name dmcs.beside.hosts.${mpi}.2x${ranks})
      sheaf_add_test(${name} LABELS dmcs mpi hosts PROCESSORS 2 ENV RANKS_PER_HOST=${ranks}
        COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:${target}>
          ${pause_${mpi}})
      set_tests_properties(${name} PROPERTIES RESOURCE_LOCK sheaf_hosts)
    endforeach()
  endif()
endforeach()

# Every call, as the header says.
sheaf_add_test(dmcs.contract.alone.n1 COMMAND test_dmcs_contract LABELS dmcs)
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  foreach(ranks IN ITEMS 2 3)
    sheaf_add_mpi_test(dmcs.contract.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND test_dmcs_contract LABELS dmcs)
  endforeach()
  sheaf_add_mpi_test(dmcs.contract.${mpi}.apart.n2 ${mpi} 2 COMMAND test_dmcs_contract hosts LABELS dmcs
    ENV SHEAF_HOST_MEMORY=0)
  if(NOT SHEAF_SANITIZE)
    sheaf_add_test(dmcs.contract.hosts.${mpi} LABELS dmcs mpi hosts PROCESSORS 2 ENV RANKS_PER_HOST=2
      COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:test_dmcs_contract> hosts)
    set_tests_properties(dmcs.contract.hosts.${mpi} PROPERTIES RESOURCE_LOCK sheaf_hosts)
  endif()
endforeach()

sheaf_add_mpi_test(dmcs.guide.openmpi.n3 openmpi 3 COMMAND test_dmcs_guide LABELS dmcs)
if(TEST dmcs.guide.openmpi.n3)
  set_tests_properties(dmcs.guide.openmpi.n3 PROPERTIES PASS_REGULAR_EXPRESSION "process [012] has 3"
    FAIL_REGULAR_EXPRESSION "process [012] has ([^3]|3[0-9])")
endif()

# The launcher leaves the others alone, so that they have to notice themselves.
foreach(case IN ITEMS one.poll one.sync threads.poll threads.barrier threads.sync pool.fence)
  string(REPLACE "." ";" words ${case})
  sheaf_add_mpi_test(dmcs.lost.${case}.mpich.n3 mpich 3 LAUNCH -disable-auto-cleanup COMMAND test_dmcs_lost ${words}
    LABELS dmcs)
  if(TEST dmcs.lost.${case}.mpich.n3)
    set_tests_properties(dmcs.lost.${case}.mpich.n3 PROPERTIES TIMEOUT 30
      PASS_REGULAR_EXPRESSION "location 2 .*ended before the job")
  endif()
endforeach()

set(texts
  early "dmcs_poll: called before dmcs_init or after dmcs_shutdown. call it between them"
  late "dmcs_my_proc: called before dmcs_init or after dmcs_shutdown"
  twice "dmcs_init: DMCS runs already. call dmcs_init or dmcs_init_threads once"
  target "dmcs_async_rsr0: there is no process 7. they are 0 to 0"
  negative "dmcs_sync_get: there is no process -1. they are 0 to 0"
  unregistered "dmcs_async_rsr1: the function at 0x[0-9a-f]+ is no registered handler of this kind. call dmcs_register1"
  kind "function at 0x[0-9a-f]+ is no registered handler of this kind .dmcs_register0 has had it.. call dmcs_register1"
  nobody "dmcs_async_rsr1: the handler is a null pointer. pass a function"
  piece "dmcs_sync_put_gather: -5 bytes of piece 1 .from 0.. pass 0 or more"
  forgotten "dmcs_wait: the request says that 12345 calls with it are open, and 0 of this process are"
  end "dmcs_shutdown: called by another thread than the one that called dmcs_init_threads"
  null "dmcs_sync_put: a null pointer for 8 bytes at the target. pass the address of memory"
  poll "dmcs_poll was called in a handler. return from it"
  size "dmcs_async_put: -1 bytes. pass 0 or more"
  list "dmcs_sync_put_gather: a null pointer for a list of 3 pieces. pass the address of it"
  pieces "dmcs_sync_put_gather: 4611686018427387904 pieces. pass at most"
  sum "dmcs_sync_get_scatter: 140737488355329 bytes in a transfer, which has at most 140737488355328"
  request "dmcs_wait: a null pointer. pass the address of the request"
  function "dmcs_register1: a null pointer. pass a function"
  memory "there is none"
  free "a message of process 0: dmcs_free of memory at 0x[0-9a-f]+ of process 0 that is not in use"
  exit "exit: the program ends before dmcs_shutdown. call that first"
  thread "called by another thread than dmcs_init. start with dmcs_init_threads"
  flush "4000 flushes take less than 4 MiB"
  none "all is well")
if(NOT SHEAF_SANITIZE)  # a child that exits has the job's memory, which LeakSanitizer does not find from stacks
  list(APPEND texts fork "the child's status is 0")
endif()
sheaf_add_test(dmcs.error.progress COMMAND test_dmcs_errors LABELS dmcs ENV SHEAF_PROGRESS=helper)
set_tests_properties(dmcs.error.progress PROPERTIES
  PASS_REGULAR_EXPRESSION "dmcs_init: SHEAF_PROGRESS=helper: messages of DMCS take effect in dmcs_poll alone")
sheaf_add_mpi_test(dmcs.error.calls.openmpi.n2 openmpi 2 COMMAND test_dmcs_errors calls LABELS dmcs)
if(TEST dmcs.error.calls.openmpi.n2)
  set_tests_properties(dmcs.error.calls.openmpi.n2 PROPERTIES PASS_REGULAR_EXPRESSION
    "(barrier, called at dmcs_barrier. location 1 fence, called at|fence, called at dmcs_fence. location 0 barrier, called)")
endif()
sheaf_add_mpi_test(dmcs.error.shutdown.mpich.n3 mpich 3 COMMAND test_dmcs_errors shutdown LABELS dmcs)
if(TEST dmcs.error.shutdown.mpich.n3)
  set_tests_properties(dmcs.error.shutdown.mpich.n3 PROPERTIES PASS_REGULAR_EXPRESSION
    "2 of 3 processes have called dmcs_shutdown, and the others dmcs_fence")
endif()
while(texts)
  list(POP_FRONT texts name text)
  sheaf_add_test(dmcs.error.${name} COMMAND test_dmcs_errors ${name} LABELS dmcs)
  set_tests_properties(dmcs.error.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${text}")
endwhile()
