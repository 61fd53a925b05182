// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sheaf::tool {
namespace {

std::string quoted(std::string const& text) {
  std::string all = "\"";
  for (char const c : text) {
    auto const code = static_cast<unsigned char>(c);
    std::array<char, 8> escaped{};
    if (c == '"' || c == '\\') {
      all += '\\';
      all += c;
    } else if (code < 0x20) {
      std::snprintf(escaped.data(), escaped.size(), "\\u%04x", code);
      all += escaped.data();
    } else {
      all += c;
    }
  }
  return all + "\"";
}

std::string object(report::row const& one) {
  std::string all = "{";
  for (auto const& [key, value] : one) {
    if (all.size() > 1) all += ", ";
    all += quoted(key) + ": " + (value.number ? value.text : quoted(value.text));
  }
  return all + "}";
}

std::string lines(report::row const& one) {
  std::size_t width = 0;
  for (auto const& [key, value] : one) width = std::max(width, key.size());
  std::string all;
  for (auto const& [key, value] : one) {
    all += "  " + key + std::string(width - key.size() + 2, ' ') + value.text + "\n";
  }
  return all;
}

std::string line_of(std::vector<std::string> const& cells, std::vector<std::size_t> const& widths) {
  std::string all = " ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    bool const last = i + 1 == cells.size();
    all += " " + cells[i] + (last ? "" : std::string(widths[i] - cells[i].size() + 1, ' '));
  }
  return all + "\n";
}

std::string table(std::vector<report::row> const& rows) {
  std::vector<std::vector<std::string>> cells(1);
  for (auto const& [key, value] : rows[0]) cells[0].push_back(key);
  for (auto const& each : rows) {
    auto& words = cells.emplace_back();
    for (auto const& [key, value] : each) words.push_back(value.text.empty() ? "-" : value.text);
  }
  std::vector<std::size_t> widths(cells[0].size(), 0);
  for (auto const& words : cells) {
    for (std::size_t i = 0; i < words.size(); ++i) widths[i] = std::max(widths[i], words[i].size());
  }
  std::string all;
  for (auto const& words : cells) all += line_of(words, widths);
  return all;
}

}  // namespace

std::string report::spelt(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", number);
  return text.data();
}

void report::add(std::string const& section, row const& one) { parts_.push_back({section, false, {one}}); }

void report::add_table(std::string const& section, std::vector<row> const& rows) {
  parts_.push_back({section, true, rows});
}

std::string report::text() const {
  std::string all;
  for (part const& each : parts_) {
    all += (all.empty() ? "" : "\n") + each.name + "\n";
    all += each.rows.empty() ? "  none\n" : each.table ? table(each.rows) : lines(each.rows[0]);
  }
  return all;
}

std::string report::json() const {
  std::string all = "{";
  for (part const& each : parts_) {
    all += (all.size() > 1 ? ",\n " : "") + quoted(each.name) + ": ";
    if (!each.table) {
      all += object(each.rows[0]);
      continue;
    }
    all += "[";
    for (std::size_t i = 0; i < each.rows.size(); ++i) all += (i == 0 ? "\n  " : ",\n  ") + object(each.rows[i]);
    all += "]";
  }
  return all + "}\n";
}

}  // namespace sheaf::tool
