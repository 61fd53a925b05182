// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/location.hpp"

#include "message/outside.hpp"
#include "message/reports.hpp"
#include "message/silence.hpp"
#include "sheaf/message/sender.hpp"

namespace sheaf {

location::location(endpoint& connection, options const& shared)
    : endpoint_(connection),
      settings_(shared),
      careful_(settings_.flush_age_ns != 0 || settings_.progress != progress_kind::inlined),
      eager_steps_(settings_.transport == transport_kind::thread && settings_.spin_polls != 0 ? 128 : 0),
      watch_(connection),
      in_(*this),
      registered_(*this),
      out_(new detail::sender(*this)),
      silence_(new silence_watch(settings_.transport == transport_kind::sim ? 0 : settings_.poll_warning_ms)) {
  if (settings_.progress != progress_kind::inlined) detail::outside::let_into(*this);
  endpoint_.explain = {[](void const* self, detail::location_report& to) {
                         detail::reports(*static_cast<location const*>(self)).add_to(to);
                       },
                       this};
}

location::~location() {
  endpoint_.explain = {};
  endpoint_.share(nullptr);
  delete silence_;
  delete out_;
  delete others_;
}

}  // namespace sheaf
