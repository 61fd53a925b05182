// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/base/error.hpp"
#include "sheaf/message/exception_text.hpp"
#include "sheaf/rmi/detail/here.hpp"
#include "sheaf/rmi/detail/spreading.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {

/// What a method gave, encoded: a byte that says whether it threw, then the value or the exception's text. Outcomes are
/// put together as values are; where one threw, the first such text is what all of them give.
struct outcome {
  static constexpr std::byte value{0}, exception{1};

  [[nodiscard]] static bool threw(std::span<std::byte const> one) { return one.empty() || one[0] != value; }
  [[nodiscard]] static encoded of_exception(std::string const& text);
  /// Throws remote_error where the outcome is an exception.
  static void rethrow(std::span<std::byte const> one);
  [[nodiscard]] static std::string text(std::span<std::byte const> one);

  template <class T>
  static encoded of_value(T const& result) {
    encoded one(1 + codec<T>::size(result));
    one[0] = value;
    encode_to(room_of(one, 1), result);
    return one;
  }

  /// What f gives. The end of the job, and what a wrong build sent, pass through.
  template <class F>
  static encoded of_call(location& here, std::string_view handler, location_id caller, F f) {
    encoded one;
    call_catching([&] { one = of_value(f()); },
                  [&] { one = of_exception(exception_text(here.id(), handler, caller)); });
    return one;
  }

  /// Puts values together by an operation on T.
  template <class T, class Op>
  static void combine(void const* op, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right) {
    if (threw(left) || threw(right)) return keep_thrown(mine, left, right);
    T first = decode<T>(left.subspan(1)), second = decode<T>(right.subspan(1));
    try {
      T const sum = (*static_cast<Op const*>(op))(std::move(first), std::move(second));
      if constexpr (fixed_size<T>) {
        encode_to(room_of(mine, 1), sum);
      } else {
        mine = of_value<T>(sum);
      }
    } catch (ends_job const&) {
      throw;
    } catch (std::exception const& thrown) {
      mine = of_exception(std::string("in the operation of a reduction: ") + thrown.what());
    } catch (...) {
      mine = of_exception("in the operation of a reduction: an unknown exception");
    }
  }

  /// Puts values one behind the other.
  static void append(void const*, encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right);

 private:
  /// `mine`, one of the two, becomes the first of them that is an exception.
  static void keep_thrown(encoded& mine, encoded_operation::bytes left, encoded_operation::bytes right);
};

}  // namespace sheaf::detail
