# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# ARMCI's C interface: programs in C, over each MPI library. A case is armci.CASE.LIBRARY.nN.
# Programs in C and Fortran are not linked with a sanitizer's library, which the library would need.
if(NOT SHEAF_BUILD_ARMCI OR SHEAF_SANITIZE)
  return()
endif()
enable_language(C)
file(GLOB armci_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.c")
find_file(SHEAF_DEBIAN_ARMCI armcix.h PATHS /usr/include NO_DEFAULT_PATH)

# sheaf_armci_program(TARGET MPI HEADERS LIBRARY): the test program, compiled with the headers in a folder.
function(sheaf_armci_program target mpi headers library)
  add_executable(${target} ${armci_sources})
  target_include_directories(${target} BEFORE PRIVATE "${headers}")
  target_compile_options(${target} PRIVATE -std=c11 -Wall -Wextra -Wshadow)
  target_link_libraries(${target} PRIVATE ${library} PkgConfig::SHEAF_MPI_${mpi})
endfunction()

# sheaf_armci_errors(MPI): what the texts of errors must say.
function(sheaf_armci_errors mpi)
  set(texts
    wrong_process "ARMCI Error: ARMCI_Put: there is no process 2. they are 0 to 1"
    negative_process "ARMCI Error: ARMCI_Get: there is no process -1. they are 0 to 1"
    negative_bytes "ARMCI_Put: -8 bytes. pass 0 or more"
    datatype "ARMCI_Acc: datatype 6 is none of ARMCI_ACC_INT .0. to ARMCI_ACC_DCP .5."
    partial_element "ARMCI_Acc: .*rows of 5 bytes .* are not whole elements of 8 bytes"
    levels "ARMCI_GetS: 32 stride levels. pass 0 to 31"
    negative_count "ARMCI_PutS: -2 places in a level. pass 0 or more"
    operation "ARMCI_Rmw: operation 4 is none of ARMCI_FETCH_AND_ADD .0. to ARMCI_SWAP_LONG .3."
    unaligned "ARMCI_Rmw: .*of an atomic operation on 4 bytes is not a multiple of that"
    no_mutexes "ARMCI_Lock: there are no mutexes. call ARMCI_Create_mutexes before"
    mutex_range "ARMCI_Lock: there is no mutex 2 at process ., which has created 2"
    locked_twice "ARMCI_Lock: .* is locked by this location already"
    unlocked_twice "ARMCI_Unlock: .* is not locked by this location"
    freed_twice "ARMCI_Free: 0x.* is not a pointer that ARMCI_Malloc or .* has given to this process"
    no_operation "armci_msg_igop: there is no operation 'average'. they are: absmax absmin max min"
    bits_of_floats "armci_msg_dgop: 'or' is an operation of integers"
    member "ARMCI_Group_create: member 0 of the list is 2. ranks of the parent group are 0 to 1"
    no_job "ARMCI_Put: called before ARMCI_Init or after ARMCI_Finalize"
    by_caller "ARMCI Error: the caller is not content .3."
    aborted "ARMCI Error: armci_msg_abort.5.")
  while(texts)
    list(POP_FRONT texts name text)
    set(test armci.error.${name}.${mpi})
    sheaf_add_mpi_test(${test} ${mpi} 2 COMMAND test_armci_${mpi} error:${name} LABELS armci)
    if(TEST ${test})
      set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "${text}" FAIL_REGULAR_EXPRESSION "")
    endif()
  endwhile()
endfunction()

set(armci_cases transfers strided vectors accumulates atomics mutexes memory groups messages reductions places completion)
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  sheaf_armci_program(test_armci_${mpi} ${mpi} "${SHEAF_ARMCI_INCLUDE}" sheaf_armci_${mpi})
  foreach(case IN LISTS armci_cases)
    foreach(ranks IN ITEMS 2 3 4)
      sheaf_add_mpi_test(armci.${case}.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND test_armci_${mpi} ${case} LABELS armci)
    endforeach()
  endforeach()
  sheaf_add_mpi_test(armci.all.${mpi}.n1 ${mpi} 1 COMMAND test_armci_${mpi} ${armci_cases} extras LABELS armci)
  sheaf_add_mpi_test(armci.most.${mpi}.n7 ${mpi} 7 LABELS armci
    COMMAND test_armci_${mpi} transfers vectors atomics mutexes groups messages places extras)
  sheaf_add_mpi_test(armci.extras.${mpi}.n3 ${mpi} 3 COMMAND test_armci_${mpi} --no-mpi layout extras LABELS armci)
  sheaf_add_mpi_test(armci.large.${mpi}.n2 ${mpi} 2 COMMAND test_armci_${mpi} large LABELS armci)
  foreach(memory IN ITEMS shared apart)
    set(env)
    if(memory STREQUAL apart)
      set(env ENV SHEAF_HOST_MEMORY=0)
    endif()
    sheaf_add_mpi_test(armci.threads.${memory}.${mpi}.n3 ${mpi} 3 COMMAND test_armci_${mpi} --threads threads LABELS armci
      ${env})
  endforeach()
  sheaf_armci_errors(${mpi})

  # On two hosts, where the machine permits to make such: one process each, and two.
  foreach(ranks IN ITEMS 1 2)
    set(name armci.hosts.${mpi}.2x${ranks})
    sheaf_add_test(${name} LABELS armci mpi hosts PROCESSORS 2 ENV RANKS_PER_HOST=${ranks}
      COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:test_armci_${mpi}>
        transfers vectors accumulates mutexes groups places completion extras)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK sheaf_hosts)
  endforeach()

  # Objects as a package of Debian has them: compiled with its headers, linked with the archive.
  if(SHEAF_DEBIAN_ARMCI)
    get_filename_component(headers "${SHEAF_DEBIAN_ARMCI}" DIRECTORY)
    sheaf_armci_program(test_armci_debian_${mpi} ${mpi} "${headers}" sheaf_armci_${mpi}_static)
    set_target_properties(test_armci_debian_${mpi} PROPERTIES LINKER_LANGUAGE CXX)
    sheaf_add_mpi_test(armci.objects_of_debian.${mpi}.n3 ${mpi} 3 COMMAND test_armci_debian_${mpi} layout ${armci_cases}
      LABELS armci)
  endif()

  sheaf_add_test(armci.symbols.${mpi} LABELS armci
    COMMAND ${Python3_EXECUTABLE} "${CMAKE_CURRENT_LIST_DIR}/symbols.py" --headers "${SHEAF_ARMCI_INCLUDE}"
      --names "${CMAKE_CURRENT_LIST_DIR}/names.txt" --shared $<TARGET_FILE:sheaf_armci_${mpi}>
      --archive $<TARGET_FILE:sheaf_armci_${mpi}_static> --mpi ${mpi})
endforeach()

include("${CMAKE_CURRENT_LIST_DIR}/ga/ga.cmake")
