// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// The side wire between the processes of a job that share no memory, to be started by mpirun: each location asks every
/// other process, one that computes and calls nothing among them, and tells it things that come before the job ends.
/// Argument `die`: the last process is killed once it has been asked.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/test_options.hpp"
#include "sheaf/base/error.hpp"
#include "sheaf/transport/endpoint.hpp"
#include "sheaf/transport/launch.hpp"
#include "sheaf/transport/side_wire.hpp"

namespace {

using sheaf::endpoint;
using sheaf::detail::side_context;
using sheaf::detail::side_wire;

enum class says : std::uint32_t { ask, answer, tell };

struct words {
  says what = says::tell;
  std::uint32_t lane = 0;  ///< who asks
};

constexpr std::uint64_t questions = 200, tales = 100;

std::atomic<std::uint64_t> told{0}, asked{0}, wrong{0};
std::atomic<std::uint64_t> to_be_told{0};

class answering final : public sheaf::detail::side_server {
 public:
  explicit answering(side_context const& of) : answers(of.locations), of_(of) {}

  std::vector<std::atomic<std::uint64_t>> answers;  ///< by lane

  bool take(std::uint32_t from, std::span<std::byte const> message) noexcept override {
    words w;
    std::memcpy(&w, message.data(), sizeof w);
    for (std::byte const b : message.subspan(sizeof w)) wrong += b != std::byte{5};
    if (w.what == says::tell) return ++told, false;
    if (w.what == says::answer) return answers[w.lane].fetch_add(1, std::memory_order_release), true;
    ++asked;
    w.what = says::answer;
    of_.wire.send(from, std::as_bytes(std::span(&w, 1)), message.subspan(sizeof w));
    return false;
  }

 private:
  side_context const of_;
};

struct asking final : sheaf::location_body {
  bool dies = false;

  void run(endpoint& at) override try {
    side_wire& wire = *at.side;
    std::uint32_t const lanes = at.lanes(), processes = at.size() / lanes;
    std::uint32_t const self = number(at.self()) / lanes, lane = number(at.self()) % lanes;
    if (lane == 0) to_be_told = tales * (at.size() - lanes);
    if (self == processes - 1 && lane == 0) compute(questions * (processes - 1) * lanes);
    auto const& answers = static_cast<answering&>(wire.server()).answers[lane];
    std::vector<std::byte> const content(side_wire::most_bytes, std::byte{5});
    for (std::uint64_t i = 0; i < questions + tales; ++i) {
      words const w{i < questions ? says::ask : says::tell, lane};
      std::size_t const bytes = i % 10 == 3 ? content.size() - sizeof w : i % 90;
      for (std::uint32_t to = 0; to < processes; ++to) {
        if (to != self) wire.send(to, std::as_bytes(std::span(&w, 1)), std::span(content).first(bytes));
      }
      std::uint64_t const open = std::min(i + 1, questions) * (processes - 1);
      for (std::uint32_t round = 0; answers.load(std::memory_order_acquire) < open; ++round) at.idle(round);
    }
  } catch (sheaf::job_aborted const&) {  // a process has died, which others say
  }

 private:
  /// Calls nothing until its process has answered all other ones; or dies before.
  void compute(std::uint64_t all) const {
    while (asked.load() < (dies ? 1 : all)) {
    }
    if (dies) std::raise(SIGKILL);
  }
};

}  // namespace

int main(int argc, char** argv) {
  sheaf::detail::side_server_maker = [](side_context const& of) -> std::unique_ptr<sheaf::detail::side_server> {
    return std::make_unique<answering>(of);
  };
  sheaf::options settings = sheaf_test::test_options();
  settings.transport = settings.threads > 1 ? sheaf::transport_kind::hybrid : sheaf::transport_kind::mpi;
  asking body;
  body.dies = argc > 1 && std::string(argv[1]) == "die";
  try {
    sheaf::launch_mpi(settings.resolved(), body);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  if (told == to_be_told && wrong == 0) return 0;
  std::fprintf(stderr, "told %lu of %lu tales, %lu wrong bytes\n", told.load(), to_be_told.load(), wrong.load());
  return 1;
}
