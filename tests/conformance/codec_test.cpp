// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/suite.hpp"

namespace {

struct point {
  double x = 0, y = 0;
  bool operator==(point const&) const = default;
};

struct person {
  std::string name;
  std::vector<std::string> words;
  std::optional<point> place;
  std::map<std::string, std::uint32_t> counts;
  bool operator==(person const&) const = default;
};

enum class colour : std::uint8_t { red = 1, blue = 7 };

/// Move-only, with a codec of its own.
class token {
 public:
  explicit token(std::string text) : text_(std::make_unique<std::string>(std::move(text))) {}
  [[nodiscard]] std::string const& text() const { return *text_; }

 private:
  std::unique_ptr<std::string> text_;
};

}  // namespace

template <>
struct sheaf::codec<token> {
  static std::size_t size(token const& t) { return codec<std::string>::size(t.text()); }
  static void encode(byte_writer& to, token const& t) { codec<std::string>::encode(to, t.text()); }
  static token decode(byte_reader& from) { return token(codec<std::string>::decode(from)); }
};

namespace {

/// Gives back what it was given, in one way or another.
class mirror : public sheaf::distributed<mirror> {
 public:
  explicit mirror(sheaf::team const& on) : distributed(on) {}
  std::string text(std::string const& v) { return v; }
  std::vector<std::string> texts(std::vector<std::string> v) { return v; }
  std::tuple<int, std::string, double> three(int a, std::string const& b, double c) { return {a, b, c}; }
  person whole(person const& p) { return p; }
  std::array<colour, 3> colours(std::array<colour, 3> v) { return v; }
  std::optional<std::pair<std::string, bool>> maybe(std::optional<std::pair<std::string, bool>> v) { return v; }
  token pass(token t, token const& u) { return token(t.text() + u.text()); }
  void keep(token t) { kept.push_back(std::move(t)); }
  sheaf::handle<mirror> name() const noexcept { return handle(); }
  std::vector<token> kept;
};

}  // namespace

SHEAF_CASE(codec, arguments_and_results_of_all_kinds) {
  mirror object(s.world);
  auto const to = s.next();
  for (std::size_t const bytes : {0u, 1u, 55u, 56u, 57u, 127u, 128u, 255u, 256u, 257u, 8192u, 100'000u}) {
    s.same(object.sync<&mirror::text>(to, std::string(bytes, 'c')), std::string(bytes, 'c'), "a text");
  }
  std::vector<std::string> const texts{"a", "", "ccc"};
  s.same(object.sync<&mirror::texts>(to, texts), texts, "texts");
  s.same(object.sync<&mirror::three>(to, -1, "two", 3.5), std::tuple<int, std::string, double>(-1, "two", 3.5),
         "a tuple");
  person const p{"Ada", {"engine", "", "loom"}, point{1, -2}, {{"x", 3}, {"y", 4}}};
  s.same(object.sync<&mirror::whole>(to, p), p, "an aggregate");
  s.same(object.opaque<&mirror::whole>(to, person{}).get(), person{}, "an empty aggregate");
  std::array<colour, 3> const three{colour::red, colour::blue, colour{200}};
  s.same(object.sync<&mirror::colours>(to, three), three, "an array of enums");
  std::optional<std::pair<std::string, bool>> const some(std::in_place, "yes", true);
  s.same(object.sync<&mirror::maybe>(to, some), some, "an optional pair");
  s.same(object.sync<&mirror::maybe>(to, std::nullopt), decltype(some)(), "nothing");
  s.that(object.sync<&mirror::name>(to) == object.handle(), "a handle is the same everywhere");
  sheaf::rmi_fence(s.world);
}

SHEAF_CASE(codec, move_only_types) {
  mirror object(s.world);
  s.same(object.sync<&mirror::pass>(s.next(), token("to"), token("gether")).text(), "together", "a move-only result");
  auto later = object.opaque<&mirror::pass>(s.next(), token("l"), token("ater"));
  s.same(later.get().text(), "later", "a move-only result of a future");
  for (int i = 0; i < 10; ++i) object.async<&mirror::keep>(s.next(), token(std::to_string(i)));
  sheaf::rmi_fence(s.world);
  s.same(object.kept.size(), 10u, "the number of move-only arguments");
  for (std::size_t i = 0; i < object.kept.size(); ++i) s.same(object.kept[i].text(), std::to_string(i), "an argument");
}

SHEAF_CASE(codec, arguments_travel_by_value) {
  mirror object(s.world);
  std::string text = "before";
  auto answer = object.opaque<&mirror::text>(s.rank(), text);
  text = "after";
  s.same(answer.get(), "before", "an argument that changed after the call");
  short small = 3;
  s.same(std::get<0>(object.sync<&mirror::three>(s.next(), small, "x", 1)), 3, "a converted argument");
  auto const captured = [small, offset = point{1, 2}](mirror&, std::string const& suffix) {
    return std::to_string(small + static_cast<int>(offset.y)) + suffix;
  };
  s.same(object.sync(s.next(), captured, std::string("!")), "5!", "the result of a callable with captures");
  sheaf::rmi_fence(s.world);
}
