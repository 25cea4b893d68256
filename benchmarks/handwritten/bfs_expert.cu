// Breadth-first search, expert: one cooperative kernel for all levels; each goes top-down from a list with balanced
// edges, or bottom-up over the unvisited nodes, whichever looks at fewer edges (S. Beamer, K. Asanovic and
// D. Patterson, Direction-optimizing breadth-first search, SC 2012). Visited nodes are bits, to stay in the cache.
#include "bfs.hpp"
#include "expand.hpp"

struct Search {
  Rows out, in;
  int* level;
  unsigned *visited, *next_visited;
  int *list, *next;
  int *size, *edges;  // of the levels now, next and after next, by the level's number modulo 3
  int* gathered;
  int src;
};

__device__ bool is_set(const unsigned* bits, int v) { return (bits[v / 32] >> (v % 32) & 1) != 0; }

__device__ void top_down(const Search& s, int size, int depth, int* tail, int* edges) {
  int found_edges = 0;
  for (int first = blockIdx.x * THREADS; first < size; first += gridDim.x * THREADS) {
    const bool has_item = first + int(threadIdx.x) < size;
    const int v = has_item ? s.list[first + threadIdx.x] : 0;
    expand_block(has_item ? s.out.row[v] : 0, has_item ? s.out.row[v + 1] : 0, 0, [&](int e, int, bool valid) {
      const int u = valid ? s.out.cols[e] : 0;
      const unsigned bit = 1u << (u % 32);
      const bool fresh = valid && (relaxed_load(&s.visited[u / 32]) & bit) == 0 &&
                         (atomicOr(&s.visited[u / 32], bit) & bit) == 0;
      if (fresh) {
        s.level[u] = depth;
        found_edges += s.out.row[u + 1] - s.out.row[u];
      }
      push(fresh, u, s.next, tail);
    });
  }
  found_edges = warp_sum(found_edges);
  if (lane_id() == 0 && found_edges > 0) atomicAdd(edges, found_edges);
}

// A warp per word of the bitmap. Each lane tries a few of its node's edges; then all lanes try each node still open.
__device__ void bottom_up(const Search& s, int depth, int* awake, int* edges) {
  const int n = s.in.n, words = (n + 31) / 32, lane = lane_id();
  const int warp = (blockIdx.x * THREADS + threadIdx.x) / 32, warps = gridDim.x * THREADS / 32;
  int found_edges = 0, found_nodes = 0;
  for (int w = warp; w < words; w += warps) {
    const unsigned word = s.visited[w];
    const int v = w * 32 + lane;
    const bool open = v < n && (word >> lane & 1) == 0;
    int begin = open ? s.in.row[v] : 0;
    const int end = open ? s.in.row[v + 1] : 0;
    bool found = false;
    for (int tries = 0; tries < 4 && begin < end && !found; ++tries) found = is_set(s.visited, s.in.cols[begin++]);
    unsigned rest = __ballot_sync(ALL_LANES, !found && begin < end);
    for (; rest != 0; rest &= rest - 1) {
      const int from = __ffs(rest) - 1;
      const int first_edge = __shfl_sync(ALL_LANES, begin, from), last_edge = __shfl_sync(ALL_LANES, end, from);
      bool hit = false;
      for (int first = first_edge; first < last_edge && !hit; first += 32) {
        const int e = first + lane;
        hit = __any_sync(ALL_LANES, e < last_edge && is_set(s.visited, s.in.cols[e]));
      }
      if (lane == from) found = hit;
    }
    if (found) {
      s.level[v] = depth;
      found_edges += s.out.row[v + 1] - s.out.row[v];
    }
    const unsigned fresh = __ballot_sync(ALL_LANES, found);
    if (lane == 0) s.next_visited[w] = word | fresh;
    found_nodes += __popc(fresh);
  }
  found_edges = warp_sum(found_edges);
  if (lane == 0 && found_nodes > 0) {
    atomicAdd(awake, found_nodes);
    atomicAdd(edges, found_edges);
  }
}

__device__ void gather_level(const Search& s, int depth) {
  for (int first = blockIdx.x * THREADS; first < s.out.n; first += gridDim.x * THREADS) {
    const int v = first + threadIdx.x;
    push(v < s.out.n && s.level[v] == depth, v, s.list, s.gathered);
  }
}

__global__ void __launch_bounds__(THREADS) search(Search s) {
  const cg::grid_group grid = cg::this_grid();
  const int rank = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS, n = s.out.n;
  for (int v = rank; v < n; v += threads) s.level[v] = v == s.src ? 0 : INF;
  for (int w = rank; w < (n + 31) / 32; w += threads) s.visited[w] = w == s.src / 32 ? 1u << (s.src % 32) : 0;
  if (rank == 0) {
    s.list[0] = s.src;
    s.size[0] = 1;
    s.edges[0] = s.out.row[s.src + 1] - s.out.row[s.src];
    s.size[1] = s.edges[1] = *s.gathered = 0;
  }
  grid.sync();
  int unexplored = s.out.m;
  bool upwards = false;
  for (int depth = 1;; ++depth) {
    const int now = (depth - 1) % 3, then = depth % 3, later = (depth + 1) % 3;
    const int size = s.size[now], edges = s.edges[now];
    if (size == 0) break;
    unexplored -= edges;
    if (!upwards && edges > unexplored / 15) {
      upwards = true;
    } else if (upwards && size < n / 18) {
      upwards = false;
      gather_level(s, depth - 1);
      grid.sync();
    }
    if (rank == 0) s.size[later] = s.edges[later] = *s.gathered = 0;
    if (upwards) {
      bottom_up(s, depth, &s.size[then], &s.edges[then]);
      unsigned* const bits = s.visited;
      s.visited = s.next_visited;
      s.next_visited = bits;
    } else {
      top_down(s, size, depth, &s.size[then], &s.edges[then]);
      int* const items = s.list;
      s.list = s.next;
      s.next = items;
    }
    grid.sync();
  }
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Graph graph = read_graph(arguments.path);
  arguments.need_source(graph);
  const DeviceGraph g(graph);
  const int n = graph.n, words = (n + 31) / 32;
  DeviceArray<int> level(n), a(n), b(n), counters(7);
  DeviceArray<unsigned> visited(words), next_visited(words);
  Search s = {g.out,  g.in,   level.data,    visited.data,      next_visited.data, a.data,
              b.data, counters.data, counters.data + 3, counters.data + 6, arguments.src};
  const int blocks = resident_blocks(search, THREADS, blocks_for(graph.m + n, THREADS));

  const float ms = median_ms(arguments.repeat, [&] {
    void* args[] = {&s};
    check(cudaLaunchCooperativeKernel(search, blocks, THREADS, args));
  });
  print_levels("expert", ms, level.read(n));
  return 0;
}
