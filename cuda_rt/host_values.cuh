// Host code: quotient and remainder, nodes and edges by number, the k-th of some edges, and items that are not NONE.
// What can't be is a fault at `place`.
#pragma once
#include "graph.cuh"

namespace irgl {

template <class T>
T idiv(HostBase& c, T a, same_t<T> b, int64_t place) {
  if (b == 0) return c.fault(place), T(0);
  return detail::quotient<T>(a, b);
}
template <class T>
T imod(HostBase& c, T a, same_t<T> b, int64_t place) {
  if (b == 0) return c.fault(place), T(0);
  return detail::remainder<T>(a, b);
}
inline node_t node_at(HostBase& c, const Csr& g, int64_t i, int64_t place) {
  if (uint64_t(i) >= uint64_t(g.n)) return c.fault(place | access_fault), node_t(0);
  return node_t(i);
}
inline edge_t edge_at(HostBase& c, const Csr& g, int64_t i, int64_t place) {
  if (uint64_t(i) >= uint64_t(g.m)) return c.fault(place | access_fault), edge_t(0);
  return edge_t(i);
}
inline edge_t nth(HostBase& c, const Interval<edge_t>& edges, int64_t k, int64_t place) {
  if (uint64_t(k) >= edges.size()) return c.fault(place | access_fault), edge_t(0);
  return edge_t(edges.lo + edge_t(k));
}
template <class I>
I some(HostBase& c, I item, int64_t place) {
  if (item < 0) return c.fault(place | access_fault), I(0);
  return item;
}
// As kernels have it (thread.cuh).
template <int64_t K, class I>
size_t slot(HostBase& c, I node, int64_t k, int64_t place) {
  if (uint64_t(k) >= uint64_t(K)) return c.fault(place | access_fault), slot<K>(node, 0);
  return slot<K>(node, k);
}

}  // namespace irgl
