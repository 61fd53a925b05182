// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sheaf/message/guarded_run.hpp"
#include "sheaf/runtime/detail/collective_call.hpp"
#include "sheaf/runtime/detail/futures.hpp"

/// The collective operations as templates: what each member gives, how values are put together, what it gets. Each plan
/// can be run, or started.
namespace sheaf::detail {

/// No array, and so no string literal: a function cannot return it.
template <class T>
concept collective_value = !std::is_array_v<T> && codec_type<T>;

/// What a plan gives to and gets from an operation. `root`: none where all get the result. A plan that applies the
/// operation behind the messages does so in `apply`, and what that throws ends the job.
struct collective_plan {
  collective_call call;
  collective_kind kind;
  collective_values values{};

  [[nodiscard]] static encoded_operation operation() { return {}; }
  [[nodiscard]] bool is_root() const { return call.members.rank() == call.root.value_or(call.members.rank()); }
};

template <class Plan>
auto run_plan(Plan plan) {
  carry_out(plan.call, plan.kind, plan.values, plan.operation());
  if constexpr (requires { plan.apply(); }) apply_behind(plan.call, [&] { plan.apply(); });
  return plan.take();
}

/// A plan whose result a future waits for.
template <class Plan>
struct begun_plan final : begun_call {
  using result = decltype(std::declval<Plan&>().take());
  Plan plan;
  location& here;
  future_state<result>* const state;
  std::uint64_t const question;

