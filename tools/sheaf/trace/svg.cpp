// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "sheaf/trace/matrix.hpp"
#include "sheaf/trace/words.hpp"

namespace sheaf::tool {
namespace {

constexpr double left = 90;
constexpr double top = 90;
constexpr double side = 640;   // of the matrix
constexpr double bars = 80;    // longest bar of the sums
constexpr double legend = 24;  // its width
constexpr double width = left + side + 20 + bars + 60 + legend + 100;
constexpr double height = top + side + 20 + bars + 70;
constexpr int ticks = 16;

struct colour {
  double red, green, blue;
};

/// From little to much; as light falls, so that it reads in grey, too.
constexpr std::array<colour, 5> scale{{{237, 248, 233}, {160, 217, 155}, {49, 163, 120}, {0, 98, 115}, {20, 34, 80}}};

std::string colour_of(double share) {
  double const place = std::clamp(share, 0.0, 1.0) * (scale.size() - 1);
  std::size_t const low = std::min(static_cast<std::size_t>(place), scale.size() - 2);
  double const part = place - static_cast<double>(low);
  auto const mixed = [&](double colour::*c) {
    return static_cast<unsigned>(std::lround(scale[low].*c + (scale[low + 1].*c - scale[low].*c) * part));
  };
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", mixed(&colour::red) & 255U, mixed(&colour::green) & 255U,
                mixed(&colour::blue) & 255U);
  return text;
}

std::string escaped(std::string_view text) {
  std::string to;
  for (char const c : text) {
    if (c == '<') {
      to += "&lt;";
    } else if (c == '&') {
      to += "&amp;";
    } else {
      to += static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e ? '?' : c;
    }
  }
  return to;
}

class picture {
 public:
  picture(communication_matrix const& m, std::ostream& to)
      : m_(m),
        to_(to),
        cell_(side / static_cast<double>(m.rows())),
        least_(std::floor(log_of(m.smallest()))),
        most_(log_of(m.largest())) {}

  void draw(std::string const& title) {
    to_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' ' << height << "\" width=\""
        << width << "\" height=\"" << height << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
        << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    text(left, 28, "start", title, "font-size=\"17\"");
    text(left, 50, "start",
         short_number(m_.total()) + ' ' + word_of(m_.what()) + " between " + std::to_string(m_.locations()) +
             " locations" +
             (m_.group() == 1 ? ""
                              : "; each cell stands for up to " + std::to_string(m_.group()) + " by " +
                                    std::to_string(m_.group())));
    draw_cells();
    draw_axes();
    draw_sums();
    draw_legend();
    to_ << "</svg>\n";
  }

 private:
  static double log_of(std::uint64_t value) {
    return std::log10(static_cast<double>(std::max<std::uint64_t>(value, 1)));
  }
  /// 0 for the power of ten below the smallest, 1 for the largest.
  double share(double log) const { return most_ == least_ ? 1 : (log - least_) / (most_ - least_); }
  double share(std::uint64_t value) const { return share(log_of(value)); }

  void text(double x, double y, char const* anchor, std::string const& what, char const* more = "") {
    to_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\" " << more << '>' << escaped(what)
        << "</text>\n";
  }

  /// A rectangle whose value a pointer shows.
  void rectangle(char const* kind, double x, double y, double w, double h, std::string const& fill,
                 std::string const& title) {
    to_ << "<rect class=\"" << kind << "\" x=\"" << x << "\" y=\"" << y << "\" width=\"" << w << "\" height=\"" << h
        << "\" fill=\"" << fill << "\"><title>" << escaped(title) << "</title></rect>\n";
  }

  std::string told(std::uint64_t value) const { return ": " + std::to_string(value) + ' ' + word_of(m_.what()); }

