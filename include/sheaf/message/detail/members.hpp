// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "sheaf/message/detail/shapes.hpp"

// Lists of 1 to 24 items by number, for what no template can repeat: names of structured bindings and `{}`.
// SHEAF_DETAIL_LIST(n, item) is `item(1), …, item(n)`; SHEAF_DETAIL_STEPS(step) is `step(1) … step(24)`.

#define SHEAF_DETAIL_LIST(n, item) SHEAF_DETAIL_LIST_##n(item)
#define SHEAF_DETAIL_LIST_1(item) item(1)
#define SHEAF_DETAIL_LIST_2(item) SHEAF_DETAIL_LIST_1(item), item(2)
#define SHEAF_DETAIL_LIST_3(item) SHEAF_DETAIL_LIST_2(item), item(3)
#define SHEAF_DETAIL_LIST_4(item) SHEAF_DETAIL_LIST_3(item), item(4)
#define SHEAF_DETAIL_LIST_5(item) SHEAF_DETAIL_LIST_4(item), item(5)
#define SHEAF_DETAIL_LIST_6(item) SHEAF_DETAIL_LIST_5(item), item(6)
#define SHEAF_DETAIL_LIST_7(item) SHEAF_DETAIL_LIST_6(item), item(7)
#define SHEAF_DETAIL_LIST_8(item) SHEAF_DETAIL_LIST_7(item), item(8)
#define SHEAF_DETAIL_LIST_9(item) SHEAF_DETAIL_LIST_8(item), item(9)
#define SHEAF_DETAIL_LIST_10(item) SHEAF_DETAIL_LIST_9(item), item(10)
#define SHEAF_DETAIL_LIST_11(item) SHEAF_DETAIL_LIST_10(item), item(11)
#define SHEAF_DETAIL_LIST_12(item) SHEAF_DETAIL_LIST_11(item), item(12)
#define SHEAF_DETAIL_LIST_13(item) SHEAF_DETAIL_LIST_12(item), item(13)
#define SHEAF_DETAIL_LIST_14(item) SHEAF_DETAIL_LIST_13(item), item(14)
#define SHEAF_DETAIL_LIST_15(item) SHEAF_DETAIL_LIST_14(item), item(15)
#define SHEAF_DETAIL_LIST_16(item) SHEAF_DETAIL_LIST_15(item), item(16)
#define SHEAF_DETAIL_LIST_17(item) SHEAF_DETAIL_LIST_16(item), item(17)
#define SHEAF_DETAIL_LIST_18(item) SHEAF_DETAIL_LIST_17(item), item(18)
#define SHEAF_DETAIL_LIST_19(item) SHEAF_DETAIL_LIST_18(item), item(19)
#define SHEAF_DETAIL_LIST_20(item) SHEAF_DETAIL_LIST_19(item), item(20)
#define SHEAF_DETAIL_LIST_21(item) SHEAF_DETAIL_LIST_20(item), item(21)
#define SHEAF_DETAIL_LIST_22(item) SHEAF_DETAIL_LIST_21(item), item(22)
#define SHEAF_DETAIL_LIST_23(item) SHEAF_DETAIL_LIST_22(item), item(23)
#define SHEAF_DETAIL_LIST_24(item) SHEAF_DETAIL_LIST_23(item), item(24)

#define SHEAF_DETAIL_STEPS_8(s, a, b, c, d, e, f, g, h) s(a) s(b) s(c) s(d) s(e) s(f) s(g) s(h)
#define SHEAF_DETAIL_STEPS(s)                            \
  SHEAF_DETAIL_STEPS_8(s, 1, 2, 3, 4, 5, 6, 7, 8)        \
  SHEAF_DETAIL_STEPS_8(s, 9, 10, 11, 12, 13, 14, 15, 16) \
  SHEAF_DETAIL_STEPS_8(s, 17, 18, 19, 20, 21, 22, 23, 24)

/// The members of a plain aggregate: how many, by trying initialisers; which, by structured bindings.
namespace sheaf::detail {

inline constexpr std::size_t max_members = 24;

/// Initialises any member of T. A copyable T may have reference members, so there it converts to lvalues.
template <class T, std::size_t = 0>
struct any_member {
  template <class U>
  requires(std::is_copy_constructible_v<T> && !std::is_same_v<U, T>) operator U&() const {
    __builtin_unreachable();  // only ever named, in requirements
  }
  template <class U>
  requires(!std::is_copy_constructible_v<T> && !std::is_same_v<U, T>) operator U() const { __builtin_unreachable(); }
};

/// Initialises a base class of T, nothing else.
template <class T>
struct any_base {
  template <class U>
  requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>) operator U() const { __builtin_unreachable(); }
};

