// Shortest paths by near and far lists, plain: one thread per item, one atomic per push, the host reads sizes each
// round (A. Davidson, S. Baxter, M. Garland and J. Owens, Work-efficient parallel GPU methods for SSSP, IPDPS 2014).
#include "sssp.hpp"

struct Lists {
  int *near, *far;
  int *near_tail, *far_tail;
};

__global__ void start(int* dist, int* mark, int* in_far, int n, int src, int* list) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  dist[v] = v == src ? 0 : INF;
  mark[v] = -1;
  in_far[v] = 0;
  if (v == src) list[0] = src;
}

__global__ void relax(Rows g, int* dist, int* mark, int* in_far, const int* list, int size, Lists to, int limit,
                      int round) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int v = list[i], d = relaxed_load(&dist[v]);
  for (int e = g.row[v]; e < g.row[v + 1]; ++e) {
    const int u = g.cols[e];
    if (g.weights[e] >= INF - d) continue;
    const int through = d + g.weights[e];
    if (through >= relaxed_load(&dist[u]) || through >= atomicMin(&dist[u], through)) continue;
    if (through < limit) {
      if (atomicExch(&mark[u], round) != round) to.near[atomicAdd(to.near_tail, 1)] = u;
    } else if (atomicExch(&in_far[u], 1) == 0) {
      to.far[atomicAdd(to.far_tail, 1)] = u;
    }
  }
}

// Far items below the new limit become near; those below the old one were near already, and are dropped.
__global__ void split(const int* dist, int* in_far, const int* list, int size, Lists to, int old_limit, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int v = list[i], d = dist[v];
  if (d >= limit) {
    to.far[atomicAdd(to.far_tail, 1)] = v;
    return;
  }
  in_far[v] = 0;
  if (d >= old_limit) to.near[atomicAdd(to.near_tail, 1)] = v;
}

__global__ void smallest_of(const int* dist, const int* list, int size, int limit, int* smallest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size && dist[list[i]] >= limit) atomicMin(smallest, dist[list[i]]);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Graph graph = read_graph(arguments.path);
  arguments.need_source(graph);
  const DeviceGraph g(graph);
  const int n = graph.n, delta = arguments.delta > 0 ? arguments.delta : default_delta(graph);
  DeviceArray<int> dist(n), mark(n), in_far(n), near_a(n), near_b(n), far_a(n), far_b(n);
  DeviceArray<int> near_tail(1), far_tail(1), least(1);

  const float ms = median_ms(arguments.repeat, [&] {
    int *near = near_a.data, *next = near_b.data, *far = far_a.data, *next_far = far_b.data;
    int size = 1, far_size = 0, limit = delta;
    start<<<blocks_for(n, 256), 256>>>(dist.data, mark.data, in_far.data, n, arguments.src, near);
    far_tail.fill_bytes(0, 1);
    for (int round = 0; size > 0 || far_size > 0; ++round) {
      near_tail.fill_bytes(0, 1);
      if (size > 0) {
        const Lists to = {next, far, near_tail.data, far_tail.data};
        relax<<<blocks_for(size, 256), 256>>>(g.out, dist.data, mark.data, in_far.data, near, size, to, limit, round);
      } else {
        least.fill_bytes(0x7f, 1);
        smallest_of<<<blocks_for(far_size, 256), 256>>>(dist.data, far, far_size, limit, least.data);
        const int smallest = least.read_one(), old_limit = limit;
        limit = smallest > INF - delta ? INF : smallest + delta;
        far_tail.fill_bytes(0, 1);
        const Lists to = {next, next_far, near_tail.data, far_tail.data};
        split<<<blocks_for(far_size, 256), 256>>>(dist.data, in_far.data, far, far_size, to, old_limit, limit);
        std::swap(far, next_far);
      }
      check(cudaGetLastError());
      size = near_tail.read_one();
      far_size = far_tail.read_one();
      std::swap(near, next);
    }
  });
  print_distances("plain", ms, dist.read(n));
  return 0;
}
