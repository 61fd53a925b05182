// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sheaf/message/type_token.hpp"

namespace sheaf {

/// Specialise as true for a trivially copyable T whose bytes mean the same on every location, where the library cannot
/// see that or sees a hindrance: a handle with `operator->`, an aggregate with an anonymous union.
template <class T>
inline constexpr bool travels_as_bytes = false;

class byte_reader;
class byte_writer;

namespace detail {
class sizing;
struct nesting;

/// A pointer that owns an array whose length it does not know; sheaf/std.hpp says which.
template <class P>
inline constexpr bool owns_array = false;

template <class>
struct class_of_member;
template <class F, class C>
struct class_of_member<F C::*> {
  using type = C;
};
}  // namespace detail

/// A class names its members to it in `void define_type(sheaf::typer&)`, so that values of the class can travel (ARMI,
/// PPoPP 2003, section 3.5 and Fig. 4):
///
///     struct objectB {
///       int size;
///       int* array;
///       void define_type(sheaf::typer& t) {
///         t.local(size);
///         t.dynamic(array, size);
///       }
///     };
///
/// One function measures, writes and reads, so it names the same members in the same order each time, and a length
/// before what has that length. It changes nothing itself, and sends nothing. To measure and to write it is called on
/// the argument as it is, which may be const. To read it is called on a new object made by the default constructor.
/// The function may be private where the class says `friend sheaf::typer;`. A derived class has one of its own, which
/// calls the base's.
///
/// **Who frees.** What `dynamic` allocates at the receiver belongs to the received object, from the moment that the
/// member points to it: free arrays with `delete[]`, single objects with `delete`, in the class's destructor or in the
/// method that receives the object. The sender's memory stays the sender's. A class that frees needs a copy or move
/// constructor that is right, as every argument is copied or moved on its way; so does one with an `offset` into
/// itself. Where the bytes turn out wrong while an object is read, its destructor runs on what has been read; the
/// members that follow have the values that the default constructor (or zeros, without one) gave them.
///
/// What is read may be any values of the members' types, in memory that is there. A class whose members must fit each
/// other checks them at the end: `if (t.reading() && …) throw sheaf::decode_error(…)`.
///
/// Misuse at the sender throws `usage_error` before anything is put on its way; wrong bytes throw `decode_error`.
class typer {
 public:
  typer& operator=(typer&&) = delete;

  /// A member of any type that can travel, or with a define_type of its own, which is called on this typer.
  template <class T>
  void local(T& member);

  /// The first `length` (0…N) elements of an array; the others keep what the default constructor gave them.
  template <class T, std::size_t N, class Length>
  void local(T (&array)[N], Length length);

  /// A pointer to one object made with `new`, or null. It is read into a new object.
  template <class T>
  void dynamic(T*& pointer);

  /// A pointer to the first of `length` elements made with `new T[]` (or by `malloc`, at the sender), or null, with any
  /// length. Read into a new array by `new T[length]`, also where the length is 0. Elements are of any type that can
  /// travel, or with a define_type of their own; each needs a default constructor.
  template <class T, class Length>
  void dynamic(T*& array, Length length);

  /// A std::unique_ptr<T[]> to `length` elements; needs sheaf/std.hpp.
  template <class P, class Length>
  requires detail::owns_array<P>
  void dynamic(P& array, Length length);

  /// A pointer to an element, or behind the last one, of a `local` or `dynamic` that was named before by this object
  /// or by one that it is part of, and that has elements of type T; or null. Arrives pointing to the same element of
  /// the received object. If one array ends where another begins, the pointer is taken for the second one's.
  template <class T>
  void offset(T*& pointer) {
    point<T>(pointer, true, nullptr);
  }

  /// A pointer into the array that begins at `begin`, even if another array touches it.
  template <class T>
  void offset(T*& pointer, std::type_identity_t<T> const* begin) {
    point<T>(pointer, false, begin);
  }

  /// Whether the object is being read, for members that must be set up afterwards.
  [[nodiscard]] bool reading() const { return from_ != nullptr; }

  /// T has a define_type.
  template <class T>
  static consteval bool defines() {
    return requires(T & object, typer & t) { object.define_type(t); };
  }

  /// T inherits its define_type from a base.
  template <class T>
  static consteval bool inherits() {
    if constexpr (requires { &T::define_type; })
      return !std::is_same_v<typename detail::class_of_member<decltype(&T::define_type)>::type, T>;
    else
      return false;
  }

  /// To a byte_writer, or sizing.
  template <class T>
  static void write(auto& to, T const& object) {
    typer(to).visit(const_cast<T&>(object));  // define_type is one function for all passes; in this one it only reads
  }
  static void read(byte_reader& from, auto& object) { typer(from).visit(object); }

 private:
  struct target {
    void const* begin;
    std::size_t length;
    detail::type_token type;
  };

  /// The targets named so far; without allocation while they are few.
  class target_list {
   public:
    [[nodiscard]] std::size_t size() const { return size_; }
    target const& operator[](std::size_t i) const;
    void add(target const& next);
    void shrink(std::size_t size);

   private:
    std::size_t size_ = 0;
    std::array<target, 10> first_;
    std::vector<target> rest_;
  };

  /// Where an offset points to: a target's number, that of no target where there is none, and an element in it.
  struct place {
    std::size_t number;
    std::size_t element;
  };

  explicit typer(detail::sizing& sum);
  explicit typer(byte_writer& to);
  explicit typer(byte_reader& from);

  /// Calls `put` with the sink.
  void to_sink(auto put) { sum_ != nullptr ? put(*sum_) : put(*to_); }

  void visit(auto& object);
  template <class T>
  void value(T& object);
  template <class T>
  void elements(T* array, std::size_t length);
  template <class T, class Put>
  void array_of(T* array, std::size_t length, Put put);
  template <class T>
  void name(T const& member);
  template <class T>
  void name(T const* begin, std::size_t length) {
    targets_.add({begin, length, detail::token_of<T>()});
  }

  bool present(bool here);
  void filler();
  void count(std::uint64_t n);
  void same_length(std::size_t length, std::size_t least);
  template <class Length>
  std::size_t checked(Length length, std::size_t most);
  [[noreturn]] void fail_length(bool negative, std::uint64_t value, std::uint64_t most) const;

  template <class T>
  void point(T*& pointer, bool anywhere, T const* begin);
  [[nodiscard]] place find(void const* pointer, target const& like, std::size_t each) const;
  template <class T>
  T* read_place(bool anywhere, T const* begin);

  detail::sizing* sum_ = nullptr;  // of these three, one says what is being done
  byte_writer* to_ = nullptr;
  byte_reader* from_ = nullptr;
  detail::nesting& state_;
  target_list targets_;
};

}  // namespace sheaf
