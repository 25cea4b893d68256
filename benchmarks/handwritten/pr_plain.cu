// PageRank by pulling, plain: one thread per node, one atomic per thread for each sum, the host tests the change.
#include "pagerank.hpp"

__global__ void start(float* rank, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) rank[v] = 1.0f / n;
}

// What each node gives along each of its edges; what it gives to all, if it has none.
__global__ void share(Rows g, const float* rank, float* part, double* sums) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n) return;
  const int degree = g.row[v + 1] - g.row[v];
  part[v] = degree > 0 ? rank[v] / degree : 0;
  if (degree == 0) atomicAdd(&sums[0], double(rank[v]));
}

__global__ void pull(Rows in, float* rank, const float* part, double* sums) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= in.n) return;
  float sum = 0;
  for (int e = in.row[v]; e < in.row[v + 1]; ++e) sum += part[in.cols[e]];
  const float now = (1 - DAMPING) / in.n + DAMPING * (sum + float(sums[0]) / in.n);
  atomicAdd(&sums[1], double(fabsf(now - rank[v])));
  rank[v] = now;
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const Graph graph = read_graph(arguments.path);
  const DeviceGraph g(graph);
  const int n = graph.n, blocks = blocks_for(n, 256);
  DeviceArray<float> rank(n), part(n);
  DeviceArray<double> sums(2);
  int rounds = 0;

  const float ms = median_ms(arguments.repeat, [&] {
    start<<<blocks, 256>>>(rank.data, n);
    double change = 1;
    for (rounds = 0; rounds < MOST_ROUNDS && change >= TOLERANCE; ++rounds) {
      sums.fill_bytes(0, 2);
      share<<<blocks, 256>>>(g.out, rank.data, part.data, sums.data);
      pull<<<blocks, 256>>>(g.in, rank.data, part.data, sums.data);
      check(cudaGetLastError());
      change = sums.read_one(1);
    }
  });
  print_ranks("plain", ms, rounds, rank.read(n));
  return 0;
}
