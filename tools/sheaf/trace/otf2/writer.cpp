// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include <otf2/otf2.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "sheaf/trace/otf2_writer.hpp"
#include "sheaf/trace/words.hpp"

namespace sheaf::tool {
namespace {

constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 20;
constexpr OTF2_CommRef world = 0;
enum attribute : OTF2_AttributeRef { attribute_requests, attribute_source, attribute_object };

void check(OTF2_ErrorCode code, char const* what) {
  if (code == OTF2_SUCCESS) return;
  throw trace_error(std::string("OTF2: ") + what + ": " + OTF2_Error_GetDescription(code));
}

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp no_time(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }
constexpr OTF2_FlushCallbacks flushing{&flush_always, &no_time};

/// Errors come back as codes, which `check` turns into exceptions; the library need not print them.
OTF2_ErrorCode silent(void*, char const*, std::uint64_t, char const*, OTF2_ErrorCode code, char const*, va_list) {
  return code;
}

/// The archive's strings and regions get numbers as they come up, and are written in the order of these.
class definitions {
 public:
  OTF2_StringRef string(std::string const& text) { return numbered(strings_, text); }
  OTF2_RegionRef region(detail::trace_log::named const& n) { return numbered(regions_, {n.what, shown_name(n)}); }

  void write(OTF2_GlobalDefWriter* to) {
    for (auto const& [what, name] : regions_.all) string(name);
    for (char const* const each : {"", "requests", "source", "object"}) string(each);
    for (OTF2_StringRef i = 0; i < strings_.all.size(); ++i) {
      check(OTF2_GlobalDefWriter_WriteString(to, i, strings_.all[i].c_str()), "a string");
    }
    for (OTF2_RegionRef i = 0; i < regions_.all.size(); ++i) define_region(to, i, regions_.all[i]);
    define_attribute(to, attribute_requests, "requests", OTF2_TYPE_UINT64);
    define_attribute(to, attribute_source, "source", OTF2_TYPE_UINT32);
    define_attribute(to, attribute_object, "object", OTF2_TYPE_UINT32);
  }

 private:
  using region_key = std::pair<trace_event, std::string>;
  template <class Key>
  struct numbers {
    std::map<Key, std::uint32_t> by_key;
    std::vector<Key> all;
  };

  template <class Key>
  static std::uint32_t numbered(numbers<Key>& of, Key const& key) {
    auto const [at, fresh] = of.by_key.try_emplace(key, static_cast<std::uint32_t>(of.all.size()));
    if (fresh) of.all.push_back(key);
    return at->second;
  }

  void define_region(OTF2_GlobalDefWriter* to, OTF2_RegionRef number, region_key const& key) {
    OTF2_StringRef const name = string(key.second), none = string("");
    auto const role = key.first == trace_event::collective ? OTF2_REGION_ROLE_COLL_OTHER : OTF2_REGION_ROLE_FUNCTION;
    check(OTF2_GlobalDefWriter_WriteRegion(to, number, name, name, none, role, OTF2_PARADIGM_USER,
                                           OTF2_REGION_FLAG_NONE, none, 0, 0),
          "a region");
  }

  void define_attribute(OTF2_GlobalDefWriter* to, attribute which, char const* name, OTF2_Type type) {
    check(OTF2_GlobalDefWriter_WriteAttribute(to, which, string(name), string(""), type), "an attribute");
  }

