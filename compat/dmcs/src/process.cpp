// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "process.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>

#include "sheaf/message/guarded_run.hpp"

namespace sheaf_dmcs {

engine* only = nullptr;

namespace {

/// By location. Simulated ones are of one thread, but jobs of several may run.
struct locations {
  std::mutex lock;
  std::unordered_map<sheaf::detail::location const*, engine*> all;
};
locations& sessions() {
  static locations them;
  return them;
}

}  // namespace

session::session(sheaf::team const& on) : team_(on), engine_(team_, false) {
  std::scoped_lock const locked(sessions().lock);
  sessions().all[&sheaf::detail::here_of(on)] = &engine_;
}
session::~session() {
  std::scoped_lock const locked(sessions().lock);
  sessions().all.erase(&sheaf::detail::here_of(team_));
}

engine* of_location() noexcept {
  if (sheaf::detail::ambient_location == nullptr) return nullptr;
  std::scoped_lock const locked(sessions().lock);
  auto const found = sessions().all.find(sheaf::detail::ambient_location);
  return found == sessions().all.end() ? nullptr : found->second;
}

std::string hex(void const* address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

void fail(char const* name, std::string const& what) {
  std::fflush(stdout);
  std::string const text = std::string("DMCS Error: ") + name + ": " + what;  // in one call: others write, too
  only == nullptr ? std::fprintf(stderr, "%s\n", text.c_str())
                  : std::fprintf(stderr, "[%u] %s\n", only->self(), text.c_str());
  std::fflush(stderr);
  std::_Exit(1);  // the launcher ends the others
}

void fail_caught(char const* name) { fail(name, sheaf::detail::text_of_thrown()); }

}  // namespace sheaf_dmcs
