// A graph and properties in the device's memory that are the caller's: used as they are, neither copied nor freed. The
// host reads and writes elements of them, follows edges, and makes a graph of the graph.
#include "cuda_rt/unit.cuh"

namespace unit {

using irgl::edge_t;
using irgl::node_t;

struct Graph : irgl::Csr {
  int64_t* sum = nullptr;
  uint8_t* least = nullptr;
  int32_t* cost = nullptr;
};
struct Scalars {
  int64_t seen = 0;
};
using Context = irgl::HostRuntime<Scalars>;
using Device = irgl::Device<Scalars>;

// Each node's costs in, and the smallest number, below 250, of a node that it has an edge to: bytes by atomics.
__global__ void gather_kernel(Device c, Graph g) {
  irgl::Thread t(c);
  irgl::for_each<irgl::One>(t, irgl::nodes(g), irgl::sum<irgl::Block>(c.globals->seen),
                            [&](irgl::Thread&, bool, node_t n, int64_t& seen) {
    for (edge_t p : irgl::edges(g.in(), n)) {
      g.sum[n] += g.cost[irgl::id(g.in(), p)];
      irgl::atomic_min(g.least[irgl::other(g.in(), p)], uint8_t(n < 250 ? n : 250));
      ++seen;
    }
  });
}

}  // namespace unit

extern "C" int irgl_run(irgl_run_args* args) {
  using namespace unit;
  Context c(args);
  Graph g;
  c.view(g, args->graphs[0]);
  g.sum = c.property<int64_t>(args->graphs[0], 0, size_t(g.n));
  g.least = c.property<uint8_t>(args->graphs[0], 1, size_t(g.n));
  g.cost = c.weights<int32_t>(args->graphs[0], 2, size_t(g.m));
  c.start_clock();
  c.fill(g.sum, size_t(g.n), 0);
  c.fill(g.least, size_t(g.n), 250);
  c.launch(gather_kernel, irgl::nodes(g).size(), c.device(), g);
  c.wrote(g.sum), c.wrote(g.least), c.wrote_scalars();
  int64_t* told = static_cast<int64_t*>(args->globals[0]);
  told[0] = c.read().seen, told[1] = told[2] = told[3] = told[4] = 0;
  if (g.n != 0) {
    told[1] = irgl::degree(c.host(g).out(), 0);
    for (edge_t e : irgl::edges(c.host(g).out(), 0)) told[2] += c.host(g).cols[e] + *irgl::element(c, g.cost, e);
    irgl::element(c, g.sum, 0) += 1000;
    told[3] = *irgl::element(c, g.sum, g.n - 1);
    if (g.m != 0) told[4] = irgl::source(c.host(g), g.m - 1) + 1;
  }
  const bool makes = irgl::param<int32_t>(args, 0) != 0;
  if (makes) {
    const irgl::OwnedGraph h = irgl::oriented(c, g);
    told[5] = h.csr.m, told[6] = 0;
    const int32_t* along = irgl::along(c, h, g.cost);
    for (edge_t e = 0; e < h.csr.m; ++e) told[6] += *irgl::element(c, along, e);
  }
  c.stop_clock(args);
  return c.finish(args);
}

#include "driver.hpp"

