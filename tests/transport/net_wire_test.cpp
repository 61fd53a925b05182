// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "transport/net/wire.hpp"

#include <gtest/gtest.h>

#include <map>

namespace sheaf::net {
namespace {

std::map<std::string, std::string> variables;

char const* variable(char const* name) {
  auto const at = variables.find(name);
  return at == variables.end() ? nullptr : at->second.c_str();
}

surroundings with(std::map<std::string, std::string> v, std::string chosen = "", std::string loaded = "") {
  variables = std::move(v);
  return {std::move(chosen), std::move(loaded), variable};
}

using names = std::vector<std::string>;

TEST(net_wire, the_launcher_names_the_library) {
  EXPECT_EQ(wire_candidates(with({{"OMPI_COMM_WORLD_SIZE", "2"}, {"PMIX_RANK", "0"}})), names{"openmpi"});
  EXPECT_EQ(wire_candidates(with({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}})), (names{"mpich", "openmpi"}));
  EXPECT_EQ(wire_candidates(with({{"PMIX_RANK", "0"}})), (names{"openmpi", "mpich"}));
  for (char const* const cray_or_mvapich : {"PALS_RANKID", "MV2_COMM_WORLD_RANK"})
    EXPECT_EQ(wire_candidates(with({{cray_or_mvapich, "0"}, {"PMIX_RANK", "0"}})), (names{"mpich", "openmpi"}));
}

TEST(net_wire, an_mpi_in_the_process_outweighs_the_launcher) {
  EXPECT_EQ(wire_candidates(with({{"PMI_RANK", "0"}}, "", "Open MPI v4.1.4, package: Debian")), names{"openmpi"});
  EXPECT_EQ(wire_candidates(with({{"PMIX_RANK", "0"}}, "", "MPICH Version: 4.0.2")), names{"mpich"});
  EXPECT_EQ(wire_candidates(with({}, "", "Intel(R) MPI Library 2021.11 for Linux* OS")), names{"mpich"});
}

TEST(net_wire, a_choice_outweighs_all) {
  EXPECT_EQ(wire_candidates(with({{"OMPI_COMM_WORLD_SIZE", "2"}}, "mpich", "Open MPI v4")), names{"mpich"});
  EXPECT_EQ(wire_candidates(with({{"PMIX_RANK", "0"}}, "mpich")), names{"mpich"});
  EXPECT_EQ(wire_candidates(with({{"OMPI_COMM_WORLD_SIZE", "2"}}, "other")), names{"other"}) << "any module";
  EXPECT_EQ(wire_candidates(with({{"OMPI_COMM_WORLD_SIZE", "2"}}, "l/m")), names{"openmpi"}) << "a setting refuses it";
}

TEST(net_wire, knows_launchers_by_their_variables) {
  EXPECT_FALSE(launched(with({})));
  EXPECT_FALSE(launched(with({{"SLURM_PROCID", "0"}}))) << "a batch script of Slurm is no launcher";
  EXPECT_TRUE(launched(with({{"OMPI_COMM_WORLD_SIZE", "1"}})));
  EXPECT_TRUE(launched(with({{"PMI_RANK", "0"}})));
  EXPECT_TRUE(launched(with({{"PMIX_RANK", "0"}})));
  EXPECT_TRUE(launched(with({{"PALS_RANKID", "0"}})));
  EXPECT_TRUE(launched(with({{"MV2_COMM_WORLD_RANK", "0"}})));
}

}  // namespace
}  // namespace sheaf::net
