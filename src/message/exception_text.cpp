// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/exception_text.hpp"

#include <exception>

#include "sheaf/base/error.hpp"
#include "sheaf/message/handler.hpp"

namespace sheaf::detail {

std::string exception_text(location_id here, std::string_view handler, location_id caller) {
  std::string text = "an unknown exception";
  try {
    throw;
  } catch (std::exception const& thrown) {
    text = without_prefix(thrown.what());
  } catch (...) {
  }
  return "location " + std::to_string(number(here)) + ", " + readable(handler) + " called by location " +
         std::to_string(number(caller)) + ": " + text;
}

}  // namespace sheaf::detail
