// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace sheaf::test {

/// A folder of its own for one test, removed in the end.
class temporary_folder {
 public:
  temporary_folder() {
    std::string pattern = testing::TempDir() + "/sheaf.XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + pattern);
    path_ = pattern;
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;

  std::string operator/(std::string const& name) const { return path_ + "/" + name; }

  /// Writes a file of this folder, with the folders above it; returns its full name.
  std::string write(std::string const& name, std::string const& content) const {
    std::filesystem::path const full = *this / name;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << content;
    return full.string();
  }

 private:
  std::string path_;
};

inline std::string read_file(std::string const& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The text of the exception of type E that `call` throws; empty and a failure if it throws none.
template <typename E, typename F>
std::string error_of(F&& call) {
  try {
    call();
  } catch (E const& failure) {
    return failure.what();
  }
  ADD_FAILURE() << "expected an exception";
  return {};
}

}  // namespace sheaf::test
