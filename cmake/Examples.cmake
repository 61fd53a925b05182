# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Each examples/STEM.cpp is the program example_STEM, tested on threads, in the simulator and under each MPI library.
# examples/vs_mpi/mpi_STEM.cpp is plain MPI, built with the first MPI library found; other files there use Sheaf.
# An example that needs arguments has them in example_arguments_STEM.
set(example_arguments_word_index "${PROJECT_SOURCE_DIR}/LICENSE" copyright)
set(example_arguments_mpi_word_index ${example_arguments_word_index})

function(sheaf_example_tests stem target)
  set(command ${target} ${example_arguments_${stem}})
  sheaf_add_test(example.${stem}.thread COMMAND ${command} LABELS example PROCESSORS 4
    ENV SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=4)
  sheaf_add_test(example.${stem}.sim COMMAND ${command} LABELS example
    ENV SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=4 SHEAF_SEED=1)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_mpi_test(example.${stem}.${mpi}.n3 ${mpi} 3 COMMAND ${command} LABELS example)
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
      sheaf_add_mpi_test(example.${stem}.${mpi}.n3 ${mpi} 3 LABELS example
        COMMAND example_${stem} ${example_arguments_${stem}})
    endif()
  endforeach()
endfunction()

# The indexes of words, with Sheaf and in plain MPI, have what a serial one has.
function(sheaf_word_index_tests)
  set(check ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/harness/word_index.py"
    "${PROJECT_SOURCE_DIR}/docs/guide/errors.md")
  list(SUBLIST SHEAF_MPI_NAMES 0 1 plain_mpi)
  foreach(transport thread sim)
    sheaf_add_test(example.word_index.is_serial.${transport} LABELS example PROCESSORS 4
      COMMAND ${check} $<TARGET_FILE:example_word_index> ENV SHEAF_TRANSPORT=${transport} SHEAF_LOCATIONS=4)
  endforeach()
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    if(SHEAF_MPI_LAUNCH_${mpi} MATCHES "NOTFOUND")
      continue()
    endif()
    set(programs word_index)
    if(mpi STREQUAL "${plain_mpi}")
      list(APPEND programs mpi_word_index)
    endif()
    foreach(program IN LISTS programs)
      sheaf_add_test(example.${program}.is_serial.${mpi}.n3 LABELS example mpi ${mpi} PROCESSORS 3
        COMMAND ${check} ${SHEAF_MPI_LAUNCH_${mpi}} -n 3 $<TARGET_FILE:example_${program}>)
    endforeach()
  endforeach()
endfunction()

sheaf_examples(*.cpp)
sheaf_examples(vs_mpi/*.cpp)
if(SHEAF_MPI_NAMES)
  sheaf_plain_mpi_examples()
endif()
if(SHEAF_BUILD_TESTS)
  sheaf_word_index_tests()
endif()
