# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# sheaf_compile_fail_tests(): every tests/compile_fail/STEM.cpp must not compile, and the compiler's message must contain
# the text that its `// expect:` lines give.
function(sheaf_compile_fail_tests)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/compile_fail/*.cpp")
  set(command ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tools/dev/compile_fail.py" --compiler ${CMAKE_CXX_COMPILER}
    --include "${PROJECT_SOURCE_DIR}/include")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    sheaf_add_test(compile_fail.${stem} COMMAND ${command} ${source} LABELS compile_fail)
  endforeach()
  sheaf_add_test(compile_fail.can_fail COMMAND ${command} --self-test LABELS compile_fail)
endfunction()
