# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Distributed arrays from C: adlib.PROGRAM.LIBRARY.nN, alone, on hosts, and in a program that owns MPI.
if(NOT SHEAF_BUILD_ADLIB)
  return()
endif()
enable_language(C)

# sheaf_adlib_program(NAME LIBRARY…): test_adlib_NAME of NAME.c; an MPI library behind the name is no part of the file's.
function(sheaf_adlib_program name)
  string(REGEX REPLACE "_(openmpi|mpich)$" "" source ${name})
  add_executable(test_adlib_${name} "${PROJECT_SOURCE_DIR}/tests/adlib/${source}.c")
  set_target_properties(test_adlib_${name} PROPERTIES C_STANDARD 17)
  target_compile_options(test_adlib_${name} PRIVATE -Wall -Wextra -Wpedantic -Wshadow)
  target_link_libraries(test_adlib_${name} PRIVATE ${ARGN})
endfunction()

sheaf_adlib_program(arrays sheaf_adlib)
sheaf_adlib_program(errors sheaf_adlib)
sheaf_adlib_program(guide sheaf_adlib)
sheaf_add_test(adlib.arrays.alone.n1 COMMAND test_adlib_arrays LABELS adlib)
sheaf_add_test(adlib.guide.alone.n1 COMMAND test_adlib_guide LABELS adlib)
set_tests_properties(adlib.guide.alone.n1 PROPERTIES PASS_REGULAR_EXPRESSION "^45 43 41\n55 53 51\n$")
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  foreach(ranks IN ITEMS 1 2 3 4 7)
    sheaf_add_mpi_test(adlib.arrays.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND test_adlib_arrays LABELS adlib)
  endforeach()
  if(NOT SHEAF_SANITIZE)
    sheaf_adlib_program(beside_mpi_${mpi} sheaf_adlib PkgConfig::SHEAF_MPI_${mpi})
    foreach(ranks IN ITEMS 1 3 4)
      sheaf_add_mpi_test(adlib.beside_mpi.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND test_adlib_beside_mpi_${mpi}
        LABELS adlib)
    endforeach()
    sheaf_add_test(adlib.arrays.hosts.${mpi} LABELS adlib mpi hosts PROCESSORS 2 ENV RANKS_PER_HOST=2
      COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:test_adlib_arrays>)
    set_tests_properties(adlib.arrays.hosts.${mpi} PROPERTIES RESOURCE_LOCK sheaf_hosts)
  endif()
endforeach()

# Sections against NumPy's. Debian's is for Debian's Python, which is not always the first one on the path.
find_program(SHEAF_NUMPY_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(SHEAF_NUMPY_PYTHON AND NOT SHEAF_SANITIZE)
  add_executable(sheaf_numpy_python IMPORTED)
  set_target_properties(sheaf_numpy_python PROPERTIES IMPORTED_LOCATION "${SHEAF_NUMPY_PYTHON}")
  set(numpy_sections "${CMAKE_CURRENT_LIST_DIR}/numpy_sections.py" $<TARGET_FILE:sheaf_adlib>)
  sheaf_add_test(adlib.numpy.alone.n1 COMMAND sheaf_numpy_python ${numpy_sections} LABELS adlib)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_mpi_test(adlib.numpy.${mpi}.n3 ${mpi} 3 COMMAND sheaf_numpy_python ${numpy_sections} LABELS adlib)
  endforeach()
endif()

# Processes that call different functions, or one with different arrays. No path of the library's own source is in the text.
set(apart_calls "")
set(apart_arrays " of other arrays, sections or types")
foreach(case IN ITEMS calls arrays)
  sheaf_add_mpi_test(adlib.error.${case}.openmpi.n2 openmpi 2 COMMAND test_adlib_errors ${case} LABELS adlib)
  if(TEST adlib.error.${case}.openmpi.n2)
    set_tests_properties(adlib.error.${case}.openmpi.n2 PROPERTIES
      PASS_REGULAR_EXPRESSION "operations: location [01] [a-z_: ]+. location [01] [a-z_: ]+${apart_${case}}. all members")
  endif()
endforeach()
sheaf_add_mpi_test(adlib.error.fork.apart.openmpi.n2 openmpi 2 COMMAND test_adlib_errors fork LABELS adlib
  ENV SHEAF_HOST_MEMORY=0)
if(TEST adlib.error.fork.apart.openmpi.n2)
  set_tests_properties(adlib.error.fork.apart.openmpi.n2 PROPERTIES PASS_REGULAR_EXPRESSION "the child's status is 0")
endif()

# The archive, and the header as C++.
add_executable(test_adlib_archive "${CMAKE_CURRENT_LIST_DIR}/archive.cpp")
target_link_libraries(test_adlib_archive PRIVATE sheaf_adlib_static)
sheaf_add_test(adlib.archive COMMAND test_adlib_archive LABELS adlib)

# What the texts of errors must say.
set(texts
  early "Adlib Error: adlib_barrier: called before adlib_init or after adlib_finalize. call it between them"
  dimensions "Adlib Error: adlib_create: 16 dimensions. pass 1 to 15"
  kind "adlib_create: a distribution of kind 7. pass ADLIB_COLLAPSED, ADLIB_BLOCK or ADLIB_CYCLIC"
  grid "adlib_create: -1 coordinates. pass 0 or more"
  bytes "adlib_create: elements of 0 bytes. pass 1 or more"
  slice "adlib_get: get: a section's slice of dimension 0 has 7 indices from 4 by 1. its indices are 0 to 9"
  extent "adlib_create: a distributed array has the extents 4 x -3, more elements than there are addresses"
  alike "adlib_gather: .*the target has 10 elements, and the subscript of dimension 0 6. give sections of one shape"
  unsigned "adlib_gather: .*the subscript of dimension 0 is 18446744073709551615. the source has indices 0 to 9"
  shape "adlib_remap: .* the target has 10 elements, and the source 5. give sections of one shape"
  element "adlib_remap: .* the target's elements have 8 bytes, and the source's 4"
  subscript "adlib_gather: .*for element .3. .*the subscript of dimension 0 is 10. the source has indices 0 to 9"
  integers "adlib_gather: .* a subscript has elements of 3 bytes. give integers of 1, 2, 4 or 8"
  array "adlib_own: an array is NULL. pass what adlib_create gives"
  number "adlib_indices: .* element 10 of the part of rank 0, which has 10"
  destroyed "adlib_destroy: an array is destroyed, or none. pass what adlib_create gives"
  indices "adlib_owner: indices are NULL. pass an array of 1"
  room "adlib_indices: indices are NULL. pass an array of 1"
  subscripts "adlib_gather: subscripts are NULL. pass an array of 1"
  source "adlib_put: the local memory is NULL. pass the address of 10 elements"
  memory "adlib_get: the local memory is NULL. pass the address of 2 elements"
  communicator "adlib_init_mpi: the communicator is NULL. pass a pointer to an MPI_Comm"
  forgotten "all is well")
while(texts)
  list(POP_FRONT texts name text)
  sheaf_add_test(adlib.error.${name} COMMAND test_adlib_errors ${name} LABELS adlib)
  set_tests_properties(adlib.error.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${text}")
endwhile()
