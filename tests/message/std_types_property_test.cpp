// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <bitset>
#include <filesystem>
#include <forward_list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

#include "codec_properties.hpp"
#include "sheaf/std.hpp"

/// Properties of the codecs of the rarer standard types, of recursive types, and of a class with define_type.
namespace {

using namespace codec_test;

struct tree {
  int value;
  std::vector<tree> children;
  std::unique_ptr<tree> sibling;
  std::map<std::string, tree> named;

  static tree random(generator& random) {
    static int depth = 0;
    tree result{random_value<int>(random), {}, {}, {}};
    if (depth == 3) return result;
    ++depth;
    for (std::uint64_t n = random() % 3; n != 0; --n) result.children.push_back(tree::random(random));
    result.sibling = random_value<std::unique_ptr<tree>>(random);
    for (std::uint64_t n = random() % 2; n != 0; --n) {
      auto name = random_value<std::string>(random);
      result.named.emplace(std::move(name), tree::random(random));
    }
    --depth;
    return result;
  }
};

/// A vector as ARMI's paper describes it: a begin, and an end that points into the same memory.
class row {
 public:
  row() = default;
  row(row&& from) noexcept
      : label_(std::move(from.label_)),
        begin_(std::exchange(from.begin_, nullptr)),
        end_(std::exchange(from.end_, nullptr)) {}
  ~row() { delete[] begin_; }

  void define_type(sheaf::typer& t) {
    auto length = static_cast<std::uint32_t>(end_ - begin_);
    t.local(label_);
    t.local(length);
    t.dynamic(begin_, length);
    t.offset(end_, begin_);
    bool const fits = begin_ == nullptr ? end_ == nullptr : end_ == begin_ + length;
    if (t.reading() && !fits) throw decode_error("a row without its end");
  }

  static row random(generator& random) {
    row result;
    result.label_ = random_value<std::string>(random);
    std::size_t const n = random() % 5;
    if (n == 4) return result;
    result.begin_ = new std::string[n];
    result.end_ = result.begin_ + n;
    for (auto* each = result.begin_; each != result.end_; ++each) *each = random_value<std::string>(random);
    return result;
  }

 private:
  std::string label_;
  std::string* begin_ = nullptr;
  std::string* end_ = nullptr;
};

using anything = std::variant<std::monostate, int, std::string, std::vector<double>, std::unique_ptr<int>>;

template <class T>
class codec_of_more : public testing::Test {};

using types =
    testing::Types<std::forward_list<int>, std::forward_list<std::string>, std::multiset<std::string>,
                   std::unordered_set<int>, std::unordered_multiset<std::string>, std::unordered_multimap<int, int>,
                   std::stack<int>, std::queue<std::string>, std::priority_queue<int>,
                   std::stack<bool, std::vector<bool>>, std::valarray<double>, std::valarray<bool>,
                   std::valarray<std::string>, std::filesystem::path, std::vector<std::filesystem::path>,
                   std::variant<int, std::string>, anything, std::vector<anything>, std::map<int, anything>,
                   std::variant<std::monostate>, std::unique_ptr<int>, std::vector<std::unique_ptr<std::string>>,
                   std::map<int, std::unique_ptr<std::string>>, std::shared_ptr<std::string>,
                   std::pair<std::shared_ptr<int const>, std::unique_ptr<int const>>, tree, std::vector<tree>, row,
                   std::vector<row>, std::optional<row>, std::pair<row, std::map<int, row>>>;

TYPED_TEST_SUITE(codec_of_more, types, type_number);

TYPED_TEST(codec_of_more, decodes_what_it_encoded) { decodes_what_it_encoded<TypeParam>(); }
TYPED_TEST(codec_of_more, rejects_every_strict_prefix) { rejects_every_strict_prefix<TypeParam>(); }
TYPED_TEST(codec_of_more, survives_corrupted_bytes) { survives_corrupted_bytes<TypeParam>(); }

}  // namespace