  numbers<std::string> strings_;
  numbers<region_key> regions_;
};

class archive {
 public:
  archive(traced_job const& job, std::string const& folder)
      : job_(job), pairs_(job), attributes_(OTF2_AttributeList_New(), &OTF2_AttributeList_Delete) {
    OTF2_Error_RegisterCallback(&silent, nullptr);
    to_.reset(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, chunk_bytes, 4 * chunk_bytes,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    if (to_ == nullptr) throw trace_error("OTF2: cannot write an archive in " + folder);
    check(OTF2_Archive_SetFlushCallbacks(to_.get(), &flushing, nullptr), "flushing");
    check(OTF2_Archive_SetSerialCollectiveCallbacks(to_.get()), "one process");
    for (std::uint32_t rank = 0; rank < job.locations.size(); ++rank) ranks_[job.locations[rank].number] = rank;
  }

  void write() {
    check(OTF2_Archive_OpenEvtFiles(to_.get()), "opening event files");
    for (traced_location const& l : job_.locations) write_events(l);
    check(OTF2_Archive_CloseEvtFiles(to_.get()), "closing event files");
    check(OTF2_Archive_OpenDefFiles(to_.get()), "opening definition files");
    for (traced_location const& l : job_.locations) {
      check(OTF2_Archive_CloseDefWriter(to_.get(), OTF2_Archive_GetDefWriter(to_.get(), l.number)), "definitions");
    }
    check(OTF2_Archive_CloseDefFiles(to_.get()), "closing definition files");
    write_definitions();
    check(OTF2_Archive_Close(to_.release()), "closing");
  }

 private:
  struct closing {
    void operator()(OTF2_Archive* a) const { OTF2_Archive_Close(a); }
  };

  void write_events(traced_location const& l) {
    OTF2_EvtWriter* const to = OTF2_Archive_GetEvtWriter(to_.get(), l.number);
    if (to == nullptr) throw trace_error("OTF2: no event file for location " + std::to_string(l.number));
    event_reader events(l, job_.size);
    for (traced_event e; events.next(e);) write_event(to, l, e);
    for (auto at = events.open().rbegin(); at != events.open().rend(); ++at) leave(to, l, l.last, *at);
    check(OTF2_EvtWriter_GetNumberOfEvents(to, &written_[l.number]), "counting");
    check(OTF2_Archive_CloseEvtWriter(to_.get(), to), "events");
  }

  void leave(OTF2_EvtWriter* to, traced_location const& l, std::uint64_t time, std::uint32_t name) {
    check(OTF2_EvtWriter_Leave(to, nullptr, job_.since_start(l, time), known_.region(l.names[name])), "an end");
  }

  void write_event(OTF2_EvtWriter* to, traced_location const& l, traced_event const& e) {
    if (e.what == trace_event::end) return leave(to, l, e.time, e.name);
    if (!is_named(e.what)) return write_entry(to, l, e);
    if (e.what == trace_event::run) {
      OTF2_AttributeList_AddUint64(attributes_.get(), attribute_requests, e.size);
      OTF2_AttributeList_AddUint32(attributes_.get(), attribute_source, e.peer);
      OTF2_AttributeList_AddUint32(attributes_.get(), attribute_object, e.object);
    }
    check(OTF2_EvtWriter_Enter(to, attributes_.get(), job_.since_start(l, e.time), known_.region(l.names[e.name])),
          "a begin");
    if (e.what == trace_event::mark) leave(to, l, e.time, e.name);
  }

  /// As messages of MPI, which all tools draw. Those whose other end was not recorded would be taken for lost ones.
  void write_entry(OTF2_EvtWriter* to, traced_location const& l, traced_event const& e) {
    bool const out = e.what == trace_event::sent;
    std::uint64_t const pair = out ? pairs_.of_sent(l.number, e) : pairs_.of_received(l.number, e);
    if (pair == entry_pairs::none) return;
    std::uint64_t const time = job_.since_start(l, e.time);
    std::uint32_t const other = ranks_.at(e.peer);
    check(out ? OTF2_EvtWriter_MpiSend(to, nullptr, time, other, world, e.traffic_class, e.size)
              : OTF2_EvtWriter_MpiRecv(to, nullptr, time, other, world, e.traffic_class, e.size),
          "an entry");
  }

  void write_definitions() {
    OTF2_GlobalDefWriter* const to = OTF2_Archive_GetGlobalDefWriter(to_.get());
    std::uint64_t end = 0;
    for (traced_location const& l : job_.locations) end = std::max(end, job_.since_start(l, l.last));
    check(OTF2_GlobalDefWriter_WriteClockProperties(to, 1'000'000'000, 0, end + 1, OTF2_UNDEFINED_TIMESTAMP),
          "a clock");
    OTF2_StringRef const job = known_.string("job"), all = known_.string("world"), machine = known_.string("machine");
    std::vector<OTF2_StringRef> hosts, processes, locations;
    for (traced_process const& p : job_.processes) {
      hosts.push_back(known_.string(p.origin.host));
      processes.push_back(known_.string("process " + std::to_string(p.origin.process) + " on " + p.origin.host));
    }
    for (traced_location const& l : job_.locations) {
      locations.push_back(known_.string("location " + std::to_string(l.number)));
    }
    OTF2_StringRef const node = known_.string("node");
    known_.write(to);
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, job, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE), "a tree");
    define_processes(to, hosts, node, processes);
    define_locations(to, locations);
    define_world(to, all);
  }

