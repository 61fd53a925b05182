// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include "groups.hpp"

namespace sheaf_armci {
namespace {

/// What a reduction does: an operation of MPI's, on the elements or on their magnitudes.
struct operation {
  std::string_view name;  ///< a prefix of what callers write
  MPI_Op how;
  bool of_magnitudes = false;
  bool of_integers = false;  ///< only
};

/// Longer names before their prefixes.
operation checked_operation(char const* function, char const* name) {
  operation const known[] = {{"absmax", MPI_MAX, true},
                             {"absmin", MPI_MIN, true},
                             {"max", MPI_MAX},
                             {"min", MPI_MIN},
                             {"+", MPI_SUM},
                             {"*", MPI_PROD},
                             {"land", MPI_LAND, false, true},
                             {"&&", MPI_LAND, false, true},
                             {"lor", MPI_LOR, false, true},
                             {"||", MPI_LOR, false, true},
                             {"band", MPI_BAND, false, true},
                             {"&", MPI_BAND, false, true},
                             {"bor", MPI_BOR, false, true},
                             {"or", MPI_BOR, false, true},
                             {"|", MPI_BOR, false, true}};
  std::string_view const asked = name;
  auto const* const one =
      std::find_if(std::begin(known), std::end(known), [&](operation const& o) { return asked.starts_with(o.name); });
  if (one != std::end(known)) return *one;
  std::string names;
  for (operation const& each : known) names.append(names.empty() ? "" : " ").append(each.name);
  fail(function, std::string("there is no operation '").append(asked) + "'; they are: " + names);
}

/// Calls f(T{}) with the type that an armci_type_e means.
template <class F>
auto with_type(char const* function, int type, F const& f) {
  switch (type) {
    case ARMCI_INT:
      return f(int{});
    case ARMCI_LONG:
      return f(long{});
    case ARMCI_LONG_LONG:
      return f(0LL);
    case ARMCI_FLOAT:
      return f(float{});
    case ARMCI_DOUBLE:
      return f(double{});
    default:
      break;
  }
  fail(function, std::string("type ") + std::to_string(type) + " is none of ARMCI_INT (" + std::to_string(ARMCI_INT) +
                     ") to ARMCI_DOUBLE (" + std::to_string(ARMCI_DOUBLE) + ")");
}

MPI_Datatype mpi_type(int) { return MPI_INT; }
MPI_Datatype mpi_type(long) { return MPI_LONG; }
MPI_Datatype mpi_type(long long) { return MPI_LONG_LONG; }
MPI_Datatype mpi_type(float) { return MPI_FLOAT; }
MPI_Datatype mpi_type(double) { return MPI_DOUBLE; }

/// Prepares the elements for MPI's operation, and names their type for it.
template <class T>
MPI_Datatype prepare(char const* function, operation const& what, std::span<T> elements) {
  if (what.of_integers && std::is_floating_point_v<T>) {
    fail(function, std::string("'").append(what.name) + "' is an operation of integers, not of floating-point numbers");
  }
  if (what.of_magnitudes) {
    std::transform(elements.begin(), elements.end(), elements.begin(), [](T x) { return x < 0 ? -x : x; });
  }
  return mpi_type(T{});
}

enum class result : std::uint8_t { everywhere, at_first };

void reduce(char const* function, int scope, void* x, int n, char const* op, int type, ARMCI_Group const& group,
            result where = result::everywhere) {
  audience const among(function, scope, group);
  if (!among.has_caller()) return;
  if (n < 0) refuse_negative(function, "elements", n);
  operation const what = checked_operation(function, op);
  MPI_Datatype const elements = with_type(function, type, [&]<class T>(T) {
    return prepare(function, what, std::span(static_cast<T*>(x), static_cast<std::size_t>(n)));
  });
  if (where == result::everywhere) {
    MPI_Allreduce(MPI_IN_PLACE, x, n, elements, what.how, among.comm());
    return;
  }
  int rank = 0;
  MPI_Comm_rank(among.comm(), &rank);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : x, x, n, elements, what.how, 0, among.comm());
}

/// What a process offers to a selection.
struct offer {
  double floating = 0;
  long long integer = 0;
  int contributes = 0;
};

offer offer_of(char const* function, void const* x, int type) {
  return with_type(function, type, [&]<class T>(T value) {
    std::memcpy(&value, x, sizeof value);
    bool const floats = std::is_floating_point_v<T>;
    return offer{floats ? static_cast<double>(value) : 0, floats ? 0 : static_cast<long long>(value), 1};
  });
}

/// The rank of the first that has the best; -1: nobody contributes.
int best_of(std::span<offer const> offers, bool is_largest) {
  int best = -1;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (offers[i].contributes == 0) continue;
    offer const& now = offers[static_cast<std::size_t>(std::max(best, 0))];
    offer const& low = is_largest ? now : offers[i];
    offer const& high = is_largest ? offers[i] : now;
    if (best < 0 || low.floating < high.floating || low.integer < high.integer) best = static_cast<int>(i);
  }
  return best;
}

