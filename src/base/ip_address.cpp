// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
#include "base/ip_address.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace sheaf::detail {
namespace {

std::optional<ip_address> address_of(ifaddrs const& of) noexcept {
  if (of.ifa_addr == nullptr || (of.ifa_flags & (IFF_UP | IFF_LOOPBACK)) != IFF_UP) return {};
  ip_address a = loopback_address;
  if (of.ifa_addr->sa_family == AF_INET) {
    std::memcpy(a.data() + 12, &reinterpret_cast<sockaddr_in const*>(of.ifa_addr)->sin_addr, 4);
    return a;
  }
  if (of.ifa_addr->sa_family != AF_INET6) return {};
  in6_addr const& six = reinterpret_cast<sockaddr_in6 const*>(of.ifa_addr)->sin6_addr;
  if (IN6_IS_ADDR_LINKLOCAL(&six)) return {};
  std::memcpy(a.data(), &six, a.size());
  return a;
}

}  // namespace

bool is_ipv4(ip_address const& a) noexcept { return std::equal(a.begin(), a.begin() + 12, loopback_address.begin()); }

std::vector<ip_address> own_addresses() {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return {};
  std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> const owner(first, &freeifaddrs);
  std::vector<ip_address> all;
  for (ifaddrs const* each = first; each != nullptr; each = each->ifa_next) {
    if (auto const one = address_of(*each)) all.push_back(*one);
  }
  std::stable_partition(all.begin(), all.end(), is_ipv4);
  return all;
}

}  // namespace sheaf::detail
