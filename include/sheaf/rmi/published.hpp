// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "sheaf/rmi/detail/target.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

/// The name of one object on one location: 16 bytes, free to travel, usable by every location of the job. Comparable; a
/// default-constructed one names nothing.
template <class T>
class published_handle {
 public:
  constexpr published_handle() = default;
  constexpr published_handle(location_id owner, run_tag object) : object_(object), owner_(number(owner)) {}

  [[nodiscard]] constexpr location_id owner() const { return location_id{static_cast<std::uint32_t>(owner_)}; }
  [[nodiscard]] constexpr run_tag tag() const { return object_; }
  [[nodiscard]] constexpr bool valid() const { return object_ != run_tag{}; }
  constexpr bool operator==(published_handle const&) const = default;

 private:
  run_tag object_;
  std::uint64_t owner_ = 0;
};

/// Publishes an object of this location alone, which others need not register (STAPL's relaxed registration): send
/// `handle()` as an argument, and whoever has it can call the object. Sends nothing. Made and destroyed by one
/// location, in its program or a method; the destructor withdraws the object: a request that comes later is a
/// usage_error that names it, so fence the world first. At most 2^24 at a time on each location.
template <class T>
class published {
 public:
  explicit published(T& object)
      : here_(&detail::current("published")), object_(here_->publish(&object, detail::token_of<T>())) {}
  published(published const&) = delete;
  published& operator=(published const&) = delete;
  ~published() { here_->withdraw(object_); }

  [[nodiscard]] published_handle<T> handle() const { return {here_->id(), object_}; }

 private:
  location* here_;
  run_tag object_;
};

namespace detail {

/// The owner as a member of the world.
template <class T>
target published_target(char const* what, published_handle<T> object) {
  location& here = current(what);
  if (!object.valid()) [[unlikely]]
    throw_no_object();
  return {here, here.world(), object.tag()};
}

/// The class in which a method is declared; void for what is no method.
template <class M>
struct declared_in {
  using type = void;
};
template <class C, class M>
struct declared_in<M C::*> {
  using type = C;
};
template <auto Method>
using class_of = typename declared_in<decltype(Method)>::type;

}  // namespace detail

/// As async_rmi, sync_rmi and opaque_rmi of rmi.hpp, on the one object that the handle names. The world's fence waits
/// for such requests; a team's does not. Reports of jobs that stand still name the line of a sync_rmi where its method
/// is named at compile time and declared in T itself.
template <auto Method, class T, class... A>
void async_rmi(published_handle<T> object, A&&... a) {
  detail::published_target("async_rmi", object)
      .template async<detail::method_invoker<T, Method>>(number(object.owner()), std::forward<A>(a)...);
}
template <class T, class F, class... A>
void async_rmi(published_handle<T> object, F f, A&&... a) {
  detail::published_target("async_rmi", object)
      .template async_call<T>(number(object.owner()), f, std::forward<A>(a)...);
}

template <auto Method, class... A>
auto sync_rmi(located<published_handle<detail::class_of<Method>>> object, A&&... a) {
  using invoker = detail::method_invoker<detail::class_of<Method>, Method>;
  return detail::published_target("sync_rmi", object.value)
      .template sync<invoker>(located<std::uint64_t>(number(object.value.owner()), object.from), std::forward<A>(a)...);
}
template <auto Method, class T, class... A>
requires(!std::is_same_v<T, detail::class_of<Method>>) auto sync_rmi(published_handle<T> object, A&&... a) {
  return detail::published_target("sync_rmi", object)
      .template sync<detail::method_invoker<T, Method>>(located<std::uint64_t>(number(object.owner()), {}),
                                                        std::forward<A>(a)...);
}
template <class T, class F, class... A>
auto sync_rmi(published_handle<T> object, F f, A&&... a) {
  return detail::published_target("sync_rmi", object)
      .template sync_call<T>(located<std::uint64_t>(number(object.owner()), {}), f, std::forward<A>(a)...);
}

template <auto Method, class T, class... A>
auto opaque_rmi(published_handle<T> object, A&&... a) {
  return detail::published_target("opaque_rmi", object)
      .template split_phase<detail::method_invoker<T, Method>, detail::asked_kind::published>(number(object.owner()),
                                                                                              std::forward<A>(a)...);
}
template <class T, class F, class... A>
auto opaque_rmi(published_handle<T> object, F f, A&&... a) {
  return detail::published_target("opaque_rmi", object)
      .template split_phase_call<T, detail::asked_kind::published>(number(object.owner()), f, std::forward<A>(a)...);
}

}  // namespace sheaf
