// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/label_output.hpp"

#include <charconv>
#include <optional>

namespace sheaf::tool {
namespace {

/// Where a line's process and its text are.
struct marked {
  unsigned process;
  std::string_view text;
};

/// The number between `before` and `after` at the start of the line, and what follows.
std::optional<marked> number_between(std::string_view line, std::string_view before, std::string_view after) {
  if (line.substr(0, before.size()) != before) return {};
  line.remove_prefix(before.size());
  unsigned number = 0;
  auto const [end, problem] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (problem != std::errc()) return {};
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  if (line.substr(0, after.size()) != after) return {};
  return marked{number, line.substr(after.size())};
}

/// Open MPI: "[1,3]<stdout>:text", where 1 is its number of the job.
std::optional<marked> open_mpi_mark(std::string_view line) {
  auto const job = number_between(line, "[", ",");
  if (!job) return {};
  auto const out = number_between(job->text, "", "]<stdout>:");
  return out ? out : number_between(job->text, "", "]<stderr>:");
}

/// srun pads its numbers with blanks.
std::optional<marked> srun_mark(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return number_between(line, "", ": ");
}

std::optional<marked> mark_of(std::string_view line, launcher_kind kind) {
  if (kind == launcher_kind::openmpi) return open_mpi_mark(line);
  if (kind == launcher_kind::mpich) return number_between(line, "[", "] ");
  return srun_mark(line);
}

}  // namespace

std::string labelled(std::string_view line, launcher_kind kind, unsigned threads) {
  auto const mark = mark_of(line, kind);
  if (!mark) return std::string(line);
  unsigned const first = mark->process * threads;
  std::string label("[");
  label.append(std::to_string(first));
  if (threads > 1) label.append("-").append(std::to_string(first + threads - 1));
  return label.append("] ").append(mark->text);
}

void label_output::take(std::string_view part) {
  rest_ += part;
  std::size_t begin = 0;
  for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
    line(std::string_view(rest_).substr(begin, end - begin));
    begin = end + 1;
  }
  rest_.erase(0, begin);
}

void label_output::finish() {
  if (!rest_.empty()) line(rest_);
  rest_.clear();
}

void label_output::line(std::string_view text) { to_(labelled(text, kind_, threads_) + "\n"); }

}  // namespace sheaf::tool
