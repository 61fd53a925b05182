# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# What the compiler says of the loop over messages. Only GCC's report is read.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_test(NAME active.vectorized COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -O3 -march=x86-64-v3
    -I${PROJECT_SOURCE_DIR}/include -fopt-info-vec-optimized -c ${CMAKE_CURRENT_LIST_DIR}/vectorized.cpp -o /dev/null)
  set_tests_properties(active.vectorized PROPERTIES LABELS active TIMEOUT 120
    PASS_REGULAR_EXPRESSION "receiving.hpp:[0-9:]+ optimized: loop vectorized.*receiving.hpp:[0-9:]+ optimized: loop vectorized")
endif()
