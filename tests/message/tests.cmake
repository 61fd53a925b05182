# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The Sheaf authors
# The message layer, over the simulator and alone, with four classes of traffic.
if(NOT "classes" IN_LIST SHEAF_TEST_LEAVE_OUT)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/message/*.cpp" "${PROJECT_SOURCE_DIR}/src/async/*.cpp")
  add_executable(test_message_classes ${sources} $<TARGET_OBJECTS:sheaf_base>
    "${PROJECT_SOURCE_DIR}/tests/harness/explorer.cpp" "${PROJECT_SOURCE_DIR}/tests/message/classes/classes_test.cpp")
  foreach(suite IN ITEMS executing held sending source stream waiting)
    target_sources(test_message_classes PRIVATE "${PROJECT_SOURCE_DIR}/tests/message/${suite}_test.cpp")
  endforeach()
  target_compile_options(test_message_classes PRIVATE ${SHEAF_TEST_OPTIONS})
  target_link_libraries(test_message_classes PRIVATE test_transport_classes GTest::gtest_main)
  sheaf_warnings(test_message_classes)
  sheaf_add_test(message.classes4 COMMAND test_message_classes --gtest_brief=1 LABELS message TIMEOUT 300)
endif()
