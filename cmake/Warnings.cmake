# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# sheaf_warnings(TARGET...): our own code compiles without these. A project around Sheaf does not see them.
function(sheaf_warnings)
  if(NOT SHEAF_WARNINGS)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
    if(SHEAF_WARNINGS_AS_ERRORS)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
  endforeach()
endfunction()
