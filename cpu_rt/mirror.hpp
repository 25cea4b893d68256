// mirror(c, g, t, weight, to): the edge back of every edge of an undirected graph, as irgl/rt/graphs/graph.py finds it.
//
// t: what transpose(c, g) gives; weight: of the edges, or null. Of parallel edges the k-th one way, by weight, then by
// number, is the mirror image of the k-th the other way. False: g holds an edge of one direction. O(n + m log d) time.
#pragma once
#include "fill.hpp"
#include "transform.hpp"

namespace irgl {
namespace detail {
template <class T>
struct Arc {  // seen from one end of it
  node_t other;
  T weight;
  edge_t edge;
  friend bool operator<(const Arc& a, const Arc& b) {
    if (a.other != b.other) return a.other < b.other;
    return a.weight < b.weight || (!(b.weight < a.weight) && a.edge < b.edge);
  }
};
}  // namespace detail

template <class T>
bool mirror(Runtime& c, const Csr& g, const OwnedGraph& t, const T* weight, edge_t* to) {
  const Csr in = t.csr;
  const edge_t* from = t.old_edge.data();
  bool ok = true;
  for_each(c, nodes(g), all(ok), [=](Thread&, auto&, node_t v, bool& good) {
    if (g.row[v] != in.row[v] || degree(g.out(), v) != degree(in.out(), v)) return void(good = false);
    const size_t count = size_t(degree(g.out(), v));
    Array<detail::Arc<T>> arcs(3 * count);
    detail::Arc<T>* const out = arcs.data();
    detail::Arc<T>* const back = out + count;
    for (edge_t e = g.row[v]; e < g.row[v + 1]; ++e) {
      const edge_t k = e - g.row[v];
      out[k] = {g.cols[e], weight == nullptr ? T(0) : weight[e], e};
      back[k] = {in.cols[e], weight == nullptr ? T(0) : weight[from[e]], from[e]};
    }
    detail::merge_sort(out, back + count, count);
    detail::merge_sort(back, back + count, count);
    for (size_t k = 0; k < count; ++k) {
      good &= out[k].other == back[k].other;
      to[out[k].edge] = back[k].edge;
    }
  });
  return ok;
}

// Weights in the order of in-edges, which are there; those of an undirected graph are its edges.
template <class T>
Array<T> by_in_edges(Runtime& c, const Csr& g, const Array<T>& weights) {
  Array<T> out(size_t(g.m));
  const edge_t* const number = g.directed ? g.in_eid : nullptr;
  for_each(c, range<edge_t>(0, g.m), [&](Thread&, auto&, edge_t e) {
    out[size_t(e)] = weights[size_t(number != nullptr ? number[e] : e)];
  });
  return out;
}

}  // namespace irgl
