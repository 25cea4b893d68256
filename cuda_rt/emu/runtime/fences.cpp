// Knowledge is a list of who and a stamp: of a thread, a warp or a block, all that it did before the stamp is over.
#include "fences.hpp"

#include <algorithm>
#include <unordered_map>

namespace emu {

bool is_fenced = false;

namespace {

using Known = std::vector<std::pair<u64, u32>>;  // sorted
constexpr std::size_t MOST_KNOWN = 4096;               // more is forgotten, and may be told as a race

struct Fences {
  Known known;     // is before this thread
  Known met;       // was read of others, and is, behind the next fence or barrier
  Known learned;   // before this thread at its last fence
  Known released;  // what its fences let others know
  u32 at = 0;      // stamp of its last fence
  bool is_new = false;  // no barrier has come since
};
auto& of_threads = *new std::unordered_map<u32, Fences>;
auto& of_blocks = *new std::unordered_map<u32, Known>;
auto& released_by_blocks = *new std::unordered_map<u32, Known>;  // by fences before barriers: for all its threads
auto& published = *new std::unordered_map<u64, Known>;

u64 of_thread(u32 id) { return id; }
u64 of_warp(u32 id) { return 1ull << 32 | id >> 5; }
u64 of_block(u32 id) { return 2ull << 32 | id >> 10; }

void join(Known& to, const Known& from) {
  if (from.empty()) return;
  Known all;
  all.reserve(to.size() + from.size());
  std::merge(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(all));
  to.clear();
  for (const auto& [who, stamp] : all) {
    if (stamp < grid->serial) continue;
    if (!to.empty() && to.back().first == who) to.back().second = stamp;  // the later one
    else if (to.size() < MOST_KNOWN) to.emplace_back(who, stamp);
  }
}

u32 stamp_of(const Known& k, u64 who) {
  const auto at = std::lower_bound(k.begin(), k.end(), std::pair<u64, u32>(who, 0));
  return at != k.end() && at->first == who ? at->second : 0;
}

bool tells_of(const Known& k, const Access& a) {
  return a.stamp < stamp_of(k, of_thread(a.id)) || a.stamp < stamp_of(k, of_warp(a.id)) ||
         a.stamp < stamp_of(k, of_block(a.id));
}

void take_in(Fences& f) {
  join(f.known, f.met);
  f.met.clear();
}

}  // namespace

void begin_fences() {
  is_fenced = false;
  of_threads.clear();
  of_blocks.clear();
  released_by_blocks.clear();
  published.clear();
}

void fence(Thread* t) {
  is_fenced = true;
  Fences& f = of_threads[t->id];
  take_in(f);
  ++now;
  f.at = now;
  f.is_new = true;
  f.learned = f.known;
  const auto of_all = of_blocks.find(t->block->number);
  if (of_all != of_blocks.end()) join(f.learned, of_all->second);
  join(f.released, f.learned);
  join(f.released, {{of_thread(t->id), now}});
  join(f.released, {{of_warp(t->id), t->warp->serial}});
  join(f.released, {{of_block(t->id), t->block->serial}});
}

void marked_read(Thread* t, u64 address) {
  const auto found = published.find(address);
  if (found != published.end()) join(of_threads[t->id].met, found->second);
}

void marked_write(Thread* t, u64 address) {
  const auto found = of_threads.find(t->id);
  if (found != of_threads.end()) join(published[address], found->second.released);
  const auto ours = released_by_blocks.find(t->block->number);
  if (ours != released_by_blocks.end()) join(published[address], ours->second);
}

// A thread's fence and then a barrier let all threads of its block tell others of what it did before.
void share_in_block(Block& b) {
  Known& all = of_blocks[b.number];
  Known& released = released_by_blocks[b.number];
  bool is_whole = true, is_new = false;
  for (const Thread& t : b.threads) {
    const auto found = of_threads.find(t.id);
    const u32 at = found == of_threads.end() ? 0 : found->second.at;
    is_whole = is_whole && (t.last_write == 0 || t.last_write < std::max(at, b.released));
    is_new = is_new || (at != 0 && found->second.is_new);
    if (found == of_threads.end()) continue;
    take_in(found->second);
    join(all, found->second.known);
  }
  if (!is_new) return;
  for (const Thread& t : b.threads) {
    const auto found = of_threads.find(t.id);
    if (found == of_threads.end() || !found->second.is_new) continue;
    found->second.is_new = false;
    join(released, is_whole ? found->second.learned : found->second.released);
  }
  if (!is_whole) return;
  b.released = b.serial;
  join(released, {{of_block(b.threads[0].id), b.serial}});
}

void share_in_warp(Warp& w, u32 mask) {
  Known all, released;
  for (u32 m = mask; m != 0; m &= m - 1) {
    const auto found = of_threads.find(w.lanes[__builtin_ctz(m)]->id);
    if (found == of_threads.end()) continue;
    take_in(found->second);
    join(all, found->second.known);
    join(released, found->second.released);
  }
  if (all.empty() && released.empty()) return;
  for (u32 m = mask; m != 0; m &= m - 1) {
    Fences& f = of_threads[w.lanes[__builtin_ctz(m)]->id];
    f.known = all;
    f.released = released;
  }
}

bool is_behind_fences(const Access& a, const Thread* t) {
  const auto mine = of_threads.find(t->id);
  if (mine != of_threads.end() && tells_of(mine->second.known, a)) return true;
  const auto ours = of_blocks.find(t->block->number);
  return ours != of_blocks.end() && tells_of(ours->second, a);
}

}  // namespace emu
