// Buckets with 2 to 64 lists, against a loop over ordered multisets: which items each bucket ran, rounds and all. Items
// file others into the running bucket, before it, behind it, and far away; lists have to grow, spill, or end the window.
#define IRGL_BLOCK 64
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

#include <algorithm>
#include <map>
#include <type_traits>

namespace unit {

using namespace irgl;
using Wl = buckets<int32_t>;
struct Scalars : irgl::Shared {
  int64_t unused = 0;
};
using Context = irgl::HostRuntime<Scalars>;
using Dev = irgl::Device<Scalars>;
static_assert(std::has_unique_object_representations_v<Late<int32_t>>, "padding: a copy reads what nobody wrote");

constexpr int32_t many = 400, few = 50;  // items, of which each runs some times; those that are filed together
constexpr int64_t first = -40, last = highest<int64_t>() - 1;

// The priority that an item begins with: most of them the second least, more than there is space for at first.
IRGL_BOTH int64_t begin_of(int32_t x) { return x < few ? first : x < 6 * few ? first + 1 : first + 60; }

// The kth priority that an item files itself with, which runs in bucket p; -1: no more.
IRGL_BOTH int64_t next_of(int32_t x, int64_t p, int32_t turn, bool* more) {
  const uint32_t h = uint32_t(x) * 2654435761u + uint32_t(turn) * 40503u;
  *more = turn < 3 + x % 3;
  if (p >= last - 2) return last + x % 2;            // the last two are the same
  switch (h >> 28) {
    case 0: case 1: return p;                        // again, at once
    case 2: return p - 3;                            // before it: at once, too
    case 3: case 4: return p + 1 + int64_t(h % 90);  // far
    case 5: return last - 2;
    default: return p + 1 + int64_t(h % 7);
  }
}

__device__ void step(Thread& t, const Dev&, int32_t* turns, uint64_t* ran, int way, View<Wl>& wl) {
  for_each<Block>(t, wl.items(), [&](Thread& t, bool valid, int32_t x) {
    bool more = false;
    int64_t p = 0;
    if (valid) {
      p = next_of(x, wl.priority(), ++turns[x], &more);
      ran[x] = ran[x] * 31 + uint64_t(wl.priority());  // each item waits once at most, so that this is its own
    }
    if (way == 0 && more) wl.push(t, x, p);
    if (way == 1) wl.push_warp(t, more, x, p);
    if (way == 2) wl.push_block(t, more, x, p);
  });
}
__global__ void step_kernel(Dev c, int32_t* turns, uint64_t* ran, int way, View<Wl> wl) {
  Thread t(c);
  step(t, c, turns, ran, way, wl);
}
struct State {
  int32_t* turns;
  uint64_t* ran;
  int way;
  bound needs;
  View<Wl> wl;
  int64_t buckets = 0;
  int at = 0;
};
__global__ void __launch_bounds__(block_size) loop_kernel(Dev c, State* saved) {
  Thread t(c);
  State s = *saved;
  switch (s.at) {
    case 0:
      while (!s.wl.empty(t)) {
        do {
          case 1:
          if (!s.wl.fits(t, s.needs, s.wl.items())) return leave(t, saved, s, 1);
          step(t, c, s.turns, s.ran, s.way, s.wl);
        } while (s.wl.more(t));
        ++s.buckets;
        s.wl.advance(t);
      }
  }
  leave(t, saved, s, 0);
}

int64_t run(Context& c, int32_t* turns, uint64_t* ran, unsigned lists, int way, bound needs, bool outlined) {
  Wl wl(c, 0, lists);
  for (int32_t x = 0; x < many; x += few) wl.in_update(c, range<int32_t>(x, x + few), begin_of(x));
  wl.clear(c);
  for (int32_t x = 0; x < many; x += few) wl.in_update(c, range<int32_t>(x, x + few - 1), begin_of(x));
  for (int32_t x = few - 1; x < many; x += few) wl.in_push(c, x, begin_of(x));
  wl.advance(c);
  State s{turns, ran, way, needs, wl.view()};
  if (outlined) {
    do {
      s.wl = wl.view();
      c.run_outlined(loop_kernel, irgl::blocks_for(many), s);
      wl.adopt(c, s.wl);
    } while (s.at != 0 && !c.halted());
    return s.buckets;
  }
  while (!wl.empty(c) && !c.halted()) {
    do {
      wl.reserve_for(c, needs, wl.items(c));
      c.launch(step_kernel, wl.items(c).size(), c.device(), turns, ran, way, wl.view());
    } while (wl.more(c));
    ++s.buckets;
    wl.advance(c);
  }
  return s.buckets;
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  using namespace unit;
  std::vector<int32_t> turns(many);
  std::vector<uint64_t> want(many), ran(many);
  std::multimap<int64_t, int32_t> waiting;
  for (int32_t x = 0; x < many; ++x)
    waiting.insert({begin_of(x), x});
  int64_t buckets = 0;
  for (int64_t running = lowest<int64_t>(); !waiting.empty(); ++buckets) {
    running = std::max(running, waiting.begin()->first);
    while (!waiting.empty() && waiting.begin()->first <= running) {
      const int32_t x = waiting.begin()->second;
      waiting.erase(waiting.begin());
      bool more = false;
      const int64_t p = next_of(x, running, ++turns[size_t(x)], &more);
      want[size_t(x)] = want[size_t(x)] * 31 + uint64_t(running);
      if (more) waiting.insert({std::min(p, last), x});
    }
  }
  for (const int64_t capacity : {0, 1, 2})
    for (const unsigned lists : {2u, 3u, 9u, 64u})
      for (int way = 0; way < 6; ++way) {
        const bool spills = capacity == 2;
        driver::Call call(driver::nothing(), capacity);
        Context c(&call.args);
        int32_t* there = c.allocate_array<int32_t>(many);
        uint64_t* told = c.allocate_array<uint64_t>(many);
        c.zero(there, many * sizeof(int32_t)), c.zero(told, many * sizeof(uint64_t));
        const bound needs{spills ? -1 : 1, 0};
        const int64_t found = unit::run(c, there, told, lists, way % 3, needs, way >= 3);
        c.copy_out(ran.data(), told, many * sizeof(uint64_t));
        c.release(there), c.release(told);
        CHECK(c.finish(&call.args) == 0, "%u lists way %d: %ld", lists, way, long(call.fault[0]));
        CHECK(found == buckets, "%u lists way %d: %ld %ld", lists, way, long(found), long(buckets));
        for (size_t x = 0; x < many; ++x) CHECK(ran[x] == want[x], "%u lists way %d capacity %ld item %zu", lists, way, long(capacity), x);
      }
  return driver::end();
}
