// Triangles, plain: one thread per node merges its sorted neighbours with those of each higher neighbour.
#include "device.hpp"

__global__ void count(Rows g, unsigned long long* total) {
  const int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= g.n) return;
  unsigned long long found = 0;
  for (int e = g.row[u]; e < g.row[u + 1]; ++e) {
    const int v = g.cols[e];
    if (v <= u) continue;
    int a = e + 1, b = g.row[v];
    while (a < g.row[u + 1] && b < g.row[v + 1]) {
      const int x = g.cols[a], y = g.cols[b];
      found += x == y ? 1 : 0;
      a += x <= y ? 1 : 0;
      b += y <= x ? 1 : 0;
    }
  }
  if (found > 0) atomicAdd(total, found);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Graph graph = read_graph(arguments.path);
  make_simple(graph);
  const DeviceGraph g(graph);
  DeviceArray<unsigned long long> total(1);

  const float ms = median_ms(arguments.repeat, [&] {
    total.fill_bytes(0, 1);
    count<<<blocks_for(graph.n, 256), 256>>>(g.out, total.data);
    check(cudaGetLastError());
  });
  printf("{\"program\": \"tri\", \"variant\": \"plain\", \"ms\": %.4f, \"triangles\": %llu}\n", ms, total.read_one());
  return 0;
}
