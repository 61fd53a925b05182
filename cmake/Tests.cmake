# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# How tests are declared. tests/CMakeLists.txt says which there are.
include(GoogleTest)
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# Thousands of cases are seconds of work, but each in a process of its own they are minutes of starting programs that are
# instrumented: the presets of sanitizers set these.
set(SHEAF_TEST_SHARDS 0 CACHE STRING "Processes for the cases of one test program; 0: one for each case")
set(SHEAF_TEST_OPTIONS "" CACHE STRING "What test programs are compiled with in addition")
include(TestSubsets)

# Open MPI starts as root, and more ranks than cores share them; a forgotten rank ends with its test.
set(SHEAF_TEST_ENVIRONMENT
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
  OMPI_MCA_rmaps_base_oversubscribe=1 ${SHEAF_TEST_SUBSET_ENVIRONMENT})

# sheaf_add_test(NAME COMMAND PROGRAM [ARGUMENT...] [LABELS ...] [ENV A=B...] [PROCESSORS N] [TIMEOUT SECONDS])
function(sheaf_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSORS;TIMEOUT" "COMMAND;LABELS;ENV")
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  if(NOT arg_TIMEOUT AND (SHEAF_SANITIZE OR SHEAF_TEST_SHARDS))
    set(arg_TIMEOUT 400)
  elseif(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES
    PROCESSORS ${arg_PROCESSORS} TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77
    ENVIRONMENT "${SHEAF_TEST_ENVIRONMENT};SHEAF_TEST_LIMIT=${arg_TIMEOUT};${arg_ENV}")
endfunction()

# sheaf_add_mpi_test(NAME LIBRARY RANKS COMMAND TARGET [ARGUMENT...] [LAUNCH LAUNCHER_ARGUMENT...] [as sheaf_add_test])
# Runs TARGET on RANKS processes under LIBRARY (openmpi, mpich). Does nothing where that library is not there. The test
# fails where the processes of a host were refused the memory that they are to share.
function(sheaf_add_mpi_test name mpi ranks)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "TIMEOUT" "COMMAND;LAUNCH;LABELS;ENV")
  if(NOT mpi IN_LIST SHEAF_MPI_NAMES OR SHEAF_MPI_LAUNCH_${mpi} MATCHES "NOTFOUND")
    return()
  endif()
  list(POP_FRONT arg_COMMAND target)
  sheaf_add_test(${name} LABELS mpi ${mpi} ${arg_LABELS} ENV ${arg_ENV} PROCESSORS ${ranks} TIMEOUT "${arg_TIMEOUT}"
    COMMAND ${SHEAF_MPI_LAUNCH_${mpi}} -n ${ranks} ${arg_LAUNCH} $<TARGET_FILE:${target}> ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "share no memory")
endfunction()

# sheaf_mostly_waits(TEST...): other tests may run beside these, which mostly wait for a limit of seconds to pass. Passes
# over a name that is no test.
function(sheaf_mostly_waits)
  foreach(name IN LISTS ARGN)
    if(TEST ${name})
      set_tests_properties(${name} PROPERTIES PROCESSORS 1)
    endif()
  endforeach()
endfunction()

# sheaf_test_program(FOLDER): test_FOLDER from tests/FOLDER/*.cpp, with GoogleTest's main unless there is a main.cpp.
# Sets SHEAF_HAS_TESTS in the caller: whether the folder has tests yet.
function(sheaf_test_program folder)
  set(directory "${PROJECT_SOURCE_DIR}/tests/${folder}")
  file(GLOB sources CONFIGURE_DEPENDS "${directory}/*_test.cpp")
  foreach(pattern IN LISTS SHEAF_TEST_LEAVE_OUT)
    list(FILTER sources EXCLUDE REGEX "/tests/${pattern}\\.cpp$")
  endforeach()
  set(SHEAF_HAS_TESTS FALSE PARENT_SCOPE)
  if(NOT sources)
    return()
  endif()
  file(GLOB others CONFIGURE_DEPENDS "${directory}/*.cpp")
  list(FILTER others EXCLUDE REGEX "_test\\.cpp$")
  set(gtest GTest::gtest_main)
  if(EXISTS "${directory}/main.cpp")
    set(gtest GTest::gtest)
  endif()

  set(target test_${folder})
  add_executable(${target} ${sources} ${others})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  # Some run longer than they compile, or count what optimised code costs; the suite over MPI is of optimised programs.
  if(NOT folder MATCHES "^(simulation|cost|conformance)$" OR (SHEAF_SANITIZE AND folder STREQUAL "conformance"))
    target_compile_options(${target} PRIVATE ${SHEAF_TEST_OPTIONS})
  endif()
  target_link_libraries(${target} PRIVATE sheaf::sheaf ${gtest})
  if(TARGET sheaf_test_harness)
    target_link_libraries(${target} PRIVATE sheaf_test_harness)
  endif()
  if(TARGET sheaf_tool)
    target_compile_definitions(${target} PRIVATE "SHEAF_TOOL_PATH=\"$<TARGET_FILE:sheaf_tool>\"")
    add_dependencies(${target} sheaf_tool)
  endif()
  sheaf_warnings(${target})
  set(SHEAF_HAS_TESTS TRUE PARENT_SCOPE)
