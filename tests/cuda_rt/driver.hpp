// Small graphs, the arguments of irgl_run over them, and checks, for the units of this folder. Host code only.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include "cpu_rt/abi.hpp"

namespace driver {

struct TestGraph {
  const char* name;
  std::vector<int32_t> row, cols, weight, in_row, in_cols, in_eid;
  int32_t n() const { return int32_t(row.size()) - 1; }
  int32_t m() const { return int32_t(cols.size()); }
};

inline uint32_t mix(uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
inline TestGraph make(const char* name, int n, const std::vector<std::pair<int, int>>& edges) {
  TestGraph g{name, std::vector<int32_t>(size_t(n) + 1), {}, {}, std::vector<int32_t>(size_t(n) + 1), {}, {}};
  for (auto [a, b] : edges) ++g.row[size_t(a) + 1], ++g.in_row[size_t(b) + 1];
  for (int v = 0; v < n; ++v) g.row[size_t(v) + 1] += g.row[size_t(v)], g.in_row[size_t(v) + 1] += g.in_row[size_t(v)];
  g.cols.resize(edges.size()), g.weight.resize(edges.size()), g.in_cols.resize(edges.size()), g.in_eid.resize(edges.size());
  std::vector<int32_t> next(g.row), in_next(g.in_row);
  for (auto [a, b] : edges) {
    const int32_t e = next[size_t(a)]++, p = in_next[size_t(b)]++;
    g.cols[size_t(e)] = b, g.in_cols[size_t(p)] = a, g.in_eid[size_t(p)] = e;
    g.weight[size_t(e)] = int32_t(mix(uint32_t(e)) % 9) + 1;
  }
  return g;
}
inline TestGraph grid(int w, int h) {
  std::vector<std::pair<int, int>> edges;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const int v = y * w + x;
      if (x + 1 < w) edges.push_back({v, v + 1}), edges.push_back({v + 1, v});
      if (y + 1 < h) edges.push_back({v, v + w}), edges.push_back({v + w, v});
    }
  return make("grid", w * h, edges);
}
inline TestGraph star(int leaves) {  // both ways, and its first leaf has leaves of its own: for the warp
  std::vector<std::pair<int, int>> edges;
  for (int v = 1; v <= leaves; ++v) edges.push_back({0, v}), edges.push_back({v, 0});
  for (int v = 2; v < 2 + leaves / 6; ++v) edges.push_back({1, v});
  return make("star", leaves + 1, edges);
}
inline TestGraph path(int n) {
  std::vector<std::pair<int, int>> edges;
  for (int v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1});
  return make("path", n, edges);
}
inline TestGraph random(int n, int m) {
  std::vector<std::pair<int, int>> edges;
  for (int e = 0; e < m; ++e) {
    const uint32_t x = mix(uint32_t(2 * e + 1)), y = mix(uint32_t(2 * e + 2));
    edges.push_back({int(x % uint32_t(n)) * int(x >> 31), int(y % uint32_t(n))});
  }
  return make("random", n, edges);
}
inline std::vector<TestGraph> graphs() {
  return {grid(7, 5), star(300), path(12), random(90, 400), make("edgeless", 5, {}), make("one", 1, {}), make("empty", 0, {})};
}

inline int failures = 0;
#define CHECK(condition, ...)                                                \
  do {                                                                       \
    if (!(condition) && ++driver::failures <= 20) {                          \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);        \
      fprintf(stderr, __VA_ARGS__);                                          \
      fprintf(stderr, "\n");                                                 \
    }                                                                        \
  } while (0)

// A graph for calls that look at none.
inline const TestGraph& nothing() {
  static const TestGraph graph = make("none", 1, {});
  return graph;
}

// One call of irgl_run: arrays of properties and scalars belong to the caller, as the real driver's do.
struct Call {
  irgl_graph graph{};
  irgl_run_args args{};
  int64_t stats[IRGL_STATS] = {}, fault[IRGL_FAULTS] = {};
  volatile int32_t stop = 0;
  std::vector<void*> properties, params, globals;

  explicit Call(const TestGraph& g = nothing(), int64_t capacity = 0, bool directed = true) {
    graph.nodes = g.n(), graph.edges = g.m();
    graph.row = g.row.data(), graph.cols = g.cols.data();
    graph.in_row = g.in_row.data(), graph.in_cols = g.in_cols.data(), graph.in_eid = g.in_eid.data();
    graph.flags = directed ? int64_t(IRGL_GRAPH_DIRECTED) : 0;
    args.num_graphs = 1, args.graphs = &graph, args.threads = 1, args.worklist_capacity = capacity;
    args.stats = stats, args.fault = fault, args.stop = &stop;
  }
  int run(int (*entry)(irgl_run_args*) = irgl_run) {
    graph.properties = properties.data(), args.params = params.data(), args.globals = globals.data();
    return entry(&args);
  }
};

inline int end() {
  if (failures != 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures != 0;
}

}  // namespace driver
