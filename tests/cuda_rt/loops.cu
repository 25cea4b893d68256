// Every combination of schedulers and scope: each edge once, with its own node's closure, all parts combined, pushes kept.
#include "cuda_rt/unit.cuh"
#include "driver.hpp"

namespace unit {

using namespace irgl;

struct Graph : Csr {
  int32_t* visits;
  node_t* origin;
  int64_t* total;
  int32_t* least;
  bool* odd;
  int32_t* weight;
};
struct Scalars {
  int64_t weights = 0;
  int32_t heaviest = lowest<int32_t>();
  bool all_light = true;
  double halves = 0;
};
using Context = HostRuntime<Scalars>;

struct Narrow {  // room for the ranges of 32 threads or fewer at a time
  static constexpr size_t limit = 32 * 44 + 32;
  template <int>
  static constexpr size_t bytes = 0;
};

template <int np, Scope S, class B>
__global__ void visit_kernel(Device<Scalars> c, Graph g, ListView<edge_t> odds) {
  Thread t(c);
  constexpr Scope outer = np == Serial ? S : Block;
  for_each<outer>(t, by_degree(g.out(), nodes(g)), sum<outer>(c.globals->weights), max_of<Block>(c.globals->heaviest),
                  all<Warp>(c.globals->all_light), sum<One>(c.globals->halves),
                  [&](Thread& t, bool valid, node_t n, int64_t& weights, int32_t& heaviest, bool& light, double& halves) {
    int64_t total = 1;
    int32_t least = highest<int32_t>();
    bool odd = false;
    const int64_t triple = 3 * int64_t(n);
    nested<np, S, 0, B>(t, valid, edges(g.out(), n), closure(n, triple), into_sum(total), into_min(least), into_or(odd),
                  [&](Thread& t, bool valid, edge_t e, node_t n, int64_t triple, int64_t& total, int32_t& least, bool& odd) {
      const bool push = valid && g.weight[e] % 2 == 1;
      if (valid) {
        g.visits[e] += triple == 3 * int64_t(n);
        g.origin[e] = n;
        total += g.weight[e];
        plain_min(least, g.weight[e]);
        odd |= push;
      }
      if constexpr (S == Block) odds.push_block(t, push, e);
      else if constexpr (S == Warp) odds.push_warp(t, push, e);
      else if (push) odds.push(t, e);
    });
    if (!valid) return;
    g.total[n] = total;
    g.least[n] = least;
    g.odd[n] = odd;
    weights += total - 1;
    if (least < highest<int32_t>()) plain_max(heaviest, least);
    light &= total < 2000;
    halves += 0.5;
  });
}

template <int np, Scope S, class B = detail::Alone>
void run_one(const driver::TestGraph& graph, int64_t capacity) {
  const size_t n = size_t(graph.n()), m = size_t(graph.m());
  std::vector<int32_t> visits(m), origin(m), least(n), weight(graph.weight);
  std::vector<int64_t> total(n);
  std::vector<char> odd(n);
  driver::Call call(graph, capacity);
  Context c(&call.args);
  Graph g;
  c.view(g, call.graph);
  g.visits = c.property<int32_t>(visits.data(), m);
  g.origin = c.property<node_t>(origin.data(), m);
  g.total = c.property<int64_t>(total.data(), n);
  g.least = c.property<int32_t>(least.data(), n);
  g.odd = c.property<bool>(odd.data(), n);
  g.weight = c.weights<int32_t>(weight.data(), m);
  c.fill(g.visits, m, 0);
  c.fill(g.origin, m, -1);
  c.fill(g.total, n, 0);
  c.fill(g.least, n, 0);
  c.fill(g.odd, n, true);
  std::vector<int32_t> pushed;
  int64_t weights = 0;
  int32_t heaviest = lowest<int32_t>();
  {
    irgl::list<edge_t> odds(c, 1);
    odds.reserve_for(c, bound{0, 1}, by_degree(g.out(), nodes(g)));
    c.launch(visit_kernel<np, S, B>, n, c.device(), g, odds.view());
    for (const void* p : {(void*)g.visits, (void*)g.origin, (void*)g.total, (void*)g.least, (void*)g.odd}) c.wrote(p);
    c.wrote_scalars();
    const ListItems<edge_t> items = odds.items(c);
    pushed.resize(items.size());
    c.copy_out(pushed.data(), items.data, pushed.size() * sizeof(int32_t));
  }
  const Scalars s = c.read();
  CHECK(c.finish(&call.args) == 0, "%s", graph.name);

  std::vector<int> times(m, 0);
  for (const int32_t e : pushed) CHECK(e >= 0 && size_t(e) < m && times[size_t(e)]++ == 0, "np %d S %d %s", np, S, graph.name);
  bool light = true;
  for (size_t v = 0; v < n; ++v) {
    int64_t sum = 1;
    int32_t low = highest<int32_t>();
    bool any = false;
    for (size_t e = size_t(graph.row[v]); e < size_t(graph.row[v + 1]); ++e) {
      CHECK(visits[e] == 1 && origin[e] == int32_t(v), "np %d S %d %s e %zu: %d", np, S, graph.name, e, visits[e]);
      CHECK(times[e] == weight[e] % 2, "np %d S %d %s e %zu", np, S, graph.name, e);
      sum += weight[e], low = weight[e] < low ? weight[e] : low, any = any || weight[e] % 2 == 1;
    }
    CHECK(total[v] == sum, "np %d S %d %s v %zu: %ld %ld", np, S, graph.name, v, long(total[v]), long(sum));
    CHECK(least[v] == low && odd[v] == char(any), "np %d S %d %s v %zu: %d", np, S, graph.name, v, least[v]);
    weights += sum - 1, light = light && sum < 2000;
    if (low != highest<int32_t>() && low > heaviest) heaviest = low;
  }
  CHECK(s.weights == weights && s.heaviest == heaviest, "np %d S %d %s %ld", np, S, graph.name, long(s.weights));
  CHECK(s.all_light == light && s.halves == 0.5 * double(n), "np %d S %d %s %f", np, S, graph.name, s.halves);
}

template <Scope S>
void run_scope(const driver::TestGraph& graph, int64_t capacity) {
  run_one<Serial, S>(graph, capacity);
  run_one<TB, S>(graph, capacity);
  run_one<WP, S>(graph, capacity);
  run_one<FG, S>(graph, capacity);
  run_one<TB | WP, S>(graph, capacity);
  run_one<TB | FG, S>(graph, capacity);
  run_one<WP | FG, S>(graph, capacity);
  run_one<TB | WP | FG, S>(graph, capacity);
  run_one<TB | WP, S, Narrow>(graph, capacity);
  run_one<TB | WP | FG, S, Narrow>(graph, capacity);
  run_one<cut(1), S>(graph, capacity);
  run_one<cut(8), S>(graph, capacity);
  run_one<cut(16), S>(graph, capacity);
  run_one<cut(4), S, Narrow>(graph, capacity);
  run_one<WF, S>(graph, capacity);
  run_one<WF, S, Narrow>(graph, capacity);
  run_one<WV, S>(graph, capacity);
  run_one<WV, S, Narrow>(graph, capacity);
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args*) { return 1; }

int main() {
  for (const driver::TestGraph& graph : driver::graphs())
    for (const int64_t capacity : {0, 1}) {
      unit::run_scope<irgl::One>(graph, capacity);
      unit::run_scope<irgl::Warp>(graph, capacity);
      unit::run_scope<irgl::Block>(graph, capacity);
    }
  return driver::end();
}
