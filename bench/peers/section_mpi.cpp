// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
//
/// Peer of compat/armci_section: sections of the other rank's window, which MPI allocated. --form vector moves one by a
/// derived datatype, pieces by a call for each piece and a flush, loop by memcpy from and to the window's shared
/// memory, or x += a·y for acc, where the others have no a. GB/s.
#include <cstring>
#include <span>

#include "peers/mpi_rank.hpp"

namespace {

using namespace sheaf_bench;

enum class op { get, put, acc };

op op_of(std::string const& name) { return name == "get" ? op::get : name == "put" ? op::put : op::acc; }

struct line {
  alignas(64) double values[8];
};

class section {
 public:
  section(arguments const& args, mpi_rank const& mpi) : mpi_(mpi), op_(op_of(args.text("--op", "get"))) {
    auto const size = args.number("--size", 512);
    width_ = static_cast<int>(args.number("--width", size));
    count_ = static_cast<int>(args.number("--count", size));
    stride_ = static_cast<int>(args.number("--stride", 1024));
    check(width_ > 0 && count_ > 0 && stride_ >= width_, "pieces do not fit their stride");
    auto const bytes = static_cast<MPI_Aint>(extent() * sizeof(double));
    MPI_Win_allocate_shared(bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &own_, &window_);
    int unit = 0;
    MPI_Aint size_there = 0;
    MPI_Win_shared_query(window_, 1, &size_there, &unit, &far_);
    MPI_Type_vector(count_, width_, stride_, MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
    lines_.resize(extent() / 8 + 1);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
    std::memset(own_, 0, static_cast<std::size_t>(bytes));
  }
  section(section const&) = delete;
  section& operator=(section const&) = delete;
  ~section() {
    MPI_Win_unlock_all(window_);
    MPI_Type_free(&type_);
    MPI_Win_free(&window_);
  }

  double bytes() const { return 8.0 * width_ * count_; }
  std::size_t extent() const { return static_cast<std::size_t>(stride_) * static_cast<std::size_t>(count_); }
  std::span<double> local() {
    return {lines_.front().values, static_cast<std::size_t>(width_) * static_cast<std::size_t>(count_)};
  }

  void move(std::string const& form) {
    if (form == "loop") {
      loops(local().data(), far_);
      return;
    }
    if (form == "vector") {
      call(local().data(), width_ * count_, 0, 1, type_);
    } else {
      for (int i = 0; i < count_; ++i) call(local().data() + i * width_, width_, i * stride_, width_, MPI_DOUBLE);
    }
    MPI_Win_flush(1, window_);
  }

  /// One operation on known values; rank 0 sees the window's memory of rank 1.
  void check_once(std::string const& form) {
    for (std::size_t i = 0; i < extent(); ++i) far_[i] = static_cast<double>(i);
    for (std::size_t i = 0; i < local().size(); ++i) local()[i] = -2.0 * static_cast<double>(i);
    MPI_Win_sync(window_);
    move(form);
    MPI_Win_sync(window_);
    for (std::size_t i = 0; i < extent(); ++i) {
      auto const row = i / static_cast<std::size_t>(stride_), column = i % static_cast<std::size_t>(stride_);
      bool const inside = column < static_cast<std::size_t>(width_);
      auto const at = row * static_cast<std::size_t>(width_) + column;
      double const before = static_cast<double>(i), moved = -2.0 * static_cast<double>(at);
      double const wanted = !inside || op_ == op::get ? before : op_ == op::put ? moved : before + moved;
      mpi_.check(far_[i] == wanted, "the other rank has a wrong value");
      mpi_.check(!inside || op_ != op::get || local()[at] == before, "a get brought a wrong value");
    }
    std::ranges::fill(local(), 1e-6);
  }

 private:
  void call(double* local, int locals, MPI_Aint at, int count, MPI_Datatype type) {
    if (op_ == op::get) MPI_Get(local, locals, MPI_DOUBLE, 1, at, count, type, window_);
    if (op_ == op::put) MPI_Put(local, locals, MPI_DOUBLE, 1, at, count, type, window_);
    if (op_ == op::acc) MPI_Accumulate(local, locals, MPI_DOUBLE, 1, at, count, type, MPI_SUM, window_);
  }

  void loops(double* local, double* far) const {
    auto const length = static_cast<std::size_t>(width_) * sizeof(double);
    for (int i = 0; i < count_; ++i, local += width_, far += stride_) {
      if (op_ == op::get) std::memcpy(local, far, length);
      if (op_ == op::put) std::memcpy(far, local, length);
      if (op_ == op::acc) add(width_, scale_, local, far);
    }
  }

  [[gnu::noinline]] static void add(int n, double a, double const* __restrict y, double* __restrict x) {
    for (int i = 0; i < n; ++i) x[i] += a * y[i];
  }

  mpi_rank const& mpi_;
  op op_;
  double scale_ = 1;
  std::vector<line> lines_;  // what is local, from the begin of a cache line on, as in the peer
  int width_ = 0, count_ = 0, stride_ = 0;
  double *own_ = nullptr, *far_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

int main(int argc, char** argv) {
  arguments const args(argc, argv);
  mpi_rank const mpi(argc, argv);
  mpi.check(mpi.size() == 2, "needs two ranks");
  section of(args, mpi);
  std::string const form = args.text("--form", "vector");
  std::vector<double> samples;
  mpi_rank::barrier();
  if (mpi.rank() == 0) {
    of.check_once(form);
    int const each = static_cast<int>(std::clamp(2e6 / of.bytes(), 4.0, 1000.0));
    samples = sample(1, args.reps(9), [&](int) { return of.bytes() / ns_each(31, each, [&] { of.move(form); }); });
  }
  mpi_rank::barrier();
  if (mpi.rank() == 0) print_result("GB/s", samples);
}
