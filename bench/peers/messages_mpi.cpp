// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of compat/dmcs_messages: the MPI messages that DMCS's paper sends, by hand. --form rsr: half a ping-pong of one
/// message with a head of 8 bytes and 0 to 4 arguments; put_op: of a head of 16 bytes, and a second message with the
/// data; rate: million messages of 16 bytes each second, 64 at a time, each with a receive that was posted before.
/// Isend, Irecv and Test.
#include <array>
#include <chrono>

#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

void finish(MPI_Request& request) {
  int done = 0;
  while (done == 0) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}
void send(void const* data, std::size_t bytes, int tag, int to) {
  MPI_Request request;
  MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
  finish(request);
}
void receive(void* data, std::size_t bytes, int tag, int from) {
  MPI_Request request;
  MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
  finish(request);
}

struct message {
  std::size_t head_bytes;
  std::size_t data_bytes;  ///< 0: there is no second message
};

class side {
 public:
  explicit side(mpi_rank const& mpi) : mpi_(mpi) {}

  void trip(message const& of) {
    if (mpi_.rank() == 0) {
      give(of, 1);
      take(of, 1);
    } else {
      take(of, 0);
      give(of, 0);
    }
    mpi_.check(of.data_bytes == 0 || in_[of.data_bytes - 1] == 'x', "data changed on their way");
  }

  double rate() {
    constexpr int all = 2'000'000, window = 64;
    mpi_rank::barrier();
    auto const start = std::chrono::steady_clock::now();
    for (int i = 0; i < all; i += window) mpi_.rank() == 0 ? send_window(i, window) : receive_window(window);
    std::int64_t answer = sum_;
    if (mpi_.rank() == 1) send(&answer, sizeof answer, 1, 0);
    if (mpi_.rank() == 0) receive(&answer, sizeof answer, 1, 1);
    mpi_.check(answer == sum_, "messages are lost");
    return all / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() * 1e-6;
  }

 private:
  struct record {
    std::int64_t number, value;
  };

  void give(message const& of, int to) {
    send(head_.data(), of.head_bytes, 0, to);
    if (of.data_bytes != 0) send(out_.data(), of.data_bytes, 2, to);
  }
  void take(message const& of, int from) {
    receive(head_.data(), of.head_bytes, 0, from);
    if (of.data_bytes != 0) receive(in_.data(), of.data_bytes, 2, from);
  }
  void send_window(int first, int count) {
    for (int i = 0; i < count; ++i) {
      records_[static_cast<std::size_t>(i)] = {7, first + i};
      sum_ += first + i;
      MPI_Isend(&records_[static_cast<std::size_t>(i)], sizeof(record), MPI_BYTE, 1, 0, MPI_COMM_WORLD, request(i));
    }
    MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE);
  }
  void receive_window(int count) {
    for (int i = 0; i < count; ++i)
      MPI_Irecv(&records_[static_cast<std::size_t>(i)], sizeof(record), MPI_BYTE, 0, 0, MPI_COMM_WORLD, request(i));
    MPI_Waitall(count, requests_.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; ++i) sum_ += records_[static_cast<std::size_t>(i)].value;
  }
  MPI_Request* request(int i) { return &requests_[static_cast<std::size_t>(i)]; }

  mpi_rank const& mpi_;
  std::array<char, 64> head_{};
  std::vector<char> out_ = std::vector<char>(8192, 'x'), in_ = std::vector<char>(8192);
  std::array<record, 64> records_{};
  std::array<MPI_Request, 64> requests_{};
  std::int64_t sum_ = 0;
};

struct measured {
  std::string name;
  message of;
  std::vector<double> samples;
};

std::vector<measured> plan(std::string const& form) {
  if (form == "rate") return {{"rate", {}, {}}};
  std::vector<measured> all;
  for (std::size_t arguments = 0; form == "rsr" && arguments < 5; ++arguments)
    all.push_back({"rsr" + std::to_string(arguments), {8 + 8 * arguments, 0}, {}});
  for (std::size_t const bytes : {1, 64, 512, 4096, 8192}) {
    if (form == "put_op") all.push_back({std::to_string(bytes), {16, bytes}, {}});
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  mpi.check(mpi.size() == 2, "needs two ranks");
  std::string const form = args.text("--form", "rsr");
  int const in_block = static_cast<int>(args.number("--count", 1000));
  mpi.check(in_block > 0, "--count is at least 1");
  side mine(mpi);
  auto all = plan(form);
  mpi.check(!all.empty(), "--form is rsr, put_op or rate");
  for (int r = -1; r < args.reps(9); ++r) {
    for (measured& one : all) {
      double const value = form == "rate" ? mine.rate() : ns_each(21, in_block, [&] { mine.trip(one.of); }) / 2;
      if (r >= 0) one.samples.push_back(value);
    }
  }
  if (mpi.rank() != 0) return 0;
  std::string parts;
  for (measured const& one : all)
    parts += (parts.empty() ? "" : ", ") + ("\"" + one.name + "\": ") + std::to_string(median(one.samples));
  print_result(form == "rate" ? "M/s" : "ns", all.front().samples, ", \"parts\": {" + parts + "}");
}
