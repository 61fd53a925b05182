# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# sheaf_fuzz_tests(): each tests/fuzz/STEM_fuzz.cpp is a libFuzzer program, run for SHEAF_FUZZ_SECONDS as fuzz.STEM. It
# is linked with a second build of the library that is instrumented for coverage, addresses and undefined behaviour.
# Inputs to start from lie in tests/fuzz/corpus/STEM/.
function(sheaf_fuzz_tests)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp")
  if(NOT SHEAF_FUZZ OR NOT sources)
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SHEAF_FUZZ=ON needs Clang, but the compiler is ${CMAKE_CXX_COMPILER_ID}: use the preset clang")
  endif()

  set(sanitize -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all)
  get_property(library_sources GLOBAL PROPERTY SHEAF_LAYER_SOURCES)
  get_property(libraries GLOBAL PROPERTY SHEAF_LAYER_LIBRARIES)
  add_library(sheaf_fuzzed STATIC EXCLUDE_FROM_ALL ${library_sources})
  target_include_directories(sheaf_fuzzed PUBLIC "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_compile_options(sheaf_fuzzed PRIVATE ${sanitize} -fsanitize=fuzzer-no-link,address,undefined)
  target_link_libraries(sheaf_fuzzed PUBLIC Threads::Threads ${libraries})
  sheaf_define_facts()

  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    string(REGEX REPLACE "_fuzz$" "" stem "${stem}")
    add_executable(fuzz_${stem} "${source}")
    target_compile_options(fuzz_${stem} PRIVATE ${sanitize} -fsanitize=fuzzer,address,undefined)
    target_link_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer,address,undefined)
    target_link_libraries(fuzz_${stem} PRIVATE sheaf_fuzzed)

    set(found "${CMAKE_BINARY_DIR}/fuzz/${stem}")
    set(seeds "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${stem}")
    file(MAKE_DIRECTORY "${found}")
    if(NOT IS_DIRECTORY "${seeds}")
      set(seeds "")
    endif()
    math(EXPR timeout "${SHEAF_FUZZ_SECONDS} + 120")
    sheaf_add_test(fuzz.${stem} LABELS fuzz TIMEOUT ${timeout} COMMAND fuzz_${stem}
      -max_total_time=${SHEAF_FUZZ_SECONDS} -artifact_prefix=${found}/failed- -print_final_stats=1 ${found} ${seeds})
  endforeach()
endfunction()
