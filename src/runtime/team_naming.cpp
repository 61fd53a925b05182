// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "runtime/team_naming.hpp"

#include <algorithm>
#include <string>

#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace sheaf::detail {
namespace {

using name_codec = arguments_codec<team_number, std::vector<location_id>>;

/// Keeps an arriving name until the call that it is for. Its entry holds one record.
struct name_arrival {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::answer;
  static constexpr std::uint32_t record_bytes = 0;

  static void run(location& here, void*, execution& state) {
    while (state.at != state.run_end) {
      byte_reader reader(state.at, state.run_end);
      try {
        auto [number, members] = name_codec::decode(reader);
        collectives_of(here).apart().team_names.push_back({number, std::move(members)});
      } catch (decode_error const& why) {
        throw wire_error("sheaf: a team's number from location " + std::to_string(sheaf::number(state.source)) +
                         " does not decode: " + why.what());
      }
      state.at = state.run_end - reader.remaining();
      ++state.begun;
    }
  }
};

std::uint32_t place_of(location_id id, std::vector<location_id> const& members) {
  return static_cast<std::uint32_t>(std::find(members.begin(), members.end(), id) - members.begin());
}

}  // namespace

naming_machine::naming_machine(location& here, std::vector<location_id> const& members)
    : here_(here),
      members_(members),
      place_(place_of(here.id(), members), static_cast<std::uint32_t>(members.size()),
             collectives_of(here).form.arity) {}

bool naming_machine::advance() {
  if (!take_number()) return false;
  if (place_.children() == 0) return true;
  run_tag const tag(handler_number<name_arrival>, 0, 0);
  encoded const list = encode(members_);
  auto const* const number = reinterpret_cast<std::byte const*>(&number_);
  for (std::uint32_t i = 0; i < place_.children(); ++i)
    send_control(here_, sheaf::number(members_[place_.child(i)]), tag, std::span(number, sizeof number_), list);
  return true;
}

bool naming_machine::take_number() {
  if (place_.is_root()) {
    number_ = here_.registered().unused_team_number();
    return true;
  }
  auto& names = collectives_of(here_).apart().team_names;
  auto const its =
      std::find_if(names.begin(), names.end(), [this](team_name const& n) { return n.members == members_; });
  if (its == names.end()) return false;
  number_ = its->number;
  names.erase(its);
  return true;
}

}  // namespace sheaf::detail
