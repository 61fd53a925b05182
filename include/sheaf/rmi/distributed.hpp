// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>

#include "sheaf/rmi/handle.hpp"

namespace sheaf {

template <class T>
class distributed;

/// Registers an object as this location's representative of a new distributed object (ARMI §4.1). All members of the
/// team register the same number of objects in the same order. Sends nothing; earlier requests are held in order. The
/// destructor ends the registration. No request for the object may be under way then: fence first, on all members. A
/// later request is a usage_error that names it.
template <class T>
class registration : public detail::verbs<registration<T>, T> {
 public:
  registration(team const& on, T& object)
      : team_(on),
        here_(here_of(on)),
        target_(state_of(on),
                run_tag(0, here_.registered().add_object(state_of(on), &object, detail::token_of<T>()), on.id())) {
    ++target_.members().keepers;
  }
  registration& operator=(registration&&) = delete;
  ~registration() {
    if (team_.is_here()) here_.registered().remove_object(target_.members(), target_.object_number());
    target_.members().let_go();
  }

  [[nodiscard]] team const& members() const { return team_; }

 private:
  friend class detail::verbs<registration, T>;
  friend class distributed<T>;
  template <class Object>
  friend handle<Object> handle_of(registration<Object> const& object);
  [[nodiscard]] detail::target const& target_of(char const*, call_site) const { return target_; }

  team team_;
  detail::location& here_;  // not from team_, since the object may outlive the job
  detail::target target_;
};

/// The object's name, to be sent to other members.
template <class T>
handle<T> handle_of(registration<T> const& object) {
  return {object.members().id(), object.target_.object_number()};
}

/// Base of a class whose objects are distributed: `class histogram : public sheaf::distributed<histogram>`.
/// Constructing it registers it (see registration); its verbs call the representatives of all members. T's own
/// constructor must not wait or poll.
template <class T>
class distributed : public detail::verbs<distributed<T>, T> {
 public:
  // UBSan would look at a virtual table that T has not set yet.
  __attribute__((no_sanitize("vptr"))) explicit distributed(team const& on)
      : registration_(on, static_cast<T&>(*this)) {}

  [[nodiscard]] team const& members() const { return registration_.members(); }
  /// This location's rank in members().
  [[nodiscard]] std::uint32_t rank() const { return members().rank(); }

 protected:
  ~distributed() = default;

 private:
  friend class detail::verbs<distributed, T>;
  template <class Object>
  friend handle<Object> handle_of(distributed<Object> const& object);
  [[nodiscard]] detail::target const& target_of(char const*, call_site) const { return registration_.target_; }

  registration<T> registration_;
};

template <class T>
handle<T> handle_of(distributed<T> const& object) {
  return handle_of(object.registration_);
}

}  // namespace sheaf
