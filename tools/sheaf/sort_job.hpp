// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <string>
#include <vector>

#include "sheaf/line_bucket.hpp"
#include "sheaf/line_order.hpp"
#include "sheaf/line_splitters.hpp"
#include "sheaf/progress.hpp"
#include "sheaf/text_input.hpp"
#include "sheaf/text_output.hpp"

namespace sheaf::tool {

// Result:   the lines of all files in order, in one output.
// Method:   sample sort, one async per line; local sort by prefix keys; each location writes its part in place.
// Citation: ARMI (PPoPP 2003), Fig. 3; Blelloch et al. (SPAA 1991).
// Data:     one arena of lines per location, so that sorting moves references and no text.
// Encoding: a line is its length and its bytes.

/// Throws command_error, with the values and the remedy, if sorting would need more than `available` bytes on all
/// locations of one machine together: the text, per line a reference that may be held twice while its table grows, and
/// a part for buffers on their way.
void check_sort_memory(std::uint64_t text_bytes, std::uint64_t lines, std::uint64_t available);

/// What one location does. Every member constructs it and calls run; errors are command_error.
class sort_job {
 public:
  sort_job(team world, std::vector<std::string> const& files, std::string const& output, line_order order,
           bool show_progress);

  void run();

 private:
  void check_memory();
  void distribute();
  void drop_repeated_first();
  void write();
  void write_in_turn();

  team world_;
  line_order order_;
  text_input input_;
  text_output output_;
  text_input::range part_;
  line_bucket bucket_;
  progress progress_;
};

}  // namespace sheaf::tool
