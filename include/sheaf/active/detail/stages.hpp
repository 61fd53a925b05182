// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
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

/// What a stage calls for a message that goes on.
template <class T>
struct any_next {
  void operator()(std::uint64_t, T const&) const {}
  void when(bool, std::uint64_t, T const&) const {}
};

/// Whether the policy's stage has all that a chain calls.
template <class Stage, class Policy, class T>
concept whole_stage = std::constructible_from<Stage, Policy const&> &&
    requires(Stage& stage, Stage const& seen, T const& value, any_next<T> next) {
  stage.send(std::uint64_t{}, value, next);
  stage.flush(next);
  stage.forget();
  { seen.empty() } -> std::convertible_to<bool>;
  { seen.bytes() } -> std::convertible_to<std::size_t>;
};
template <class Policy, class T>
constexpr bool has_whole_stage() {
  if constexpr (staged<Policy, T>) return whole_stage<typename Policy::template stage<T>, Policy, T>;
  return true;
}

template <class One, class... Policy>
inline constexpr bool is_once = (std::is_same_v<One, Policy> + ... + 0) == 1;

template <class Policy>
concept is_sent_by = std::same_as<std::remove_cvref_t<decltype(Policy::how)>, sending_threads>;

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

/// In front of a message type's buffers: what its policies hold. Used inside the gate, unless each thread has tables of
/// its own, which hold nothing. All that they hold was sent in one scope: before a message of another one passes, all
/// of it goes on.
///
/// What goes on may execute handlers, which may send through the same stages, in whatever scope. Then the stages hold
/// messages of that one, and what was passing before goes straight to the buffers. While something passes outside of
/// the program's own epoch, the source is not empty, since a message may be between two stages.
class stage_source : public source {
 public:
  explicit stage_source(message_core& core);

  void flush(flush_reason why) final;
  /// As that, from outside of the gate.
  void flush_all();
  [[nodiscard]] bool empty() const final { return passing_ == 0 && (hidden_ || !holds()); }
  [[nodiscard]] bool may_leave() const final { return !hidden_ && holds() && !core_.is_anothers(); }
  bool release(bool may_overflow) final;
  [[nodiscard]] bool is_owners_alone() const final { return core_.is_owners_alone(); }
  void job_ends() final {
    members_ = 0;
    all_passed_over_ = false;
  }

 protected:
  ~stage_source() = default;

  /// Makes it known to the location, whose threads may call it from now on. `bytes`: of its tables.
  void join(std::size_t bytes);
  void leave();

  /// Whether a value may pass the stages as things are. Never where others may enter the location, or generations
  /// count, nor after the job.
  [[nodiscard]] bool may_pass(std::uint64_t dest) const {
    return dest < members_ && out_.scope_changes == seen_changes_;
  }
  /// Whether a value may pass stages without the gate, each of which has a table for each thread: an attached thread's.
  /// Throws as message_core::check_sending.
  [[nodiscard]] bool may_pass_beside(std::uint64_t dest, packed_call_site from) const;
  /// Whether the calling thread still sends in the scope of what is held.
  [[nodiscard]] bool in_step() const {
    return out_.scope_changes == seen_changes_ || out_.scope().number() == scope_.number();
  }
  /// Passes a value by `pass`, inside the gate, in the epoch's earliest generation that has given anything held. Throws
  /// as message_core::box_for does.
  template <class Pass>
  void pass_slowly(std::uint64_t dest, packed_call_site from, Pass pass) {
    core_.check_sending(dest, from);  // before the gate, which may be gone
    admission const inside(core_.here().gate());
    if (until_poll_ == 0 || --until_poll_ == 0) poll();
    ++slow_sends_;
    enter();
    run_scope const now = out_.scope();
    sending_in const as_held(out_, now.generation() == scope_.generation() ? now : scope_);
    ++passing_;  // threads leave here in any order, as they may wait
    at_end const gone_on{[this] { --passing_; }};
    pass();
    passed();
  }
  /// Behind that.
  void passed() {
    if (!announced_ && holds()) [[unlikely]]
      announce();
  }
  /// Many messages may be dropped in a row, and others wait for this location meanwhile: so now and then it polls.
  [[nodiscard]] bool is_due_to_poll() { return --until_poll_ == 0; }
  /// In the scope of what is held.
  void give_on(auto give) {
    sending_in const as_held(out_, scope_);
    give();
  }
  /// What the tables take now.
  void count(std::size_t bytes);
  static void add_counts(location_counts& to, std::string_view type, std::string_view policy, std::uint64_t looked_up,
                         std::uint64_t hits);

  /// Whether only the location's own thread ever gets here.
  [[nodiscard]] bool is_ungated() const { return core_.here().gate() == nullptr; }

  /// No stage is asked for its value: it passes them all, without a count of its own. Else false.
  bool all_passed_over_ = false;

  [[nodiscard]] virtual bool holds() const = 0;
  virtual void hand_on() = 0;
  virtual void forget() = 0;

 private:
  void enter();
  [[gnu::noinline]] void announce();
  [[noreturn]] void throw_keeps() const;
  /// Differs from an earlier one if values have been sent in between.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> sends_seen() const;
  [[gnu::noinline]] void poll();