  begun_plan(Plan&& begun, location& at, future_state<result>* to, std::uint64_t asked)
      : plan(std::move(begun)), here(at), state(to), question(asked) {}
  [[nodiscard]] collective_values& values() override { return plan.values; }
  [[nodiscard]] encoded_operation operation() const override { return plan.operation(); }
  [[nodiscard]] fence_value* fenced() override {
    if constexpr (requires { plan.fenced(); }) return plan.fenced();
    return nullptr;
  }
  void end() override {
    state_owner<result> const answered(state);  // the reply's reference
    {
      admission const inside(here.gate());
      here.calls().questions.end_alone(question);
    }
    state->set_from_call([&] {
      if constexpr (requires { plan.apply(); })
        call_to_the_end("the operation of a collective call", [&] { plan.apply(); });
      return plan.take();
    });
  }
};

template <class Plan>
auto start_plan(Plan plan) {
  using begun = begun_plan<Plan>;
  check_may_call(plan.call);
  collective_call const call = plan.call;
  collective_kind const kind = plan.kind;
  location& here = here_of(call.members);
  team_state& team = state_of(call.members);
  asking<typename begun::result> question(here, team.begun);
  carried_question carried(here, {nullptr, &team.begun, nullptr}, {run_tag(0, 0, team.id), wait_site::several},
                           question.place());
  begin(call, kind, new begun(std::move(plan), here, question.state(), carried.id()));
  carried.sent();
  return question.sent();
}

struct barrier_plan : collective_plan {
  explicit barrier_plan(collective_call const& of) : collective_plan{of, collective_kind::barrier} {}
  static void take() {}
};

template <class T>
struct broadcasting : collective_plan {
  broadcasting(collective_call const& of, T const& value) : collective_plan{of, collective_kind::broadcast} {
    if (is_root()) values.one = encode<T>(value);
  }
  T take() const { return decode<T>(bytes_of(values.one)); }
};

template <class T, class Op>
struct reducing_plan : collective_plan {
  Op op;
  std::optional<T> own;  // of who gets no result
  reducing_plan(collective_call const& of, T const& value, Op by)
      : collective_plan{of, collective_kind::reduce, {encode<T>(value)}}, op(std::move(by)) {
    if (!is_root()) own = value;
  }
  [[nodiscard]] encoded_operation operation() const { return operation_on<T>(op); }
  T take() { return own ? std::move(*own) : decode<T>(bytes_of(values.one)); }
};

template <class T>
struct gathering : collective_plan {
  gathering(collective_call const& of, T const& value)
      : collective_plan{of, collective_kind::reduce, {encode<T>(value)}} {}
  [[nodiscard]] static encoded_operation operation() { return {&append_encoded, nullptr}; }
  std::vector<T> take() const {
    if (!is_root()) return {};
    return decode_all<T>(bytes_of(values.one), call.members.size());
  }
};

template <class T>
struct exchanging : collective_plan {
  exchanging(collective_call const& of, std::vector<T> const& given) : collective_plan{of, collective_kind::exchange} {
    check_one_for_each(of, given.size());
    values.each.reserve(given.size());
    for (T const& value : given) values.each.push_back(encode<T>(value));
  }
  std::vector<T> take() const {
    std::vector<T> all;
    all.reserve(values.each.size());
    for (auto const& one : values.each) all.push_back(decode<T>(bytes_of(one)));
    return all;
  }
};

template <class T, class Op>
struct reducing_parts : exchanging<T> {
  Op op;
  reducing_parts(collective_call const& of, std::vector<T> const& given, Op by)
      : exchanging<T>(of, given), op(std::move(by)) {}
  void apply() {
    auto& parts = this->values.each;
    for (std::size_t i = 1; i < parts.size(); ++i) operation_on<T>(op).add_behind(parts[0], bytes_of(parts[i]));
  }
  T take() { return decode<T>(bytes_of(this->values.each[0])); }
};

/// With `first`: begins with it, and leaves out the own value.
template <class T, class Op, bool Exclusive = false>
struct scanning : collective_plan {
  T own;  // or `first`
  Op op;
  std::optional<T> all;  // with those of lower ranks
  scanning(collective_call const& of, T const& value, Op by)
      : collective_plan{of, collective_kind::scan, {encode<T>(value)}}, own(value), op(std::move(by)) {}
  scanning(collective_call const& of, T const& value, Op by, T const& first)
      : collective_plan{of, collective_kind::scan, {encode<T>(value)}}, own(first), op(std::move(by)) {}
  [[nodiscard]] encoded_operation operation() const { return operation_on<T>(op); }
  void apply() {
    if (call.members.rank() == 0) return;
    T before = decode<T>(bytes_of(values.one));
    all.emplace(Exclusive ? op(std::move(own), std::move(before)) : op(std::move(before), std::move(own)));
  }
  T take() { return std::move(all ? *all : own); }
};

/// Elements that spans may have: they travel as their memory image.
template <class T>
concept spannable = codec_type<std::remove_const_t<T>> && wire<std::remove_const_t<T>>
.image;

template <class T>
encoded image_of(std::span<T> values) {
  auto const bytes = std::as_bytes(values);
  return encoded(bytes.begin(), bytes.end());
}

/// In place. Without an operation: a broadcast.
template <class T, class Op = unit>
struct spanning : collective_plan {
  using element = T;
  std::span<T> span;
  Op op;
  spanning(collective_call const& of, collective_kind what, std::span<T> all, Op by = {})
      : collective_plan{of, what}, span(all), op(std::move(by)) {
    if (what != collective_kind::broadcast || is_root()) values.one = image_of(all);
  }
  [[nodiscard]] encoded_operation operation() const {
    if constexpr (std::is_same_v<Op, unit>) {
      return {};
    } else {
      return elementwise_on<spanning>(*this);
    }
  }
  void take() const {
    if (kind == collective_kind::reduce && !is_root()) return;
    check_equal_lengths(call, values.one.size() / sizeof(T), span.size());
    if (!span.empty()) std::memcpy(span.data(), values.one.data(), values.one.size());
  }
};

template <class T>
struct gathering_span : collective_plan {
  gathering_span(collective_call const& of, std::span<T> all)
      : collective_plan{of, collective_kind::reduce, {image_of(all)}} {}
  [[nodiscard]] static encoded_operation operation() { return {&append_encoded, nullptr}; }
  auto take() const {
    std::vector<std::remove_const_t<T>> all;
    if (!is_root()) return all;
    all.reserve(values.one.size() / sizeof(T));
    for (std::size_t at = 0; at < values.one.size(); at += sizeof(T))
      all.push_back(from_image<std::remove_const_t<T>>(values.one.data() + at));
    return all;
  }
};

}  // namespace sheaf::detail
