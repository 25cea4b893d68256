// Every kind of worklist under the same search, on the host and as an outlined loop; then the words of lists one by one.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Graph : Csr {
  int32_t* hops = nullptr;
  int32_t* cost = nullptr;
};
struct Scalars {
  int64_t seen = 0, inside = 0, twice = 0;
};
using Context = HostRuntime<Scalars>;
using Dev = Device<Scalars>;

template <class View>
__device__ void step_over(Thread& t, const Dev&, Graph g, int32_t step, View& wl) {
  for_each<Block>(t, by_degree(g.out(), wl.items()), [&](Thread& t, bool valid, node_t n) {
    nested<TB | FG, Block>(t, valid, edges(g.out(), n), closure(), [&](Thread& t, bool valid, edge_t e) {
      const bool fresh = valid && load(g.hops[irgl::other(g.out(), e)]) == highest<int32_t>();
      if (fresh) store(g.hops[irgl::other(g.out(), e)], step);
      wl.push_block(t, fresh, fresh ? irgl::other(g.out(), e) : 0);
    });
  });
}
template <class View>
__global__ void step_kernel(Dev c, Graph g, int32_t step, View wl) {
  Thread t(c);
  step_over(t, c, g, step, wl);
}
template <class View>
struct Search {
  int32_t step;
  View wl;
  int at = 0;
};
template <class View>
__global__ void __launch_bounds__(block_size) search_kernel(Dev c, Graph g, Search<View>* saved) {
  Thread t(c);
  Search<View> s = *saved;
  while (!s.wl.empty(t)) {
    if (t.halted) break;
    if (!s.wl.fits(t, bound{0, 1}, by_degree(g.out(), s.wl.items()))) return leave(t, saved, s, 1);
    step_over(t, c, g, s.step, s.wl);
    s.wl.advance(t);
    s.step += 1;
  }
  leave(t, saved, s, 0);
}
template <class L>
void search(Context& c, Graph g, bool outlined) {
  using View = PipeView<L, false>;
  Pipe<L, false> wl(c, size_t(g.n));
  wl.in_push(c, 0);
  int32_t step = 1;
  if (outlined) {
    Search<View> s{1, wl.view()};
    do {
      s.wl = wl.view();
      c.run_outlined(search_kernel<View>, irgl::all_blocks, s, g);
      wl.adopt(c, s.wl);
    } while (s.at != 0 && !c.halted());
  } else {
    while (!wl.empty(c) && !c.halted()) {
      wl.reserve_for(c, bound{0, 1}, by_degree(g.out(), wl.items(c)));
      c.launch(step_kernel<View>, size_t(wl.size(c)), c.device(), g, step++, wl.view());
      wl.advance(c);
    }
  }
  c.wrote(g.hops);
}

