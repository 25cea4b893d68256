// Connected components, plain: every edge lowers the label of its higher end's root, pointers are followed to the
// roots, until nothing changes (after Y. Shiloach and U. Vishkin, An O(log n) parallel connectivity algorithm, 1982).
#include "components.hpp"

__global__ void start(int* label, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) label[v] = v;
}

__global__ void hook(Rows g, int* label, int* changed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n) return;
  for (int e = g.row[v]; e < g.row[v + 1]; ++e) {
    const int a = relaxed_load(&label[v]), b = relaxed_load(&label[g.cols[e]]);
    if (a == b) continue;
    atomicMin(&label[max(a, b)], min(a, b));
    atomicExch(changed, 1);
  }
}

__global__ void follow(int* label, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  int root = relaxed_load(&label[v]);
  while (root != relaxed_load(&label[root])) root = relaxed_load(&label[root]);
  relaxed_store(&label[v], root);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Graph graph = read_graph(arguments.path);
  const DeviceGraph g(graph);
  const int n = graph.n, blocks = blocks_for(n, 256);
  DeviceArray<int> label(n), changed(1);

  const float ms = median_ms(arguments.repeat, [&] {
    start<<<blocks, 256>>>(label.data, n);
    do {
      changed.fill_bytes(0, 1);
      hook<<<blocks, 256>>>(g.out, label.data, changed.data);
      follow<<<blocks, 256>>>(label.data, n);
      check(cudaGetLastError());
    } while (changed.read_one() != 0);
  });
  print_components("plain", ms, label.read(n));
  return 0;
}
