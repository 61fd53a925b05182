// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The Sheaf authors
// Of streams: records that leave at once.
#include <algorithm>
#include <cstring>

#include "base/insight.hpp"
#include "message/taken.hpp"
#include "sheaf/message/location.hpp"
#include "sheaf/message/sender.hpp"
#include "sheaf/message/stream.hpp"

namespace sheaf::detail {

/// Writes the header in front of the record, at whose entry's beginning is room: the short one, but of a scope.
std::span<std::byte const> stream::with_header(run_header const& header, std::span<std::byte> entry) {
  if (header.scope != 0) [[unlikely]] {
    header.encode(entry.data());
    run_header::encode_sizes(entry.data(), 1, entry.size() - run_header::wire_bytes);
    return entry;
  }
  std::span<std::byte> const lone = entry.subspan(run_header::wire_bytes - run_header::lone_bytes);
  header.encode_lone(lone.data());
  return lone;
}

/// Sends it in a slot of the transport. False: it is too large, or there is no credit.
[[gnu::always_inline]] inline bool stream::send_lone(outbox& box, run_tag tag, std::span<std::byte> entry) {
  registry& known = all_.here.registered();
  run_header const header = known.header_for(tag, scope_);
  auto const lone = with_header(header, entry);
  if (lone.size() > all_.net.inline_capacity() || box.pair().blocked ||
      !all_.net.send_inline(location_id{box.dest}, kind_, lone))
    return false;
  all_.here.in().stir();
  ++box.pair().sent;
  bool const counts = is_request(kind_);
  if (insight) all_.counts.link(box.dest).sent(lone.size(), counts);
  if (counts) ++unpolled, known.count_sent(box.dest, tag, header.in_scope(), 1);
  return true;
}

void stream::send_urgent(outbox& box, run_tag tag, std::span<std::byte> entry, call_site from) {
  take_scope();
  bool const is_plain = scope_.number() == 0 && !all_.any_put.load(std::memory_order_relaxed);
  if (!is_plain || box.data != nullptr) return send_behind(box, tag, entry, from);
  if (send_lone(box, tag, entry)) return;
  std::size_t const bytes = entry.size() - run_header::wire_bytes;
  std::byte* const alone = open_alone(box, bytes);
  if (alone == nullptr) return send_in_buffer(box, tag, entry, from);
  std::memcpy(alone, entry.data() + run_header::wire_bytes, bytes);
  send_alone(box, tag, bytes);
}

/// Of a scope, or behind what the outbox holds or a put.
void stream::send_behind(outbox& box, run_tag tag, std::span<std::byte> entry, call_site from) {
  check_depth(tag, from);
  if (is_behind_puts(box)) mark_puts(box, true, from);
  std::size_t const spare = is_in(scope_, tag) ? 0 : run_header::wire_bytes - run_header::lone_bytes;
  if (entry.size() - spare <= all_.net.inline_capacity()) {
    flush(box, flush_reason::urgent);
    if (send_lone(box, tag, entry)) return;
  }
  send_in_buffer(box, tag, entry, from);
}

void stream::send_in_buffer(outbox& box, run_tag tag, std::span<std::byte> entry, call_site from) {
  std::size_t const bytes = entry.size() - run_header::wire_bytes;
  if (box.record_bytes != 0) close_run(box);  // of requests of the same tag and one size, which were not urgent
  std::byte* const to = append(box, {tag, bytes}, true, from);
  std::memcpy(to, entry.data() + run_header::wire_bytes, bytes);
  flush(box, flush_reason::urgent);
}

bool stream::offer(outbox& box, run_tag tag, std::span<std::byte> entry) {
  auto const lone = with_header(home().registered().header_for(tag, {}), entry);
  if (box.pair().blocked || !all_.net.send_inline(location_id{box.dest}, kind_, lone)) return false;
  if (insight) all_.counts.link(box.dest).sent(lone.size());
  return true;
}

std::byte* stream::open_alone(outbox const& box, std::size_t bytes) {
  take_scope();
  bool const is_plain = scope_.number() == 0 && !all_.any_put.load(std::memory_order_relaxed);
  if (!is_plain || box.data != nullptr || box.pair().blocked) return nullptr;
  buffer block = all_.take_block(box.dest, std::max(run_header::lone_bytes + bytes, sizes_for(box.dest).capacity));
  all_.keep_block(box.dest, block);
  return all_.kept_block_.data() + run_header::lone_bytes;
}

void stream::send_alone(outbox& box, run_tag tag, std::size_t bytes) {
  registry& known = all_.here.registered();
  run_header const header = known.header_for(tag, scope_);
  buffer& block = all_.kept_block_;
  header.encode_lone(block.data());
  block.set_size(run_header::lone_bytes + bytes);
  all_.here.in().stir();
  if (is_request(kind_)) ++unpolled, known.count_sent(box.dest, tag, header.in_scope(), 1);
  if (insight) ++all_.counts.flushes[static_cast<std::size_t>(flush_reason::urgent)];
  if (insight) all_.counts.link(box.dest).sent(run_header::lone_bytes + bytes, is_request(kind_));
  outbox& pair = box.pair();
  if (!all_.net.send(location_id{box.dest}, kind_, block)) return pair.owner->overflow(pair, block);
  ++pair.sent;
}

}  // namespace sheaf::detail