// Shortest paths by buckets of width 4.
__device__ void relax(Thread& t, const Dev&, Graph g, BucketsView<node_t>& wl) {
  for_each<Block>(t, by_degree(g.out(), wl.items()), [&](Thread& t, bool valid, node_t n) {
    const int32_t here = valid ? load(g.hops[n]) : 0;
    nested<WP | FG, Block>(t, valid && here / 4 >= wl.priority(), edges(g.out(), n), closure(here),
                           [&](Thread& t, bool valid, edge_t e, int32_t here) {
      const int32_t there = valid ? here + g.cost[e] : 0;
      const bool better = valid && atomic_min(g.hops[irgl::other(g.out(), e)], there).changed;
      wl.push_block(t, better, better ? irgl::other(g.out(), e) : 0, there / 4);
    });
  });
}
__global__ void relax_kernel(Dev c, Graph g, BucketsView<node_t> wl) {
  Thread t(c);
  relax(t, c, g, wl);
}
struct Ordered {
  BucketsView<node_t> wl;
  int at = 0;
};
__global__ void __launch_bounds__(block_size) ordered_kernel(Dev c, Graph g, Ordered* saved) {
  Thread t(c);
  Ordered s = *saved;
  while (!s.wl.empty(t)) {
    if (t.halted) break;
    if (!s.wl.fits(t, bound{0, 1}, by_degree(g.out(), s.wl.items()))) return leave(t, saved, s, 1);
    relax(t, c, g, s.wl);
    s.wl.advance(t);
  }
  leave(t, saved, s, 0);
}
void in_order(Context& c, Graph g, bool outlined) {
  buckets<node_t> wl(c, size_t(g.n), 4);
  wl.push(c, 0, 0);
  wl.advance(c);
  if (outlined) {
    Ordered s{wl.view()};
    do {
      s.wl = wl.view();
      c.run_outlined(ordered_kernel, irgl::all_blocks, s, g);
      wl.adopt(c, s.wl);
    } while (s.at != 0 && !c.halted());
  } else {
    while (!wl.empty(c) && !c.halted()) {
      wl.reserve_for(c, bound{0, 1}, by_degree(g.out(), wl.items(c)));
      c.launch(relax_kernel, size_t(wl.size(c)), c.device(), g, wl.view());
      wl.advance(c);
    }
  }
  c.wrote(g.hops);
}

// The words: every third item twice, then what is inside; all on the device, then again on the host.
template <class View>
struct Words {
  View a, b;
  int at = 0;
};
template <class L, class View>
__global__ void words_kernel(Dev c, Graph g, Words<View>* saved) {
  Thread t(c);
  Words<View> s = *saved;
  if (!s.a.fits(t, bound{2, 0}, nodes(g)) || !s.b.fits(t, bound{4, 0}, nodes(g))) return leave(t, saved, s, 1);
  for_each<Warp>(t, nodes(g), [&](Thread& t, bool valid, node_t n) {
    s.a.push_warp(t, valid && n % 3 == 0, n);
    if (valid && n % 3 == 0) s.a.push(t, n);
  });
  t.sync();
  s.b.update_from(t, s.a.items());
  s.b.push_first(t, 1);
  s.a.clear(t);
  if (!s.a.empty(t)) c.fault(1);
  s.a.swap(t, s.b);
  if (!s.b.empty(t)) c.fault(2);
  for_each<One>(t, s.a.items(), sum<Block>(c.globals->seen), [&](Thread&, bool, node_t, int64_t& seen) { seen += 1; });
  leave(t, saved, s, 0);
}
template <class L>
void words(Context& c, Graph g, int64_t copies) {
  using View = typename L::View;
  L a(c, size_t(g.n)), b(c, size_t(g.n));
  const int64_t thirds = (g.n + 2) / 3, want = copies * thirds + (g.n > 1 ? 1 : 0);
  if (g.n < 2) return;
  Words<View> s{a.view(), b.view()};
  do {
    s.a = a.view(), s.b = b.view();
    c.run_outlined(words_kernel<L, View>, irgl::all_blocks, s, g);
    a.adopt(c, s.a), b.adopt(c, s.b);
  } while (s.at != 0 && !c.halted());
  c.wrote_scalars();
  CHECK(c.read().seen == want && int64_t(a.size(c)) == want, "%ld %ld, not %ld", long(c.read().seen), long(a.size(c)), long(want));
  c.write().seen = 0;
  b.update(c, a);
  CHECK(int64_t(b.size(c)) == want, "%ld, not %ld", long(b.size(c)), long(want));
  b.swap(c, a);
  b.clear(c);
  CHECK(b.empty(c) && !a.empty(c), "%d", g.n);
  b.push(c, 1);
  CHECK(b.size(c) == 1, "%d", g.n);
  b.update_from(c, nodes(g));
  CHECK(int64_t(b.size(c)) == g.n + (copies == 2), "%ld", long(b.size(c)));
}

