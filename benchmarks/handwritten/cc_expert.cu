// Connected components, expert: two edges of every node join most of the graph; the rest of the edges is looked at only
// outside the component that a sample finds to be the giant (M. Sutton, T. Ben-Nun and A. Barak, Optimizing parallel
// graph connectivity computation via subgraph sampling, IPDPS 2018). One cooperative kernel, balanced edges.
#include "components.hpp"
#include "expand.hpp"

constexpr int SAMPLED_EDGES = 2;

struct Joining {
  Rows out, in;
  bool directed;
  int *label, *giant;
};

// Hooks the higher of the two roots below the lower; another thread's hook on the way is followed.
__device__ void join(int* label, int u, int v) {
  int a = relaxed_load(&label[u]), b = relaxed_load(&label[v]);
  while (a != b) {
    const int high = max(a, b), low = min(a, b), above = relaxed_load(&label[high]);
    if (above == low || (above == high && atomicCAS(&label[high], high, low) == high)) return;
    a = relaxed_load(&label[above]);
    b = relaxed_load(&label[low]);
  }
}

__device__ void follow(const Joining& j) {
  for (int v = blockIdx.x * THREADS + threadIdx.x; v < j.out.n; v += gridDim.x * THREADS) {
    int root = relaxed_load(&j.label[v]);
    while (root != relaxed_load(&j.label[root])) root = relaxed_load(&j.label[root]);
    relaxed_store(&j.label[v], root);
  }
}

// The commonest label among a sample of one per thread of the first block.
__device__ void find_giant(const Joining& j) {
  __shared__ int sample[THREADS], best;
  if (threadIdx.x == 0) best = 0;
  const int mine = j.label[int((threadIdx.x * 2654435769u) % unsigned(j.out.n))];
  sample[threadIdx.x] = mine;
  __syncthreads();
  int count = 0;
  for (int i = 0; i < THREADS; ++i) count += sample[i] == mine ? 1 : 0;
  atomicMax(&best, count * THREADS + int(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) *j.giant = sample[best % THREADS];
}

__device__ void join_rest(const Joining& j, const Rows& g, int skipped, int giant) {
  for (int first = blockIdx.x * THREADS; first < g.n; first += gridDim.x * THREADS) {
    const int v = first + threadIdx.x;
    const bool outside = v < g.n && relaxed_load(&j.label[v]) != giant;
    const int end = outside ? g.row[v + 1] : 0, begin = outside ? min(g.row[v] + skipped, end) : 0;
    expand_block(begin, end, v, [&](int e, int from, bool valid) {
      if (valid) join(j.label, from, g.cols[e]);
    });
  }
}

__global__ void __launch_bounds__(THREADS) components(Joining j) {
  const cg::grid_group grid = cg::this_grid();
  const int me = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
  for (int v = me; v < j.out.n; v += threads) j.label[v] = v;
  grid.sync();
  for (int k = 0; k < SAMPLED_EDGES; ++k) {
    for (int v = me; v < j.out.n; v += threads) {
      if (j.out.row[v] + k < j.out.row[v + 1]) join(j.label, v, j.out.cols[j.out.row[v] + k]);
    }
    grid.sync();
    follow(j);
    grid.sync();
  }
  if (blockIdx.x == 0) find_giant(j);
  grid.sync();
  const int giant = *j.giant;
  join_rest(j, j.out, SAMPLED_EDGES, giant);
  if (j.directed) join_rest(j, j.in, 0, giant);
  grid.sync();
  follow(j);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Graph graph = read_graph(arguments.path);
  const DeviceGraph g(graph);
  const int n = graph.n;
  DeviceArray<int> label(n), giant(1);
  Joining j = {g.out, g.in, graph.directed, label.data, giant.data};
  const int blocks = resident_blocks(components, THREADS, blocks_for(n, THREADS));

  const float ms = median_ms(arguments.repeat, [&] {
    if (n == 0) return;
    void* args[] = {&j};
    check(cudaLaunchCooperativeKernel(components, blocks, THREADS, args));
  });
  print_components("expert", ms, label.read(n));
  return 0;
}
