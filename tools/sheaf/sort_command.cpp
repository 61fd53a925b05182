// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/sort_command.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "sheaf/base/error.hpp"
#include "sheaf/sort_job.hpp"

namespace sheaf::tool {

sort_command::sort_command(CLI::App& app)
    : command(app.add_subcommand("sort",
                                 "Sort lines of text exactly as LC_ALL=C sort does, on all cores or under mpirun")) {
  auto* const sort = options_;
  sort->add_flag("-n,--numeric-sort", order_.numeric, "by the number at the start of each line");
  sort->add_flag("-r,--reverse", order_.reverse, "in descending order");
  sort->add_flag("-u,--unique", order_.unique, "keep one of equal lines");
  sort->add_flag("-q,--quiet", quiet_, "no progress on the terminal");
  sort->add_option("-o,--output", output_,
                   "write to this file (it may be one of the inputs) instead of standard output");
  sort->add_option("FILES", files_, "what to sort; none or -: standard input");
  sort->footer(
      "Runs one thread per core; SHEAF_LOCATIONS=2 sheaf sort ... takes two. As processes:\n"
      "mpirun -n 4 sheaf sort ...");
}

int sort_command::run() {
  bool const shown = !quiet_ && progress::on_terminal();
  try {
    sheaf::run(detail::settings_of_main(), [&](team world) {
      sort_job job(world, files_, output_, order_, shown);
      job.run();
    });
    return 0;
  } catch (std::exception const& failure) {
    std::string_view const text = without_prefix(failure.what());
    std::fprintf(stderr, "sheaf sort: %.*s\n", static_cast<int>(text.size()), text.data());
    return 2;
  }
}

}  // namespace sheaf::tool
