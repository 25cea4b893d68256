// Random numbers and the ends of random edges, for irgl/rt/graphs/native/random.py: those that NumPy would give, in parts.
#pragma once
#include <math.h>

#include "parts.hpp"
#include "pcg64.hpp"

namespace irgl {
namespace graphs {

// Calls f(stream, from, to) for each part of so many numbers, with the stream at its first.
template <class F>
void in_parts(const uint64_t* state, int64_t count, F&& f) {
  const int parts = threads_for(count);
#pragma omp parallel for schedule(static, 1) num_threads(parts)
  for (int k = 0; k < parts; ++k) {
    const int64_t from = begin_of(count, parts, k);
    Pcg64 stream(state);
    stream.skip(uint64_t(from));
    f(stream, from, begin_of(count, parts, k + 1));
  }
}

// The least of the 53 bits that a number in [0, 1) has which is at least x.
inline uint64_t least_of(double x) { return x <= 0 ? 0 : x > 1 ? uint64_t(1) << 53 : uint64_t(ceil(x * 0x1p53)); }

}  // namespace graphs
}  // namespace irgl

// Numbers in [0, 1).
extern "C" int64_t irgl_random_units(const uint64_t* state, int64_t count, double* out) {
  irgl::graphs::in_parts(state, count, [=](irgl::graphs::Pcg64 stream, int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) out[i] = stream.next_unit();
  });
  return 1;
}

// Whole numbers in 0..bound-1.
extern "C" int64_t irgl_random_below(const uint64_t* state, int64_t count, int64_t bound, irgl::node_t* out) {
  irgl::graphs::in_parts(state, count, [=](irgl::graphs::Pcg64 stream, int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) out[i] = irgl::node_t(stream.next_unit() * double(bound));
  });
  return 1;
}

// The ends of edges of a recursive matrix of 2^scale nodes: number i of stretch k of `count` numbers has bit scale-1-k of the
// ends of edge i, in the quadrant that the chances a, a+b and a+b+c choose. Edges first..last-1 are drawn. names: of nodes;
// null: their numbers.
extern "C" int64_t irgl_random_recursive(const uint64_t* state, int64_t count, int64_t scale, const double* chances,
                                         const irgl::node_t* names, int64_t first, int64_t last, irgl::node_t* src,
                                         irgl::node_t* dst) {
  using namespace irgl::graphs;
  if (scale > 40) return -1;
  const uint64_t a = least_of(chances[0]), ab = least_of(chances[1]), abc = least_of(chances[2]);
  const int parts = threads_for(last - first);
#pragma omp parallel for schedule(static, 1) num_threads(parts)
  for (int k = 0; k < parts; ++k) {
    const int64_t from = first + begin_of(last - first, parts, k), to = first + begin_of(last - first, parts, k + 1);
    int64_t named = from;
    Pcg64 streams[40];
    for (int64_t level = 0; level < scale; ++level) {
      streams[level] = Pcg64(state);
      streams[level].skip(uint64_t(level) * uint64_t(count) + uint64_t(from));
    }
    for (int64_t i = from; i < to; ++i) {
      uint64_t u = 0, v = 0;
      for (int64_t level = 0; level < scale; ++level) {
        const uint64_t x = streams[level].next53();
        const uint64_t down = x >= ab, right = (uint64_t(x >= a) & ~down) | uint64_t(x >= abc);  // without branches
        u = u << 1 | down;
        v = v << 1 | right;
      }
      src[i] = irgl::node_t(u), dst[i] = irgl::node_t(v);
      // Many names are looked up at once, since each is far from the last.
      if (names == nullptr || ((i + 1) % 1024 != 0 && i + 1 != to)) continue;
      for (; named <= i; ++named) src[named] = names[src[named]], dst[named] = names[dst[named]];
    }
  }
  return 1;
}
