// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <array>
#include <forward_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/suite.hpp"
#include "sheaf/std.hpp"

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
  sheaf::handle<mirror> name() const noexcept { return handle_of(*this); }
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
  s.same(object.ask<&mirror::whole>(to, person{}).get(), person{}, "an empty aggregate");
  std::array<colour, 3> const three{colour::red, colour::blue, colour{200}};
  s.same(object.sync<&mirror::colours>(to, three), three, "an array of enums");
  std::optional<std::pair<std::string, bool>> const some(std::in_place, "yes", true);
  s.same(object.sync<&mirror::maybe>(to, some), some, "an optional pair");
  s.same(object.sync<&mirror::maybe>(to, std::nullopt), decltype(some)(), "nothing");
  s.that(object.sync<&mirror::name>(to) == handle_of(object), "a handle is the same everywhere");
  sheaf::fence(s.world);
}

SHEAF_CASE(codec, move_only_types) {
  mirror object(s.world);
  s.same(object.sync<&mirror::pass>(s.next(), token("to"), token("gether")).text(), "together", "a move-only result");
  auto later = object.ask<&mirror::pass>(s.next(), token("l"), token("ater"));
  s.same(later.get().text(), "later", "a move-only result of a future");
  for (int i = 0; i < 10; ++i) object.async<&mirror::keep>(s.next(), token(std::to_string(i)));
  sheaf::fence(s.world);
  s.same(object.kept.size(), 10u, "the number of move-only arguments");
  for (std::size_t i = 0; i < object.kept.size(); ++i) s.same(object.kept[i].text(), std::to_string(i), "an argument");
}

SHEAF_CASE(codec, arguments_travel_by_value) {
  mirror object(s.world);
  std::string text = "before";
  auto answer = object.ask<&mirror::text>(s.rank(), text);
  text = "after";
  s.same(answer.get(), "before", "an argument that changed after the call");
  short small = 3;
  s.same(std::get<0>(object.sync<&mirror::three>(s.next(), small, "x", 1)), 3, "a converted argument");
  auto const captured = [small, offset = point{1, 2}](mirror&, std::string const& suffix) {
    return std::to_string(small + static_cast<int>(offset.y)) + suffix;
  };
  s.same(object.sync(s.next(), captured, std::string("!")), "5!", "the result of a callable with captures");
  sheaf::fence(s.world);
}

namespace {

/// As in Fig. 4 of the ARMI paper, with an owner and an alias.
class measured {
 public:
  measured() = default;
  explicit measured(int size) : size_(size), array_(new int[static_cast<std::size_t>(size)]) {
    for (int i = 0; i < size; ++i) array_[i] = i * i;
    last_ = array_ + size;
  }
  measured(measured&& m) noexcept : size_(m.size_), array_(std::exchange(m.array_, nullptr)), last_(m.last_) {}
  measured& operator=(measured&&) = delete;
  ~measured() { delete[] array_; }

  void define_type(sheaf::typer& t) {
    t.local(size_);
    t.dynamic(array_, size_);
    t.offset(last_, array_);
  }
  [[nodiscard]] long sum() const {
    long sum = 0;
    for (int const* at = array_; at != last_; ++at) sum += *at;
    return sum;
  }

 private:
  int size_ = 0;
  int* array_ = nullptr;
  int* last_ = nullptr;
};

struct node {
  int value = 0;
  std::vector<std::shared_ptr<node>> to;
  std::weak_ptr<node> from;
};

struct chain {
  std::string text;
  std::unique_ptr<chain> next;
};

using choice = std::variant<std::monostate, int, std::unique_ptr<std::string>>;

/// What std.hpp and define_type add.
class second_mirror : public sheaf::distributed<second_mirror> {
 public:
  explicit second_mirror(sheaf::team const& on) : distributed(on) {}
  measured defined(measured m) { return m; }
  void add(measured const& m, std::vector<measured> const& more) {
    sum += m.sum();
    for (auto const& each : more) sum += each.sum();
  }
  std::unique_ptr<measured> owned(std::unique_ptr<measured> p) { return p; }
  std::shared_ptr<node> graph(std::shared_ptr<node> const& first, std::shared_ptr<node> const& second) {
    first->value = first == second ? 1 : 2;
    return first;
  }
  chain longer(chain c) { return {"first", std::make_unique<chain>(std::move(c))}; }
  std::vector<choice> chosen(std::vector<choice> v) { return v; }
  std::unordered_map<std::string, std::forward_list<int>> lists(
      std::unordered_map<std::string, std::forward_list<int>> const& v) {
    return v;
  }
  long sum = 0;
};

}  // namespace

