# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The MPI wire modules. libsheaf never links MPI: it loads libsheaf_wire_NAME.so when NAME's launcher started the
# program, so one build serves every MPI library that was found.

set(SHEAF_MPI_NAMES "")

# sheaf_look_again(NAME...): a build configures itself again where a file of such a name has come to, or has gone from, a
# folder in which pkg-config or the shell looks. So it notices an MPI that is installed or removed after it was configured.
# The names are looked up with the globs of sources at the begin of each build, which takes a few milliseconds.
function(sheaf_look_again)
  execute_process(COMMAND "${PKG_CONFIG_EXECUTABLE}" --variable=pc_path pkg-config
    OUTPUT_VARIABLE of_the_system OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(folders "${of_the_system}:$ENV{PKG_CONFIG_LIBDIR}:$ENV{PKG_CONFIG_PATH}:$ENV{PATH}")
  string(REPLACE ":" ";" folders "${folders}")
  foreach(prefix IN LISTS CMAKE_PREFIX_PATH)
    list(APPEND folders "${prefix}/lib/pkgconfig" "${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "${prefix}/bin")
  endforeach()
  list(FILTER folders INCLUDE REGEX "^/")
  list(REMOVE_DUPLICATES folders)
  foreach(name IN LISTS ARGN)
    list(TRANSFORM folders APPEND "/${name}" OUTPUT_VARIABLE files)
    file(GLOB found CONFIGURE_DEPENDS ${files})
  endforeach()
endfunction()

# sheaf_mpi_wire(NAME PKG_CONFIG MODULE... LAUNCHER PROGRAM [ARGUMENT...] [DEFINITIONS ...])
# Appends NAME to SHEAF_MPI_NAMES when that MPI library is there: the first of the MODULEs that pkg-config knows. Tests
# start it by SHEAF_MPI_LAUNCH_NAME: the launcher and its arguments, or NOTFOUND.
function(sheaf_mpi_wire name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PKG_CONFIG;LAUNCHER;DEFINITIONS")
  if(NOT SHEAF_WITH_MPI)
    return()
  endif()
  list(POP_FRONT arg_LAUNCHER program)
  list(TRANSFORM arg_PKG_CONFIG APPEND .pc OUTPUT_VARIABLE files)
  sheaf_look_again(${files} ${program})
  get_cmake_property(cached CACHE_VARIABLES)  # what was found before may be gone, or elsewhere
  list(FILTER cached INCLUDE REGEX "^(__pkg_config_checked|pkgcfg_lib)_SHEAF_MPI_${name}")
  foreach(variable IN LISTS cached)
    unset(${variable} CACHE)
  endforeach()
  pkg_search_module(SHEAF_MPI_${name} QUIET IMPORTED_TARGET ${arg_PKG_CONFIG})
  if(NOT SHEAF_MPI_${name}_FOUND)
    return()
  endif()

  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/transport/net/mpi/*.cpp")
  set(target sheaf_wire_${name})
  add_library(${target} MODULE ${sources})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS} "SHEAF_WIRE_NAME=\"${name}\"")
  target_link_libraries(${target} PRIVATE PkgConfig::SHEAF_MPI_${name} Threads::Threads)
  if(BUILD_SHARED_LIBS)
    target_link_libraries(${target} PRIVATE sheaf)
  endif()
  sheaf_warnings(${target})
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/sheaf" INSTALL_RPATH "$ORIGIN/.."
    INSTALL_RPATH_USE_LINK_PATH ON)  # an MPI outside the system's folders

  find_program(SHEAF_MPI_LAUNCHER_${name} ${program} NO_CACHE)
  set(SHEAF_MPI_LAUNCH_${name} "${SHEAF_MPI_LAUNCHER_${name}}" ${arg_LAUNCHER} PARENT_SCOPE)
  list(APPEND SHEAF_MPI_NAMES ${name})
  set(SHEAF_MPI_NAMES ${SHEAF_MPI_NAMES} PARENT_SCOPE)
endfunction()

# Says what was found, and fails where MPI was asked for and is not there.
function(sheaf_mpi_wire_summary)
  if(SHEAF_MPI_NAMES)
    list(JOIN SHEAF_MPI_NAMES ", " names)
    message(STATUS "MPI wire modules: ${names}")
  elseif(SHEAF_WITH_MPI STREQUAL "AUTO" OR NOT SHEAF_WITH_MPI)
    message(STATUS "MPI wire modules: none")
  else()
    message(FATAL_ERROR "SHEAF_WITH_MPI=${SHEAF_WITH_MPI}, but pkg-config knows none of ompi-c, mpich, impi, mvapich, mvapich2: "
                        "install libopenmpi-dev or libmpich-dev, or configure with -DSHEAF_WITH_MPI=AUTO")
  endif()
endfunction()
