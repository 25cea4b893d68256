// Pulling along in-edges into an outer variable, scalars read by the host between rounds, min-plus into a property, and
// reservations of many places at once; ReduceAndReturn's any and all.
#include "cuda_rt/unit.cuh"

namespace unit {

using irgl::edge_t;
using irgl::node_t;

struct Graph : irgl::Csr {
  double* share = nullptr;
  float* published = nullptr;
  int32_t* far = nullptr;
  int32_t* cost = nullptr;
};
struct Scalars {
  double change = 0;
  bool any = false, all = true;
};
using Context = irgl::HostRuntime<Scalars>;
using Device = irgl::Device<Scalars>;

template <int np>
__global__ void pull_kernel(Device c, Graph g, double base) {
  irgl::Thread t(c);
  irgl::for_each<irgl::Block>(t, irgl::by_degree(g.in(), irgl::nodes(g)), irgl::sum<irgl::Block>(c.globals->change),
                              [&](irgl::Thread& t, bool valid, node_t n, double& change) {
    double sum = 0;
    irgl::nested<np, irgl::One>(t, valid, irgl::edges(g.in(), n), irgl::closure(), irgl::into_sum(sum),
                                [&](irgl::Thread&, bool, edge_t e, double& sum) { sum += g.published[irgl::other(g.in(), e)]; });
    if (valid) {
      const double fresh = base + 0.5 * sum;
      change += irgl::abs<double>(fresh - g.share[n]);
      g.share[n] = fresh;
    }
  });
}
__global__ void publish_kernel(Device c, Graph g) {
  irgl::Thread t(c);
  irgl::for_each<irgl::One>(t, irgl::nodes(g), [&](irgl::Thread&, bool, node_t n) {
    g.published[n] = irgl::degree(g.out(), n) > 0 ? float(g.share[n] / double(irgl::degree(g.out(), n))) : 0.0f;
  });
}
// One relaxation of every edge, min-plus, and whether any or all improved; each node's edge by its in-position.
__global__ void relax_kernel(Device c, Graph g) {
  irgl::Thread t(c);
  irgl::for_each<irgl::Block>(t, irgl::by_degree(g.in(), irgl::nodes(g)), irgl::any<irgl::Block>(c.globals->any),
                              irgl::all<irgl::Block>(c.globals->all),
                              [&](irgl::Thread& t, bool valid, node_t n, bool& any, bool& all) {
    int32_t least = valid ? irgl::load(g.far[n]) : 0;
    const int32_t before = least;
    irgl::nested<irgl::TB | irgl::FG, irgl::Block>(t, valid, irgl::edges(g.in(), n), irgl::closure(), irgl::into_min(least),
                                                   [&](irgl::Thread&, bool valid, edge_t p, int32_t& least) {
      if (!valid) return;
      const int32_t there = irgl::load(g.far[irgl::other(g.in(), p)]);
      if (there != irgl::highest<int32_t>()) irgl::plain_min(least, there + g.cost[irgl::id(g.in(), p)]);
    });
    if (!valid) return;
    any |= least < before;
    all &= least < before;
    irgl::store(g.far[n], least);
  });
}
template <irgl::Scope S>
__global__ void heads_kernel(Device c, Graph g, irgl::ListView<node_t> heads) {
  irgl::Thread t(c);
  irgl::for_each<S>(t, irgl::nodes(g), [&](irgl::Thread& t, bool valid, node_t n) {
    const irgl::Interval<edge_t> edges = valid ? irgl::edges(g.out(), n) : irgl::Interval<edge_t>(0, 0);
    irgl::counter_t at;
    if constexpr (S == irgl::Block) at = heads.reserve_block(t, edges.size());
    else if constexpr (S == irgl::Warp) at = heads.reserve_warp(t, edges.size());
    else at = heads.reserve_one(t, edges.size());
    for (edge_t e : edges) heads.put(at + irgl::counter_t(e - edges.lo), irgl::other(g.out(), e));
  });
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args* args) {
  using namespace unit;
  Context c(args);
  Graph g;
  c.view(g, args->graphs[0]);
  g.share = c.property<double>(args->graphs[0].properties[0], size_t(g.n));
  g.published = c.property<float>(nullptr, size_t(g.n));
  g.far = c.property<int32_t>(args->graphs[0].properties[1], size_t(g.n));
  g.cost = c.weights<int32_t>(args->graphs[0].properties[2], size_t(g.m));
  c.fill(g.share, size_t(g.n), 1);
  c.fill(g.far, size_t(g.n), irgl::highest<int32_t>());
  for (int32_t round = 0; round < 4; ++round) {
    if (c.halted()) break;
    c.write().change = 0;
    c.launch(publish_kernel, irgl::nodes(g).size(), c.device(), g);
    if (round % 2 == 0) c.launch(pull_kernel<irgl::WP | irgl::FG>, irgl::nodes(g).size(), c.device(), g, 0.5);
    else c.launch(pull_kernel<irgl::TB | irgl::WP>, irgl::nodes(g).size(), c.device(), g, 0.5);
    c.wrote(g.share), c.wrote(g.published), c.wrote_scalars();
    static_cast<double*>(args->globals[0])[round] = c.read().change;
  }
  int64_t sweeps = 0, sum = 0;
  if (g.n != 0) {
    irgl::element(c, g.far, 0) = 0;
    for (bool again = true; again && !c.halted(); ++sweeps) {
      c.write().any = false, c.write().all = true;
      c.launch(relax_kernel, irgl::nodes(g).size(), c.device(), g);
      c.wrote(g.far), c.wrote_scalars();
      again = c.read().any;
      if (c.read().all && g.n > 0) sweeps += 1000;  // node 0 never improves
    }
  }
  {
    irgl::list<node_t> heads(c, size_t(g.n));
    const auto all = irgl::by_degree(g.out(), irgl::nodes(g));
    heads.reserve_for(c, irgl::bound{0, 1}, all);
    c.launch(heads_kernel<irgl::Block>, all.size(), c.device(), g, heads.view());
    heads.reserve_for(c, irgl::bound{0, 1}, all);
    c.launch(heads_kernel<irgl::Warp>, all.size(), c.device(), g, heads.view());
    heads.reserve_for(c, irgl::bound{0, 1}, all);
    c.launch(heads_kernel<irgl::One>, all.size(), c.device(), g, heads.view());
    const auto items = heads.items(c);
    node_t* copy = static_cast<node_t*>(malloc(items.size() * sizeof(node_t) + 1));
    c.copy_out(copy, items.data, items.size() * sizeof(node_t));
    for (size_t i = 0; i < items.size(); ++i) sum += copy[i];
    free(copy);
    static_cast<int64_t*>(args->globals[1])[1] = int64_t(items.size());
  }
  static_cast<int64_t*>(args->globals[1])[0] = sweeps;
  static_cast<int64_t*>(args->globals[1])[2] = sum;
  return c.finish(args);
}

#include "driver.hpp"

int main() {
  for (const driver::TestGraph& graph : driver::graphs())
    for (const int64_t capacity : {0, 1}) {
      const size_t n = size_t(graph.n()), m = size_t(graph.m());
      std::vector<double> share(n), want(n, 1), changes(4), want_changes(4, 0);
      std::vector<int32_t> far(n), nearest(n, 2147483647), cost(graph.weight);
      for (size_t round = 0; round < 4; ++round) {
        std::vector<double> next(n, 0.5);
        for (size_t v = 0; v < n; ++v)
          for (size_t e = size_t(graph.row[v]); e < size_t(graph.row[v + 1]); ++e)
            next[size_t(graph.cols[e])] += 0.5 * float(want[v] / double(graph.row[v + 1] - graph.row[v]));
        for (size_t v = 0; v < n; ++v) want_changes[round] += next[v] > want[v] ? next[v] - want[v] : want[v] - next[v];
        want = next;
      }
      if (n != 0) nearest[0] = 0;
      for (size_t k = 0; k < n; ++k)
        for (size_t v = 0; v < n; ++v)
          for (size_t e = size_t(graph.row[v]); nearest[v] != 2147483647 && e < size_t(graph.row[v + 1]); ++e)
            if (nearest[v] + cost[e] < nearest[size_t(graph.cols[e])]) nearest[size_t(graph.cols[e])] = nearest[v] + cost[e];
      int64_t numbers[3] = {}, sum = 0;
      driver::Call call(graph, capacity);
      call.properties = {share.data(), far.data(), cost.data()}, call.globals = {changes.data(), numbers};
      CHECK(call.run() == 0, "%s", graph.name);
      const auto close = [](double a, double b) { return a - b < 1e-9 && b - a < 1e-9; };
      for (size_t v = 0; v < n; ++v) {
        CHECK(close(share[v], want[v]), "%s %zu: %.12f %.12f", graph.name, v, share[v], want[v]);
        CHECK(far[v] == nearest[v], "%s %zu: %d %d", graph.name, v, far[v], nearest[v]);
      }
      for (size_t k = 0; k < 4; ++k) CHECK(close(changes[k], want_changes[k]), "%s %zu: %f", graph.name, k, changes[k]);
      for (const int32_t v : graph.cols) sum += v;
      CHECK(numbers[0] <= int64_t(n) + 1, "%s %ld", graph.name, long(numbers[0]));
      CHECK(numbers[1] == int64_t(3 * m) && numbers[2] == 3 * sum, "%s %ld", graph.name, long(numbers[1]));
      CHECK(capacity != 1 || m == 0 || call.stats[IRGL_STAT_WORKLIST_GROWTHS] > 0, "%s", graph.name);
    }
  return driver::end();
}
