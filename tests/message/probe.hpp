// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "message/fake_endpoint.hpp"
#include "sheaf/base/ambient.hpp"
#include "sheaf/base/lease.hpp"
#include "sheaf/message/codec.hpp"
#include "sheaf/message/guarded_run.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf_test {

/// An object that keeps what its requests brought, and does what the test says while one of them runs.
struct probe {
  std::vector<std::uint64_t> values;
  std::vector<std::string> texts;
  std::function<void(std::uint64_t)> on_value;

  void take(std::uint64_t value) {
    values.push_back(value);
    if (on_value) on_value(value);
  }
};

/// Records of eight bytes.
struct probe_value {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<probe>();
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
  static constexpr std::uint32_t record_bytes = 8;
  static void run(sheaf::detail::location& here, void* object, sheaf::detail::execution& state) {
    run_guarded(here, state, [&] {
      while (state.at != state.run_end) {
        std::uint64_t value = 0;
        std::memcpy(&value, state.at, 8);
        state.at += 8;
        static_cast<probe*>(object)->take(value);
      }
    });
  }
};

/// Strings.
struct probe_text {
  static constexpr sheaf::detail::type_token object_type = sheaf::detail::token_of<probe>();
  static constexpr sheaf::traffic kind = sheaf::traffic::request;
  static constexpr std::uint32_t record_bytes = 0;
  static void run(sheaf::detail::location&, void* object, sheaf::detail::execution& state) {
    while (state.at != state.run_end) {
      sheaf::byte_reader reader(std::span(state.at, state.run_end));
      auto text = sheaf::codec<std::string>::decode(reader);
      state.at = state.run_end - reader.remaining();
      ++state.begun;
      static_cast<probe*>(object)->texts.push_back(std::move(text));
    }
  }
};

/// Answers of eight bytes, kept here.
struct probe_answer {
  static constexpr sheaf::detail::type_token object_type = nullptr;
  static constexpr sheaf::traffic kind = sheaf::traffic::answer;
  static constexpr std::uint32_t record_bytes = 8;
  static inline thread_local std::vector<std::uint64_t> arrived;
  static void run(sheaf::detail::location&, void*, sheaf::detail::execution& state) {
    for (; state.at != state.run_end; state.at += 8) {
      std::uint64_t value = 0;
      std::memcpy(&value, state.at, 8);
      arrived.push_back(value);
    }
  }
};

template <class Handler>
sheaf::run_tag tag_of(std::uint32_t object = 1, std::uint32_t team = 0) {
  return {sheaf::detail::handler_number<Handler>, object, team};
}

inline sheaf::options fake_settings() {
  sheaf::options o;
  o.transport = sheaf::transport_kind::sim;
  o.locations = 4;
  o.buffer_bytes = 256;
  o.first_flush_bytes = 256;
  o.poll_every = 1u << 30;
  return o.resolved();
}

/// A location on a fake transport, with a probe as object 1 of the world.
struct lone_location {
  explicit lone_location(sheaf::options const& o = fake_settings(), bool registered = true, std::uint32_t size = 4)
      : how(o), net(size), here(net, how) {
    probe_answer::arrived.clear();
    if (registered) add_probe();
  }
  std::uint32_t add_probe() {
    return here.registered().add_object(here.registered().world(), &object, sheaf::detail::token_of<probe>());
  }

  void put(std::uint32_t dest, std::uint64_t value, sheaf::run_tag tag = tag_of<probe_value>()) {
    std::memcpy(here.request_box(dest).append(tag, 8), &value, 8);
  }
  void put_text(std::uint32_t dest, std::string const& text) {
    std::size_t const size = sheaf::codec<std::string>::size(text);
    std::byte* const at = here.request_box(dest).append_varying(tag_of<probe_text>(), size);
    sheaf::byte_writer to(at, at + size);
    sheaf::codec<std::string>::encode(to, text);
  }
  void put_answer(std::uint32_t dest, std::uint64_t value) {
    std::memcpy(here.answer_box(dest).append(tag_of<probe_answer>(0), 8), &value, 8);
  }
  void urgent(std::uint32_t dest, std::uint64_t value) {
    std::byte entry[sheaf::run_header::wire_bytes + 8];
    std::memcpy(entry + sheaf::run_header::wire_bytes, &value, 8);
    here.request_box(dest).send_urgent(tag_of<probe_value>(), entry);
  }
  /// An entry of one run of values arrives.
  template <class... V>
  void arrive(std::uint32_t source, V... values) {
    net.arrive(source, sheaf::traffic::request,
               entry_writer().run(tag_of<probe_value>(), sizeof...(V), std::uint64_t(values)...).data());
  }
  /// Steps while there is something to do.
  void work() {
    while (here.step()) {
    }
  }

  sheaf::options const how;
  fake_endpoint net;
  probe object;
  sheaf::detail::location here;
  sheaf::detail::restoring<sheaf::detail::location*> const ambient{sheaf::detail::ambient_location, &here};
};

}  // namespace sheaf_test
