// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// One of the jobs that hang on purpose: `test_hanging NAME`, on at least as many locations as the job says; or one
/// that asks itself what it waits for: `test_hanging asked`.
#include <string_view>

#include "rmi/hanging/asked_job.hpp"
#include "rmi/hanging_jobs.hpp"

int main(int argc, char** argv) {
  std::string_view const name = argc > 1 ? argv[1] : "";
  if (name == "asked") return sheaf::run(sheaf_test::asked);
  for (auto const& job : sheaf_test::hanging_jobs()) {
    if (name == job.name) return sheaf::run(job.program);
  }
  return 2;
}
