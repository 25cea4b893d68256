// PageRank by pulling, expert: the in-edges are dealt out in tiles of equal size, whatever the degrees; a block loads
// what its tile's edges bring, neighbouring threads at neighbouring edges, then sums per node in shared memory (after
// J. Greathouse and M. Daga, Efficient sparse matrix-vector multiplication on GPUs, SC 2014). Only the two nodes at a
// tile's borders need an atomic. All rounds run in one cooperative kernel.
#include "expand.hpp"
#include "pagerank.hpp"

constexpr int TILE = 4 * THREADS;

struct Ranking {
  Rows out, in;
  float *rank, *part, *sum;
  double *given, *change;  // of the rounds now, next and after next, by the round's number modulo 3
  int* rounds;
};

// The last row that begins at or before edge e, so that e lies in it unless rows there are empty.
__device__ int row_of(const Rows& g, int e) {
  int low = 0, high = g.n;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (g.row[middle] <= e) low = middle;
    else high = middle;
  }
  return low;
}

// Adds up the part of each row that lies in this tile: short ones by a thread each, long ones by a warp.
__device__ void sum_rows(const Ranking& r, const float* brought, int tile_begin, int tile_end, int first_row,
                         int last_row) {
  const int lane = lane_id();
  for (int base = first_row + int(threadIdx.x) / 32 * 32; base <= last_row; base += THREADS) {
    const int v = base + lane;
    const bool exists = v <= last_row;
    const int row_begin = exists ? r.in.row[v] : tile_end, row_end = exists ? r.in.row[v + 1] : tile_end;
    const int begin = max(row_begin, tile_begin) - tile_begin, end = min(row_end, tile_end) - tile_begin;
    float total = 0;
    if (end - begin < 32) {
      for (int i = begin; i < end; ++i) total += brought[i];
    }
    unsigned rest = __ballot_sync(ALL_LANES, end - begin >= 32);
    for (; rest != 0; rest &= rest - 1) {
      const int from = __ffs(rest) - 1;
      const int its_begin = __shfl_sync(ALL_LANES, begin, from), its_end = __shfl_sync(ALL_LANES, end, from);
      float piece = 0;
      for (int i = its_begin + lane; i < its_end; i += 32) piece += brought[i];
      piece = warp_sum(piece);
      if (lane == from) total = piece;
    }
    if (begin >= end) continue;
    if (row_begin >= tile_begin && row_end <= tile_end) r.sum[v] = total;
    else atomicAdd(&r.sum[v], total);
  }
}

__device__ void pull(const Ranking& r) {
  __shared__ float brought[TILE];
  __shared__ int border[2];
  for (int tile = blockIdx.x; tile < (r.in.m + TILE - 1) / TILE; tile += gridDim.x) {
    const int begin = tile * TILE, end = min(begin + TILE, r.in.m);
    if (threadIdx.x < 2) border[threadIdx.x] = row_of(r.in, threadIdx.x == 0 ? begin : end - 1);
    for (int e = begin + int(threadIdx.x); e < end; e += THREADS) brought[e - begin] = r.part[r.in.cols[e]];
    __syncthreads();
    sum_rows(r, brought, begin, end, border[0], border[1]);
    __syncthreads();
  }
}

// A node's share along each of its edges; the sum of ranks that nodes without edges give to all.
__device__ double share(const Ranking& r, int v, float rank) {
  const int degree = r.out.row[v + 1] - r.out.row[v];
  r.rank[v] = rank;
  r.part[v] = degree > 0 ? rank / degree : 0;
  r.sum[v] = 0;
  return degree > 0 ? 0 : rank;
}

__device__ void add(double x, double* to) {
  x = warp_sum(x);
  if (lane_id() == 0 && x != 0) atomicAdd(to, x);
}

__global__ void __launch_bounds__(THREADS) rank_nodes(Ranking r) {
  const cg::grid_group grid = cg::this_grid();
  const int me = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS, n = r.out.n;
  double given = 0;
  for (int v = me; v < n; v += threads) given += share(r, v, 1.0f / n);
  add(given, &r.given[0]);
  grid.sync();
  int round = 0;
  for (bool moving = true; moving && round < MOST_ROUNDS; ++round) {
    const int now = round % 3, next = (round + 1) % 3, later = (round + 2) % 3;
    pull(r);
    grid.sync();
    if (me == 0) r.given[later] = r.change[later] = 0;
    const float to_all = (1 - DAMPING) / n + DAMPING * float(r.given[now]) / n;
    double change = 0;
    given = 0;
    for (int v = me; v < n; v += threads) {
      const float rank = to_all + DAMPING * r.sum[v];
      change += fabsf(rank - r.rank[v]);
      given += share(r, v, rank);
    }
    add(given, &r.given[next]);
    add(change, &r.change[now]);
    grid.sync();
    moving = r.change[now] >= TOLERANCE;
  }
  if (me == 0) *r.rounds = round;
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Graph graph = read_graph(arguments.path);
  const DeviceGraph g(graph);
  const int n = graph.n;
  DeviceArray<float> rank(n), part(n), sum(n);
  DeviceArray<double> sums(6);
  DeviceArray<int> rounds(1);
  Ranking r = {g.out, g.in, rank.data, part.data, sum.data, sums.data, sums.data + 3, rounds.data};
  const int blocks = resident_blocks(rank_nodes, THREADS, blocks_for(graph.m / 4 + n, THREADS));

  const float ms = median_ms(arguments.repeat, [&] {
    sums.fill_bytes(0, 6);
    void* args[] = {&r};
    check(cudaLaunchCooperativeKernel(rank_nodes, blocks, THREADS, args));
  });
  print_ranks("expert", ms, rounds.read_one(), rank.read(n));
  return 0;
}
