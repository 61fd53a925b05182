// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/rmi/detail/gathered.hpp"

#include <string>

#include "sheaf/message/guarded_run.hpp"

namespace sheaf::detail {

void throw_unawaited(execution const& state, std::uint32_t token, char const* whose) {
  throw wire_error("sheaf: location " + std::to_string(number(state.source)) + " answered token " +
                   std::to_string(token) + ", which no " + whose + " awaits");
}

void send_error(location& here, std::uint32_t dest, run_tag tag, std::uint32_t token, std::string_view handler) {
  using record = arguments_codec<std::uint32_t, std::string>;
  std::string const text = exception_text(here.id(), handler, location_id{dest});
  put<record>(here, here.answer_box(dest), tag, {}, token, text);
}

}  // namespace sheaf::detail