endfunction()

# sheaf_test_shards(FOLDER): the cases of test_FOLDER in SHEAF_TEST_SHARDS processes, as FOLDER.shardK.
function(sheaf_test_shards folder)
  math(EXPR last "${SHEAF_TEST_SHARDS} - 1")
  foreach(shard RANGE ${last})
    sheaf_add_test(${folder}.shard${shard} COMMAND test_${folder} --gtest_brief=1 LABELS ${folder} TIMEOUT 600
      ENV GTEST_TOTAL_SHARDS=${SHEAF_TEST_SHARDS} GTEST_SHARD_INDEX=${shard}
      GTEST_FILTER=${SHEAF_TEST_FILTER}${SHEAF_TEST_FILTER_${folder}})
  endforeach()
endfunction()

# sheaf_test_folder(FOLDER): every test of tests/FOLDER, under CTest as FOLDER.Suite.Case, or in shards. A folder may
# add tests that need a launcher or arguments of their own in tests/FOLDER/tests.cmake. Nothing for a folder that
# SHEAF_TEST_LEAVE_OUT names.
function(sheaf_test_folder folder)
  if(folder IN_LIST SHEAF_TEST_LEAVE_OUT)
    return()
  endif()
  sheaf_test_program(${folder})
  if(NOT SHEAF_HAS_TESTS)
    return()
  endif()
  if(SHEAF_TEST_SHARDS GREATER 0)
    sheaf_test_shards(${folder})
  else()
    gtest_discover_tests(test_${folder} TEST_PREFIX "${folder}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 120 LABELS "${folder}")
  endif()
  include("${PROJECT_SOURCE_DIR}/tests/${folder}/tests.cmake" OPTIONAL)
endfunction()

# sheaf_test_harness(): the library sheaf_test_harness from tests/harness/*.cpp, linked into every test program.
function(sheaf_test_harness)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/harness/*.cpp")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  if(sources)
    add_library(sheaf_test_harness STATIC ${sources})
    target_include_directories(sheaf_test_harness
      PUBLIC "${PROJECT_SOURCE_DIR}/tests" PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(sheaf_test_harness PUBLIC sheaf::sheaf GTest::gtest)
    sheaf_warnings(sheaf_test_harness)
  endif()
endfunction()

# sheaf_is_left_out(NAME RESULT): whether SHEAF_TEST_LEAVE_OUT names the test.
function(sheaf_is_left_out name result)
  set(${result} FALSE PARENT_SCOPE)
  foreach(pattern IN LISTS SHEAF_TEST_LEAVE_OUT)
    if(name MATCHES "^${pattern}$")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# sheaf_conformance(TRANSPORT RANKS N... [MPI LIBRARY...] [VARIANT WORD] [LAUNCH ARGUMENT...] [ENV A=B...])
# Runs test_conformance over TRANSPORT with each number of locations, as conformance.TRANSPORT[.LIBRARY][.VARIANT].nN.
function(sheaf_conformance transport)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "VARIANT" "RANKS;MPI;LAUNCH;ENV")
  if(NOT TARGET test_conformance)
    return()
  endif()
  set(suffix "")
  if(arg_VARIANT)
    set(suffix ".${arg_VARIANT}")
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    set(name conformance.${transport}${suffix}.n${ranks})
    sheaf_is_left_out(${name} left_out)
    set(processors ${ranks})
    if(transport STREQUAL "sim")  # which plays all locations in one thread
      set(processors 1)
    endif()
    if(NOT transport STREQUAL "mpi" AND NOT left_out)
      sheaf_add_test(${name} COMMAND test_conformance PROCESSORS ${processors}
        LABELS conformance ${transport} ENV SHEAF_TRANSPORT=${transport} SHEAF_LOCATIONS=${ranks} ${arg_ENV})
    endif()
    foreach(mpi IN LISTS arg_MPI)
      sheaf_add_mpi_test(conformance.mpi.${mpi}${suffix}.n${ranks} ${mpi} ${ranks} COMMAND test_conformance
        LAUNCH ${arg_LAUNCH} LABELS conformance ENV SHEAF_TRANSPORT=mpi ${arg_ENV})
    endforeach()
  endforeach()
endfunction()

# sheaf_hybrid_shape(SHAPE PROCESSES THREADS LOCATIONS): what PxT means.
function(sheaf_hybrid_shape shape processes threads locations)
  string(REGEX MATCH "^([0-9]+)x([0-9]+)$" matched ${shape})
  math(EXPR product "${CMAKE_MATCH_1} * ${CMAKE_MATCH_2}")
  set(${processes} ${CMAKE_MATCH_1} PARENT_SCOPE)
  set(${threads} ${CMAKE_MATCH_2} PARENT_SCOPE)
  set(${locations} ${product} PARENT_SCOPE)
endfunction()

# sheaf_add_hybrid_test(NAME LIBRARY SHAPE as sheaf_add_mpi_test): PROCESSES x THREADS locations.
function(sheaf_add_hybrid_test name mpi shape)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "TIMEOUT" "COMMAND;LAUNCH;LABELS;ENV")
  sheaf_hybrid_shape(${shape} processes threads locations)
  if(mpi STREQUAL "openmpi")
    list(APPEND arg_LAUNCH --bind-to none)
  endif()
  sheaf_add_mpi_test(${name} ${mpi} ${processes} COMMAND ${arg_COMMAND} LAUNCH ${arg_LAUNCH} LABELS hybrid ${arg_LABELS}
    ENV SHEAF_THREADS=${threads} ${arg_ENV} TIMEOUT "${arg_TIMEOUT}")
  if(TEST ${name})
    set_tests_properties(${name} PROPERTIES PROCESSORS ${locations})
  endif()
endfunction()

# sheaf_conformance_hybrid(SHAPES PxT... [VARIANT WORD] [ENV A=B...]): the conformance suite on P processes of T threads,
# over every MPI library, as conformance.hybrid.LIBRARY[.VARIANT].PxT.
function(sheaf_conformance_hybrid)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "VARIANT" "SHAPES;ENV")
  if(NOT TARGET test_conformance)
    return()
  endif()
  set(suffix "")
  if(arg_VARIANT)
    set(suffix ".${arg_VARIANT}")
  endif()
  foreach(shape IN LISTS arg_SHAPES)
    foreach(mpi IN LISTS SHEAF_MPI_NAMES)
      sheaf_add_hybrid_test(conformance.hybrid.${mpi}${suffix}.${shape} ${mpi} ${shape} COMMAND test_conformance
        LABELS conformance ENV ${arg_ENV})
    endforeach()
  endforeach()
endfunction()

# sheaf_style(NAME SCRIPT [ARGUMENT...]): the check tools/dev/SCRIPT on this tree, and the proof that it can fail.
function(sheaf_style name script)
  set(command ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tools/dev/${script}")
  sheaf_add_test(style.${name} COMMAND ${command} ${ARGN} LABELS style TIMEOUT 600)
  sheaf_add_test(style.${name}.can_fail COMMAND ${command} --self-test ${ARGN} LABELS style)
endfunction()

include(CompileFail)
include(Fuzz)

# The C++ snippets of the README and the guides, compiled against this build and run: docs.snippets.
set(snippets_flags "")
if(SHEAF_SANITIZE)
  set(snippets_flags "-fsanitize=${SHEAF_SANITIZE}")
endif()
set(snippets_mpi "")
if(TARGET sheaf_tool AND SHEAF_MPI_NAMES)
  list(GET SHEAF_MPI_NAMES 0 snippets_mpi)
endif()
set(snippets_command ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tools/dev/snippets.py" --build "${CMAKE_BINARY_DIR}"
  --compiler ${CMAKE_CXX_COMPILER} "--flags=${snippets_flags}" "--mpi=${snippets_mpi}")
sheaf_add_test(docs.snippets COMMAND ${snippets_command} LABELS docs PROCESSORS 2 TIMEOUT 600)
sheaf_add_test(docs.snippets.can_fail COMMAND ${snippets_command} --self-test LABELS docs)
