// Graphs made from graphs, as cpu_rt/transform.hpp makes them: on the device, in its memory.
//
//     irgl::OwnedGraph h = irgl::oriented(c, g)      h.old_edge[e] is the edge of g; oriented<true> also has in-edges
//     T* w = irgl::along(c, h, g.w)                  the values of h's edges, which have those of g
// g: simple and undirected. Nodes are renumbered by decreasing degree (ties by id), each edge is kept once, from its
// end of higher new id to the lower: no node has more than sqrt(2 m) out-edges (Chiba and Nishizeki, 1985). Rows
// ascend. Loops are dropped. h.csr is the view that kernels take; its arrays belong to the context.
// A thread has an edge, whatever the degree of its node, which it finds by halves. One bit says of each edge whether
// it is kept, so that where the kept ones go is a sum. A row's edge comes behind those of lower ends, which it counts:
// O(m log n + sum d^2) work for the new degrees d, what going through the rows of neighbours takes; m + 3 n words for
// the while.
#pragma once
#include "context.cuh"
#include "radix.cuh"

namespace irgl {

struct OwnedGraph {
  Csr csr;
  const edge_t* old_edge = nullptr;  // of the device
};

namespace detail {

struct FallingDegree {
  const edge_t* row;
  edge_t top;
  IRGL_DEVICE counter_t operator()(node_t v) const { return counter_t(top - (row[v + 1] - row[v])); }
};
struct ByEnd {
  const node_t* cols;
  IRGL_DEVICE counter_t operator()(edge_t e) const { return counter_t(cols[e]); }
};

struct Orienting {
  Csr g;
  const node_t* order;  // old ids by new ones
  node_t* rank;         // and the other way round
  unsigned* bits;       // of each edge of g: is it kept?
  edge_t* before;       // by word of these: how many are in those before
  node_t* ends;         // of the kept edges, in g's order: new ids
  edge_t* edges;        // and which edges of g they are

  IRGL_BOTH size_t words() const { return size_t(g.m) / 32 + 1; }  // and so a bit behind the last edge
  IRGL_DEVICE bool keeps(edge_t e) const { return (bits[e / 32] >> (e % 32) & 1) != 0; }
  IRGL_DEVICE edge_t place(edge_t e) const {  // how many are kept before e
    return before[e / 32] + edge_t(__popc(bits[e / 32] & ((1u << (e % 32)) - 1)));
  }
  IRGL_DEVICE Interval<edge_t> places(node_t v) const { return {place(g.row[v]), place(g.row[v + 1])}; }
};
IRGL_DEVICE size_t grid_rank() { return size_t(blockIdx.x) * block_size + threadIdx.x; }
IRGL_DEVICE size_t grid_size() { return size_t(gridDim.x) * block_size; }

// Kernels are templates, so that a unit that makes no such graph has none of them.
template <class Node>
__global__ void invert_kernel(const Node* order, size_t count, Node* rank) {
  for (size_t k = grid_rank(); k < count; k += grid_size()) rank[order[k]] = Node(k);
}
template <class A>
__global__ void choose_kernel(A a) {  // a warp for each word
  for (size_t w = grid_rank() / warp_size; w < a.words(); w += grid_size() / warp_size) {
    const size_t e = w * 32 + lane_id();
    const bool is_kept = e < size_t(a.g.m) && a.rank[a.g.cols[e]] < a.rank[source(a.g, edge_t(e))];
    const unsigned word = __ballot_sync(all_lanes, is_kept);
    if (lane_id() == 0) a.bits[w] = word, a.before[w] = edge_t(__popc(word));
  }
}
template <class A>
__global__ void measure_kernel(A a, edge_t* row) {  // the lengths of the new rows, and 0 behind them
  for (size_t u = grid_rank(); u <= size_t(a.g.n); u += grid_size())
    row[u] = u < size_t(a.g.n) ? edge_t(a.places(a.order[u]).size()) : edge_t(0);
}
template <class A>
__global__ void pack_kernel(A a) {
  for (size_t e = grid_rank(); e < size_t(a.g.m); e += grid_size()) {
    if (!a.keeps(edge_t(e))) continue;
    const edge_t k = a.place(edge_t(e));
    a.ends[k] = a.rank[a.g.cols[e]], a.edges[k] = edge_t(e);
  }
}
template <class A>
__global__ void sort_rows_kernel(A a, size_t count, const edge_t* row, node_t* cols, edge_t* old_edge) {
  for (size_t k = grid_rank(); k < count; k += grid_size()) {
    const edge_t e = a.edges[k];
    const node_t v = source(a.g, e), end = a.ends[k];
    edge_t to = row[a.rank[v]];
    for (edge_t i : a.places(v)) to += a.ends[i] < end || (a.ends[i] == end && size_t(i) < k);
    cols[to] = end, old_edge[to] = e;
  }
}

// In-edges come by their source: in g's order, for rows that begin where no key before is as great.
template <class Graph>
__global__ void in_edges_kernel(Graph g, const edge_t* order, edge_t* row, node_t* cols, edge_t* eid) {
  const size_t n = size_t(g.n), m = size_t(g.m);
  for (size_t k = grid_rank(); k < m; k += grid_size()) eid[k] = order[k], cols[k] = source(g, order[k]);
  for (size_t v = grid_rank(); v <= n; v += grid_size()) {
    size_t low = 0, high = m;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (size_t(g.cols[order[middle]]) < v) low = middle + 1;
      else high = middle;
    }
    row[v] = edge_t(low);
  }
}
template <class T>
__global__ void along_kernel(const edge_t* old_edge, size_t count, const T* values, T* taken) {
  for (size_t e = grid_rank(); e < count; e += grid_size()) taken[e] = values[old_edge[e]];
}

template <class T>
T* lasting(Graphs& c, size_t count) {  // an array that belongs to the context, which also fetches it for the host
  T* const array = c.property<T>(nullptr, count);
  if (count < 2) c.zero(array, (count * sizeof(T) + 15) / 8 * 8);  // as Graphs::over
  return array;
}

}  // namespace detail

