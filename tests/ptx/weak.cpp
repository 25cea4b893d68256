// Buffers of threads and blocks, and what words held before.
#include "weak.hpp"

#include <algorithm>
#include <cstring>

namespace ptx {
bool weak = false;
namespace {
struct Version {
  uint64_t time, before;  // what the word held before that time
};
std::map<uint64_t, std::vector<Version>> history;
uint64_t now = 0;

bool overlap(const Pending& p, const uint8_t* at, size_t bytes) { return p.at < at + bytes && at < p.at + p.bytes; }

void commit(uint8_t* at, const void* from, size_t bytes) {
  if (memcmp(at, from, bytes) == 0) return;
  const uint64_t word = reinterpret_cast<uint64_t>(at) & ~uint64_t(7);
  uint64_t before;
  memcpy(&before, reinterpret_cast<const void*>(word), 8);
  auto& versions = history[word];
  if (versions.size() == 8) versions.erase(versions.begin());
  versions.push_back({++now, before});
  memcpy(at, from, bytes);
  progress();
}
void commit(const Pending& p) {
  commit(p.at, &p.value, p.bytes);
  p.block->seen[reinterpret_cast<uint64_t>(p.at) & ~uint64_t(7)] = now;
}
void all(std::vector<Pending>& buffer) {
  for (const Pending& p : buffer) commit(p);
  buffer.clear();
}
// Those that touch the bytes, in their order.
void touching(std::vector<Pending>& buffer, const uint8_t* at, size_t bytes) {
  const auto rest = std::stable_partition(buffer.begin(), buffer.end(), [&](const Pending& p) { return overlap(p, at,
      bytes); });
  for (auto p = buffer.begin(); p != rest; ++p) commit(*p);
  buffer.erase(buffer.begin(), rest);
}
// A random one, with what came before it to the same place.
void one(std::vector<Pending>& buffer, Block* block) {
  if (buffer.empty()) return;
  const Pending p = buffer[draw(buffer.size())];
  if (block != nullptr) touching(block->pending, p.at, p.bytes);
  touching(buffer, p.at, p.bytes);
}
void overlay(const std::vector<Pending>& buffer, const uint8_t* from, uint8_t* to, size_t bytes) {
  for (const Pending& p : buffer)
    if (overlap(p, from, bytes))
      for (size_t k = 0; k < bytes; ++k)
        if (from + k >= p.at && from + k < p.at + p.bytes) to[k] = reinterpret_cast<const uint8_t*>(&p.value)[from + k - p.at];
}
}  // namespace

void weak_begin() { history.clear(); }

void weak_load(Thread& t, const uint8_t* from, void* to, size_t bytes) {
  auto* const result = static_cast<uint8_t*>(to);
  memcpy(result, from, bytes);
  const uint64_t word = reinterpret_cast<uint64_t>(from) & ~uint64_t(7);
  if (const auto found = history.find(word); found != history.end()) {
    const auto& versions = found->second;
    const auto known = t.seen.find(word);
    const auto own = t.block->seen.find(word);
    const uint64_t least = std::max({t.fenced, known == t.seen.end() ? 0 : known->second,
                                     own == t.block->seen.end() ? 0 : own->second});
    const auto first = std::find_if(versions.begin(), versions.end(), [&](const Version& v) { return v.time > least; });
    uint64_t read = now;
    if (first != versions.end() && draw(4) == 0) {
      const auto chosen = first + int64_t(draw(uint64_t(versions.end() - first)));
      memcpy(result, reinterpret_cast<const uint8_t*>(&chosen->before) + (from - reinterpret_cast<const uint8_t*>(word)), bytes);
      read = chosen == first ? least : std::prev(chosen)->time;
    }
    t.seen[word] = read;
  }
  overlay(t.block->pending, from, result, bytes);
  overlay(t.pending, from, result, bytes);
}
void weak_store(Thread& t, uint8_t* to, const void* from, size_t bytes) {
  Pending p{to, bytes, 0, t.block};
  memcpy(&p.value, from, bytes);
  t.pending.push_back(p);
  if (t.pending.size() > 12) one(t.pending, t.block);
}
void weak_atomic(Thread& t, uint8_t* at, size_t bytes, bool release) {
  if (release) all(t.block->pending), all(t.pending);
  else touching(t.block->pending, at, bytes), touching(t.pending, at, bytes);
}
void weak_change(Thread& t, uint8_t* at, const void* from, size_t bytes) {
  commit(at, from, bytes);
  t.seen[reinterpret_cast<uint64_t>(at) & ~uint64_t(7)] = now;
}
void weak_fence(Thread& t) {
  all(t.block->pending), all(t.pending);
  t.fenced = now;
  t.seen.clear();
}
void weak_pass(Thread& t) {
  auto& to = t.block->pending;
  to.insert(to.end(), t.pending.begin(), t.pending.end());
  t.pending.clear();
}
void weak_join(const std::vector<Thread*>& together) {
  uint64_t known = 0;
  for (Thread* t : together) {
    if (t == nullptr) continue;
    known = std::max(known, t->fenced);
    for (const auto& [word, time] : t->seen) known = std::max(known, time);
  }
  for (Thread* t : together)
    if (t != nullptr) weak_pass(*t), t->fenced = known, t->seen.clear();
}
void weak_some(Thread& t) {
  if (!t.pending.empty() && draw(4) == 0) one(t.pending, t.block);
}
void weak_some(Block& block) { one(block.pending, nullptr); }
void weak_all(Block& block) { all(block.pending); }

}  // namespace ptx
