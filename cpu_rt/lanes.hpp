// Rows in lanes: a loop over all nodes and their edges takes K nodes at once, by vector instructions.
//
//     irgl::for_each(c, irgl::parts(irgl::lanes<K>(F)), REDUCERS..., [=](irgl::Thread&, auto&, irgl::Part part, ACCS&...) {
//       irgl::InLanes<double, K> kept_sum;                                  // a number for each of the part's nodes
//       irgl::each_row(irgl::lanes<K>(F), part, [&](node_t n, size_t k) {...});
//       irgl::each_edge(irgl::lanes<K>(F), part, [&](node_t n, size_t k, node_t far, edge_t place, auto&& kept_sum) {
//         kept_sum[k] += ...;                                               // arithmetic, and what it reads, alone
//       }, irgl::sum(kept_sum));
//       irgl::rows_in_lanes(irgl::lanes<K>(F), part, [&](node_t n, size_t k, SUMS&...) {...}, SUMS...);
//     });
// A part is K nodes in a row. Edges are taken column by column, a lane for each node, as far as half a row of lanes goes;
// what nodes have that are longer is taken along their rows, and so is all where hardly a lane would have work. K is said,
// or irgl::lanes_here: what pays on the machine that the unit is built for (measure_lanes.hpp).
#pragma once
#include "gathering.hpp"  // before all others

#include "by_degree.hpp"
#include "inner.hpp"
#include "rows.hpp"
#include "sweep.hpp"

