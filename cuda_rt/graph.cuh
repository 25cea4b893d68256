// Graphs on the device, and the host's views of them.
//
//     c.view(g, args->graphs[i])     copies the graph over and sets g's Csr part
//     c.host(g)                      the same graph as the host sees it: a Csr of host memory
#pragma once
#include "coherent.cuh"

namespace irgl {

__device__ __forceinline__ long long widest_row(const edge_t* row, node_t n) {
  long long most = 0;
  for (size_t v = size_t(blockIdx.x) * block_size + threadIdx.x; v < size_t(n); v += size_t(gridDim.x) * block_size)
    if (row[v + 1] - row[v] > most) most = row[v + 1] - row[v];
  return most;
}
template <class Row>
__global__ void widest_row_kernel(const Row* row, node_t n, counter_t* most) {
  const counter_t mine = counter_t(widest_row(row, n));
  if (mine > load(*most)) atomicMax(most, mine);
}

class Graphs : public Properties {
 public:
  using Properties::Properties;

  void view(Csr& g, const irgl_graph& from) {
    Csr host;
    host.n = node_t(from.nodes);
    host.m = edge_t(from.edges);
    host.row = static_cast<const edge_t*>(from.row);
    host.cols = static_cast<const node_t*>(from.cols);
    host.in_row = static_cast<const edge_t*>(from.in_row);
    host.in_cols = static_cast<const node_t*>(from.in_cols);
    host.in_eid = static_cast<const edge_t*>(from.in_eid);
    host.directed = (from.flags & IRGL_GRAPH_DIRECTED) != 0;
    place(g, host);
  }
  // Copies a graph of the host over. An undirected graph's transpose is itself: what is the same array stays one.
  void place(Csr& g, const Csr& host) {
    g = host;
    const size_t n = size_t(host.n), m = size_t(host.m);
    g.row = over(host.row, n + 1);
    g.cols = over(host.cols, m);
    g.in_row = host.in_row == host.row ? g.row : over(host.in_row, n + 1);
    g.in_cols = host.in_cols == host.cols ? g.cols : over(host.in_cols, m);
    g.in_eid = over(host.in_eid, m);
    g.max_degree = widest(g.row, g.n);
    g.max_in_degree = g.in_row == g.row ? g.max_degree : widest(g.in_row, g.n);
    graphs_.add({g.row, host});
  }
  void* keep(size_t bytes) {  // zeroed memory of the host, until the end
    void* p = calloc(bytes + 1, 1);
    if (p == nullptr) check(cudaErrorMemoryAllocation);
    return kept_.add(p);
  }
  const Csr& host(const Csr& g) {
    for (const Known& k : graphs_)
      if (k.row == g.row) return k.host;
    return g;
  }

 protected:
  struct Known {
    const edge_t* row;
    Csr host;
  };
  template <class T>
  const T* over(const T* host, size_t count) {
    if (host == nullptr) return nullptr;
    T* device = allocate_array<T>(count);
    if (count < 2) zero(device, (count * sizeof(T) + 15) / 8 * 8);  // what faults in an empty graph go on with
    copy_in(device, host, count * sizeof(T));
    arrays_.add(device);
    return device;
  }
  edge_t widest(const edge_t* row, node_t n) {
    if (row == nullptr || n == 0) return 0;
    counter_t* most = take_counter();
    launch(widest_row_kernel<edge_t>, size_t(n), row, n, most);
    const counter_t found = read(most);
    give_counter(most);
    return edge_t(found);
  }
  void end_graphs() {
    for (void* p : arrays_) release(p);
    for (void* p : kept_) free(p);
  }
  ~Graphs() = default;

  Table<Known> graphs_;
  Table<void*> arrays_, kept_;
};

}  // namespace irgl