SHEAF_CASE(codec, classes_with_define_type) {
  second_mirror object(s.world);
  for (int const size : {0, 1, 20, 3000}) {
    s.same(object.sync<&second_mirror::defined>(s.next(), measured(size)).sum(), measured(size).sum(), "a defined sum");
  }
  s.same(object.sync<&second_mirror::defined>(s.next(), measured()).sum(), 0l, "the sum of null");
  long expected = 0;
  for (int i = 0; i < 100; ++i) {
    std::vector<measured> more;
    for (int k = 0; k < i % 4; ++k) more.emplace_back(k);
    expected += measured(i).sum();
    for (auto const& each : more) expected += each.sum();
    object.async<&second_mirror::add>(s.next(), measured(i), std::move(more));
  }
  sheaf::fence(s.world);
  s.same(object.sum, expected, "the sum of what arrived");
}

SHEAF_CASE(codec, pointers_that_own) {
  second_mirror object(s.world);
  s.same(object.sync<&second_mirror::owned>(s.next(), std::make_unique<measured>(9))->sum(), measured(9).sum(),
         "a sum");
  s.that(object.sync<&second_mirror::owned>(s.next(), nullptr) == nullptr, "null stays null");
  auto const a = std::make_shared<node>();
  auto const b = std::make_shared<node>();
  a->to = {b, b};
  a->to[0]->from = a;
  auto const one = object.sync<&second_mirror::graph>(s.next(), a, a);
  s.same(one->value, 1, "two arguments, one object");
  s.that(one->to[1] == one->to[0] && one->to[0]->from.lock() == one, "a graph comes back as the same graph");
  s.same(object.sync<&second_mirror::graph>(s.next(), a, a->to[0])->value, 2, "two arguments, two objects");
  s.same(a->value, 0, "the sender's object");
  sheaf::fence(s.world);
}

SHEAF_CASE(codec, chains_of_pointers) {
  second_mirror object(s.world);
  chain sent;
  for (int links = 2; links < 200; ++links) {
    chain longer{std::to_string(links), std::make_unique<chain>(std::move(sent))};
    sent = std::move(longer);
  }
  chain const got = object.sync<&second_mirror::longer>(s.next(), std::move(sent));
  int links = 0;
  for (auto const* at = &got; at != nullptr; at = at->next.get()) ++links;
  s.same(links, 200, "the number of links");
  s.same(got.next->text, "199", "the second link");
  sheaf::fence(s.world);
}

SHEAF_CASE(codec, variants_and_rarer_containers) {
  second_mirror object(s.world);
  std::vector<choice> some;
  some.emplace_back(7);
  some.emplace_back(std::make_unique<std::string>("text"));
  some.emplace_back();
  auto const got = object.sync<&second_mirror::chosen>(s.next(), std::move(some));
  s.that(got.size() == 3 && got[2].index() == 0, "three values, the last of them none");
  s.same(std::get<1>(got.at(0)), 7, "a number");
  s.same(*std::get<2>(got.at(1)), "text", "a text behind a pointer");
  std::unordered_map<std::string, std::forward_list<int>> const lists{{"none", {}}, {"two", {1, 2}}};
  s.that(object.sync<&second_mirror::lists>(s.next(), lists) == lists, "lists by name");
  sheaf::fence(s.world);
}
