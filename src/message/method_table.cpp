// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/message/method_table.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/modules.hpp"
#include "sheaf/message/arguments_codec.hpp"
#include "sheaf/message/executor.hpp"
#include "sheaf/message/location.hpp"

namespace sheaf::detail {
namespace {

constexpr std::uint32_t highest = (1U << run_tag::handler_bits) - 1;
constexpr std::uint32_t most_methods = 1U << 16;

/// number, handler, module (0: virtual), offset in the module or in the table of virtual functions, adjustment
using introduction_codec = arguments_codec<std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t, std::int64_t>;

std::string hex(unsigned long long n) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "0x%llx", n);
  return digits;
}

[[noreturn]] void throw_no_code(method_bits const& method) {
  if (method.word == 0) throw usage_error("sheaf: a remote call through a null pointer to a method or function");
  throw usage_error("sheaf: the method pointer " + hex(method.word) +
                    " is not within the program or a loaded shared library; other processes cannot find it. Only "
                    "methods of compiled code can be called remotely");
}

void check_pointer(method_bits const& method, std::size_t size) {
  if (method.word == 0) throw_no_code(method);
  if (static_cast<std::uint64_t>(method.adjustment) < size) return;
  throw usage_error("sheaf: a method pointer moves the object's address by " + std::to_string(method.adjustment) +
                    " bytes, legal are 0 to " + std::to_string(size - 1) +
                    "; it is of a class derived from the object's. Use a virtual method of the handle's class");
}

struct abi_first {
  virtual ~abi_first() = default;  // takes two places in the table
  virtual void third() {}
  std::uint64_t word = 0;
};
struct abi_second {
  void plain() { ++word; }
  std::uint64_t word = 0;
};
struct abi_both : abi_first, abi_second {};

/// Throws where this compiler represents member pointers in another way than method_bits says.
void check_abi(loaded_modules& modules) {
  using of_both = void (abi_both::*)();
  code_place place;
  auto const plain = bits_of(&abi_second::plain);
  auto const adjusted = bits_of(static_cast<of_both>(&abi_second::plain));
  bool const holds = bits_of(&abi_first::third) == method_bits{1 + 2 * sizeof(void*), 0} && !plain.is_virtual() &&
                     plain.adjustment == 0 && adjusted.word == plain.word && adjusted.adjustment == sizeof(abi_first) &&
                     modules.place_of(plain.word, place);
  if (!holds)
    throw usage_error(
        "sheaf: pointers to methods are not represented as the Itanium C++ ABI says on x86-64; name remote methods at "
        "compile time, as in async<&T::method>");
}

std::string from_whom(location_id source) { return " in an entry of " + name_of(source) + "; "; }

/// A loaded file's name and the place in it, or the place in the table of virtual functions.
std::string place_text(loaded_modules const& modules, travelling_bits const& code) {
  if (code.module == 0) return "virtual, at " + std::to_string(code.offset) + " in its table";
  return modules.name_of(code.module) + " + " + hex(code.offset);
}

/// The method in this process.
method_bits resolved(loaded_modules& modules, travelling_bits const& code, std::string const& where) {
  if (code.module == 0) return {code.offset + 1, code.adjustment};
  method_bits const here{modules.address_of({code.module, code.offset}), code.adjustment};
  if (here.word == 0 || here.is_virtual())  // no method begins at an odd address
    throw wire_error("sheaf: the method at " + place_text(modules, code) + " (module " + hex(code.module) + ")" +
                     where +
                     "no executable segment of a module of that build is loaded here. Load the same shared libraries "
                     "in every process before their methods are called");
  return here;
}

[[noreturn]] void throw_uncallable(std::string const& what, char const* why) {
  throw wire_error("sheaf: " + what + " cannot be called: " + why +
                   "; the processes run different builds, or memory was overwritten");
}

