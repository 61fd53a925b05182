// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sheaf::tool {
namespace {

/// The length of the UTF-8 sequence that the text begins with; 0: it begins with none.
std::size_t utf8_length(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  std::size_t const length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what is beyond the last character.
  bool const wrong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xed && byte(1) > 0x9f) ||
                     (byte(0) == 0xf0 && byte(1) < 0x90) || (byte(0) == 0xf4 && byte(1) > 0x8f);
  return wrong ? 0 : length;
}

std::string object(report::row const& one) {
  std::string all = "{";
  for (auto const& [key, value] : one) {
    if (all.size() > 1) all += ", ";
    all += json_string(key) + ": " + (value.number ? value.text : json_string(value.text));
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

std::string json_string(std::string_view text) {
  std::string to = "\"";
  while (!text.empty()) {
    auto const c = static_cast<unsigned char>(text.front());
    std::size_t const length = utf8_length(text);
    if (length == 0) {
      to += "\\ufffd";
    } else if (c < 0x20 || c == '"' || c == '\\') {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      to += code;
    } else {
      to += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return to + '"';
}

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
    all += (all.size() > 1 ? ",\n " : "") + json_string(each.name) + ": ";
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
