// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "sheaf/topology.hpp"

#include <unistd.h>

#include <array>

#include "base/machine.hpp"
#ifdef SHEAF_TOOL_HWLOC
#include <hwloc.h>
#endif

namespace sheaf::tool {
namespace {

std::string joined(std::vector<int> const& numbers) {
  std::string all;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!all.empty()) all += ',';
    all += std::to_string(numbers[i]);
    if (last > i) all.append("-").append(std::to_string(numbers[last]));
    i = last;
  }
  return all;
}

#ifdef SHEAF_TOOL_HWLOC
/// "2 of 1024 KiB", by the size of the first; "none".
std::string caches(hwloc_topology_t topology, hwloc_obj_type_t type) {
  int const count = hwloc_get_nbobjs_by_type(topology, type);
  if (count <= 0) return "none";
  auto const bytes = hwloc_get_obj_by_type(topology, type, 0)->attr->cache.size;
  return std::to_string(count) + " of " + std::to_string(bytes >> 10) + " KiB";
}

void add_objects(report::row& all) {
  hwloc_topology_t topology{};
  if (hwloc_topology_init(&topology) != 0) return;
  if (hwloc_topology_load(topology) == 0) {
    auto const count = [&](hwloc_obj_type_t type) { return hwloc_get_nbobjs_by_type(topology, type); };
    all.emplace_back("packages", count(HWLOC_OBJ_PACKAGE));
    all.emplace_back("NUMA nodes", count(HWLOC_OBJ_NUMANODE));
    all.emplace_back("cores", count(HWLOC_OBJ_CORE));
    all.emplace_back("hardware threads", count(HWLOC_OBJ_PU));
    all.emplace_back("L1d caches", caches(topology, HWLOC_OBJ_L1CACHE));
    all.emplace_back("L2 caches", caches(topology, HWLOC_OBJ_L2CACHE));
    all.emplace_back("L3 caches", caches(topology, HWLOC_OBJ_L3CACHE));
  }
  hwloc_topology_destroy(topology);
}
#else
void add_objects(report::row& all) { all.emplace_back("hwloc", "the command was built without it: libhwloc-dev"); }
#endif

}  // namespace

report::row describe_topology() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  report::row all{{"host", name.data()}};
  add_objects(all);
  all.emplace_back("this process may use", "hardware threads " + joined(detail::allowed_cores()));
  all.emplace_back("threads that can run at once", detail::usable_cores());
  return all;
}

}  // namespace sheaf::tool
