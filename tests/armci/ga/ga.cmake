# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Debian's Global Arrays over our ARMCI: programs in C and Fortran that check what they get. A case is
# armci.ga.PROGRAM.LIBRARY.nN.
include(CheckLanguage)
check_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER)
  message(STATUS "tests: Global Arrays are left out, gfortran is missing")
  return()
endif()
enable_language(Fortran)
find_library(SHEAF_GA_LAPACK lapack)
find_library(SHEAF_GA_BLAS blas)

foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  find_library(SHEAF_GA_${mpi} ga-${mpi})
  find_library(SHEAF_GA_SCALAPACK_${mpi} scalapack-${mpi})
  find_program(SHEAF_GA_FORTRAN_${mpi} mpif90.${mpi})
  if(NOT SHEAF_GA_${mpi} OR NOT SHEAF_GA_SCALAPACK_${mpi} OR NOT SHEAF_GA_LAPACK OR NOT SHEAF_GA_BLAS OR
     NOT SHEAF_GA_FORTRAN_${mpi})
    message(STATUS "tests: Global Arrays over ${mpi} are left out, libglobalarrays-dev is missing")
    continue()
  endif()
  execute_process(COMMAND ${SHEAF_GA_FORTRAN_${mpi}} -show OUTPUT_VARIABLE line OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX MATCHALL "-I[^ ]+" folders "${line}")
  string(REGEX MATCHALL "(^| )-[lL][^ ]+" libraries "${line}")
  list(TRANSFORM folders REPLACE "^-I" "")
  list(TRANSFORM libraries STRIP)
  foreach(program IN ITEMS patches layout blocks ghosts groups elements products linear arrays fortran)
    set(target test_ga_${program}_${mpi})
    set(source "${CMAKE_CURRENT_LIST_DIR}/${program}.c")
    if(program STREQUAL fortran)
      set(source "${CMAKE_CURRENT_LIST_DIR}/${program}.F90")
    endif()
    add_executable(${target} ${source})
    set_target_properties(${target} PROPERTIES C_STANDARD 17 LINKER_LANGUAGE Fortran)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:Fortran>:-fdefault-integer-8>)  # as Debian's is
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_LIST_DIR}" ${folders})
    target_link_libraries(${target} PRIVATE ${SHEAF_GA_${mpi}} sheaf_armci_${mpi} ${SHEAF_GA_SCALAPACK_${mpi}}
      ${SHEAF_GA_LAPACK} ${SHEAF_GA_BLAS} PkgConfig::SHEAF_MPI_${mpi} ${libraries} m)
    foreach(ranks IN ITEMS 1 2 3 4 7)
      sheaf_add_mpi_test(armci.ga.${program}.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND ${target} LABELS armci)
      if(TEST armci.ga.${program}.${mpi}.n${ranks})
        set_tests_properties(armci.ga.${program}.${mpi}.n${ranks} PROPERTIES PASS_REGULAR_EXPRESSION
          "all checks passed with ${ranks} processes")
      endif()
    endforeach()
  endforeach()
endforeach()
