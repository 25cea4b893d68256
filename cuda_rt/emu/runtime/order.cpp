#include "order.hpp"

#include <algorithm>
#include <map>

namespace emu {

namespace {

struct Work {
  u64 stream;
  u32 begin, end;
};
using Seen = std::map<u64, u32>;  // up to which stamp the work of another stream is ordered before this one's
std::vector<Work>& unsynced = *new std::vector<Work>;
u32 last_moment = 0;  // what was given to a stream before and after one are two pieces of work
std::map<u64, Seen>& clocks = *new std::map<u64, Seen>;

u64 key(cudaStream_t s) { return reinterpret_cast<u64>(s) <= 1 ? 0 : reinterpret_cast<u64>(s); }

void join(Seen& to, const Seen& from) {
  for (const auto& [stream, stamp] : from) to[stream] = std::max(to[stream], stamp);
}

// The default stream waits for all streams that do not say otherwise, and they wait for it.
void join_default(cudaStream_t s) {
  const u64 mine = key(s);
  if (mine != 0) {
    if (!is_blocking(s)) return;
    join(clocks[mine], clocks[0]);
    clocks[mine][0] = now;
    return;
  }
  for (const Work& w : unsynced) {
    if (w.stream == 0 || !is_blocking(reinterpret_cast<cudaStream_t>(w.stream))) continue;
    join(clocks[0], clocks[w.stream]);
    clocks[0][w.stream] = now;
  }
}

bool is_before(const Work& w, u64 stream, const Seen& seen) {
  const auto found = seen.find(w.stream);
  return w.stream == stream || (found != seen.end() && w.end <= found->second);
}

}  // namespace

std::vector<std::pair<u32, u32>> begin_work(cudaStream_t s) {
  std::vector<std::pair<u32, u32>> beside;
  join_default(s);
  for (const Work& w : unsynced) {
    if (!is_before(w, key(s), clocks[key(s)])) beside.emplace_back(w.begin, w.end);
  }
  return beside;
}

void end_work(cudaStream_t s, u32 begin) {
  if (!unsynced.empty() && unsynced.back().stream == key(s) && unsynced.back().end > last_moment)
    unsynced.back().end = now;
  else
    unsynced.push_back({key(s), begin, now});
  now++;
}

Moment moment_of(cudaStream_t s) {
  join_default(s);
  const Seen& seen = clocks[key(s)];
  last_moment = ++now;
  return {key(s), now, {seen.begin(), seen.end()}};
}

void wait_for(cudaStream_t s, const Moment& m) {
  Seen& mine = clocks[key(s)];
  join(mine, Seen(m.seen.begin(), m.seen.end()));
  mine[m.stream] = std::max(mine[m.stream], m.stamp);
}

u32 last_work_of(cudaStream_t s) {
  u32 last = 0;
  for (const Work& w : unsynced)
    if (w.stream == key(s)) last = w.end;
  return last;
}

void host_waits(const Moment& m) {
  Seen seen(m.seen.begin(), m.seen.end());
  seen[m.stream] = m.stamp;
  const auto over = [&](const Work& w) { return is_before(w, ~0ull, seen); };
  unsynced.erase(std::remove_if(unsynced.begin(), unsynced.end(), over), unsynced.end());
}

void host_waits_for_all() { unsynced.clear(); }

void call_host(cudaStream_t s, const std::function<void()>& f) {
  const std::vector<Work> kept = unsynced;
  host_waits(moment_of(s));
  f();
  unsynced = kept;
}

bool may_still_run(u32 stamp) {
  for (const Work& w : unsynced) {
    if (stamp >= w.begin && stamp <= w.end) return true;
  }
  return false;
}

}  // namespace emu
