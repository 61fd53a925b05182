// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// Looking up an object that moves (ARMI §4.2.1): each object has a home that knows where it is, or was a moment ago. A
/// location asks the home, whose method asks the owner, whose method may have to ask the next one: questions within
/// questions, which cannot deadlock however many cross.
#include <cstdio>
#include <map>
#include <string>

#include "sheaf/sheaf.hpp"

class directory : public sheaf::distributed<directory> {
 public:
  explicit directory(sheaf::team const& on) : distributed(on) {}

  std::uint32_t home_of(std::uint64_t key) const { return static_cast<std::uint32_t>(key % members().size()); }

  /// The object's value, wherever it is now.
  std::string lookup(std::uint64_t key) { return sync<&directory::find>(home_of(key), key); }

  /// At the home.
  std::string find(std::uint64_t key) { return sync<&directory::read>(owner_.at(key), key); }

  /// At the owner, or at one who was it.
  std::string read(std::uint64_t key) {
    auto const here = values_.find(key);
    return here != values_.end() ? here->second : sync<&directory::read>(moved_to_.at(key), key);
  }

  /// At the owner: gives the object to another location.
  void move(std::uint64_t key, std::uint32_t to) {
    if (to == rank()) return;
    sync<&directory::put>(to, key, values_.at(key));
    moved_to_[key] = to;
    values_.erase(key);
    async<&directory::now_at>(home_of(key), key, to);
  }
  void put(std::uint64_t key, std::string const& value) { values_[key] = value; }
  void now_at(std::uint64_t key, std::uint32_t owner) { owner_[key] = owner; }

 private:
  std::map<std::uint64_t, std::string> values_;
  std::map<std::uint64_t, std::uint32_t> owner_, moved_to_;
};

int main() {
  return sheaf::run([](sheaf::team world) {
    constexpr std::uint64_t keys = 40;
    directory names(world);
    for (std::uint64_t key = world.rank(); key < keys; key += world.size()) {
      names.put(key, "object " + std::to_string(key));
      names.now_at(key, world.rank());
    }
    sheaf::fence(world);

    std::uint64_t found = 0;
    for (std::uint32_t round = 1; round <= 3; ++round) {
      // All objects that began here move on while everybody looks all of them up.
      for (std::uint64_t key = world.rank(); key < keys; key += world.size()) {
        auto const owner = (world.rank() + round - 1) % world.size(), to = (world.rank() + round) % world.size();
        names.async<&directory::move>(owner, key, to);
      }
      for (std::uint64_t key = 0; key < keys; ++key)
        found += names.lookup(key) == "object " + std::to_string(key) ? 1 : 0;
      sheaf::fence(world);
    }
    if (world.rank() == 0) std::printf("%lu of %lu lookups found their object\n", found, 3 * keys);
    return found == 3 * keys ? 0 : 1;
  });
}
