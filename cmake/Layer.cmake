# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# sheaf_layer(NAME [DEPENDS LAYER...] [PRIVATE LIBRARY...])
#
# One layer is one object library, sheaf_NAME, made of src/NAME/**.cpp. DEPENDS names lower layers, and a layer that is
# not declared yet is an error, so that the order in CMakeLists.txt is the order of the layers. PRIVATE libraries are
# linked into libsheaf and seen by this layer's sources alone. A layer that is only headers is an interface library.
function(sheaf_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;PRIVATE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/src/transport/net/mpi/")

  set(target sheaf_${name})
  if(sources)
    add_library(${target} OBJECT ${sources})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE})
    sheaf_warnings(${target})
    if(SHEAF_FUZZ)  # what has been executed is counted, for the fuzz programs
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    set(scope PUBLIC)
    set_property(GLOBAL APPEND PROPERTY SHEAF_LAYER_OBJECTS "$<TARGET_OBJECTS:${target}>")
    set_property(GLOBAL APPEND PROPERTY SHEAF_LAYER_SOURCES ${sources})
    set_property(GLOBAL APPEND PROPERTY SHEAF_LAYER_LIBRARIES ${arg_PRIVATE})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>")
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} Threads::Threads)

  foreach(lower IN LISTS arg_DEPENDS)
    if(NOT TARGET sheaf_${lower})
      message(FATAL_ERROR "layer ${name} depends on ${lower}, which is not a lower layer: "
                          "declare ${lower} before ${name}, or remove the dependency")
    endif()
    target_link_libraries(${target} ${scope} sheaf_${lower})
  endforeach()
endfunction()

# sheaf_library(NAME): libNAME from the objects of every layer declared so far, and its alias sheaf::NAME.
function(sheaf_library name)
  get_property(objects GLOBAL PROPERTY SHEAF_LAYER_OBJECTS)
  get_property(libraries GLOBAL PROPERTY SHEAF_LAYER_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)

  add_library(${name} ${objects})
  add_library(sheaf::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_link_libraries(${name} PUBLIC Threads::Threads PRIVATE ${libraries})
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE CXX)
endfunction()

# sheaf_define_facts(): facts of this build that single source files need, for targets of the current directory.
function(sheaf_define_facts)
  set(version "${PROJECT_SOURCE_DIR}/src/base/version.cpp")
  set_property(SOURCE "${version}" APPEND PROPERTY COMPILE_DEFINITIONS "SHEAF_VERSION=\"${PROJECT_VERSION}\"")
  set(loader "${PROJECT_SOURCE_DIR}/src/transport/net/wire.cpp")
  set_property(SOURCE "${loader}" APPEND PROPERTY COMPILE_DEFINITIONS
    "SHEAF_WIRE_BUILD_DIR=\"${PROJECT_BINARY_DIR}/lib/sheaf\"")
  if(SHEAF_ZLIB)
    set_property(SOURCE "${PROJECT_SOURCE_DIR}/src/graph/gzip_text.cpp" APPEND PROPERTY COMPILE_DEFINITIONS SHEAF_ZLIB)
  endif()
  if(SHEAF_INSTALL)
    set_property(SOURCE "${loader}" APPEND PROPERTY COMPILE_DEFINITIONS
      "SHEAF_WIRE_INSTALL_DIR=\"${CMAKE_INSTALL_FULL_LIBDIR}/sheaf\"")
  endif()
endfunction()

sheaf_define_facts()
