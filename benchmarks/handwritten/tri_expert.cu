// Triangles, expert: each edge is kept at its end of lower degree only, which bounds all lists; then every element of
// an edge's shorter list is searched in the longer one. A warp takes 32 edges and deals their elements out evenly.
#include "expand.hpp"

struct Orientation {
  Rows g;
  int *row, *cols, *from;  // the kept edges: by their lower end, sorted; `from` is the lower end of each
  int* block_sums;
  unsigned long long* total;
};

__device__ bool keeps(const Rows& g, int u, int v) {
  const int du = g.row[u + 1] - g.row[u], dv = g.row[v + 1] - g.row[v];
  return du < dv || (du == dv && u < v);
}

// A warp per node: counts the edges that the node keeps into row[u + 1], or copies them, once row is known.
template <bool COPY>
__device__ void orient(const Orientation& o) {
  const int warps = gridDim.x * THREADS / 32, lane = lane_id();
  for (int u = (blockIdx.x * THREADS + threadIdx.x) / 32; u < o.g.n; u += warps) {
    int at = COPY ? o.row[u] : 0;
    for (int first = o.g.row[u]; first < o.g.row[u + 1]; first += 32) {
      const int e = first + lane, v = e < o.g.row[u + 1] ? o.g.cols[e] : -1;
      const bool kept = v >= 0 && keeps(o.g, u, v);
      const unsigned who = __ballot_sync(ALL_LANES, kept);
      if (COPY && kept) {
        const int slot = at + __popc(who & ((1u << lane) - 1));
        o.cols[slot] = v;
        o.from[slot] = u;
      }
      at += __popc(who);
    }
    if (!COPY && lane == 0) o.row[u + 1] = at;
  }
}

__device__ int block_sum(int x) {
  int total;
  block_exclusive_scan(x, &total);
  __syncthreads();
  return total;
}

// Sums row[1..n] up in place: each block its own stretch, after the stretches before it.
__device__ void sum_up(const Orientation& o, const cg::grid_group& grid) {
  const int stretch = (o.g.n + gridDim.x - 1) / gridDim.x;
  const int begin = min(int(blockIdx.x) * stretch, o.g.n), end = min(begin + stretch, o.g.n);
  int mine = 0;
  for (int i = begin + threadIdx.x; i < end; i += THREADS) mine += o.row[i + 1];
  const int sum = block_sum(mine);
  if (threadIdx.x == 0) o.block_sums[blockIdx.x] = sum;
  grid.sync();
  int earlier = 0;
  for (int b = threadIdx.x; b < int(blockIdx.x); b += THREADS) earlier += o.block_sums[b];
  int before = block_sum(earlier);
  for (int first = begin; first < end; first += THREADS) {
    const int i = first + threadIdx.x, x = i < end ? o.row[i + 1] : 0;
    int total;
    const int exclusive = block_exclusive_scan(x, &total);
    if (i < end) o.row[i + 1] = before + exclusive + x;
    before += total;
    __syncthreads();
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) o.row[0] = 0;
}

__device__ bool contains(const int* sorted, int length, int x) {
  int low = 0;
  for (int rest = length; rest > 0;) {
    const int half = rest / 2;
    if (sorted[low + half] < x) {
      low += half + 1;
      rest -= half + 1;
    } else {
      rest = half;
    }
  }
  return low < length && sorted[low] == x;
}

__device__ void count(const Orientation& o) {
  const int lane = lane_id(), edges = o.row[o.g.n];
  unsigned long long found = 0;
  for (int first = (blockIdx.x * THREADS + threadIdx.x) / 32 * 32; first < edges; first += gridDim.x * THREADS) {
    const int e = first + lane;
    int small = 0, small_length = 0, large = 0, large_length = 0;
    if (e < edges) {
      const int u = o.from[e], v = o.cols[e];
      small = o.row[u];
      small_length = o.row[u + 1] - small;
      large = o.row[v];
      large_length = o.row[v + 1] - large;
      if (small_length > large_length) {
        const int begin = small, length = small_length;
        small = large;
        small_length = large_length;
        large = begin;
        large_length = length;
      }
    }
    const int through = warp_inclusive_scan(small_length), total = __shfl_sync(ALL_LANES, through, 31);
    for (int done = 0; done < total; done += 32) {
      const int k = done + lane;
      int owner = 0;  // the first lane whose elements end after k
      for (int step = 16; step > 0; step /= 2) {
        const int end = __shfl_sync(ALL_LANES, through, owner + step - 1);
        if (end <= k) owner += step;
      }
      const int length = __shfl_sync(ALL_LANES, small_length, owner), end = __shfl_sync(ALL_LANES, through, owner);
      const int its_small = __shfl_sync(ALL_LANES, small, owner), its_large = __shfl_sync(ALL_LANES, large, owner);
      const int its_length = __shfl_sync(ALL_LANES, large_length, owner);
      if (k < total && contains(o.cols + its_large, its_length, o.cols[its_small + k - (end - length)])) ++found;
    }
  }
  found = warp_sum(found);
  if (lane == 0 && found > 0) atomicAdd(o.total, found);
}

__global__ void __launch_bounds__(THREADS) triangles(Orientation o) {
  const cg::grid_group grid = cg::this_grid();
  orient<false>(o);
  grid.sync();
  sum_up(o, grid);
  grid.sync();
  orient<true>(o);
  grid.sync();
  count(o);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  Graph graph = read_graph(arguments.path);
  make_simple(graph);
  const DeviceGraph g(graph);
  const int n = graph.n, m = graph.m, blocks = resident_blocks(triangles, THREADS, blocks_for(m / 2 + n, THREADS));
  DeviceArray<int> row(n + 1), cols(m), from(m), block_sums(blocks);
  DeviceArray<unsigned long long> total(1);
  Orientation o = {g.out, row.data, cols.data, from.data, block_sums.data, total.data};

  const float ms = median_ms(arguments.repeat, [&] {
    total.fill_bytes(0, 1);
    void* args[] = {&o};
    check(cudaLaunchCooperativeKernel(triangles, blocks, THREADS, args));
  });
  printf("{\"program\": \"tri\", \"variant\": \"expert\", \"ms\": %.4f, \"triangles\": %llu}\n", ms, total.read_one());
  return 0;
}