template <class T>
concept has_base = requires {
  T{any_base<T>{}};
};

#define SHEAF_DETAIL_BRACES(i) \
  {}

struct brace_count {
  std::size_t members = 0;
  bool complete = false;  // no member follows
};

template <class T, std::size_t... I>
concept takes_values = requires {
  T{any_member<T, I>{}...};
};

/// Counts by `T{{}, {}, …}`: exact with array members too, where every member can start from `{}`.
template <class T>
consteval brace_count count_by_braces() {
  constexpr bool starts = takes_values<T>;
  brace_count result{0, starts && !takes_values<T, 0>};
#define SHEAF_DETAIL_STEP(n)                                                                           \
  if constexpr (requires { T{SHEAF_DETAIL_LIST(n, SHEAF_DETAIL_BRACES)}; }) {                          \
    constexpr bool more = requires { T{SHEAF_DETAIL_LIST(n, SHEAF_DETAIL_BRACES), any_member<T>{}}; }; \
    result = {n, starts && !more};                                                                     \
  }
  SHEAF_DETAIL_STEPS(SHEAF_DETAIL_STEP)
#undef SHEAF_DETAIL_STEP
  return result;
}

template <class T, std::size_t... I>
consteval bool takes(std::index_sequence<I...>) {
  return takes_values<T, I...>;
}

/// Counts by `T{value, value, …}`: members without a default too, but an array counts once per element.
/// At most `max_members + 1`; not every shorter list is legal, as a reference must have its value.
template <class T>
consteval std::size_t count_by_values() {
  return []<std::size_t... N>(std::index_sequence<N...>) {
    std::size_t count = 0;
    ((count = takes<T>(std::make_index_sequence<N + 1>{}) ? N + 1 : count), ...);
    return count;
  }
  (std::make_index_sequence<max_members + 1>{});
}

template <class T, std::size_t... Before, std::size_t... After>
consteval bool array_after(std::index_sequence<Before...>, std::index_sequence<After...>) {
  return requires { T{any_member<T, Before>{}..., {}, any_member<T, After>{}...}; };
}

/// Of N values taken, one `{}` in place of two or more: there is an array among the members.
template <class T, std::size_t N, std::size_t... I>
consteval bool has_array(std::index_sequence<I...>) {
  return (array_after<T>(std::make_index_sequence<I>{}, std::make_index_sequence<N - I>{}) || ...);
}

/// Number of members, 1 to 24; 0 if bindings cannot name them: a base class, more, an array beside what has no default.
template <class T>
consteval std::size_t count_members() {
  constexpr brace_count by_braces = count_by_braces<T>();
  if constexpr (has_base<T>) {
    return 0;
  } else if constexpr (by_braces.complete) {
    return by_braces.members;
  } else {
    constexpr std::size_t by_values = count_by_values<T>();
    bool const known = by_values <= max_members && !has_array<T, by_values>(std::make_index_sequence<by_values>{});
    return known ? by_values : 0;
  }
}

#define SHEAF_DETAIL_NAME(i) m##i
#define SHEAF_DETAIL_TYPE(i) decltype(m##i)

/// Calls `f(member…)` with every member of `value`, in order; the members are lvalues, const where `value` is.
template <class T, class F>
constexpr decltype(auto) with_members(T& value, F&& f) {
  constexpr std::size_t count = count_members<std::remove_const_t<T>>();
#define SHEAF_DETAIL_STEP(n)                                 \
  if constexpr (count == n) {                                \
    auto& [SHEAF_DETAIL_LIST(n, SHEAF_DETAIL_NAME)] = value; \
    return f(SHEAF_DETAIL_LIST(n, SHEAF_DETAIL_NAME));       \
  } else  // NOLINT(readability-else-after-return)
  SHEAF_DETAIL_STEPS(SHEAF_DETAIL_STEP)
#undef SHEAF_DETAIL_STEP
  static_assert(count != 0);
}

template <class T>
constexpr auto list_members(T& value) {
  constexpr std::size_t count = count_members<T>();
#define SHEAF_DETAIL_STEP(n)                                     \
  if constexpr (count == n) {                                    \
    auto& [SHEAF_DETAIL_LIST(n, SHEAF_DETAIL_NAME)] = value;     \
    return type_list<SHEAF_DETAIL_LIST(n, SHEAF_DETAIL_TYPE)>{}; \
  } else
  SHEAF_DETAIL_STEPS(SHEAF_DETAIL_STEP)
#undef SHEAF_DETAIL_STEP
  return type_list<>{};
}

/// The declared types of T's members, references and const included; empty where `count_members` is 0.
template <class T>
using members_of = decltype(list_members(std::declval<T&>()));

}  // namespace sheaf::detail