  sender& out_;
  message_core& core_;
  std::uint64_t members_;           // 0: the fast way is closed
  std::uint64_t seen_changes_ = 0;  // of scopes, when a value passed last
  run_scope scope_;                 // of what they hold
  std::uint64_t seen_ends_ = 0;     // of that scope
  std::uint32_t passing_ = 0;       // on the stack
  std::uint32_t until_poll_ = 1;    // messages
  std::uint32_t slow_sends_ = 0;
  bool announced_ = false, hidden_ = false;
  std::size_t counted_ = 0;  // bytes
};

/// The stages of `Type`, a message type: the last one puts values into its buffers.
template <class Type, class T, class... Policy>
class stage_chain final : public stage_source {
 public:
  stage_chain(message_core& core, Type& type, Policy const&... of) : stage_source(core), type_(type), all_{of...} {
    std::apply([&](auto&... each) { (belong_to(each, core), ...); }, all_);
    join(bytes());
  }
  ~stage_chain() { leave(); }

  void send(std::uint64_t dest, packed_call_site from, T const& value) {
    if (all_passed_over_) return type_.put(dest, from, value);
    if (!may_pass(dest) || is_due_to_poll()) [[unlikely]]
      return send_slowly(dest, from, value);
    pass<0>(dest, from, value);
    if constexpr (!never_holds) passed();
  }
  /// About so many messages have passed since the last call, if all stages were passed over.
  void went(std::uint32_t count) {
    if (!all_passed_over_) return;
    each_table([count](auto& stage) { stage.pass_over(count); });
    all_passed_over_ = are_all_passed_over();
  }
  void part_from(void const* thread) override {
    [[maybe_unused]] auto const part = [thread](auto& stage) {
      if constexpr (requires { stage.part_from(thread); }) stage.part_from(thread);
    };
    std::apply([&](auto&... each) { (part(each), ...); }, all_);
  }
  void tell(location_counts& to) const override { tell_each(to, std::index_sequence_for<Policy...>{}); }

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
  template <std::size_t I>
  static constexpr bool is_staged = staged<std::tuple_element_t<I, std::tuple<Policy...>>, T>;
  template <class Stage>
  static constexpr bool always_empty = [] {
    if constexpr (requires { Stage::never_holds; }) return bool{Stage::never_holds};
    return false;
  }();
  static constexpr bool never_holds = (always_empty<typename decltype(stage_of<Policy>())::type> && ...);
  template <class P>
  static constexpr bool each_thread_has_its_own = [] {
    if constexpr (staged<P, T>) return requires {
        P::template stage<T>::is_per_thread;
      };
    return true;
  }();
  static constexpr bool all_per_thread = (each_thread_has_its_own<Policy> && ...);
  static void belong_to(auto& stage, message_core& core) {
    if constexpr (requires { stage.belong_to(core); }) stage.belong_to(core);
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

  [[gnu::noinline]] void send_slowly(std::uint64_t dest, packed_call_site from, T const& value) {
    if constexpr (all_per_thread) {
      if (may_pass_beside(dest, from)) return pass<0>(dest, from, value);
    }
    pass_slowly(dest, from, [&] { pass<0>(dest, from, value); });
    if (is_ungated()) all_passed_over_ = are_all_passed_over();
  }

  /// Calls `visit` with each stage that may be passed over. Whether none may not be.
  bool each_table(auto visit) {
    auto const one = [&](auto& stage) {
      constexpr bool is_table = requires { stage.pass_over(1U); };
      if constexpr (is_table) visit(stage);
      return is_table || std::is_same_v<decltype(stage), no_stage&>;
    };
    bool all = true;
    std::apply([&](auto&... stage) { ((all = one(stage) && all), ...); }, all_);
    return all;
  }
  bool are_all_passed_over() {
    bool all = true;
    return each_table([&all](auto& stage) { all = all && stage.is_passed_over(); }) && all;
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
  /// What a stage calls, when it is flushed, for each message that it has held.
  template <std::size_t I>
  struct next_of_held {
    stage_chain& chain;
    void operator()(std::uint64_t dest, T const& value) const {
      chain.give_on([&] { chain.template pass<I>(dest, call_site{}, value); });
    }
    void when(bool yes, std::uint64_t dest, T const& value) const {
      if (yes) (*this)(dest, value);
    }
  };

  template <std::size_t I>
  [[gnu::always_inline]] void pass(std::uint64_t dest, packed_call_site from, T const& value) {
    if constexpr (I == sizeof...(Policy)) {
      type_.put(dest, from, value);
    } else if constexpr (!is_staged<I>) {
      pass<I + 1>(dest, from, value);
    } else {
      if constexpr (I != 0 && !all_per_thread) {
        if (!in_step()) [[unlikely]]
          return type_.put(dest, from, value);
      }
      std::get<I>(all_).send(dest, value, next_stage<I + 1>{*this, from});
    }
  }
  template <std::size_t I>
  [[gnu::always_inline]] void pass_when(bool yes, std::uint64_t dest, packed_call_site from, T const& value) {
    if constexpr (I == sizeof...(Policy)) {
      type_.put_when(yes, dest, from, value);
    } else if constexpr (!is_staged<I>) {
      pass_when<I + 1>(yes, dest, from, value);
    } else if (yes) {
      pass<I>(dest, from, value);
    }
  }

  [[nodiscard]] bool holds() const override {
    return std::apply([](auto const&... each) { return (!each.empty() || ...); }, all_);
  }
  void hand_on() override {
    [this]<std::size_t... I>(std::index_sequence<I...>) { (std::get<I>(all_).flush(next_of_held<I + 1>{*this}), ...); }
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
