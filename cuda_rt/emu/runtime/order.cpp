#include "order.hpp"

#include <algorithm>
#include <map>

#include "devices.hpp"

namespace emu {

namespace {

struct Work {
  u64 stream;
  u32 begin, end;
  int device;
};
using Seen = std::map<u64, u32>;  // up to which stamp the work of another stream is ordered before this one's
std::vector<Work>& unsynced = *new std::vector<Work>;
u32 last_moment = 0;  // what was given to a stream before and after one are two pieces of work
std::map<u64, Seen>& clocks = *new std::map<u64, Seen>;

Seen floors[MOST_DEVICES];  // what is ordered before all that a device is given from now on

u64 key(cudaStream_t s) {
  const u64 a = reinterpret_cast<u64>(s), device = static_cast<u64>(current_device());
  return a <= 1 ? device : a == 2 ? MOST_DEVICES + device : a;
}
bool is_default(u64 stream) { return stream < MOST_DEVICES; }

void join(Seen& to, const Seen& from) {
  for (const auto& [stream, stamp] : from) to[stream] = std::max(to[stream], stamp);
}

// The default stream waits for all streams of its device that do not say otherwise, and they wait for it.
void join_default(cudaStream_t s) {
  const u64 mine = key(s);
  const int device = device_of(s);
  join(clocks[mine], floors[device]);
  if (!is_default(mine)) {
    if (!is_blocking(s)) return;
    const u64 of_device = static_cast<u64>(device);
    join(clocks[mine], clocks[of_device]);
    clocks[mine][of_device] = now;
    return;
  }
  for (const Work& w : unsynced) {
    if (w.stream == mine || w.device != device || !is_blocking(reinterpret_cast<cudaStream_t>(w.stream))) continue;
    join(clocks[mine], clocks[w.stream]);
    clocks[mine][w.stream] = now;
  }
}

// All that was given to a device so far, and what that waited for.
Seen all_of(int device) {
  Seen seen;
  for (const auto& [stream, its] : clocks) {
    if (device_of_key(stream) == device) join(seen, its);
  }
  for (const Work& w : unsynced) {
    if (w.device != device) continue;
    join(seen, clocks[w.stream]);
    seen[w.stream] = now;
  }
  return seen;
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
    unsynced.push_back({key(s), begin, now, device_of(s)});
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

static void is_over(const Seen& seen) {
  const auto over = [&](const Work& w) { return is_before(w, ~0ull, seen); };
  unsynced.erase(std::remove_if(unsynced.begin(), unsynced.end(), over), unsynced.end());
}

void host_waits(const Moment& m) {
  Seen seen(m.seen.begin(), m.seen.end());
  seen[m.stream] = m.stamp;
  is_over(seen);
}

void host_waits_for_all() { unsynced.clear(); }

void host_waits_for(int device) { options.devices == 1 ? host_waits_for_all() : is_over(all_of(device)); }

bool is_any_pending() { return !unsynced.empty(); }

std::vector<std::pair<u32, u32>> begin_copy(cudaStream_t s, int from, int to) {
  if (is_default(key(s))) {
    Seen both = all_of(from);
    join(both, all_of(to));
    join(floors[from], both);
    join(floors[to], both);
    join(clocks[key(s)], both);
    last_moment = ++now;
  }
  return begin_work(s);
}

void end_copy(cudaStream_t s, u32 begin, int from, int to) {
  end_work(s, begin);
  if (!is_default(key(s))) return;
  floors[from][key(s)] = floors[to][key(s)] = now;
  last_moment = ++now;
}

int device_of_work(u32 stamp) {
  for (const Work& w : unsynced) {
    if (stamp >= w.begin && stamp <= w.end) return w.device;
  }
  return 0;
}

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