template <class T>
static T* on_device(const std::vector<T>& values, size_t least) {  // not a byte more than there has to be
  T* there = nullptr;
  const size_t bytes = values.size() * sizeof(T), room = bytes < least ? least : (bytes + 3) / 4 * 4;
  CHECK(cudaMalloc(&there, room) == cudaSuccess, "%zu", room);
  CHECK(cudaMemset(there, 0, room) == cudaSuccess, "%zu", room);
  CHECK(cudaMemcpy(there, values.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess, "%zu", bytes);
  return there;
}
template <class T>
static void back(std::vector<T>& values, T* there) {  // and frees it, which nobody has done
  const size_t bytes = values.size() * sizeof(T);
  CHECK(cudaMemcpy(values.data(), there, bytes, cudaMemcpyDeviceToHost) == cudaSuccess, "%zu", bytes);
  CHECK(cudaFree(there) == cudaSuccess, "%zu", bytes);
}

static void check(const driver::TestGraph& graph, bool makes) {
  const size_t n = size_t(graph.n()), m = size_t(graph.m());
  std::vector<int64_t> sum(n, -1), want(n, 0);
  std::vector<uint8_t> least(n, 77), smallest(n, 250);
  std::vector<int32_t> cost(graph.weight), cols(graph.cols), row(graph.row), in_row(graph.in_row);
  std::vector<int32_t> in_cols(graph.in_cols), in_eid(graph.in_eid);
  int64_t first = 0, lasts = 0, half = 0, costs = 0, pairs = 0, last = 0;
  for (size_t v = 0; v < n; ++v)
    for (size_t e = size_t(graph.row[v]); e < size_t(graph.row[v + 1]); ++e) {
      const size_t w = size_t(graph.cols[e]);
      want[w] += graph.weight[e];
      if (w < smallest[v]) smallest[v] = uint8_t(w);
      if (v == 0) first += graph.cols[e] + graph.weight[e];
      pairs += v != w, last = int64_t(v) + 1;
    }
  irgl_graph g{};
  g.row = on_device(row, 8), g.cols = on_device(cols, 8), g.in_row = on_device(in_row, 8);
  g.in_cols = on_device(in_cols, 8), g.in_eid = on_device(in_eid, 8);
  void* properties[] = {on_device(sum, 8), on_device(least, 4), on_device(cost, 8)};
  int32_t with_graph = makes;
  int64_t told[7] = {};
  for (int again = 0; again < 2; ++again) {  // the second call finds all of it there
    driver::Call call(graph, 0);
    call.graph.row = g.row, call.graph.cols = g.cols, call.graph.in_row = g.in_row;
    call.graph.in_cols = g.in_cols, call.graph.in_eid = g.in_eid;
    call.graph.flags |= IRGL_GRAPH_ON_DEVICE;
    call.properties = {properties[0], properties[1], properties[2]}, call.params = {&with_graph}, call.globals = {told};
    CHECK(call.run() == 0, "%s", graph.name);
    if (n > 400 && !makes) {
      CHECK(call.stats[IRGL_STAT_TRANSFER_BYTES] < int64_t(n), "%s %ld", graph.name, long(call.stats[IRGL_STAT_TRANSFER_BYTES]));
      CHECK(call.stats[IRGL_STAT_TRANSFERS] < 60, "%s %ld", graph.name, long(call.stats[IRGL_STAT_TRANSFERS]));
    }
  }
  CHECK(told[0] == int64_t(m), "%s %ld", graph.name, long(told[0]));
  if (n != 0) {
    lasts = want[n - 1] + (n == 1 ? 1000 : 0);
    CHECK(told[1] == graph.row[1], "%s %ld", graph.name, long(told[1]));
    CHECK(told[2] == first, "%s %ld %ld", graph.name, long(told[2]), long(first));
    CHECK(told[3] == lasts, "%s %ld %ld", graph.name, long(told[3]), long(lasts));
    CHECK(told[4] == last, "%s %ld %ld", graph.name, long(told[4]), long(last));
    want[0] += 1000;
  }
  if (makes) {
    CHECK(told[5] == pairs / 2, "%s %ld", graph.name, long(told[5]));
    half = told[6];
    for (const int32_t w : graph.weight) costs += w;
    CHECK((half > 0) == (m > 0) && half <= costs, "%s %ld %ld", graph.name, long(half), long(costs));
  }
  back(row, static_cast<int32_t*>(const_cast<void*>(g.row)));
  back(cols, static_cast<int32_t*>(const_cast<void*>(g.cols)));
  back(in_row, static_cast<int32_t*>(const_cast<void*>(g.in_row)));
  back(in_cols, static_cast<int32_t*>(const_cast<void*>(g.in_cols)));
  back(in_eid, static_cast<int32_t*>(const_cast<void*>(g.in_eid)));
  back(sum, static_cast<int64_t*>(properties[0]));
  back(least, static_cast<uint8_t*>(properties[1]));
  back(cost, static_cast<int32_t*>(properties[2]));
  CHECK(row == graph.row && cols == graph.cols && in_row == graph.in_row, "%s", graph.name);
  CHECK(in_cols == graph.in_cols && in_eid == graph.in_eid && cost == graph.weight, "%s", graph.name);
  for (size_t v = 0; v < n; ++v) {
    CHECK(sum[v] == want[v], "%s %zu: %ld %ld", graph.name, v, long(sum[v]), long(want[v]));
    CHECK(least[v] == smallest[v], "%s %zu: %d %d", graph.name, v, least[v], smallest[v]);
  }
}

int main() {
  for (const driver::TestGraph& graph : driver::graphs()) check(graph, false);
  check(driver::random(300, 900), false);  // whose first node has so many edges that whole arrays come over
  check(driver::grid(40, 40), false);
  check(driver::grid(7, 5), true);
  check(driver::make("edgeless", 5, {}), true);
  return driver::end();
}