  void draw_cells() {
    to_ << "<rect x=\"" << left << "\" y=\"" << top << "\" width=\"" << side << "\" height=\"" << side
        << "\" fill=\"none\" stroke=\"#999\"/>\n";
    for (std::size_t row = 0; row < m_.rows(); ++row) {
      for (std::size_t column = 0; column < m_.rows(); ++column) draw_cell(row, column);
    }
  }

  void draw_cell(std::size_t row, std::size_t column) {
    std::uint64_t const value = m_.at(row, column);
    if (value == 0) return;
    double const x = left + cell_ * static_cast<double>(column);
    double const y = top + cell_ * static_cast<double>(row);
    rectangle("cell", x, y, cell_, cell_, colour_of(share(value)),
              m_.label(row) + " -> " + m_.label(column) + told(value));
    if (m_.rows() > 10) return;
    text(x + cell_ / 2, y + cell_ / 2 + 4, "middle", short_number(value),
         share(value) > 0.55 ? "fill=\"white\"" : "fill=\"#222\"");
  }

  void draw_axes() {
    text(left + side / 2, top - 34, "middle", "to location");
    to_ << "<text transform=\"translate(22 " << top + side / 2 << ") rotate(-90)\" text-anchor=\"middle\">from location"
        << "</text>\n";
    std::size_t const every = (m_.rows() + ticks - 1) / ticks;
    for (std::size_t row = 0; row < m_.rows(); row += every) {
      double const at = cell_ * (static_cast<double>(row) + 0.5);
      std::string const label = std::to_string(row * m_.group());
      text(left + at, top - 10, "middle", label, "class=\"column\"");
      text(left - 8, top + at + 4, "end", label, "class=\"row\"");
    }
  }

  void draw_sums() {
    std::uint64_t most = 1;
    for (std::size_t i = 0; i < m_.rows(); ++i) most = std::max({most, m_.from(i), m_.to(i)});
    double const thick = cell_ * 0.8;
    for (std::size_t i = 0; i < m_.rows(); ++i) {
      double const at = cell_ * (static_cast<double>(i) + 0.1);
      double const out = bars * static_cast<double>(m_.from(i)) / static_cast<double>(most);
      double const in = bars * static_cast<double>(m_.to(i)) / static_cast<double>(most);
      rectangle("sent", left + side + 20, top + at, out, thick, "#789", "from " + m_.label(i) + told(m_.from(i)));
      rectangle("received", left + at, top + side + 20, thick, in, "#789", "to " + m_.label(i) + told(m_.to(i)));
    }
    std::string const longest = "longest bar: " + short_number(most);
    text(left + side + 20, top - 10, "start", "sent");
    text(left - 8, top + side + 34, "end", "received");
    text(left, top + side + bars + 44, "start", longest + ' ' + word_of(m_.what()) + " (linear)");
  }

  void draw_legend() {
    constexpr int steps = 64;
    double const x = left + side + 20 + bars + 60;
    double const step = side / steps;
    for (int i = 0; i < steps; ++i) {
      to_ << "<rect class=\"legend\" x=\"" << x << "\" y=\"" << top + step * (steps - 1 - i) << "\" width=\"" << legend
          << "\" height=\"" << step + 0.5 << "\" fill=\"" << colour_of((i + 0.5) / steps) << "\"/>\n";
    }
    text(x, top - 28, "start", word_of(m_.what()));
    text(x, top - 12, "start", "(logarithmic)");
    for (double power = least_; power <= most_; ++power) {
      auto const value = static_cast<std::uint64_t>(std::llround(std::pow(10, power)));
      text(x + legend + 6, top + side * (1 - share(power)) + 4, "start", short_number(value));
    }
    text(x, top + side + 20, "start", "largest: " + short_number(m_.largest()));
    text(x, top + side + 36, "start", "white: none");
  }

  communication_matrix const& m_;
  std::ostream& to_;
  double cell_;
  double least_;
  double most_;
};

}  // namespace

void write_svg(communication_matrix const& m, std::string const& title, std::ostream& to) {
  picture(m, to).draw(title);
}

}  // namespace sheaf::tool
