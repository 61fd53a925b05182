# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# sheaf_fuzz_tests(): each tests/fuzz/STEM_fuzz.cpp is a libFuzzer program, run for SHEAF_FUZZ_SECONDS as fuzz.STEM, with
# the sanitizers of the whole build. Inputs to start from lie in tests/fuzz/corpus/STEM/.
function(sheaf_fuzz_tests)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp")
  if(NOT SHEAF_FUZZ OR NOT sources)
    return()
  endif()

  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    string(REGEX REPLACE "_fuzz$" "" stem "${stem}")
    add_executable(fuzz_${stem} "${source}")
    target_include_directories(fuzz_${stem} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer)
    target_link_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(fuzz_${stem} PRIVATE sheaf::sheaf)

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
