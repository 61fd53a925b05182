// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <utility>

#include "sheaf/rmi/bound.hpp"
#include "sheaf/rmi/rmi.hpp"

namespace sheaf {

template <class T>
class distributed;

namespace detail {

/// What calls may be told to be about: a handle, or a distributed object of this location.
template <class T>
handle<T> handle_of(handle<T> object) {
  return object;
}
template <class T>
handle<T> handle_of(distributed<T> const& object) {
  return object.handle();
}

template <class T>
target target_of(sheaf::team const& on, handle<T> object, call_site from) {
  return target::of(on.here(), object, from);
}
template <class T>
target const& target_of(sheaf::team const&, distributed<T> const& object, call_site) {
  return object.target_;
}

template <class Object>
using object_type = typename decltype(handle_of(std::declval<Object const&>()))::object_type;

}  // namespace detail

/// Registers an object as this location's representative of a new distributed object (ARMI §4.1): all members of the
/// team register the same number of objects in the same order. Sends nothing; requests that arrive before it are held
/// in order. The destructor ends the registration: a request that comes later is an error, so fence first.
template <class T>
class registration {
 public:
  registration(sheaf::team const& on, T& object)
      : team_(on),
        here_(on.here()),
        state_(on.state()),
        number_(here_.registered().add_object(state_, &object, detail::token_of<T>())) {
    ++state_.keepers;
  }
  registration& operator=(registration&&) = delete;
  ~registration() {
    if (team_.is_here()) here_.registered().remove_object(state_, number_);  // else the job is over
    state_.let_go();
  }

  [[nodiscard]] sheaf::handle<T> handle() const { return {team_.id(), number_}; }
  [[nodiscard]] sheaf::team const& team() const { return team_; }

 private:
  sheaf::team team_;
  location& here_;  // not by the team, as the object may outlive the job
  detail::team_state& state_;
  std::uint32_t number_;
};

/// Base of a class whose objects are distributed: `class histogram : public sheaf::distributed<histogram>`.
/// Constructing it registers it; its members call the other representatives. T's own constructor must not wait or poll.
template <class T>
class distributed {
 public:
  explicit distributed(sheaf::team const& on)
      : registration_(on, static_cast<T&>(*this)), target_(on.state(), registration_.handle().tag()) {}

  [[nodiscard]] sheaf::handle<T> handle() const { return registration_.handle(); }
  [[nodiscard]] sheaf::team const& team() const { return registration_.team(); }
  [[nodiscard]] std::uint32_t rank() const { return team().rank(); }
  [[nodiscard]] std::uint32_t size() const { return team().size(); }

  /// As the free functions async_rmi, sync_rmi and opaque_rmi, on the representative of member `dest`.
  template <auto... Method, class... A>
  void async(located<std::uint64_t> dest, A&&... a) const {
    target_.template async<T, Method...>(dest, std::forward<A>(a)...);
  }
  template <class... A>
  void async(located<std::uint64_t> dest,
             detail::overload_for_exactly_these_arguments_else_use_sheaf_overload<T, std::decay_t<A>...> const& chosen,
             A&&... a) const {
    target_.template async<T>(dest, chosen.method(), std::forward<A>(a)...);
  }
  /// For a loop of such requests: `auto const add = bind<&T::add>(); … add(dest, a…)`. See bound_rmi.
  template <auto... Method, class... M>
  [[nodiscard]] auto bind(M... method) const {
    return detail::bound<T, Method...>(target_, method...);
  }
  template <auto... Method, class... A>
  auto sync(located<std::uint64_t> dest, A&&... a) const {
    return target_.template sync<T, Method...>(dest, std::forward<A>(a)...);
  }
  template <auto... Method, class... A>
  auto opaque(located<std::uint64_t> dest, A&&... a) const {
    return target_.template split_phase<T, Method...>(dest, std::forward<A>(a)...);
  }

 protected:
  ~distributed() = default;

 private:
  template <class Object>
  friend detail::target const& detail::target_of(sheaf::team const&, distributed<Object> const&, call_site);

  registration<T> registration_;
  detail::target target_;
};

}  // namespace sheaf
