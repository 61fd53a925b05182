// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/trace/trace_command.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string_view>

#include "sheaf/trace/matrix.hpp"
#include "sheaf/trace/otf2_writer.hpp"
#include "sheaf/trace/perfetto.hpp"
#include "sheaf/trace/summary.hpp"

namespace sheaf::tool {

trace_command::trace_command(CLI::App& app)
    : command(app.add_subcommand("trace", "Show what a job did that was run with SHEAF_TRACE=DIR")) {
  options_->require_subcommand(1);
  options_->footer("Record: SHEAF_TRACE=DIR in front of your program. See docs/guide/tracing.md.");
  perfetto_ = add("perfetto", "As JSON for https://ui.perfetto.dev: what each location did, with arrows");
  perfetto_->add_option("-o,--output", output_, "the file to write, such as trace.json")->required();
  otf2_ = add("otf2", "As an OTF2 archive for Vampir, Scalasca and others");
  otf2_->add_option("-o,--output", output_, "the folder to make")->required();
  plot_ = add("plot", "The communication matrix as a picture: who sent how much to whom");
  plot_->add_option("-o,--output", output_, "the file to write, such as matrix.svg; none: standard output");
  plot_->add_option("--what", what_, "requests, bytes or entries")
      ->check(CLI::IsMember({"requests", "bytes", "entries"}))
      ->capture_default_str();
  plot_->add_option("--title", title_, "above the picture");
  plot_->add_flag("--text", text_, "for the terminal, instead of SVG");
  summary_ = add("summary", "What took how long, and how evenly the locations worked");
  summary_->add_option("--top", most_, "how many lines")->capture_default_str();
}

CLI::App* trace_command::add(char const* name, char const* what) {
  CLI::App* const made = options_->add_subcommand(name, what);
  made->add_option("DIR", place_, "the folder that SHEAF_TRACE named, or one file of it")->required();
  return made;
}

void trace_command::write(std::function<void(std::ostream&)> const& content) const {
  if (output_.empty()) {
    content(std::cout);  // main looks whether it could be written
    return;
  }
  errno = 0;
  std::ofstream to(output_, std::ios::binary);
  if (to) content(to);
  to.close();
  if (!to) throw trace_error("cannot write " + output_ + ": " + std::strerror(errno));
}

void trace_command::plot() {
  counted const what = what_ == "bytes" ? counted::bytes : what_ == "entries" ? counted::entries : counted::requests;
  traced_job const job = read_traces(place_);
  for (std::string const& note : job.notes) std::fprintf(stderr, "sheaf trace: note: %s\n", note.c_str());
  constexpr std::uint64_t columns_of_a_terminal = 64;
  communication_matrix const matrix(job, what, text_ ? columns_of_a_terminal : communication_matrix::most_rows);
  std::string const title = title_.empty() ? "Communication of " + place_ : title_;
  write([&](std::ostream& to) { text_ ? write_text(matrix, title, to) : write_svg(matrix, title, to); });
}

void trace_command::make() {
  if (plot_->parsed()) return plot();
  traced_job const job = read_traces(place_);
  if (summary_->parsed()) {
    write([&](std::ostream& to) { write_summary(job, most_, to); });
    return;
  }
  for (std::string const& note : job.notes) std::fprintf(stderr, "sheaf trace: note: %s\n", note.c_str());
  if (otf2_->parsed()) return write_otf2(job, output_);
  write([&](std::ostream& to) { write_perfetto(job, to); });
}

int trace_command::run() {
  try {
    make();
    return 0;
  } catch (std::exception const& failure) {
    std::string_view const text = without_prefix(failure.what());
    std::fprintf(stderr, "sheaf trace: %.*s\n", static_cast<int>(text.size()), text.data());
    return 2;
  }
}

}  // namespace sheaf::tool
