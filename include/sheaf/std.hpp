// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sheaf/message/codec.hpp"

/// Smart pointers as arguments and results; the other types of the standard library travel without this header.
/// Include it before the first use of such a type in a remote call, in every file that has one.
///
/// std::unique_ptr<T> travels with its object, or as null. The receiver's object is new (`new T`).
///
/// std::shared_ptr<T> travels with its object, or as null. Within one request (all arguments together), one reply, or
/// one call of `codec<T>`, pointers to one object (same address, same T but for const) arrive as pointers to one new
/// object, and rings of them as rings where T has a default constructor; a ring without is a usage_error. (The receiver
/// must break a ring, as any ring of shared pointers.) Pointers in two requests arrive as two objects: nothing is
/// shared between locations. In a user's `sheaf::codec` each call of `codec<T>` is a unit. A custom deleter stays
/// behind.
///
/// std::weak_ptr<T> travels as the std::shared_ptr would. It arrives expired if it was, or if no std::shared_ptr of the
/// same request owns the object.
///
/// Compile errors with a text: pointers to a polymorphic class that is not final (the object may be of a derived class
/// that the receiver does not know), to an array of unknown length (use std::vector, or define_type with `dynamic`),
/// std::unique_ptr with a deleter of its own. A chain of pointers longer than 200 is a usage_error at the sender.
namespace sheaf::detail {

template <class E>
consteval auto shape_of_pointee(wire_kind kind) {
  if constexpr (std::is_array_v<E>)
    return hindered(hindrance::array_pointer);
  else if constexpr (std::is_void_v<E> || std::is_function_v<E>)
    return hindered(hindrance::pointer);
  else if constexpr (std::is_polymorphic_v<E> && !std::is_final_v<E>)
    return hindered(hindrance::polymorphic_pointee);
  else
    return holder<E>(kind);
}

template <class E, class D>
struct known_shape<std::unique_ptr<E, D>> : std::true_type {
  static consteval auto of() {
    if constexpr (std::is_same_v<D, std::default_delete<E>>)
      return shape_of_pointee<E>(wire_kind::owner);
    else
      return hindered(hindrance::deleter);
  }
};
template <class E>
struct known_shape<std::shared_ptr<E>> : std::true_type {
  static consteval auto of() { return shape_of_pointee<E>(wire_kind::shared); }
};
template <class E>
struct known_shape<std::weak_ptr<E>> : std::true_type {
  static consteval auto of() { return shape_of_pointee<E>(wire_kind::weak); }
};

template <class E>
inline constexpr bool owns_array<std::unique_ptr<E[]>> = true;

template <class T>
struct coder<T, wire_kind::owner> {
  using object = std::remove_const_t<typename T::element_type>;

  static void encode(auto& to, T const& value) {
    wire_encode(to, static_cast<bool>(value));
    if (value) wire_encode<object>(to, *value);
  }

  static T decode(byte_reader& from) {
    return wire_decode<bool>(from) ? T(new object(wire_decode<object>(from))) : T();
  }
};

/// The table of kind `Table` of the pass that carries `state`.
template <class Table>
Table& table_of(nesting& state) {
  share_slot& slot = *state.shared;
  if (slot.table == nullptr) {
    slot.table = new Table();
    slot.destroy = [](void* table) noexcept { delete static_cast<Table*>(table); };
  }
  return *static_cast<Table*>(slot.table);
}

/// The shared objects that a sender has met, numbered in the order of their first appearance.
class objects_out {
 public:
  struct entry {
    std::uint64_t number;
    bool open;  ///< its value is being measured or written
  };

  /// The entry of an object, and whether it is new.
  std::pair<entry*, bool> meet(void const* object, type_token type) {
    auto const [at, fresh] = entries_.try_emplace({object, type}, entry{entries_.size(), true});
    return {&at->second, fresh};
  }

 private:
  struct key {
    void const* object;
    type_token type;
    bool operator==(key const&) const = default;
  };
  struct hash {
    std::size_t operator()(key const& k) const noexcept {
      std::hash<void const*> const each;
      return each(k.object) ^ (each(k.type) << 1);
    }
  };
  std::unordered_map<key, entry, hash> entries_;
};

/// The shared objects that a receiver has made. An object that cannot be made first is null meanwhile.
class objects_in {
 public:
  std::size_t add(std::shared_ptr<void> object, type_token type) {
    entries_.push_back({std::move(object), type});
    return entries_.size() - 1;
  }
  void set(std::size_t number, std::shared_ptr<void> object) { entries_[number].object = std::move(object); }

  [[nodiscard]] std::shared_ptr<void> const& get(std::uint64_t number, type_token type) const {
    if (number >= entries_.size()) fail(number);
    entry const& at = entries_[static_cast<std::size_t>(number)];
    if (at.type != type || at.object == nullptr) fail(number);
    return at.object;
  }

 private:
  struct entry {
    std::shared_ptr<void> object;
    type_token type;
  };

  [[noreturn, gnu::cold, gnu::noinline]] void fail(std::uint64_t number) const {
    throw decode_error("sheaf: a message refers to shared object " + std::to_string(number) + ", which is not one of " +
                       std::to_string(entries_.size()) +
                       " that can be referred to here; sender and receiver must run the same build");
  }

  std::vector<entry> entries_;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_ring() {
  throw usage_error(
      "sheaf: a ring of std::shared_ptr contains an object of a class without a default constructor; give the class "
      "one, or break the ring before sending");
}

/// 0 for null, 1 for a new object, whose value follows, n + 2 for object n of the request.
template <class T>
struct coder<T, wire_kind::shared> {
  using object = std::remove_const_t<typename T::element_type>;

  /// Whether the object is made before its value, which may lead back to it.
  static constexpr bool made_first = reach_of<object>.shares && std::is_default_constructible_v<object> &&
                                     (wire<object>.kind == wire_kind::defined || std::is_move_assignable_v<object>);

  static void encode(auto& to, T const& value) {
    if (value == nullptr) return to.count(0);
    auto const [entry, fresh] = table_of<objects_out>(codec_access::state(to)).meet(value.get(), token_of<object>());
    if (!fresh && entry->open && !made_first) fail_ring();
    to.count(fresh ? 1 : entry->number + 2);
    if (fresh) wire_encode<object>(to, *value);
    if (fresh) entry->open = false;
  }

  static T decode(byte_reader& from) {
    std::uint64_t const number = from.number();
    if (number == 0) return T();
    objects_in& objects = table_of<objects_in>(codec_access::state(from));
    if (number == 1) return decode_new(from, objects);
    return std::static_pointer_cast<object>(objects.get(number - 2, token_of<object>()));
  }

 private:
  static T decode_new(byte_reader& from, objects_in& objects) {
    if constexpr (made_first) {
      auto const made = std::make_shared<object>();
      objects.add(made, token_of<object>());
      fill(from, *made);
      return made;
    } else {
      std::size_t const number = objects.add(nullptr, token_of<object>());
      std::shared_ptr<object> const made(new object(wire_decode<object>(from)));
      objects.set(number, made);
      return made;
    }
  }
};

template <class T>
struct coder<T, wire_kind::weak> {
  using owner = std::shared_ptr<typename T::element_type>;

  static void encode(auto& to, T const& value) { wire_encode<owner>(to, value.lock()); }
  static T decode(byte_reader& from) { return wire_decode<owner>(from); }
};

}  // namespace sheaf::detail