/// The method for this object, as one that is called without a look-up.
method_bits checked(loaded_modules& modules, introduced_method& named, void const* object, std::size_t size,
                    bool is_polymorphic) {
  auto const wrong = [&](char const* why) { throw_uncallable(readable(named.name), why); };
  auto const adjustment = static_cast<std::uint64_t>(named.method.adjustment);
  if (adjustment >= size) wrong("its object is not that large");
  if (!named.method.is_virtual()) return named.method;
  if (!is_polymorphic || size < sizeof(void*) || adjustment > size - sizeof(void*))
    wrong("its object has no virtual functions");
  std::uint64_t table = 0;
  std::memcpy(&table, static_cast<std::byte const*>(object) + adjustment, sizeof table);
  if (table != named.table || table == 0) {
    std::uint64_t const at = table + (named.method.word - 1);
    std::uint64_t target = 0;
    code_place place;
    if (at % sizeof(void*) != 0 || !modules.are_loaded(at, sizeof target))
      wrong("its place is beyond the table of virtual functions");
    std::memcpy(&target, reinterpret_cast<void const*>(at), sizeof target);
    if (!modules.place_of(target, place)) wrong("there is no function at its place");
    named.table = table;
    // What adjusts an object's address may begin at an odd one, and would be taken for a place in the table.
    named.target = (target & 1U) == 0 ? target : named.method.word;
  }
  return {named.target, named.method.adjustment};
}

}  // namespace

struct method_table::parts {
  struct own_method : known {
    std::vector<bool> told;  // by destination: it knows the number
  };

  loaded_modules modules;
  static constexpr std::size_t cached = 64;
  std::array<known, cached> cache;                                                          // of `numbers`
  std::map<std::tuple<std::uint64_t, std::int64_t, std::uint32_t>, std::uint32_t> numbers;  // by method and handler
  std::vector<own_method> mine;  // those that only this location gives a number, by the order of these
  std::unordered_map<std::uint64_t, std::unique_ptr<introduced_method>> theirs;  // by source and number
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>, introduced_method> travelled;
  std::uint64_t last_key = ~std::uint64_t{0};
  introduced_method* last = nullptr;

  /// Numbers it, if it is new.
  known entry_of(std::uint32_t handler, method_bits const& method) {
    std::tuple const key(method.word, method.adjustment, handler);
    if (auto const at = numbers.find(key); at != numbers.end()) return {method, handler, at->second};
    std::uint32_t number = handler_naming(*find_handler(handler), method);
    if (number == 0) number = own_number(handler, method);
    numbers.emplace(key, number);
    return {method, handler, number};
  }

  /// The number of a handler that names the method at compile time, in requests of the same form; 0: none. Of the same
  /// module, as only the program's own handlers have the same numbers in all processes.
  std::uint32_t handler_naming(handler_entry const& given, method_bits const& method) {
    auto const module_of = [&](handler_entry const& entry) {
      code_place place;
      return modules.place_of(reinterpret_cast<std::uintptr_t>(entry.run), place) ? place.module : 0;
    };
    for (std::uint32_t i = 0; i < handlers.size; ++i) {
      handler_entry const& entry = handlers.entries[i];
      if (entry.calls.form != given.calls.form || entry.calls.named == nullptr) continue;
      if (module_of(entry) == module_of(given) && entry.calls.named() == method) return i + 1;
    }
    return 0;
  }

  std::uint32_t own_number(std::uint32_t handler, method_bits const& method) {
    if (mine.size() == most_methods)
      throw usage_error(
          "sheaf: one location calls more than 65536 methods through pointers; name some at compile time");
    static_cast<void>(place_of(method));  // throws where it has none
    std::uint32_t const number = highest - static_cast<std::uint32_t>(mine.size());
    mine.push_back({{method, handler, number}, {}});
    return number;
  }

  [[nodiscard]] code_place place_of(method_bits const& method) {
    code_place place{0, method.word - 1};
    if (!method.is_virtual() && !modules.place_of(method.word, place)) throw_no_code(method);
    return place;
  }
};

/// Tells the receiver what a number of the sender means.
struct method_introduction {
  static constexpr type_token object_type = nullptr;
  static constexpr traffic kind = traffic::request;
  static constexpr auto record_bytes = static_cast<std::uint32_t>(introduction_codec::fixed_size);

  static void run(location& here, void*, execution& state) {
    while (state.at != state.run_end) {
      byte_reader reader(state.at, state.run_end);
      auto const [number, handler, module, offset, adjustment] = introduction_codec::decode(reader);
      state.at += record_bytes;
      here.in().claim_request();  // not one that wait_for_request waits for
      admission const inside(here.gate());
      here.calls().methods.learn(state.source, number, handler, {module, offset, adjustment});
    }
  }
};

method_table::~method_table() { delete parts_; }

method_table::parts& method_table::used() {
  if (parts_ == nullptr) {
    auto fresh = std::make_unique<parts>();
    check_abi(fresh->modules);
    parts_ = fresh.release();
  }
  return *parts_;
}