template <class View>
__global__ void inside_kernel(Dev c, Graph g, View wl) {
  Thread t(c);
  for_each<One>(t, nodes(g), sum<Warp>(c.globals->inside), sum<Warp>(c.globals->twice),
                [&](Thread& t, bool, node_t n, int64_t& inside, int64_t& twice) {
    if (!wl.claim(t, n / 2)) twice += 1;
    inside += wl.contains(n / 2);
  });
}
template <class L>
void inside(Context& c, Graph g) {
  L marks(c, size_t(g.n));
  marks.reserve_for(c, bound{1, 0}, nodes(g));
  c.write().inside = 0, c.write().twice = 0;
  c.launch(inside_kernel<typename L::View>, size_t(g.n), c.device(), g, marks.view());
  c.wrote_scalars();
  CHECK(c.read().inside == g.n && c.read().twice == g.n / 2, "%ld %ld", long(c.read().inside), long(c.read().twice));
  CHECK(int64_t(marks.size(c)) == (g.n + 1) / 2, "%ld", long(marks.size(c)));
}

__global__ void count_kernel(Dev c, Graph g, CountView<node_t> wl) {
  Thread t(c);
  for_each<Block>(t, nodes(g), [&](Thread& t, bool valid, node_t n) {
    wl.push_block(t, valid && n % 2 == 0, n);
    wl.push_warp(t, valid && n % 2 == 1, n);
    if (valid) wl.push(t, n);
  });
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  using namespace unit;
  for (const driver::TestGraph& graph : driver::graphs())
    for (const int64_t capacity : {0, 1})
      for (int way = 0; way < 10 && graph.n() > 0; ++way) {
        const size_t n = size_t(graph.n()), m = size_t(graph.m());
        const bool by_cost = way >= 8;
        std::vector<int32_t> hops(n), cost(graph.weight), want(n, 2147483647);
        want[0] = 0;
        for (bool changed = true; changed;) {
          changed = false;
          for (size_t v = 0; v < n; ++v)
            for (size_t e = size_t(graph.row[v]); want[v] != 2147483647 && e < size_t(graph.row[v + 1]); ++e) {
              const int32_t there = want[v] + (by_cost ? cost[e] : 1);
              if (there < want[size_t(graph.cols[e])]) want[size_t(graph.cols[e])] = there, changed = true;
            }
        }
        driver::Call call(graph, capacity);
        Context c(&call.args);
        Graph g;
        c.view(g, call.graph);
        g.hops = c.property<int32_t>(hops.data(), n);
        g.cost = c.weights<int32_t>(cost.data(), m);
        c.fill(g.hops, n, highest<int32_t>());
        element(c, g.hops, 0) = 0;
        if (way / 2 == 0) search<irgl::list<node_t>>(c, g, way % 2 != 0);
        if (way / 2 == 1) search<bitmap<node_t>>(c, g, way % 2 != 0);
        if (way / 2 == 2) search<bytemap<node_t>>(c, g, way % 2 != 0);
        if (way / 2 == 3) search<irgl::set<node_t>>(c, g, way % 2 != 0);
        if (way / 2 == 4) in_order(c, g, way % 2 != 0);
        if (way == 0) {
          words<irgl::list<node_t>>(c, g, 2), words<bitmap<node_t>>(c, g, 1), words<bytemap<node_t>>(c, g, 1);
          words<irgl::set<node_t>>(c, g, 1);
          inside<bitmap<node_t>>(c, g), inside<bytemap<node_t>>(c, g), inside<irgl::set<node_t>>(c, g);
          irgl::count<node_t> number(c, n);
          c.launch(count_kernel, n, c.device(), g, number.view());
          CHECK(number.size(c) == 2 * n, "%ld", long(number.size(c)));
        }
        CHECK(c.finish(&call.args) == 0, "%s way %d: %ld", graph.name, way, long(call.fault[0]));
        for (size_t v = 0; v < n; ++v) CHECK(hops[v] == want[v], "%s way %d %zu: %d %d", graph.name, way, v, hops[v], want[v]);
      }
  return driver::end();
}
