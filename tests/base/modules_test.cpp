// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/modules.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace {

using sheaf::detail::code_place;
using sheaf::detail::loaded_modules;

void somewhere() {}
int some_data = 1;

std::uintptr_t address_of(void (*f)()) { return reinterpret_cast<std::uintptr_t>(f); }

TEST(modules, a_place_leads_back_to_its_address) {
  loaded_modules modules;
  code_place place;
  for (auto const address : {address_of(&somewhere), reinterpret_cast<std::uintptr_t>(&std::abort),
                             reinterpret_cast<std::uintptr_t>(&dl_iterate_phdr)}) {
    ASSERT_TRUE(modules.place_of(address, place));
    EXPECT_EQ(modules.address_of(place), address);
    EXPECT_EQ(loaded_modules().address_of(place), address) << "a list that has not been read yet";
  }
}

TEST(modules, the_program_and_libraries_are_different_modules) {
  loaded_modules modules;
  code_place here, there;
  ASSERT_TRUE(modules.place_of(address_of(&somewhere), here));
  ASSERT_TRUE(modules.place_of(reinterpret_cast<std::uintptr_t>(::testing::UnitTest::GetInstance()), there) ||
              modules.place_of(reinterpret_cast<std::uintptr_t>(&std::abort), there));
  EXPECT_NE(here.module, there.module);
  EXPECT_EQ(modules.name_of(here.module), "the program");
  EXPECT_NE(modules.name_of(there.module).find(".so"), std::string::npos) << modules.name_of(there.module);
  EXPECT_EQ(modules.name_of(123), "no module loaded here");
}

TEST(modules, what_is_not_code_has_no_place) {
  loaded_modules modules;
  code_place place;
  int local = 0;
  std::vector<int> const heap(1);
  for (void const* p : {static_cast<void const*>(&some_data), static_cast<void const*>(&local),
                        static_cast<void const*>(heap.data()), static_cast<void const*>(nullptr)}) {
    EXPECT_FALSE(modules.place_of(reinterpret_cast<std::uintptr_t>(p), place));
  }
}

TEST(modules, a_place_that_is_no_code_has_no_address) {
  loaded_modules modules;
  code_place place;
  ASSERT_TRUE(modules.place_of(address_of(&somewhere), place));
  std::uintptr_t const data = reinterpret_cast<std::uintptr_t>(&some_data);
  std::uintptr_t const base = address_of(&somewhere) - place.offset;
  EXPECT_EQ(modules.address_of({place.module, data - base}), 0u);
  EXPECT_EQ(modules.address_of({place.module, 1ULL << 40U}), 0u);
  EXPECT_EQ(modules.address_of({place.module, reinterpret_cast<std::uintptr_t>(&std::abort) - base}), 0u)
      << "code of another module";
  EXPECT_EQ(modules.address_of({place.module + 1, place.offset}), 0u);
}

TEST(modules, knows_what_is_loaded_from_files) {
  loaded_modules modules;
  auto const at = reinterpret_cast<std::uintptr_t>(&some_data);
  EXPECT_TRUE(modules.are_loaded(at, sizeof some_data));
  EXPECT_FALSE(modules.are_loaded(at, std::size_t{1} << 40U));
  int local = 0;
  EXPECT_FALSE(modules.are_loaded(reinterpret_cast<std::uintptr_t>(&local), 1));
}

}  // namespace
