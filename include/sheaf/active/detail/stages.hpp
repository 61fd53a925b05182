// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sheaf/active/detail/message_core.hpp"
#include "sheaf/active/detail/receiving.hpp"
#include "sheaf/message/sender.hpp"

/// The policies of a message type that keep messages back.
namespace sheaf::detail {

template <class Policy, class T>
concept staged = requires {
  typename Policy::template stage<T>;
};

template <class Policy>
constexpr std::uint32_t grain_in() {
  if constexpr (requires { Policy::grain; }) return Policy::grain;
  return 0;
}
/// That of the policy `parallel`; 0: it is not among them.
template <class... Policy>
inline constexpr std::uint32_t grain_of = (grain_in<Policy>() + ... + 0U);

template <class Policy, class T>
concept addresses = requires(Policy const& policy, T const& value) {
  { policy.owner(value) } -> std::same_as<std::uint64_t>;
  policy.at_once;
};

/// The policy that addresses; none: an empty class.
template <class T>
auto address_among() {
  struct no_address {};
  return no_address{};
}
template <class T, class First, class... Rest>
auto address_among(First const& first, Rest const&... rest) {
  if constexpr (addresses<First, T>) {
    return first;
  } else {
    return address_among<T>(rest...);
  }
}

/// In front of a message type's buffers: what its policies hold. Used inside the gate.
class stage_source : public source {
 public:
  explicit stage_source(message_core& core) : out_(core.here().out()), core_(core), members_(core.members().size()) {}

  void flush(flush_reason why) final;
  /// As that, from outside of the gate.
  void flush_all();
  [[nodiscard]] bool may_leave() const final { return !empty(); }
  bool release(bool may_overflow) final;

 protected:
  ~stage_source() = default;

  /// Makes it known to the location, whose threads may call it from now on. `bytes`: of its tables.
  void join(std::size_t bytes);
  void leave();

  /// Whether a value may pass the stages as things are. Never where others may enter the location, or generations
  /// count.
  [[nodiscard]] bool may_pass(std::uint64_t dest) const {
    return out_.scope_changes == seen_changes_ && dest < members_;
  }
  /// Makes it so that it may. Throws as message_core::box_for does. What they hold of another epoch goes on. Inside the
  /// gate until the value has passed.
  void enter(std::uint64_t dest, packed_call_site from);
  /// Behind that.
  void passed() {
    if (!holds_ && !empty()) [[unlikely]]
      begins_to_hold();
  }
  /// What goes on is of the epoch's earliest generation that has given any of it.
  [[nodiscard]] run_scope held_scope() const {
    run_scope const now = out_.scope();
    return now.generation() == scope_.generation() ? now : scope_;
  }
  static void add_counts(location_counts& to, std::string_view type, std::string_view policy, std::uint64_t looked_up,
                         std::uint64_t hits);
  [[nodiscard]] detail::gate* gate() const { return core_.here().gate(); }
  /// What the tables take now.
  void count(std::size_t bytes);

  virtual void hand_on() = 0;
  virtual void forget() = 0;

  sender& out_;

 private:
  [[gnu::noinline]] void begins_to_hold();

  message_core& core_;
  std::uint64_t const members_;
  std::uint64_t seen_changes_ = 0;  // of scopes, when a value passed last
  run_scope scope_;                 // of what they hold
  std::uint64_t seen_ends_ = 0;     // epochs that have ended
  bool holds_ = false;
  std::size_t counted_ = 0;  // bytes
};

/// The stages of `Type`, a message type: the last one puts values into its buffers.
template <class Type, class T, class... Policy>
class stage_chain final : public stage_source {
 public:
  stage_chain(message_core& core, Type& type, Policy const&... of) : stage_source(core), type_(type), all_{of...} {
    join(bytes());
  }
  ~stage_chain() { leave(); }

