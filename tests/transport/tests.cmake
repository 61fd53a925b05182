# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The endpoint suite under mpirun, over every MPI library there is.
if(NOT SHEAF_MPI_NAMES)
  return()
endif()

add_executable(test_mpi_suite "${PROJECT_SOURCE_DIR}/tests/transport/mpi/suite_main.cpp")
target_include_directories(test_mpi_suite PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(test_mpi_suite PRIVATE sheaf::sheaf)
sheaf_warnings(test_mpi_suite)

# The side wire between processes that share no memory.
add_executable(test_mpi_side "${PROJECT_SOURCE_DIR}/tests/transport/mpi/side_main.cpp")
target_include_directories(test_mpi_side PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(test_mpi_side PRIVATE sheaf::sheaf)
sheaf_warnings(test_mpi_side)

set(tcp --mca pml ob1 --mca btl tcp,self)
set(eager64 --mca pml ob1 --mca btl_vader_eager_limit 64 --mca btl_tcp_eager_limit 64 --mca btl_self_eager_limit 64)
set(caps1 SHEAF_TEST_OPTIONS=ring_slots=1 SHEAF_WINDOW=1 SHEAF_BUFFER_BYTES=256 SHEAF_BUFFER_BUDGET_BYTES=1)

foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  foreach(ranks IN ITEMS 1 2 3 8)
    sheaf_add_mpi_test(transport.mpi.${mpi}.n${ranks} ${mpi} ${ranks} COMMAND test_mpi_suite LABELS transport
      ENV SHEAF_TEST_NEAR=${ranks})
  endforeach()
  foreach(ranks IN ITEMS 2 8)
    sheaf_add_mpi_test(transport.mpi.${mpi}.caps1.n${ranks} ${mpi} ${ranks} COMMAND test_mpi_suite LABELS transport
      ENV ${caps1} SHEAF_TEST_NEAR=${ranks})
  endforeach()
  sheaf_add_mpi_test(transport.mpi.${mpi}.apart.n4 ${mpi} 4 COMMAND test_mpi_suite LABELS transport
    ENV SHEAF_HOST_MEMORY=0 SHEAF_TEST_NEAR=1)
  sheaf_add_hybrid_test(transport.hybrid.${mpi}.apart.2x2 ${mpi} 2x2 COMMAND test_mpi_suite LABELS transport
    ENV SHEAF_HOST_MEMORY=0 SHEAF_TEST_NEAR=2)
  foreach(shape IN ITEMS 2x2 3x2 2x4 1x3)
    sheaf_hybrid_shape(${shape} processes threads locations)
    sheaf_add_hybrid_test(transport.hybrid.${mpi}.${shape} ${mpi} ${shape} COMMAND test_mpi_suite LABELS transport
      ENV SHEAF_TEST_NEAR=${locations})
  endforeach()
  sheaf_add_hybrid_test(transport.hybrid.${mpi}.caps1.3x2 ${mpi} 3x2 COMMAND test_mpi_suite LABELS transport
    ENV ${caps1})
  sheaf_add_hybrid_test(transport.hybrid.${mpi}.large.2x2 ${mpi} 2x2 COMMAND test_mpi_suite large 300000001
    LABELS transport)
  sheaf_add_mpi_test(transport.mpi.${mpi}.large.n2 ${mpi} 2 COMMAND test_mpi_suite large 300000001 LABELS transport)

  # A job that fails, by its own word or because a process dies, ends at once and says who.
  foreach(mode IN ITEMS fail late die)
    sheaf_add_mpi_test(transport.mpi.${mpi}.${mode}.n4 ${mpi} 4 COMMAND test_mpi_suite ${mode} LABELS transport TIMEOUT 30)
  endforeach()
  if(TEST transport.mpi.${mpi}.fail.n4)
    set_tests_properties(transport.mpi.${mpi}.fail.n4 transport.mpi.${mpi}.late.n4 PROPERTIES
      PASS_REGULAR_EXPRESSION "sheaf: location 3 ends the job .host .*, process [0-9]+.: deliberate failure")
    set_tests_properties(transport.mpi.${mpi}.die.n4 PROPERTIES PASS_REGULAR_EXPRESSION "rank 3|PID [0-9]+ RUNNING AT")
  endif()

  foreach(ranks IN ITEMS 2 4)
    sheaf_add_mpi_test(transport.mpi.${mpi}.side.n${ranks} ${mpi} ${ranks} COMMAND test_mpi_side LABELS transport
      ENV SHEAF_HOST_MEMORY=0)
  endforeach()
  sheaf_add_hybrid_test(transport.hybrid.${mpi}.side.2x2 ${mpi} 2x2 COMMAND test_mpi_side LABELS transport
    ENV SHEAF_HOST_MEMORY=0)
  sheaf_add_mpi_test(transport.mpi.${mpi}.side.helper.n2 ${mpi} 2 COMMAND test_mpi_side LABELS transport
    ENV SHEAF_HOST_MEMORY=0 SHEAF_PROGRESS=helper)
  sheaf_add_mpi_test(transport.mpi.${mpi}.side.die.n3 ${mpi} 3 COMMAND test_mpi_side die LABELS transport TIMEOUT 30
    ENV SHEAF_HOST_MEMORY=0)
  if(TEST transport.mpi.${mpi}.side.die.n3)
    set_tests_properties(transport.mpi.${mpi}.side.die.n3 PROPERTIES
      PASS_REGULAR_EXPRESSION "location 2 .* is lost: its connection|rank 2|PID [0-9]+ RUNNING AT")
  endif()

  # One of three processes cannot load MPI, or has no memory while they meet: the job ends, and says why.
  set(one_fails_with_no_module env SHEAF_MPI=nosuch $<TARGET_FILE:test_mpi_suite>)
  set(one_fails_with_no_module_text "libsheaf_wire_nosuch")
  foreach(allocation IN ITEMS 5 30 50 70)
    set(one_fails_with_allocation${allocation} $<TARGET_FILE:test_mpi_suite> starve ${allocation})
    set(one_fails_with_allocation${allocation}_text "std::bad_alloc")
  endforeach()
  foreach(what IN ITEMS no_module allocation5 allocation30 allocation50 allocation70)
    set(name transport.mpi.${mpi}.one_fails_with.${what})
    sheaf_add_mpi_test(${name} ${mpi} 1 COMMAND test_mpi_suite LABELS transport TIMEOUT 30
      LAUNCH $<TARGET_FILE:test_mpi_suite> : -n 1 ${one_fails_with_${what}} : -n 1)
    if(TEST ${name})
      set_tests_properties(${name} PROPERTIES PROCESSORS 3 PASS_REGULAR_EXPRESSION "${one_fails_with_${what}_text}")
    endif()
  endforeach()

  # One of three processes of a host does not want to share memory: all goes by the wire, and the first one says so.
  foreach(what IN ITEMS works says)
    sheaf_add_mpi_test(transport.mpi.${mpi}.one_refuses.${what} ${mpi} 1 COMMAND test_mpi_suite LABELS transport
      LAUNCH $<TARGET_FILE:test_mpi_suite> : -n 1 env SHEAF_HOST_MEMORY=0 $<TARGET_FILE:test_mpi_suite> : -n 1)
  endforeach()
  if(TEST transport.mpi.${mpi}.one_refuses.says)
    set_tests_properties(transport.mpi.${mpi}.one_refuses.works transport.mpi.${mpi}.one_refuses.says PROPERTIES
      PROCESSORS 3 FAIL_REGULAR_EXPRESSION "")
    set_tests_properties(transport.mpi.${mpi}.one_refuses.says PROPERTIES PASS_REGULAR_EXPRESSION
      "share no memory, .* goes by packets, .* location 1 .host .* has SHEAF_HOST_MEMORY=0")
  endif()

  # Two hosts of two processes: within a host by memory, between them by packets.
  foreach(threads IN ITEMS 1 2)
    math(EXPR near "2 * ${threads}")
    set(name transport.hosts.${mpi}.2x2x${threads})
    sheaf_add_test(${name} LABELS transport mpi hosts PROCESSORS 4 ENV RANKS_PER_HOST=2 SHEAF_THREADS=${threads}
      SHEAF_TRANSPORT=hybrid SHEAF_TEST_NEAR=${near}
      COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:test_mpi_suite>)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK sheaf_hosts FAIL_REGULAR_EXPRESSION "share no memory")
  endforeach()

  sheaf_add_test(transport.hosts.${mpi}.side.2x2 LABELS transport mpi hosts PROCESSORS 4 ENV RANKS_PER_HOST=2
    COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" ${mpi} 2 $<TARGET_FILE:test_mpi_side>)
  set_tests_properties(transport.hosts.${mpi}.side.2x2 PROPERTIES RESOURCE_LOCK sheaf_hosts)

  # Two wires over one MPI, each used by a thread of its own where MPI permits.
  add_executable(test_mpi_wires_${mpi} "${PROJECT_SOURCE_DIR}/tests/transport/mpi/wires_main.cpp")
  target_include_directories(test_mpi_wires_${mpi} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(test_mpi_wires_${mpi} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(test_mpi_wires_${mpi} PRIVATE sheaf::sheaf PkgConfig::SHEAF_MPI_${mpi})
  sheaf_warnings(test_mpi_wires_${mpi})
  sheaf_add_mpi_test(transport.mpi.${mpi}.two_wires ${mpi} 2 COMMAND test_mpi_wires_${mpi} LABELS transport)

  add_executable(test_mpi_beside_${mpi} "${PROJECT_SOURCE_DIR}/tests/transport/mpi/beside_main.cpp"
    "${PROJECT_SOURCE_DIR}/tests/transport/mpi/watched_mpi.cpp")
  target_include_directories(test_mpi_beside_${mpi} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(test_mpi_beside_${mpi} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(test_mpi_beside_${mpi} PRIVATE sheaf::sheaf PkgConfig::SHEAF_MPI_${mpi})
  sheaf_warnings(test_mpi_beside_${mpi})
  foreach(ranks IN ITEMS 2 4)
    sheaf_add_mpi_test(transport.mpi.${mpi}.beside.n${ranks} ${mpi} ${ranks} COMMAND test_mpi_beside_${mpi}
      LABELS transport ENV SHEAF_HOST_MEMORY=0)
  endforeach()
  foreach(how IN ITEMS single funneled serialized multiple own_thread)
    sheaf_add_hybrid_test(transport.hybrid.${mpi}.beside.${how} ${mpi} 2x2 COMMAND test_mpi_beside_${mpi} ${how}
      LABELS transport ENV SHEAF_HOST_MEMORY=0)
  endforeach()
  sheaf_add_mpi_test(transport.mpi.${mpi}.beside.helper ${mpi} 2 COMMAND test_mpi_beside_${mpi} helper LABELS transport
    ENV SHEAF_HOST_MEMORY=0 SHEAF_PROGRESS=helper)
  sheaf_add_hybrid_test(transport.hybrid.${mpi}.beside.attached ${mpi} 2x2 COMMAND test_mpi_beside_${mpi} serialized
    LABELS transport ENV SHEAF_HOST_MEMORY=0 SHEAF_PROGRESS=shared)
endforeach()

foreach(ranks IN ITEMS 2 8)
  sheaf_add_mpi_test(transport.mpi.openmpi.tcp.n${ranks} openmpi ${ranks} COMMAND test_mpi_suite LABELS transport
    LAUNCH ${tcp})
  sheaf_add_mpi_test(transport.mpi.openmpi.eager64.n${ranks} openmpi ${ranks} COMMAND test_mpi_suite LABELS transport
    LAUNCH ${eager64})
endforeach()