void select(char const* function, int scope, void* x, int n, char const* op, int type, int contribute) {
  audience const among(function, scope, here.world);
  if (!among.has_caller()) return;
  std::size_t const bytes = checked_bytes(function, n);
  bool const is_largest = std::string_view(op).starts_with("max");
  if (!is_largest && !std::string_view(op).starts_with("min")) {
    fail(function, std::string("there is no selection '") + op + "'; they are: max min");
  }
  offer const mine = contribute != 0 ? offer_of(function, x, type) : offer{};
  int size = 0;
  MPI_Comm_size(among.comm(), &size);
  std::vector<offer> all(static_cast<std::size_t>(size));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, among.comm());
  int const best = best_of(all, is_largest);
  if (best >= 0) MPI_Bcast(x, static_cast<int>(bytes), MPI_BYTE, best, among.comm());
}

}  // namespace
}  // namespace sheaf_armci

using namespace sheaf_armci;

void armci_msg_reduce(void* x, int n, char* op, int type) {
  reduce("armci_msg_reduce", SCOPE_ALL, x, n, op, type, here.world, result::at_first);
}
void armci_msg_reduce_scope(int scope, void* x, int n, char* op, int type) {
  reduce("armci_msg_reduce_scope", scope, x, n, op, type, here.world, result::at_first);
}

void armci_msg_gop_scope(int scope, void* x, int n, char* op, int type) {
  reduce("armci_msg_gop_scope", scope, x, n, op, type, here.world);
}
void armci_msg_group_gop_scope(int scope, void* x, int n, char* op, int type, ARMCI_Group* group) {
  reduce("armci_msg_group_gop_scope", scope, x, n, op, type, *group);
}

// By type: among all, among the caller's domain, and among a group.
#define SHEAF_ARMCI_REDUCTION(letters, element, type)                                    \
  void armci_msg_##letters##gop(element* x, int n, char* op) {                           \
    reduce("armci_msg_" #letters "gop", SCOPE_ALL, x, n, op, type, here.world);          \
  }                                                                                      \
  void armci_msg_clus_##letters##gop(element* x, int n, char* op) {                      \
    reduce("armci_msg_clus_" #letters "gop", SCOPE_NODE, x, n, op, type, here.world);    \
  }                                                                                      \
  void armci_msg_group_##letters##gop(element* x, int n, char* op, ARMCI_Group* group) { \
    reduce("armci_msg_group_" #letters "gop", SCOPE_ALL, x, n, op, type, *group);        \
  }
SHEAF_ARMCI_REDUCTION(i, int, ARMCI_INT)
SHEAF_ARMCI_REDUCTION(l, long, ARMCI_LONG)
SHEAF_ARMCI_REDUCTION(ll, long long, ARMCI_LONG_LONG)
SHEAF_ARMCI_REDUCTION(f, float, ARMCI_FLOAT)
SHEAF_ARMCI_REDUCTION(d, double, ARMCI_DOUBLE)
#undef SHEAF_ARMCI_REDUCTION

void armci_msg_sel(void* x, int n, char* op, int type, int contribute) {
  select("armci_msg_sel", SCOPE_ALL, x, n, op, type, contribute);
}
void armci_msg_sel_scope(int scope, void* x, int n, char* op, int type, int contribute) {
  select("armci_msg_sel_scope", scope, x, n, op, type, contribute);
}