  void send(std::uint64_t dest, packed_call_site from, T const& value) {
    if (!may_pass(dest)) [[unlikely]]
      return send_slowly(dest, from, value);
    pass<0>(dest, from, value);
    if constexpr (!never_holds) passed();
  }
  void tell(location_counts& to) const override { tell_each(to, std::index_sequence_for<Policy...>{}); }
  [[nodiscard]] bool empty() const override {
    return std::apply([](auto const&... each) { return (each.empty() && ...); }, all_);
  }

 private:
  /// Of a policy that keeps nothing back.
  struct no_stage {
    static constexpr bool never_holds = true;
    explicit no_stage(auto const&) {}
    void send(std::uint64_t dest, T const& value, auto next) { next(dest, value); }
    void flush(auto const&) {}
    [[nodiscard]] static bool empty() { return true; }
    void forget() {}
    [[nodiscard]] static std::size_t bytes() { return 0; }
  };
  template <class P>
  static auto stage_of() {
    if constexpr (staged<P, T>) {
      return std::type_identity<typename P::template stage<T>>{};
    } else {
      return std::type_identity<no_stage>{};
    }
  }

  template <std::size_t... I>
  void tell_each(location_counts& to, std::index_sequence<I...>) const {
    auto const one = [&](auto const& stage, std::string_view policy) {
      if constexpr (requires { stage.counts().all_hits(); })
        add_counts(to, handler_name<message_records<T>>(), policy, stage.counts().looked_up(),
                   stage.counts().all_hits());
    };
    (one(std::get<I>(all_), handler_name<Policy>()), ...);
  }

  template <class Stage>
  static constexpr bool always_empty = requires {
    Stage::never_holds;
  };
  static constexpr bool never_holds = (always_empty<typename decltype(stage_of<Policy>())::type> && ...);

  [[gnu::noinline]] void send_slowly(std::uint64_t dest, packed_call_site from, T const& value) {
    admission const inside(gate());
    enter(dest, from);
    sending_in const as_held(out_, held_scope());
    pass<0>(dest, from, value);
    passed();
  }

  /// What a stage calls for what goes on.
  template <std::size_t I>
  struct next_stage {
    stage_chain& chain;
    packed_call_site from;
    [[gnu::always_inline]] void operator()(std::uint64_t dest, T const& value) const {
      chain.template pass<I>(dest, from, value);
    }
    [[gnu::always_inline]] void when(bool yes, std::uint64_t dest, T const& value) const {
      chain.template pass_when<I>(yes, dest, from, value);
    }
  };

  template <std::size_t I>
  [[gnu::always_inline]] void pass(std::uint64_t dest, packed_call_site from, T const& value) {
    if constexpr (I == sizeof...(Policy)) {
      type_.put(dest, from, value);
    } else {
      std::get<I>(all_).send(dest, value, next_stage<I + 1>{*this, from});
    }
  }
  template <std::size_t I>
  [[gnu::always_inline]] void pass_when(bool yes, std::uint64_t dest, packed_call_site from, T const& value) {
    if constexpr (I == sizeof...(Policy)) {
      type_.put_when(yes, dest, from, value);
    } else if constexpr (!staged<std::tuple_element_t<I, std::tuple<Policy...>>, T>) {
      pass_when<I + 1>(yes, dest, from, value);
    } else if (yes) {
      pass<I>(dest, from, value);
    }
  }

  void hand_on() override {
    [this]<std::size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(all_).flush(next_stage<I + 1>{*this, call_site{}}), ...);
    }
    (std::index_sequence_for<Policy...>{});
    count(bytes());
  }
  void forget() override {
    std::apply([](auto&... each) { (each.forget(), ...); }, all_);
  }
  [[nodiscard]] std::size_t bytes() const {
    return std::apply([](auto const&... each) { return (each.bytes() + ... + std::size_t{0}); }, all_);
  }

  Type& type_;
  std::tuple<typename decltype(stage_of<Policy>())::type...> all_;
};

}  // namespace sheaf::detail
