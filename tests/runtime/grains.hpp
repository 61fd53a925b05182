// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "sheaf/message/guarded_run.hpp"
#include "sheaf/message/handler.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/runtime/team.hpp"

namespace sheaf_test {

/// A request of tests: sends `fan` grains of less depth on, to places that its seed says; throws when it shall.
struct grain {
  std::uint32_t depth = 0;
  std::uint16_t fan = 0;
  std::uint16_t throws = 0;
  std::uint64_t seed = 0;
};

/// One location's representative of a distributed object that only counts.
class field {
 public:
  explicit field(sheaf::team const& on)
      : team_(on), object_(here_of(on).registered().add_object(state_of(on), this, sheaf::detail::token_of<field>())) {}
  field(field const&) = delete;
  field& operator=(field const&) = delete;
  ~field() { here_of(team_).registered().remove_object(state_of(team_), object_); }

  void send(std::uint32_t rank, grain const& g);
  void execute(grain const& g);

  [[nodiscard]] sheaf::team const& members() const { return team_; }

  std::uint64_t issued = 0;
  std::uint64_t finished = 0;
  bool flush_each = false;  ///< so that each grain travels alone

 private:
  sheaf::team team_;
  std::uint32_t object_;
};

struct grain_handler {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<field>();
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
  static constexpr std::uint32_t record_bytes = sizeof(grain);

  static void run(sheaf::detail::location& here, void* object, sheaf::detail::execution& state) {
    sheaf::detail::run_guarded(here, state, [&] {
      while (state.at != state.run_end) {
        grain g;
        std::memcpy(&g, state.at, sizeof g);
        state.at += sizeof g;
        static_cast<field*>(object)->execute(g);
      }
    });
  }
};

inline void field::send(std::uint32_t rank, grain const& g) {
  ++issued;
  sheaf::detail::location& here = here_of(team_);
  std::uint32_t const dest = number(team_.location_of(rank));
  sheaf::run_tag const tag(sheaf::detail::handler_number<grain_handler>, object_, team_.id());
  std::memcpy(here.request_box(dest).append(tag, sizeof g), &g, sizeof g);
  if (flush_each) here.request_box(dest).flush();
}

inline void field::execute(grain const& g) {
  std::uint64_t random = g.seed;
  for (unsigned i = 0; i < g.fan && g.depth != 0; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    grain next = g;
    --next.depth;
    next.seed = random;
    send(static_cast<std::uint32_t>((random >> 33) % team_.size()), next);
  }
  ++finished;
  if (g.throws != 0 && g.depth == 0)
    throw std::runtime_error("grain " + std::to_string(g.throws) + " was told to throw");
}

}  // namespace sheaf_test
