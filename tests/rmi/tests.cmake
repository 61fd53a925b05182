# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# A library of its own, for method pointers into another module than the program.

add_library(sheaf_test_methods SHARED "${PROJECT_SOURCE_DIR}/tests/rmi/library/counter.cpp")
target_include_directories(sheaf_test_methods PRIVATE "${PROJECT_SOURCE_DIR}/tests")
sheaf_warnings(sheaf_test_methods)
target_link_libraries(test_rmi PRIVATE sheaf_test_methods)
