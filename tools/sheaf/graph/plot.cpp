// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "sheaf/command_error.hpp"
#include "sheaf/find_program.hpp"
#include "sheaf/graph/histogram.hpp"

namespace sheaf::tool {

namespace {

std::string quoted(std::string const& text) {
  std::string all = "'";
  for (char const c : text) all += c == '\'' ? std::string("''") : std::string(1, c);
  return all + "'";
}

std::string script_of(std::vector<histogram> const& all, std::string const& terminal, std::string const& file) {
  std::string script = "set terminal " + terminal + "\nset output " + quoted(file) + "\nset multiplot layout " +
                       std::to_string(all.size()) + ",1\nset style fill solid 0.6 noborder\nset boxwidth 0.8\n" +
                       "set grid ytics\nunset key\nset logscale y\nset yrange [0.5:*]\n";
  for (histogram const& each : all) {
    script += "set title " + quoted(each.title) + "\nset xlabel " + quoted(each.values) + "\nset ylabel " +
              quoted(each.counts) + "\n$bars << end_of_bars\n";
    for (auto const& bar : each.bars) script += std::to_string(bar.from) + " " + std::to_string(bar.count) + "\n";
    std::string const names = each.bars.size() > 24 ? "0:2" : "0:2:xtic(1)";
    script += "end_of_bars\nplot $bars using " + names + " with boxes linecolor rgb '#4477aa'\n";
  }
  return script + "unset multiplot\n";
}

}  // namespace

void check_drawable(std::string const& file) {
  if (!file.ends_with(".svg") && !file.ends_with(".png"))
    throw command_error("--plot " + file + ": a picture is named .svg or .png");
  std::string const folder = std::filesystem::path(file).parent_path().string();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    throw command_error("--plot " + file + ": there is no folder " + folder);
  if (find_on_path("gnuplot").empty()) throw command_error("--plot needs gnuplot: apt install gnuplot-nox");
}

void draw(std::vector<histogram> const& all, std::string const& file) {
  std::string const size = " size 900," + std::to_string(400 * all.size());
  std::string const script = script_of(all, (file.ends_with(".svg") ? "svg" : "png") + size, file);
  std::FILE* const pipe = ::popen("gnuplot -", "w");
  if (pipe == nullptr) throw command_error("--plot: cannot start gnuplot");
  bool const written = std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  bool const drawn = ::pclose(pipe) == 0 && written;
  std::error_code none;  // gnuplot does not tell that a disk is full
  auto const bytes = std::filesystem::file_size(file, none);
  if (!drawn || none || bytes == 0) throw command_error("--plot: gnuplot could not draw " + file);
}

}  // namespace sheaf::tool
