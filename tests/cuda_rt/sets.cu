// Scratch sets and the oriented graph, by counting triangles both ways; locks, by updates that need all of two fields.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Scalars : Shared {
  int64_t triangles = 0, refused = 0;
};
using Context = HostRuntime<Scalars>;
using Dev = Device<Scalars>;

template <bool both>
__global__ void mark_kernel(Dev c, Csr g) {
  Thread t(c);
  for_each<One>(t, by_degree(g.out(), nodes(g)), sum<One>(c.globals->triangles), [&](Thread& t, bool, node_t u, int64_t& triangles) {
    auto marks = scratch_bytemap(t, size_t(g.n));
    for (edge_t e : edges(g.out(), u))
      if (irgl::other(g.out(), e) != u && (!both || irgl::other(g.out(), e) < u)) marks.insert(irgl::other(g.out(), e));
    auto others = scratch_bytemap(t, size_t(g.n));
    others.insert(u);
    for (edge_t e : edges(g.out(), u)) {
      const node_t v = irgl::other(g.out(), e);
      if (both && v >= u) continue;
      for (edge_t f : edges(g.out(), v)) {
        const node_t w = irgl::other(g.out(), f);
        if (both && w >= v) continue;
        if (w == u || others.contains(w)) c.fault(at(1, 1, 1));
        triangles += marks.contains(w);
      }
    }
    for (edge_t e : edges(g.out(), u)) others.insert(irgl::other(g.out(), e));  // more than a log holds
  });
}
template <int np>
__global__ void spread_kernel(Dev c, Csr g) {
  Thread t(c);
  for_each<Block>(t, by_degree(g.out(), nodes(g)), sum<Block>(c.globals->triangles),
                  [&](Thread& t, bool valid, node_t u, int64_t& triangles) {
    auto marks = scratch_bytemap(t, size_t(g.n));
    if (valid)
      for (edge_t e : edges(g.out(), u)) marks.insert(irgl::other(g.out(), e));
    int64_t found = 0;
    nested<np, Block>(t, valid, valid ? edges(g.out(), u) : Interval<edge_t>(), closure(marks.view()), into_sum(found),
                      [&](Thread& t, bool valid, edge_t e, ScratchView marks, int64_t& found) {
      int64_t mine = 0;
      nested<FG, One, 1>(t, valid, valid ? edges(g.out(), irgl::other(g.out(), e)) : Interval<edge_t>(), closure(marks), into_sum(mine),
                         [&](Thread&, bool, edge_t f, ScratchView marks, int64_t& mine) {
        mine += marks.contains(irgl::other(g.out(), f));
      });
      found += mine;
    });
    triangles += found;
  });
}

struct Sums {
  int64_t count, total;
};
__global__ void lock_kernel(Dev c, Csr g, Locks* guard, Sums* sums) {
  Thread t(c);
  for_each<One>(t, range<edge_t>(0, g.m), sum<Warp>(c.globals->refused), [&](Thread& t, bool, edge_t e, int64_t& refused) {
    const node_t v = irgl::other(g.out(), e);
    locked(t, guard[v], [&] {
      store(sums[v].count, load(sums[v].count) + 1);
      store(sums[v].total, load(sums[v].total) + int64_t(e));
    });
    const bool done = try_locked(t, guard[0], [&] { store(sums[0].count, load(sums[0].count)); });
    if (!done) refused += 1;
  });
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  using namespace unit;
  std::vector<driver::TestGraph> graphs = {driver::grid(6, 5), driver::make("edgeless", 4, {}), driver::make("empty", 0, {})};
  std::vector<std::pair<int, int>> edges;
  for (int a = 0; a < 90; ++a)
    for (int b = 0; b < a; ++b)
      if (driver::mix(uint32_t(a * 97 + b)) % 5 == 0 || b == 0) edges.push_back({a, b}), edges.push_back({b, a});
  graphs.push_back(driver::make("dense", 90, edges));
  for (const driver::TestGraph& graph : graphs) {
    const size_t n = size_t(graph.n()), m = size_t(graph.m());
    const auto joined = [&](int a, int b) {
      for (size_t e = size_t(graph.row[size_t(a)]); e < size_t(graph.row[size_t(a) + 1]); ++e)
        if (graph.cols[e] == b) return true;
      return false;
    };
    int64_t want = 0;
    for (int a = 0; a < int(n); ++a)
      for (int b = 0; b < a; ++b)
        for (int d = 0; joined(a, b) && d < b; ++d) want += joined(a, d) && joined(b, d);
    driver::Call call(graph, 0, false);
    Context c(&call.args);
    Csr g;
    c.view(g, call.graph);
    int64_t found[4];
    const auto take = [&](int k) {
      c.wrote_scalars();
      found[k] = c.read().triangles;
      c.write().triangles = 0;
    };
    c.launch_scratch(mark_kernel<true>, n, n, 2, c.device(), g), take(0);
    const OwnedGraph h = oriented(c, g);
    c.launch_scratch(mark_kernel<false>, n, n, 2, c.device(), h.csr), take(1);
    c.launch_scratch(spread_kernel<FG>, n, n, 1, c.device(), h.csr), take(2);
    c.launch_scratch(spread_kernel<TB | WP>, n, n, 1, c.device(), h.csr), take(3);
    CHECK(c.host(h.csr).m * 2 == c.host(g).m, "%s", graph.name);
    for (int k = 0; k < 4; ++k) CHECK(found[k] == want, "%s %d: %ld, not %ld", graph.name, k, long(found[k]), long(want));

    std::vector<Sums> sums(n, {0, 0}), sums_want(n, {0, 0});
    for (size_t e = 0; e < m; ++e) sums_want[size_t(graph.cols[e])].count += 1, sums_want[size_t(graph.cols[e])].total += int64_t(e);
    Sums* device = c.weights<Sums>(sums.data(), n);
    Locks* guard = c.locks(n);
    c.launch(lock_kernel, m, c.device(), g, guard, device);
    c.wrote(device), c.wrote_scalars();
    CHECK(c.read().refused >= 0 && c.read().refused <= int64_t(m), "%ld", long(c.read().refused));
    CHECK(c.finish(&call.args) == 0, "%s: %ld", graph.name, long(call.fault[0]));
    for (size_t v = 0; v < n; ++v)
      CHECK(sums[v].count == sums_want[v].count && sums[v].total == sums_want[v].total, "%s %zu", graph.name, v);
  }
  return driver::end();
}
