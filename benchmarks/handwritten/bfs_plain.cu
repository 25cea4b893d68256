// Breadth-first search, plain: one thread per worklist item, one atomic per push,
// the host reads the list's size each level.
#include "bfs.hpp"

__global__ void fill(int* level, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) level[v] = INF;
}

__global__ void start(int* level, int* list, int src) {
  level[src] = 0;
  list[0] = src;
}

__global__ void expand(Rows g, int* level, const int* list, int size, int* next, int* tail, int depth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int v = list[i];
  for (int e = g.row[v]; e < g.row[v + 1]; ++e) {
    const int u = g.cols[e];
    if (relaxed_load(&level[u]) == INF && atomicCAS(&level[u], INF, depth) == INF) next[atomicAdd(tail, 1)] = u;
  }
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Graph graph = read_graph(arguments.path);
  arguments.need_source(graph);
  const DeviceGraph g(graph);
  DeviceArray<int> level(graph.n), a(graph.n), b(graph.n), tail(1);

  const float ms = median_ms(arguments.repeat, [&] {
    int *list = a.data, *next = b.data, size = 1;
    fill<<<blocks_for(graph.n, 256), 256>>>(level.data, graph.n);
    start<<<1, 1>>>(level.data, list, arguments.src);
    for (int depth = 1; size > 0; ++depth) {
      tail.fill_bytes(0, 1);
      expand<<<blocks_for(size, 256), 256>>>(g.out, level.data, list, size, next, tail.data, depth);
      check(cudaGetLastError());
      size = tail.read_one();
      std::swap(list, next);
    }
  });
  print_levels("plain", ms, level.read(graph.n));
  return 0;
}
