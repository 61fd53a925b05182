// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/base/call_site.hpp"
#include "sheaf/rmi/remote_calls.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf {

template <class T>
class published_handle;

namespace detail {

/// A call's parameter for a published_handle: the object and the place of the call. It is the handle's base, so that
/// templates deduce T from it; the first constructor makes the parameter at the call. `owner` lives until that call
/// ends. A handle itself has no room for the place.
template <class T>
class asked_object {
 public:
  constexpr asked_object(published_handle<T> const& object,  // NOLINT: converts on purpose
                         located<std::uint64_t>&& owner = std::uint64_t{0}) noexcept
      : object_(object.tag()), asked_(&owner) {
    owner.value = number(object.owner());
  }

  [[nodiscard]] constexpr run_tag tag() const { return object_; }
  [[nodiscard]] constexpr bool valid() const { return object_ != run_tag{}; }
  /// Only for a parameter: the owner and the place of the call.
  [[nodiscard]] constexpr located<std::uint64_t> owner_asked() const { return *asked_; }

 private:
  friend published_handle<T>;
  constexpr asked_object(run_tag object, std::uint64_t owner) : object_(object), owner_(owner) {}

  run_tag object_;
  union {
    std::uint64_t owner_;                  // of a handle
    located<std::uint64_t> const* asked_;  // of a parameter
  };
};

}  // namespace detail

/// The name of one object on one location: 16 bytes, may be sent, usable by all. Comparable; by default it names none.
template <class T>
class published_handle : public detail::asked_object<T> {
 public:
  constexpr published_handle() : published_handle(location_id{}, run_tag{}) {}
  constexpr published_handle(location_id owner, run_tag object) : detail::asked_object<T>(object, number(owner)) {}

  [[nodiscard]] constexpr location_id owner() const { return location_id{static_cast<std::uint32_t>(this->owner_)}; }
  constexpr bool operator==(published_handle const& other) const {
    return this->tag() == other.tag() && owner() == other.owner();
  }
};

/// Publishes an object of this location alone; others need not register it (STAPL's relaxed registration). Send
/// `handle_of(published)` as an argument; who has it calls `world.async<&T::add>(handle, a…)`. Sends nothing. One
/// location makes and destroys it, in its program or a method. The destructor withdraws the object: a later request is
/// a usage_error that names it, so fence the world first. At most 2^24 at a time on each location.
template <class T>
class published {
 public:
  explicit published(T& object, call_site where = call_site::here())
      : world_(sheaf::world(where)), object_(here_of(world_).registered().publish(&object, detail::token_of<T>())) {}
  published& operator=(published&&) = delete;
  ~published() {
    if (world_.is_here()) here_of(world_).registered().withdraw(object_);  // else the job is over
  }

 private:
  template <class Object>
  friend published_handle<Object> handle_of(published<Object> const& object);

  team world_;
  run_tag object_;
};

template <class T>
published_handle<T> handle_of(published<T> const& object) {
  return {here_of(object.world_).id(), object.object_};
}

namespace detail {

/// The caller's world team.
template <class T>
team world_of(char const* verb, asked_object<T> const& object) {
  location& here = current(verb, object.owner_asked().from);
  return team_of(here, here.registered().world());
}

/// The target of a call to the object. The team must be the world.
template <class T>
target published_target(team const& on, char const* verb, asked_object<T> const& object) {
  call_site const from = object.owner_asked().from;
  static_cast<void>(current(verb, from));
  if (!object.valid()) [[unlikely]]
    throw_no_object(from);
  if (on.id() != 0) [[unlikely]]
    throw_not_of_world(on.id(), from);
  return {state_of(on, from), object.tag()};
}

}  // namespace detail

template <auto... What, class T, class... A>
inline void team::async(detail::asked_object<T> object, A&&... a) const {
  auto const to = detail::published_target(*this, "async", object);
  to.template async<T, What...>(object.owner_asked(), std::forward<A>(a)...);
}
template <auto... What, class T, class... A>
inline bool team::try_async(detail::asked_object<T> object, A&&... a) const {
  auto const to = detail::published_target(*this, "try_async", object);
  return to.template try_async<T, What...>(object.owner_asked(), std::forward<A>(a)...);
}
template <auto... What, class T, class... A>
inline auto team::sync(detail::asked_object<T> object, A&&... a) const {
  auto const to = detail::published_target(*this, "sync", object);
  return to.template sync<T, What...>(object.owner_asked(), std::forward<A>(a)...);
}
template <auto... What, class T, class... A>
inline auto team::ask(detail::asked_object<T> object, A&&... a) const {
  auto const to = detail::published_target(*this, "ask", object);
  return to.template ask<T, What...>(object.owner_asked(), std::forward<A>(a)...);
}

}  // namespace sheaf
