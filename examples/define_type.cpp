// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// The classes of Fig. 4 of the ARMI paper (PPoPP 2003) as arguments of async: one has an array inside, the other
/// one a pointer to an array of its own. `define_type` says so; the library copies what the pointer leads to.
#include <cstdio>
#include <utility>

#include "sheaf/sheaf.hpp"

class object_b {
 public:
  object_b() = default;
  explicit object_b(int size) : size_(size), array_(new int[static_cast<std::size_t>(size)]) {
    for (int i = 0; i < size; ++i) array_[i] = i + 1;
  }
  object_b(object_b&& b) noexcept : size_(b.size_), array_(std::exchange(b.array_, nullptr)) {}
  object_b& operator=(object_b&&) = delete;
  ~object_b() { delete[] array_; }  // of the sender's array there, and here of the one that `dynamic` made

  void define_type(sheaf::typer& t) {
    t.local(size_);
    t.dynamic(array_, size_);  // after its length
  }

  [[nodiscard]] int sum() const {
    int sum = 0;
    for (int i = 0; i < size_; ++i) sum += array_[i];
    return sum;
  }

 private:
  int size_ = 0;
  int* array_ = nullptr;
};

struct object_a {
  double a[10] = {};
  object_b b;

  void define_type(sheaf::typer& t) {
    t.local(a, 10);
    t.local(b);  // calls its define_type
  }
};

struct receiver {
  void take(object_a const& object) { total += object.a[9] + object.b.sum(); }
  double total = 0;
};

int main() {
  return sheaf::run([](sheaf::team world) {
    receiver here;
    sheaf::registration<receiver> const registered(world, here);

    constexpr int requests = 100;
    double expected = 0;
    for (int i = 0; i < requests; ++i) {
      object_a object{{}, object_b(i)};
      object.a[9] = 0.5;
      expected += 0.5 + object.b.sum();
      registered.async<&receiver::take>((world.rank() + 1) % world.size(), std::move(object));
    }
    sheaf::fence(world);
    if (world.rank() == 0) std::printf("%d objects with arrays of their own arrived: %.1f\n", requests, here.total);
    return here.total == expected ? 0 : 1;
  });
}
