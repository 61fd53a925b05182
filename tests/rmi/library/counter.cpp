// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "rmi/library/counter.hpp"

#include "sheaf/rmi/named_method.hpp"

template class sheaf::named_method<&sheaf_test::library_counter::add>;

namespace sheaf_test {
namespace {

class hidden : public library_counter {
 public:
  void subtract(std::uint64_t by) { add(0 - by); }
};

}  // namespace

library_counter::~library_counter() = default;
void library_counter::grow(std::uint64_t by) { value_ += 10 * by; }
void library_counter::add(std::uint64_t by) { value_ += by; }
std::uint64_t library_counter::value() const noexcept { return value_; }

bool library_names_add() {
  using namespace sheaf::detail;
  return handler_number<async_request<method_invoker<library_counter, &library_counter::add>>> != 0;
}

hidden_method subtract() { return static_cast<hidden_method>(&hidden::subtract); }

}  // namespace sheaf_test
