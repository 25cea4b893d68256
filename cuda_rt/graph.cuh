// Graphs on the device, and the host's views of them.
//
//     c.view(g, args->graphs[i])            copies the graph over, unless it is there, and sets g's Csr part
//     c.property<T>(args->graphs[i], k, m)  its k-th property (coherent.cuh), or the caller's own array of the device
//     c.weights<T>(args->graphs[i], k, m)   the same, as the caller has filled it
//     c.form(args->graphs[i], k)            its edges' k-th form, as a record of the device's arrays
//     c.host(g)                             the same graph as the host sees it
//     c.take(g, made)                       the same of a graph whose arrays are properties of the device
#pragma once
#include "coherent.cuh"
#include "common.cuh"
#include "rows.cuh"

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

// Numbers of a graph for the host: in its own memory, or where they are the device's alone as coherent.cuh brings them.
template <class T>
struct HostArray {
  Properties* c;
  const T* device;
  const T* host;
  T operator[](int64_t i) const {
    if (host != nullptr) return host[i];
    T x{};
    c->read_element(device, i, static_cast<void*>(&x));
    return x;
  }
  const T* whole() const { return host != nullptr ? host : static_cast<const T*>(c->whole(device)); }
};

struct HostRows {  // as Rows
  node_t n;
  const HostArray<edge_t>& row;
  const HostArray<node_t>& cols;
  const HostArray<edge_t>* eid;
};
inline edge_t degree(const HostRows& f, node_t n) { return f.row[n + 1] - f.row[n]; }
inline Interval<edge_t> edges(const HostRows& f, node_t n) { return {f.row[n], f.row[n + 1]}; }
inline node_t other(const HostRows& f, edge_t e) { return f.cols[e]; }
inline edge_t id(const HostRows& f, edge_t e) { return f.eid != nullptr && f.eid->device != nullptr ? (*f.eid)[e] : e; }
inline node_t near(const HostRows& f, edge_t e) {
  node_t lo = 0, hi = f.n;
  while (hi - lo > 1) {
    const node_t middle = lo + (hi - lo) / 2;
    (f.row[middle] <= e ? lo : hi) = middle;
  }
  return lo;
}

struct HostCsr {  // as Csr
  node_t n;
  edge_t m;
  HostArray<edge_t> row;
  HostArray<node_t> cols;
  HostArray<edge_t> in_row;
  HostArray<node_t> in_cols;
  HostArray<edge_t> in_eid;

  HostRows out() const { return {n, row, cols, nullptr}; }
  HostRows in() const { return {n, in_row, in_cols, &in_eid}; }
  Csr whole() const {
    Csr found;
    found.n = n, found.m = m, found.row = row.whole(), found.cols = cols.whole();
    return found;
  }
};
template <class Way = Auto, class... Nodes>
inline CommonNodes<Way> common_nodes(const HostCsr& g, Nodes... of) { return common_nodes<Way>(g.whole(), of...); }
template <class Way = Auto, class... Nodes>
inline int32_t common(const HostCsr& g, Nodes... of) { return common<Way>(g.whole(), of...); }
inline edge_t edge_to(const HostCsr& g, node_t a, node_t b) { return edge_to(g.whole(), a, b); }
inline node_t source(const HostCsr& g, edge_t e) { return near(g.out(), e); }

class Graphs : public Properties {
 public:
  using Properties::Properties;
  using Properties::property;
  using Properties::weights;

  template <class T>
  T* property(const irgl_graph& of, int k, size_t count) {
    T* const array = static_cast<T*>(of.properties[k]);
    return is_there(of) && array != nullptr ? lend(array, count) : property<T>(of.properties[k], count);
  }
  template <class T>
  T* weights(const irgl_graph& of, int k, size_t count) {
    return is_there(of) ? property<T>(of, k, count) : weights<T>(of.properties[k], count);
  }
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
    if (is_there(from)) use(g, host);
    else place(g, host);
  }
  irgl_form form(const irgl_graph& of, int k) {
    irgl_form found = of.forms[k];
    for (int i = 0; i < IRGL_FORM_ARRAYS && !is_there(of); ++i)
      found.arrays[i] = over(static_cast<const char*>(found.arrays[i]), size_t(found.bytes[i]));
    return found;
  }
  // Copies a graph of the host over.
  void place(Csr& g, const Csr& host) {
    g = host;
    const size_t n = size_t(host.n), m = size_t(host.m);
    g.row = over(host.row, n + 1);
    g.cols = over(host.cols, m);
    g.in_row = over(host.in_row, n + 1);
    g.in_cols = over(host.in_cols, m);
    g.in_eid = over(host.in_eid, m);
    know(g, host);
  }
  void* keep(size_t bytes) {  // zeroed memory of the host, until the end
    void* p = calloc(bytes + 1, 1);
    if (p == nullptr) check(cudaErrorMemoryAllocation);
    return kept_.add(p);
  }
  const HostCsr& host(const Csr& g) {
    for (const HostCsr& known : graphs_)
      if (known.row.device == g.row && known.in_row.device == g.in_row) return known;
    return nowhere_;
  }
  void take(Csr& g, const Csr& made) {
    g = made;
    know(g, Csr());
  }

 protected:
  static bool is_there(const irgl_graph& g) { return (g.flags & IRGL_GRAPH_ON_DEVICE) != 0; }
  void use(Csr& g, const Csr& there) {
    g = there;
    const size_t n = size_t(g.n), m = size_t(g.m);
    lend(g.row, n + 1), lend(g.cols, m), lend(g.in_row, n + 1), lend(g.in_cols, m), lend(g.in_eid, m);
    know(g, Csr());
  }
  void know(Csr& g, const Csr& host) {
    g.max_degree = widest(g.row, g.n);
    g.max_in_degree = g.in_row == g.row ? g.max_degree : widest(g.in_row, g.n);
    graphs_.add({g.n, g.m, {this, g.row, host.row}, {this, g.cols, host.cols}, {this, g.in_row, host.in_row},
                 {this, g.in_cols, host.in_cols}, {this, g.in_eid, host.in_eid}});
  }
  // What is the same array stays one: an undirected graph's transpose is itself, and some forms keep the rows' arrays.
  template <class T>
  const T* over(const T* host, size_t count) {
    if (host == nullptr) return nullptr;
    for (const Array& known : arrays_)
      if (known.host == host && known.bytes == count * sizeof(T)) return static_cast<const T*>(known.device);
    T* device = allocate_array<T>(count);
    if (count < 2) zero(device, (count * sizeof(T) + 15) / 8 * 8);  // what faults in an empty graph go on with
    copy_in(device, host, count * sizeof(T));
    arrays_.add({host, count * sizeof(T), device});
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
    for (const Array& a : arrays_) release(a.device);
    for (void* p : kept_) free(p);
  }
  ~Graphs() = default;

  Places<HostCsr> graphs_;
  HostCsr nowhere_{};
  struct Array {
    const void* host;
    size_t bytes;
    void* device;
  };
  Table<Array> arrays_;
  Table<void*> kept_;
};

}  // namespace irgl
