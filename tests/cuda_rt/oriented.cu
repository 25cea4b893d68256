// The oriented graph, with its in-edges and where its edges came from, beside one that the host makes by sorting.
#include <algorithm>
#include <numeric>

#include "cuda_rt/unit.cuh"
#include "driver.hpp"

extern "C" int irgl_run(irgl_run_args*) { return 1; }

namespace {

using irgl::edge_t;
using irgl::node_t;
struct Scalars {};

struct Kept {
  int32_t near, far, old_edge;
  bool operator<(const Kept& o) const {
    return std::make_pair(near, std::make_pair(far, old_edge)) < std::make_pair(o.near, std::make_pair(o.far, o.old_edge));
  }
};
std::vector<Kept> wanted(const driver::TestGraph& g) {
  const auto degree = [&](int v) { return g.row[size_t(v) + 1] - g.row[size_t(v)]; };
  std::vector<int> order(size_t(g.n())), rank(size_t(g.n()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return degree(a) > degree(b); });
  for (int u = 0; u < g.n(); ++u) rank[size_t(order[size_t(u)])] = u;
  std::vector<Kept> kept;
  for (int v = 0; v < g.n(); ++v)
    for (int e = g.row[size_t(v)]; e < g.row[size_t(v) + 1]; ++e) {
      const int far = rank[size_t(g.cols[size_t(e)])];
      if (far < rank[size_t(v)]) kept.push_back({rank[size_t(v)], far, e});
    }
  std::sort(kept.begin(), kept.end());
  return kept;
}
template <class T>
std::vector<T> fetched(irgl::HostBase& c, const T* device, size_t count) {
  std::vector<T> there(count);
  c.copy_out(there.data(), device, count * sizeof(T));
  return there;
}

template <bool in_edges>
void check(const driver::TestGraph& graph) {
  driver::Call call(graph, 0, false);
  irgl::HostRuntime<Scalars> c(&call.args);
  irgl::Csr g;
  c.view(g, call.graph);
  std::vector<uint8_t> values(size_t(graph.m()));
  for (size_t e = 0; e < values.size(); ++e) values[e] = uint8_t(driver::mix(uint32_t(e)));
  const uint8_t* const given = c.weights<uint8_t>(values.data(), values.size());
  const std::vector<Kept> want = wanted(graph);
  const irgl::OwnedGraph h = irgl::oriented<in_edges>(c, g);
  const size_t n = size_t(graph.n()), m = want.size();
  CHECK(size_t(h.csr.n) == n && size_t(h.csr.m) == m, "%s: %ld", graph.name, long(h.csr.m));
  if (size_t(h.csr.m) == m) {
    const std::vector<edge_t> row = fetched(c, h.csr.row, n + 1), old = fetched(c, h.old_edge, m);
    const std::vector<node_t> cols = fetched(c, h.csr.cols, m);
    const std::vector<uint8_t> taken = fetched(c, irgl::along(c, h, given), m);
    std::vector<edge_t> lengths(n + 1, 0), in_lengths(n + 1, 0);
    for (size_t k = 0; k < m; ++k) {
      ++lengths[size_t(want[k].near) + 1], ++in_lengths[size_t(want[k].far) + 1];
      CHECK(cols[k] == want[k].far, "%s %zu: %ld, not %d", graph.name, k, long(cols[k]), want[k].far);
      CHECK(old[k] == want[k].old_edge, "%s %zu: %ld, not %d", graph.name, k, long(old[k]), want[k].old_edge);
      CHECK(taken[k] == values[size_t(want[k].old_edge)], "%s %zu: %d", graph.name, k, taken[k]);
      CHECK(k >= 70 || c.host(h.csr).cols[int64_t(k)] == want[k].far, "%s %zu", graph.name, k);
    }
    std::partial_sum(lengths.begin(), lengths.end(), lengths.begin());
    std::partial_sum(in_lengths.begin(), in_lengths.end(), in_lengths.begin());
    CHECK(row == lengths, "%s", graph.name);
    CHECK(h.csr.max_degree == irgl::edge_t([&] {
            edge_t most = 0;
            for (size_t v = 0; v < n; ++v) most = std::max(most, row[v + 1] - row[v]);
            return most;
          }()), "%s: %ld", graph.name, long(h.csr.max_degree));
    CHECK((h.csr.in_row != nullptr) == in_edges, "%s", graph.name);
    if (in_edges) {
      CHECK(fetched(c, h.csr.in_row, n + 1) == in_lengths, "%s", graph.name);
      const std::vector<node_t> in_cols = fetched(c, h.csr.in_cols, m);
      const std::vector<edge_t> in_eid = fetched(c, h.csr.in_eid, m);
      std::vector<edge_t> by_far(m);
      std::iota(by_far.begin(), by_far.end(), 0);
      std::stable_sort(by_far.begin(), by_far.end(), [&](edge_t a, edge_t b) { return cols[size_t(a)] < cols[size_t(b)]; });
      CHECK(in_eid == by_far, "%s", graph.name);
      for (size_t k = 0; k < m; ++k) CHECK(in_cols[k] == want[size_t(by_far[k])].near, "%s %zu", graph.name, k);
    }
  }
  CHECK(c.finish(&call.args) == 0, "%s: %ld", graph.name, long(call.fault[0]));
}

driver::TestGraph hubs(int n, int m, int of) {  // both arcs of each edge; some loops, and some edges several times
  std::vector<std::pair<int, int>> edges;
  for (int k = 0; k < m; ++k) {
    const uint32_t x = driver::mix(uint32_t(2 * k + 1)), y = driver::mix(uint32_t(2 * k + 2));
    const int a = int(x % uint32_t(n)), b = y % 3 == 0 ? int(y / 3 % uint32_t(of)) : int(y / 3 % uint32_t(n));
    edges.push_back({a, b}), edges.push_back({b, a});
  }
  return driver::make("hubs", n, edges);
}

}  // namespace

int main() {
  std::vector<driver::TestGraph> graphs = {
      driver::grid(7, 5), driver::star(300), driver::make("edgeless", 5, {}), driver::make("one", 1, {}),
      driver::make("loop", 1, {{0, 0}, {0, 0}}), driver::make("empty", 0, {}), hubs(400, 1900, 5)};
  for (const driver::TestGraph& graph : graphs) check<true>(graph);
  check<false>(hubs(9000, 2000, 2));  // degrees of two digits, in several tiles, whose sums take several blocks
  return driver::end();
}
