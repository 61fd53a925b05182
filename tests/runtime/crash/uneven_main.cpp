// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
/// A job over MPI of which one process has settings that it cannot start with, or (TEST_REFUSE_THREADS) gets no thread
/// of the C++ library from the system: MPI starts its own.
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sheaf/sheaf.hpp"

namespace {

bool is_of_cpp_library(void const* caller) {
  Dl_info from{};
  return dladdr(caller, &from) != 0 && std::strstr(from.dli_fname, "libstdc++") != nullptr;
}

}  // namespace

/// Stands in front of the system's.
extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* made, pthread_attr_t const* how,
                                                                     void* (*run)(void*), void* argument) noexcept {
  if (std::getenv("TEST_REFUSE_THREADS") != nullptr && is_of_cpp_library(__builtin_return_address(0))) return EAGAIN;
  using function = int(pthread_t*, pthread_attr_t const*, void* (*)(void*), void*);
  static auto* const next = reinterpret_cast<function*>(dlsym(RTLD_NEXT, "pthread_create"));
  return next(made, how, run, argument);
}

int main() {
  return sheaf::run([](sheaf::team world) { sheaf::barrier(world); });
}
