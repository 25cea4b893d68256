// Shortest paths by near and far lists, expert: one cooperative kernel from start to end, balanced edges, pushes with
// one atomic per warp, and a limit that jumps to the nearest far item instead of passing through empty ranges.
#include "expand.hpp"
#include "sssp.hpp"

struct Relaxation {
  Rows g;
  int *dist, *mark, *in_far;
  int *near, *next, *far, *next_far;
  int* near_size;  // of the rounds now, next and after next, by the round's number modulo 3
  int* far_size;   // of the far list and the next one, by the number of splits modulo 2
  int* smallest;
  int src, delta;
};

__device__ void relax(const Relaxation& r, int size, int limit, int round, int* near_tail, int* far_tail) {
  for (int first = blockIdx.x * THREADS; first < size; first += gridDim.x * THREADS) {
    const bool has_item = first + int(threadIdx.x) < size;
    const int v = has_item ? r.near[first + threadIdx.x] : 0;
    const int mine = has_item ? relaxed_load(&r.dist[v]) : 0;
    expand_block(has_item ? r.g.row[v] : 0, has_item ? r.g.row[v + 1] : 0, mine, [&](int e, int d, bool valid) {
      const int u = valid ? r.g.cols[e] : 0, weight = valid ? r.g.weights[e] : 0;
      const int through = weight < INF - d ? d + weight : INF;
      const bool better = valid && through < relaxed_load(&r.dist[u]) && through < atomicMin(&r.dist[u], through);
      push(better && through < limit && atomicExch(&r.mark[u], round) != round, u, r.next, near_tail);
      push(better && through >= limit && atomicExch(&r.in_far[u], 1) == 0, u, r.far, far_tail);
    });
  }
}

__device__ void find_smallest(const Relaxation& r, int size, int limit) {
  int least = INF;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < size; i += gridDim.x * THREADS) {
    const int d = r.dist[r.far[i]];
    if (d >= limit) least = min(least, d);
  }
  least = warp_min(least);
  if (lane_id() == 0 && least < INF) atomicMin(r.smallest, least);
}

// Far items below the new limit become near; those below the old one were near already, and are dropped.
__device__ void split(const Relaxation& r, int size, int old_limit, int limit, int* near_tail, int* far_tail) {
  for (int first = blockIdx.x * THREADS; first < size; first += gridDim.x * THREADS) {
    const bool has_item = first + int(threadIdx.x) < size;
    const int v = has_item ? r.far[first + threadIdx.x] : 0, d = has_item ? r.dist[v] : 0;
    const bool stays = has_item && d >= limit;
    if (has_item && !stays) r.in_far[v] = 0;
    push(has_item && d >= old_limit && d < limit, v, r.next, near_tail);
    push(stays, v, r.next_far, far_tail);
  }
}

__device__ void swap_lists(int*& a, int*& b) {
  int* const c = a;
  a = b;
  b = c;
}

__global__ void __launch_bounds__(THREADS) shortest_paths(Relaxation r) {
  const cg::grid_group grid = cg::this_grid();
  const int rank = blockIdx.x * THREADS + threadIdx.x;
  for (int v = rank; v < r.g.n; v += gridDim.x * THREADS) {
    r.dist[v] = v == r.src ? 0 : INF;
    r.mark[v] = -1;
    r.in_far[v] = 0;
  }
  if (rank == 0) {
    r.near[0] = r.src;
    r.near_size[0] = 1;
    r.near_size[1] = r.far_size[0] = r.far_size[1] = 0;
    *r.smallest = INF;
  }
  grid.sync();
  int limit = r.delta, splits = 0;
  for (int round = 0;; ++round) {
    int* const near_tail = &r.near_size[(round + 1) % 3];
    int* const far_tail = &r.far_size[splits % 2];
    const int size = r.near_size[round % 3];
    if (size == 0) {
      const int far_size = *far_tail;
      if (far_size == 0) break;
      find_smallest(r, far_size, limit);
      grid.sync();
      const int smallest = *r.smallest, old_limit = limit;
      if (smallest == INF) break;
      limit = smallest > INF - r.delta ? INF : smallest + r.delta;
      split(r, far_size, old_limit, limit, near_tail, &r.far_size[(splits + 1) % 2]);
      ++splits;
      swap_lists(r.far, r.next_far);
    } else {
      if (rank == 0) {
        *r.smallest = INF;
        r.far_size[(splits + 1) % 2] = 0;
      }
      relax(r, size, limit, round, near_tail, far_tail);
    }
    if (rank == 0) r.near_size[(round + 2) % 3] = 0;
    swap_lists(r.near, r.next);
    grid.sync();
  }
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Graph graph = read_graph(arguments.path);
  arguments.need_source(graph);
  const DeviceGraph g(graph);
  const int n = graph.n, delta = arguments.delta > 0 ? arguments.delta : default_delta(graph);
  DeviceArray<int> dist(n), mark(n), in_far(n), near_a(n), near_b(n), far_a(n), far_b(n), counters(6);
  Relaxation r = {g.out,  dist.data,  mark.data,     in_far.data,       near_a.data,       near_b.data,  far_a.data,
                  far_b.data, counters.data, counters.data + 3, counters.data + 5, arguments.src, delta};
  const int blocks = resident_blocks(shortest_paths, THREADS, blocks_for(graph.m + n, THREADS));

  const float ms = median_ms(arguments.repeat, [&] {
    void* args[] = {&r};
    check(cudaLaunchCooperativeKernel(shortest_paths, blocks, THREADS, args));
  });
  print_distances("expert", ms, dist.read(n));
  return 0;
}