namespace irgl {

#ifndef IRGL_LANES  // where nobody has measured
#if defined(__AVX512F__)
#define IRGL_LANES 16
#elif defined(__AVX2__)
#define IRGL_LANES 8
#else
#define IRGL_LANES 1
#endif
#endif
constexpr int lanes_here = IRGL_LANES;

template <int K>
struct Lanes { Rows rows; };
template <int K>
IRGL_INLINE Lanes<K> lanes(const Rows& f) { return {f}; }

template <int K>
IRGL_INLINE size_t part_count(const Lanes<K>& f) { return (size_t(f.rows.n) + K - 1) / K; }
template <int K>
IRGL_INLINE size_t rows_in(const Lanes<K>& f, Part p) {
  const size_t left = size_t(f.rows.n) - p.index * K;
  return left < K ? left : K;
}

// Parts, cut where as many edges and nodes lie before as behind.
template <int K>
struct LaneParts : Shares<Part> {
  static_assert(64 % K == 0, "chunks begin at multiples of 64 nodes");
  ByDegree<Interval<node_t>, false, detail::AskRows<>> nodes;
  explicit LaneParts(const Lanes<K>& f)
      : Shares(part_count(f), size_t(f.rows.m) + size_t(f.rows.n)), nodes(even(f.rows, Interval<node_t>(0, f.rows.n))) {}
  size_t cost() const { return K; }
  size_t cut(size_t chunks, size_t k) const { return k >= chunks ? size() : nodes.cut(chunks, k) / K; }
};
template <int K>
IRGL_INLINE LaneParts<K> parts(const Lanes<K>& f) { return LaneParts<K>(f); }

// A value for each of K nodes.
template <class T, int K>
struct InLanes {
  alignas(64) T value[K];
  IRGL_INLINE T& operator[](size_t k) { return value[k]; }
};

// What the edges of a part combine into: as reducers.hpp has it of a single variable.
template <class T, int K, class Op>
struct LaneReducer {
  using type = T;
  InLanes<T, K>& kept;
  struct OfLane {  // what one lane has meanwhile, in place of what is kept for its node
    T& value;
    IRGL_INLINE T& operator[](size_t) const { return value; }
  };
  IRGL_INLINE auto of(size_t k) const {
    if constexpr (std::is_same_v<Op, detail::Add>) return irgl::sum(kept.value[k]);
    else if constexpr (std::is_same_v<Op, detail::Min>) return irgl::min_of(kept.value[k]);
    else if constexpr (std::is_same_v<Op, detail::Max>) return irgl::max_of(kept.value[k]);
    else if constexpr (std::is_same_v<Op, detail::Or>) return irgl::bit_or(kept.value[k]);
    else return irgl::bit_and(kept.value[k]);
  }
};
template <class T, int K>
IRGL_INLINE LaneReducer<T, K, detail::Add> sum(InLanes<T, K>& x) { return {x}; }
template <class T, int K>
IRGL_INLINE LaneReducer<T, K, detail::Min> min_of(InLanes<T, K>& x) { return {x}; }
template <class T, int K>
IRGL_INLINE LaneReducer<T, K, detail::Max> max_of(InLanes<T, K>& x) { return {x}; }
template <class T, int K>
IRGL_INLINE LaneReducer<T, K, detail::Or> bit_or(InLanes<T, K>& x) { return {x}; }
template <class T, int K>
IRGL_INLINE LaneReducer<T, K, detail::And> bit_and(InLanes<T, K>& x) { return {x}; }

template <int K, class Op>
IRGL_INLINE void each_row(const Lanes<K>& f, Part p, Op&& op) {  // in turn: they may share something
  const node_t first = node_t(p.index * K);
  for (size_t k = 0; k < rows_in(f, p); ++k) op(first + node_t(k), k);
}
template <int K, class Op, class... Sums>
IRGL_INLINE void rows_in_lanes(const Lanes<K>& f, Part p, Op&& op, Sums&... sums) {
  const int64_t first = int64_t(p.index * K);
  const auto node = [](int64_t i) { return node_t(i); };
  if (rows_in(f, p) == K) detail::in_lanes(first, first + K, node, op, sums...);
  else
    for (size_t k = 0; k < rows_in(f, p); ++k) op(node_t(first) + node_t(k), k, sums...);
}

namespace detail {
// What one lane does: where it is on, its values change. Whether or not, it reads, so that the place has to be an edge's.
template <class Op, class... R>
IRGL_INLINE void lane(bool on, Op& op, node_t n, size_t k, node_t far, edge_t place, typename R::type&... of,
                      typename R::type... mine) {
  op(n, k, far, place, typename R::OfLane{mine}...);
  ((of = on ? mine : of), ...);
}
// A row, edge by edge, as a nested loop runs that has no lanes.
template <int K, class Op, class... R>
IRGL_INLINE void along(Thread& t, const Lanes<K>& f, node_t n, size_t k, Op& op, const R&... into) {
  SerialInner().for_each(t, edges(f.rows, n), into.of(k)..., [&](Thread&, auto&, edge_t e, typename R::type&... of) {
    op(n, k, f.rows.cols[e], e, typename R::OfLane{of}...);
  });
}
}  // namespace detail

template <int K, class Op, class... R>
IRGL_INLINE void each_edge(Thread& t, const Lanes<K>& f, Part p, Op&& op, const R&... into) {
  const node_t first = node_t(p.index * K);
  const edge_t* const row = f.rows.row + first;
  const node_t* const cols = f.rows.cols;
  const size_t count = rows_in(f, p);
  if (count < K || K == 1) {
    for (size_t k = 0; k < count; ++k) detail::along(t, f, first + node_t(k), k, op, into...);
    return;
  }
  alignas(64) edge_t begin[K];
  alignas(64) edge_t degree[K];
  edge_t most = 0;
#pragma omp simd reduction(max : most)
  for (int k = 0; k < K; ++k) {
    begin[k] = row[k];
    degree[k] = row[k + 1] - row[k];
    most = degree[k] > most ? degree[k] : most;
  }
  if (most > K / 2) {
    edge_t few = 0;  // edges of the nodes that have few
    most = 0;
    for (int k = 0; k < K; ++k) {
      if (degree[k] > K / 2) continue;
      few += degree[k];
      most = degree[k] > most ? degree[k] : most;
    }
    const edge_t longest = few * 4 < most * K ? 0 : K / 2;  // of what is taken by columns
    if (longest == 0) most = 0;
    for (int k = 0; k < K; ++k) {
      if (degree[k] <= longest) continue;
      detail::along(t, f, first + node_t(k), size_t(k), op, into...);
      degree[k] = 0;
    }
  }
  using Place = std::make_unsigned_t<edge_t>;  // which does not wrap around behind the last of all edges
  const Place last = Place(f.rows.m) - 1;
  for (edge_t i = 0; i < most; ++i) {
#pragma omp simd
    for (int k = 0; k < K; ++k) {
      const Place next = Place(begin[k]) + Place(i);
      const edge_t place = edge_t(next < last ? next : last);
      detail::lane<Op, R...>(i < degree[k], op, first + node_t(k), size_t(k), cols[place], place, into.kept.value[k]...,
                             into.kept.value[k]...);
    }
  }
}

}  // namespace irgl