template <bool in_edges = false>
OwnedGraph oriented(Graphs& c, const Csr& g) {
  using detail::Orienting;
  const size_t n = size_t(g.n), m = size_t(g.m);
  OwnedGraph h;
  const counter_t top = counter_t(g.max_degree);
  node_t* const order = radix_order<node_t>(c, n, detail::FallingDegree{g.row, g.max_degree}, top);
  Orienting a{g, order, c.allocate_array<node_t>(n), nullptr, nullptr, nullptr, nullptr};
  a.bits = c.allocate_array<unsigned>(a.words());
  a.before = c.allocate_array<edge_t>(a.words());
  c.launch(detail::invert_kernel<node_t>, n, order, n, a.rank);
  c.launch(detail::choose_kernel<Orienting>, a.words() * 32, a);
  exclusive_sums(c, a.before, a.words());
  edge_t* const row = detail::lasting<edge_t>(c, n + 1);
  c.launch(detail::measure_kernel<Orienting>, n + 1, a, row);
  exclusive_sums(c, row, n + 1);
  Csr made;
  made.n = g.n, made.row = row;
  c.copy_out(&made.m, row + n, sizeof made.m);
  const size_t kept = size_t(made.m);
  a.ends = c.allocate_array<node_t>(kept);
  a.edges = c.allocate_array<edge_t>(kept);
  node_t* const cols = detail::lasting<node_t>(c, kept);
  edge_t* const old_edge = detail::lasting<edge_t>(c, kept);
  c.launch(detail::pack_kernel<Orienting>, m, a);
  c.launch(detail::sort_rows_kernel<Orienting>, kept, a, kept, row, cols, old_edge);
  for (void* p : {static_cast<void*>(order), static_cast<void*>(a.rank), static_cast<void*>(a.bits),
                  static_cast<void*>(a.before), static_cast<void*>(a.ends), static_cast<void*>(a.edges)})
    c.release(p);
  made.cols = cols;
  if constexpr (in_edges) {
    edge_t* const by_end = radix_order<edge_t>(c, kept, detail::ByEnd{cols}, counter_t(n));
    edge_t *const in_row = detail::lasting<edge_t>(c, n + 1), *const in_eid = detail::lasting<edge_t>(c, kept);
    node_t* const in_cols = detail::lasting<node_t>(c, kept);
    c.launch(detail::in_edges_kernel<Csr>, kept > n + 1 ? kept : n + 1, made, by_end, in_row, in_cols, in_eid);
    c.release(by_end);
    made.in_row = in_row, made.in_cols = in_cols, made.in_eid = in_eid;
  }
  if (c.failed()) return h;
  c.take(h.csr, made);
  h.old_edge = old_edge;
  return h;
}

template <class T>
T* along(Graphs& c, const OwnedGraph& h, const T* values) {
  const size_t m = size_t(h.csr.m);
  T* const taken = detail::lasting<T>(c, m);
  c.launch(detail::along_kernel<T>, m, h.old_edge, m, values, taken);
  return c.failed() ? nullptr : taken;
}

}  // namespace irgl
