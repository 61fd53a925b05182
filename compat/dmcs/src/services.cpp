// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "process.hpp"

using namespace sheaf_dmcs;

namespace {

function plain(auto handler) { return reinterpret_cast<function>(handler); }

int registered(char const* name, function f, std::uint32_t takes) {
  if (f == nullptr) fail(name, "a null pointer; pass a function");
  return translated(name, [&](engine& by) { return static_cast<int>(by.add_function(f, takes)); });
}

template <class... A>
[[gnu::noinline]] void begin_service(char const* name, int target, function f, A... values) {
  translated(name, [&](engine& by) { by.async_service<sizeof...(A)>(target, f, {values...}); });
}
/// Most requests are like the one before: their way is short, and saves no registers for the other.
template <class... A>
void async_service(char const* name, int target, function f, A... values) {
  if (only != nullptr && only->repeat_service<sizeof...(A)>(target, f, {values...})) [[likely]]
    return;
  begin_service(name, target, f, values...);
}
template <std::size_t N>
void sync_service(char const* name, int target, function f, std::array<argument, N> const& values) {
  translated(name, [&](engine& by) { by.sync_service<N>(name, target, f, values); });
}

}  // namespace

int dmcs_register0(dmcs_handler0_t handler) { return registered("dmcs_register0", plain(handler), 0); }
int dmcs_register1(dmcs_handler1_t handler) { return registered("dmcs_register1", plain(handler), 1); }
int dmcs_register2(dmcs_handler2_t handler) { return registered("dmcs_register2", plain(handler), 2); }
int dmcs_register3(dmcs_handler3_t handler) { return registered("dmcs_register3", plain(handler), 3); }
int dmcs_register4(dmcs_handler4_t handler) { return registered("dmcs_register4", plain(handler), 4); }
int dmcs_register_data(dmcs_data_handler_t handler) {
  return registered("dmcs_register_data", plain(handler), takes_data);
}

void dmcs_async_rsr0(int target, dmcs_handler0_t handler) { async_service("dmcs_async_rsr0", target, plain(handler)); }
void dmcs_async_rsr1(int target, dmcs_handler1_t handler, dmcs_arg_t a) {
  async_service("dmcs_async_rsr1", target, plain(handler), a);
}
void dmcs_async_rsr2(int target, dmcs_handler2_t handler, dmcs_arg_t a, dmcs_arg_t b) {
  async_service("dmcs_async_rsr2", target, plain(handler), a, b);
}
void dmcs_async_rsr3(int target, dmcs_handler3_t handler, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c) {
  async_service("dmcs_async_rsr3", target, plain(handler), a, b, c);
}
void dmcs_async_rsr4(int target, dmcs_handler4_t handler, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d) {
  async_service("dmcs_async_rsr4", target, plain(handler), a, b, c, d);
}

void dmcs_sync_rsr0(int target, dmcs_handler0_t handler) {
  sync_service<0>("dmcs_sync_rsr0", target, plain(handler), {});
}
void dmcs_sync_rsr1(int target, dmcs_handler1_t handler, dmcs_arg_t a) {
  sync_service<1>("dmcs_sync_rsr1", target, plain(handler), {a});
}
void dmcs_sync_rsr2(int target, dmcs_handler2_t handler, dmcs_arg_t a, dmcs_arg_t b) {
  sync_service<2>("dmcs_sync_rsr2", target, plain(handler), {a, b});
}
void dmcs_sync_rsr3(int target, dmcs_handler3_t handler, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c) {
  sync_service<3>("dmcs_sync_rsr3", target, plain(handler), {a, b, c});
}
void dmcs_sync_rsr4(int target, dmcs_handler4_t handler, dmcs_arg_t a, dmcs_arg_t b, dmcs_arg_t c, dmcs_arg_t d) {
  sync_service<4>("dmcs_sync_rsr4", target, plain(handler), {a, b, c, d});
}
