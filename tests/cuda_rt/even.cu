// Equal shares of all blocks: each edge once, with its own node's closure, whatever rows that cuts; no block has much more.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Graph : Csr {
  int32_t* visits;
  node_t* origin;
  int32_t* by;
  int64_t* total;
};
struct Scalars {
  int64_t weights = 0;
};
using Context = HostRuntime<Scalars>;

template <Scope S>
__global__ void visit_kernel(Device<Scalars> c, Graph g, ListView<edge_t> odds) {
  Thread t(c);
  for_each_even<Block>(t, nodes(g), [&](node_t n) { return edges(g.out(), n); }, sum<Block>(c.globals->weights),
                       [&](Thread& t, bool valid, Share<node_t> share, int64_t& weights) {
    const node_t n = share.item;
    nested<FG, S>(t, valid, within(share, valid && (n % 5 != 3 || g.n > 1000) ? edges(g.out(), n) : no_edges()), closure(n),
                  [&](Thread& t, bool valid, edge_t e, node_t n) {
      if (valid) {
        g.visits[e] += 1;
        g.origin[e] = n;
        g.by[e] = int32_t(blockIdx.x);
        atomic_add(g.total[n], int64_t(1));
        weights += 1;
      }
      const bool push = valid && e % 2 == 1;
      if constexpr (S == Block) odds.push_block(t, push, e);
      else if constexpr (S == Warp) odds.push_warp(t, push, e);
      else if (push) odds.push(t, e);
    });
  });
}

template <Scope S>
void run_one(const driver::TestGraph& graph) {
  const size_t n = size_t(graph.n()), m = size_t(graph.m());
  std::vector<int32_t> visits(m), origin(m), by(m);
  std::vector<int64_t> total(n);
  driver::Call call(graph, 0);
  Context c(&call.args);
  Graph g;
  c.view(g, call.graph);
  g.visits = c.property<int32_t>(visits.data(), m);
  g.origin = c.property<node_t>(origin.data(), m);
  g.by = c.property<int32_t>(by.data(), m);
  g.total = c.property<int64_t>(total.data(), n);
  c.fill(g.visits, m, 0);
  c.fill(g.origin, m, -1);
  c.fill(g.by, m, -1);
  c.fill(g.total, n, 0);
  c.open_shares();
  {
    irgl::list<edge_t> odds(c, 1);
    odds.reserve_for(c, bound{0, 1}, by_degree(g.out(), nodes(g)));
    c.launch_cooperative(visit_kernel<S>, irgl::all_blocks, c.device(), g, odds.view());
    for (const void* p : {(void*)g.visits, (void*)g.origin, (void*)g.by, (void*)g.total}) c.wrote(p);
    c.wrote_scalars();
  }
  const Scalars s = c.read();
  CHECK(c.finish(&call.args) == 0, "%s", graph.name);
  std::vector<size_t> work(4096, 0);
  size_t blocks = 0, most = 0, all = 0;
  for (size_t v = 0; v < n; ++v) {
    const bool wanted = v % 5 != 3 || n > 1000;
    for (size_t e = size_t(graph.row[v]); e < size_t(graph.row[v + 1]); ++e) {
      CHECK(visits[e] == wanted && (!wanted || origin[e] == int32_t(v)), "S %d %s e %zu: %d", S, graph.name, e, visits[e]);
      if (wanted) blocks += work[size_t(by[e])] == 0, most = std::max(most, ++work[size_t(by[e])]), ++all;
    }
    CHECK(total[v] == (wanted ? graph.row[v + 1] - graph.row[v] : 0), "S %d %s v %zu: %ld", S, graph.name, v, long(total[v]));
  }
  CHECK(s.weights == int64_t(all), "S %d %s %ld", S, graph.name, long(s.weights));
  if (n > 1000) CHECK(blocks > 4 && 10 * most * blocks <= 11 * all, "S %d: %zu of %zu in %zu", S, most, all, blocks);
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  std::vector<driver::TestGraph> graphs = driver::graphs();
  graphs.push_back(driver::star(9000));
  for (const driver::TestGraph& graph : graphs) {
    unit::run_one<irgl::One>(graph);
    unit::run_one<irgl::Warp>(graph);
    unit::run_one<irgl::Block>(graph);
  }
  return driver::end();
}
