// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors

// libFuzzer entry: a location receives arbitrary bytes as entries of both classes. It executes them, holds them, or
// refuses them with wire_error or usage_error; nothing else leaves it, and no byte is read that did not arrive.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "../message/fake_endpoint.hpp"
#include "sheaf/rmi/distributed.hpp"
#include "sheaf/rmi/reply_window.hpp"
#include "sheaf/runtime/collectives.hpp"

namespace {

using sheaf_test::bytes;

/// Methods of all forms of records.
struct target : sheaf::distributed<target> {
  explicit target(sheaf::team const& t) : distributed(t) {}
  std::uint64_t sum = 0;
  void add(std::uint64_t v) { sum += v; }
  void write(std::string const& text, std::vector<std::pair<bool, std::string>> const& more) {
    sum += text.size() + more.size();
  }
  std::uint64_t twice(std::uint64_t v) { return 2 * v; }
  std::string name(std::string const& text) { return text + text; }
  void fail() { throw std::runtime_error("told to"); }
};

sheaf::options settings() {
  sheaf::options o;
  o.transport = sheaf::transport_kind::sim;
  o.locations = 3;
  return o.resolved();
}

/// Makes all handlers known and leaves replies of all kinds awaited.
struct asked {
  explicit asked(target& t) : window(t.team(), 8), names(t.team(), 8) {
    t.async<&target::add>(1, 1u);
    t.async<&target::write>(1, "text", std::vector<std::pair<bool, std::string>>(2));
    t.async<&target::fail>(1);
    numbers.push_back(t.opaque<&target::twice>(1, 4u));
    texts.push_back(t.opaque<&target::name>(1, "text"));
    window.request<&target::twice>(3, 1, t.handle(), 4u);
    names.request<&target::name>(3, 1, t.handle(), "text");
  }
  std::vector<sheaf::future<std::uint64_t>> numbers;
  std::vector<sheaf::future<std::string>> texts;
  sheaf::reply_window<std::uint64_t> window;
  sheaf::reply_window<std::string> names;
};

void receive(sheaf_test::fake_endpoint& net, sheaf::location& here, std::uint8_t const* data, std::size_t size) {
  // The first byte of each entry: its class, source and, above, its length.
  while (size > 1) {
    auto const kind = (data[0] & 1) == 0 ? sheaf::traffic::request : sheaf::traffic::answer;
    std::uint32_t const source = (data[0] >> 1) % 3;
    std::size_t const length = std::min<std::size_t>(size - 1, 1 + data[0] / 8 * 8);
    bytes entry(length);
    std::memcpy(entry.data(), data + 1, length);
    net.arrive(source, kind, std::move(entry));
    data += 1 + length;
    size -= 1 + length;
  }
  while (here.step()) {
  }
  here.flush_all();
}

void play(std::uint8_t const* data, std::size_t size) {
  sheaf_test::fake_endpoint net(3);
  sheaf::location here(net, settings());
  sheaf::detail::ambient_location = &here;
  sheaf::detail::make_collectives(here);
  try {
    target t(sheaf::team(here, here.world()));
    asked const questions(t);
    here.flush_all();
    receive(net, here, data, size);
    throw sheaf::usage_error("unwinds the windows, which would wait for their replies");
  } catch (sheaf::wire_error const&) {
  } catch (sheaf::usage_error const&) {
  }
  sheaf::detail::destroy_collectives(here);
  sheaf::detail::ambient_location = nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  play(data, size);
  return 0;
}
