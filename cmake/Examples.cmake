# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Each examples/STEM.cpp is the program example_STEM, tested on threads, in the simulator and under each MPI library.
# examples/vs_mpi/mpi_STEM.cpp is plain MPI, built with the first MPI library found; other files there use Sheaf.

function(sheaf_example_tests stem target)
  sheaf_add_test(example.${stem}.thread COMMAND ${target} LABELS example PROCESSORS 4
    ENV SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=4)
  sheaf_add_test(example.${stem}.sim COMMAND ${target} LABELS example
    ENV SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=4 SHEAF_SEED=1)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_mpi_test(example.${stem}.${mpi}.n3 ${mpi} 3 COMMAND ${target} LABELS example)
  endforeach()
endfunction()

function(sheaf_examples pattern)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/${pattern}")
  list(FILTER sources EXCLUDE REGEX "/mpi_[^/]*$")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    add_executable(example_${stem} "${source}")
    target_link_libraries(example_${stem} PRIVATE sheaf::sheaf)
    sheaf_warnings(example_${stem})
    if(SHEAF_BUILD_TESTS)
      sheaf_example_tests(${stem} example_${stem})
    endif()
  endforeach()
endfunction()

function(sheaf_plain_mpi_examples)
  list(GET SHEAF_MPI_NAMES 0 mpi)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/vs_mpi/mpi_*.cpp")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    add_executable(example_${stem} "${source}")
    target_compile_definitions(example_${stem} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_link_libraries(example_${stem} PRIVATE PkgConfig::SHEAF_MPI_${mpi})
    sheaf_warnings(example_${stem})
    if(SHEAF_BUILD_TESTS)
      sheaf_add_mpi_test(example.${stem}.${mpi}.n3 ${mpi} 3 COMMAND example_${stem} LABELS example)
    endif()
  endforeach()
endfunction()

sheaf_examples(*.cpp)
sheaf_examples(vs_mpi/*.cpp)
if(SHEAF_MPI_NAMES)
  sheaf_plain_mpi_examples()
endif()
