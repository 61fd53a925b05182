// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "sheaf/active/message_type.hpp"
#include "sheaf/graph/edge.hpp"
#include "sheaf/graph/graph_shape.hpp"

namespace sheaf {

namespace detail {

/// A value for a vertex, as its owner numbers it.
template <class T>
struct vertex_message {
  vertex to = 0;
  [[no_unique_address]] T value{};

  void define_type(typer& t) requires(!std::is_trivially_copyable_v<T>) {
    t.local(to);
    t.local(value);
  }
};

}  // namespace detail

/// Messages to vertices of a graph: a message_type whose messages go to the owners of vertices. Made by all members of
/// the graph's team in the same order. Their handler is called there as f(v), f(v, value) or f(v, value, rank of the
/// sender), with v an own vertex there. T is no_value for messages that say nothing but which vertex. Messages of a
/// pair keep no order. The graph outlives it.
template <class T = no_value, class... Policy>
class vertex_messages {
  using record = detail::vertex_message<T>;

 public:
  template <class F>
  vertex_messages(graph_shape const& g, F handler, Policy const&... parameters, call_site where = call_site::here())
      : graph_(g), type_(g.members(), handling<F>{std::move(handler)}, unordered{}, parameters..., where) {}

  /// To any vertex that is known here, own ones, too. As message_type::send.
  void send(vertex to, T const& value = {}, call_site where = call_site::here()) {
    vertex_place const at = graph_.place(to);
    type_.send({at.rank, where}, {at.local, value});
  }
  /// As message_type::flush.
  void flush() { type_.flush(); }

 private:
  template <class F>
  struct handling {
    F handler;

    template <class... A>
    static constexpr bool is_quiet = std::is_nothrow_invocable_v<F&, A...>;
    static constexpr bool takes_sender = std::is_invocable_v<F&, vertex, T, std::uint64_t>;
    static constexpr bool takes_value = std::is_invocable_v<F&, vertex, T>;

    void operator()(record one) noexcept(takes_value ? is_quiet<vertex, T> : is_quiet<vertex>) requires(!takes_sender) {
      if constexpr (takes_value) {
        handler(one.to, std::move(one.value));
      } else {
        handler(one.to);
      }
    }
    void operator()(record one,
                    std::uint64_t sender) noexcept(is_quiet<vertex, T, std::uint64_t>) requires(takes_sender) {
      handler(one.to, std::move(one.value), sender);
    }
  };

  graph_shape const& graph_;
  message_type<record, unordered, Policy...> type_;
};

}  // namespace sheaf
