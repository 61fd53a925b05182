# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# Flags and folders that hold for every target of this tree. Inside another project they hold for Sheaf's targets alone:
# these are variables of this directory, not of the cache.

if(NOT DEFINED BUILD_SHARED_LIBS)
  set(BUILD_SHARED_LIBS ON)
endif()
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1 -DNDEBUG")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

  find_program(SHEAF_CCACHE ccache)
  if(SHEAF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${SHEAF_CCACHE}")
  endif()
endif()

# Calls inside libsheaf may be inlined although it is a shared library.
add_compile_options(-fno-semantic-interposition)
add_link_options(-Wl,-Bsymbolic-functions)

if(NOT SHEAF_INSIGHT)
  add_compile_definitions(SHEAF_NO_INSIGHT)
endif()

if(SHEAF_SANITIZE)
  add_compile_options(-fsanitize=${SHEAF_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SHEAF_SANITIZE})
  if(SHEAF_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      add_compile_options(-fno-sanitize=function)  # clang 14 fails on coroutines otherwise
      add_link_options(-fsanitize-link-c++-runtime)  # programs in C need these two for the libraries that they call
      link_libraries(stdc++)
    endif()
  endif()
endif()
