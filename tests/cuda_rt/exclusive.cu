// Exclusive over nodes that share neighbours, with retries until all have had their turn; and a mesh that is split under it.
#include "cuda_rt/mesh.cuh"
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Graph : Csr {
  int32_t* uses = nullptr;
  int32_t* order = nullptr;
  Marks exclusive;
};
struct Scalars : Shared {
  int64_t done = 0, failed = 0;
};
using Context = HostRuntime<Scalars>;
using Dev = Device<Scalars>;

// Each node takes itself and its out-neighbours and changes all of them without an atomic.
__global__ void take_kernel(Dev c, Graph g, View<Pipe<irgl::list<node_t>, true>> wl) {
  Thread t(c);
  for_each<Grid>(t, wl.items(), sum<One>(c.globals->done), sum<One>(c.globals->failed),
                 [&](Thread& t, bool valid, node_t n, int64_t& done, int64_t& failed) {
    const bool mine = exclusive(t, g.exclusive, valid, [&](auto&& add) {
      add(n);
      for (edge_t e : edges(g.out(), n)) add(irgl::other(g.out(), e));
    });
    if (mine) {
      g.uses[n] += 1;
      for (edge_t e : edges(g.out(), n)) g.uses[irgl::other(g.out(), e)] += 1;
      done += 1;
    } else if (valid) {
      failed += 1;
      wl.retry(t, n);
    }
    t.sync();
  });
}

__global__ void split_kernel(Dev c, MeshView m) {
  Thread t(c);
  for_each<Grid>(t, m.triangles(), [&](Thread& t, bool valid, int64_t k) {
    const int64_t x = valid ? m.add_point(t, double(k), 0.5) : 0;
    for (bool open = valid; grid_sum(t, open) != 0;) {
      const bool mine = exclusive(t, m.marks(), open, [&](auto&& add) { add(k); });
      if (mine) {
        m.remove(t, k);
        m.add_triangle(t, m.point(k, 0), m.point(k, 1), x);
        open = false;
      }
      t.sync();
    }
  });
}
__global__ void count_kernel(Dev c, MeshView m) {
  Thread t(c);
  for_each<One>(t, m.triangles(), sum<Block>(c.globals->done), sum<Warp>(c.globals->failed),
                [&](Thread&, bool, int64_t k, int64_t& done, int64_t& failed) {
    done += 1;
    for (int side = 0; side < 3; ++side) failed += m.neighbour(k, side) >= 0;
  });
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  using namespace unit;
  for (const driver::TestGraph& graph : driver::graphs()) {
    const size_t n = size_t(graph.n());
    std::vector<int32_t> uses(n), want(n, 1);
    for (const int32_t v : graph.cols) want[size_t(v)] += 1;
    driver::Call call(graph, 0);
    Context c(&call.args);
    {
      Graph g;
      c.view(g, call.graph);
      g.uses = c.property<int32_t>(uses.data(), n);
      g.exclusive = c.marks(n);
      c.fill(g.uses, n, 0);
      Pipe<irgl::list<node_t>, true> wl(c, n);
      wl.in_update(c, nodes(g));
      int rounds = 0;
      do {
        wl.reserve_for(c, bound{1, 0}, wl.items(c));
        c.launch_cooperative(take_kernel, irgl::all_blocks, c.device(), g, wl.view());
      } while (wl.more(c) && ++rounds < 1000);
      CHECK(rounds < 1000, "%s", graph.name);
      c.wrote(g.uses), c.wrote_scalars();
    }
    CHECK(c.read().done == int64_t(n) && (c.read().failed > 0) == (graph.m() > 0), "%s %ld", graph.name, long(c.read().failed));
    CHECK(c.finish(&call.args) == 0, "%s", graph.name);
    for (size_t v = 0; v < n; ++v) CHECK(uses[v] == want[v], "%s %zu: %d %d", graph.name, v, uses[v], want[v]);
  }
  driver::Call call;
  Context c(&call.args);
  {
    Mesh m(c);
    for (int i = 0; i < 100; ++i) m.add_point(c, i, i % 3);
    for (int i = 0; i + 2 < 100; ++i) m.add_triangle(c, i, i + 1, i + 2);
    m.connect();
    c.launch(count_kernel, 98, c.device(), m.view());
    c.wrote_scalars();
    CHECK(c.read().done == 98 && c.read().failed == 2 * 97, "%ld %ld", long(c.read().done), long(c.read().failed));
    CHECK(m.side_to(3, 4) == 1 && m.side_at(3, 4, 5) == 1 && m.x(7) == 7, "%ld", long(m.side_to(3, 4)));
    c.launch_cooperative(split_kernel, irgl::all_blocks, c.device(), m.view());
    CHECK(m.num_points() == 198 && m.num_triangles() == 196 && !m.alive(5) && m.alive(105), "%ld", long(m.num_triangles()));
    int64_t living = 0;
    for (const int64_t k : m.triangles()) living += k >= 98 && m.neighbour(k, 0) == -1;
    CHECK(living == 98, "%ld", long(living));
  }
  CHECK(c.finish(&call.args) == 0, "%ld", long(call.fault[0]));
  return driver::end();
}
