# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The tests of the command's parts are linked with them.
target_link_libraries(test_tools PRIVATE sheaf_tool_parts)
list(JOIN SHEAF_MPI_NAMES " " mpis)
target_compile_definitions(test_tools PRIVATE "SHEAF_TEST_MPIS=\"${mpis}\"")
if(SHEAF_HWLOC_FOUND)
  target_compile_definitions(test_tools PRIVATE SHEAF_TOOL_HWLOC)
endif()

sheaf_add_test(tools.sheaf.unknown_command LABELS tools COMMAND sheaf_tool frob)
set_tests_properties(tools.sheaf.unknown_command PROPERTIES
  PASS_REGULAR_EXPRESSION "sheaf: 'frob' is no command; there is .*sort")

# `sheaf run` on two hosts with a network between them, where the machine permits to make such.
if(NOT SHEAF_SANITIZE)
  foreach(mpi IN LISTS SHEAF_MPI_NAMES)
    sheaf_add_test(tools.run.hosts.${mpi}.2x2 LABELS tools mpi hosts PROCESSORS 4
      ENV "SHEAF_TOOL=$<TARGET_FILE:sheaf_tool>" RANKS_PER_HOST=2 "SHEAF_RUN_OPTIONS=-n 4 -t 2"
      COMMAND "${PROJECT_SOURCE_DIR}/tests/harness/run_on_hosts.sh" sheaf-${mpi} 2
        sh -c "echo host $(hostname) of $SHEAF_LOCATIONS by $SHEAF_THREADS")
    set_tests_properties(tools.run.hosts.${mpi}.2x2 PROPERTIES RESOURCE_LOCK sheaf_hosts PASS_REGULAR_EXPRESSION
      "host shf1 of 4 by 2\nhost shf2 of 4 by 2;host shf2 of 4 by 2\nhost shf1 of 4 by 2")
  endforeach()
endif()

# Jobs that are recorded, over every transport, and all that `sheaf trace` makes of them.
add_executable(test_traced "${PROJECT_SOURCE_DIR}/tests/tools/traced/traced_main.cpp")
target_link_libraries(test_traced PRIVATE sheaf::sheaf)
sheaf_warnings(test_traced)

# sheaf_traced_test(NAME LOCATIONS [FAILS] [LAUNCH WORD...] [ENV A=B...]): FAILS: of a job that does.
function(sheaf_traced_test name locations)
  cmake_parse_arguments(PARSE_ARGV 2 arg "FAILS" "" "LAUNCH;ENV")
  set(how "")
  if(arg_FAILS)
    set(how --fails)
  endif()
  sheaf_add_test(tools.trace.${name} LABELS tools PROCESSORS ${locations} ENV ${arg_ENV}
    COMMAND ${Python3_EXECUTABLE} "${PROJECT_SOURCE_DIR}/tests/tools/traced/check.py" $<TARGET_FILE:sheaf_tool>
      ${locations} ${how} ${arg_LAUNCH} $<TARGET_FILE:test_traced> ${how})
endfunction()

foreach(n IN ITEMS 1 2 3 7)
  sheaf_traced_test(thread.n${n} ${n} ENV SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=${n})
  sheaf_traced_test(sim.n${n} ${n} ENV SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=${n})
endforeach()
sheaf_traced_test(thread.fails 3 FAILS ENV SHEAF_TRANSPORT=thread SHEAF_LOCATIONS=3)
sheaf_traced_test(sim.fails 3 FAILS ENV SHEAF_TRANSPORT=sim SHEAF_LOCATIONS=3)
foreach(mpi IN LISTS SHEAF_MPI_NAMES)
  if(NOT SHEAF_MPI_LAUNCH_${mpi} MATCHES "NOTFOUND")
    set(launch ${SHEAF_MPI_LAUNCH_${mpi}})
    sheaf_traced_test(mpi.${mpi} 3 LAUNCH ${launch} -n 3)
    sheaf_traced_test(mpi.${mpi}.fails 3 FAILS LAUNCH ${launch} -n 3)
    sheaf_traced_test(hybrid.${mpi} 4 LAUNCH ${launch} -n 2 ENV SHEAF_THREADS=2)
  endif()
endforeach()