  void define_processes(OTF2_GlobalDefWriter* to, std::vector<OTF2_StringRef> const& hosts, OTF2_StringRef node,
                        std::vector<OTF2_StringRef> const& processes) {
    std::map<OTF2_StringRef, OTF2_SystemTreeNodeRef> nodes;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      auto const [at, fresh] = nodes.try_emplace(hosts[i], static_cast<OTF2_SystemTreeNodeRef>(nodes.size() + 1));
      if (fresh) check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, at->second, hosts[i], node, 0), "a host");
      check(OTF2_GlobalDefWriter_WriteLocationGroup(to, static_cast<OTF2_LocationGroupRef>(i), processes[i],
                                                    OTF2_LOCATION_GROUP_TYPE_PROCESS, at->second,
                                                    OTF2_UNDEFINED_LOCATION_GROUP),
            "a process");
    }
  }

  void define_locations(OTF2_GlobalDefWriter* to, std::vector<OTF2_StringRef> const& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      traced_location const& l = job_.locations[i];
      check(OTF2_GlobalDefWriter_WriteLocation(to, l.number, names[i], OTF2_LOCATION_TYPE_CPU_THREAD,
                                               written_[l.number], static_cast<OTF2_LocationGroupRef>(l.process)),
            "a location");
    }
  }

  void define_world(OTF2_GlobalDefWriter* to, OTF2_StringRef name) {
    std::vector<std::uint64_t> members(job_.locations.size());
    std::transform(job_.locations.begin(), job_.locations.end(), members.begin(),
                   [](auto const& l) { return l.number; });
    auto const count = static_cast<std::uint32_t>(members.size());
    check(OTF2_GlobalDefWriter_WriteGroup(to, 0, name, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, count, members.data()),
          "the locations");
    std::iota(members.begin(), members.end(), 0);
    check(OTF2_GlobalDefWriter_WriteGroup(to, 1, name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                          OTF2_GROUP_FLAG_NONE, count, members.data()),
          "the world's group");
    check(OTF2_GlobalDefWriter_WriteComm(to, world, name, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE), "the world");
  }

  traced_job const& job_;
  entry_pairs pairs_;
  std::unique_ptr<OTF2_AttributeList, OTF2_ErrorCode (*)(OTF2_AttributeList*)> attributes_;
  std::unique_ptr<OTF2_Archive, closing> to_;
  definitions known_;
  std::map<std::uint32_t, std::uint32_t> ranks_;
  std::map<std::uint32_t, std::uint64_t> written_;
};

}  // namespace

void write_otf2(traced_job const& job, std::string const& folder) {
  if (std::filesystem::exists(folder)) throw trace_error(folder + " exists already; name a new folder");
  archive(job, folder).write();
}

}  // namespace sheaf::tool