std::uint64_t method_table::look_up(location& here, std::uint32_t handler, method_bits method, std::size_t size) {
  admission const inside(here.gate());
  check_pointer(method, size);
  known& k = used().cache[(method.word >> 3U ^ method.word >> 8U ^ handler) % parts::cached];
  if (!(k.method == method && k.handler == handler)) k = parts_->entry_of(handler, method);
  if (here.gate() == nullptr) last_ = k;
  return k.number;
}

bool method_table::introduce(location& here, outbox& box, std::uint32_t number, bool may_wait, call_site from) {
  admission const inside(here.gate());
  std::size_t const which = highest - number;
  if (which >= parts_->mine.size()) return true;  // what it means is known everywhere
  if (parts_->mine[which].told.empty()) parts_->mine[which].told.resize(here.size());
  if (parts_->mine[which].told[box.dest]) return true;
  // A method that is executed meanwhile may tell it, too: the receiver takes it twice.
  run_tag const tag(handler_number<method_introduction>, 0, 0);
  constexpr std::uint32_t bytes = method_introduction::record_bytes;
  std::byte* const at = may_wait ? box.append(tag, bytes, from) : box.try_append(tag, bytes, bytes);
  if (at == nullptr) return false;
  parts::own_method& what = parts_->mine[which];
  code_place const place = parts_->place_of(what.method);
  introduction_codec::encode(at, number, what.handler, place.module, place.offset, what.method.adjustment);
  what.told[box.dest] = true;
  if (here.gate() != nullptr) box.flush();  // before other threads' streams, whose buffers leave when they like
  return true;
}

handler_entry const* method_table::find(location_id source, std::uint32_t number) {
  if (parts_ == nullptr) return nullptr;
  std::uint64_t const key = std::uint64_t{sheaf::number(source)} << 32U | number;
  if (key == parts_->last_key) return parts_->last;
  auto const at = parts_->theirs.find(key);
  if (at == parts_->theirs.end()) return nullptr;
  parts_->last_key = key;
  return parts_->last = at->second.get();
}

void method_table::learn(location_id source, std::uint32_t number, std::uint32_t handler, travelling_bits const& code) {
  parts& p = used();
  auto const* const entry = find_handler(handler);
  bool const numbers_fit =
      number <= highest && number > highest - most_methods && entry != nullptr && entry->kind == traffic::request;
  if (!numbers_fit || code.is_misplaced())
    throw wire_error("sheaf: number " + std::to_string(number) + " for a method of handler " + std::to_string(handler) +
                     from_whom(source) + "the processes run different builds, or memory was overwritten");
  method_bits const method = resolved(p.modules, code, from_whom(source));
  auto& place = p.theirs[std::uint64_t{sheaf::number(source)} << 32U | number];
  if (place != nullptr && place->method == method && place->handler == handler) return;
  if (place != nullptr)
    throw wire_error("sheaf: number " + std::to_string(number) + " is given to a second method" + from_whom(source) +
                     "memory was overwritten");
  place = std::make_unique<introduced_method>();
  static_cast<handler_entry&>(*place) = *entry;
  place->has_method = true;
  place->method = method;
  place->handler = handler;
  place->text = readable(entry->name) + " (" + place_text(p.modules, code) + ")";
  place->name = place->text;
}

method_bits method_table::method_of(handler_entry const& handler, void const* object, std::size_t size,
                                    bool is_polymorphic) {
  if (!handler.has_method) throw_uncallable(readable(handler.name), "no method came with it");
  auto& named = const_cast<introduced_method&>(static_cast<introduced_method const&>(handler));  // NOLINT: `theirs`
  return checked(parts_->modules, named, object, size, is_polymorphic);
}

travelling_bits method_table::depart(location& here, method_bits const& method, std::size_t size) {
  admission const inside(here.gate());
  check_pointer(method, size);
  code_place const place = used().place_of(method);
  return {place.module, place.offset, method.adjustment};
}

method_bits method_table::arrive(travelling_bits const& code, void const* object, std::size_t size,
                                 bool is_polymorphic) {
  parts& p = used();
  auto const [at, is_new] = p.travelled.try_emplace({code.module, code.offset, code.adjustment});
  introduced_method& named = at->second;
  if (is_new) {
    named.text = "a method that a pointer names (" + place_text(p.modules, code) + ")";
    named.name = named.text;
  }
  if (named.method.word == 0) {
    if (code.is_misplaced()) throw_uncallable(named.text, "its place is odd");
    named.method = resolved(p.modules, code, "; ");
  }
  return checked(p.modules, named, object, size, is_polymorphic);
}

}  // namespace sheaf::detail
