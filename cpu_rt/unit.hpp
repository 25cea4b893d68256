// What every generated unit shares around its kernels: the context's common part, and the call's arguments unpacked.
#pragma once
#include <stdio.h>

#include <chrono>
#include <new>

#include "abi.hpp"
#include "irgl.hpp"
#include "math.hpp"

namespace irgl {

struct UnitRuntime : Runtime {
  using Runtime::Runtime;
  volatile int32_t* stop = nullptr;
  int64_t rounds = 0;
  uint64_t seed = 0, drawn = 0;
  const UnitRuntime* before = nullptr;  // of the part of the Program that stands before this one's (beside.hpp)
  Sources sources;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  // A fault, in what stands before, too, or the user's interrupt ends every host loop before its next round.
  bool halted() const { return failed() || (stop != nullptr && *stop != 0); }
  bool failed() const { return faulted() != 0 || (before != nullptr && before->failed()); }
  // Seconds since the run began.
  double clock() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); }
  int64_t random(int64_t k) { return k <= 0 ? 0 : int64_t(hash(seed + drawn++) % uint64_t(k)); }
};

// What a kernel returns: ReduceAndReturn's values combined both ways, and whether there was any item at all.
struct Value {
  bool any = false, all = true, items = false;
};

inline void configure(UnitRuntime& c, const irgl_run_args* a) {
  c.worklist_capacity = size_t(a->worklist_capacity);
  c.serial_work = size_t(a->serial);
  c.chunk_work = size_t(a->grain);
  c.giant = size_t(a->giant);
  if (a->fuse > 0) c.fuse_limit = size_t(a->fuse);
  c.seed = uint64_t(a->seed);
  c.stop = a->stop;
}

inline void view(Csr& g, const irgl_graph& from) {
  if ((from.flags & IRGL_GRAPH_ON_DEVICE) != 0) throw std::bad_alloc();  // memory that is out of reach
  g.n = node_t(from.nodes);
  g.m = edge_t(from.edges);
  g.row = static_cast<const edge_t*>(from.row);
  g.cols = static_cast<const node_t*>(from.cols);
  g.in_row = static_cast<const edge_t*>(from.in_row);
  g.in_cols = static_cast<const node_t*>(from.in_cols);
  g.in_eid = static_cast<const edge_t*>(from.in_eid);
  g.directed = (from.flags & IRGL_GRAPH_DIRECTED) != 0;
}

inline irgl_graph argument(const Csr& g, void** properties) {
  return {int64_t(g.n), int64_t(g.m), g.row, g.cols, g.in_row, g.in_cols, g.in_eid, properties,
          g.directed ? int64_t(IRGL_GRAPH_DIRECTED) : 0, 0, nullptr};
}

template <class T>
T param(const irgl_run_args* a, int index) { return *static_cast<const T*>(a->params[index]); }

// Numbers made into nodes and edges: one outside the graph is a fault, and stands for the first until the run ends.
IRGL_INLINE node_t node_at(UnitRuntime& c, const Csr& g, int64_t i, int64_t place) {
  if (__builtin_expect(uint64_t(i) >= uint64_t(g.n), 0)) return c.fault(place | access_fault), node_t(0);
  return node_t(i);
}
IRGL_INLINE edge_t edge_at(UnitRuntime& c, const Csr& g, int64_t i, int64_t place) {
  if (__builtin_expect(uint64_t(i) >= uint64_t(g.m), 0)) return c.fault(place | access_fault), edge_t(0);
  return edge_t(i);
}
// A node or edge that may be NONE, where something of it is used: the same.
template <class I>
IRGL_INLINE I some(UnitRuntime& c, I item, int64_t place) {
  if (__builtin_expect(item < 0, 0)) return c.fault(place | access_fault), I(0);
  return item;
}
// Before a set takes what a range holds: it takes no NONE.
template <class R>
void refuse_none(UnitRuntime& c, const R& range, int64_t place) {
  for_each(c, range, [&c, place](Thread&, auto&, typename R::item x) { some(c, x, place); });
}
// Does a loop have to end, because it may never find its own end behind a fault?
IRGL_INLINE bool faulted(const UnitRuntime& c) { return c.failed(); }
IRGL_INLINE edge_t nth(UnitRuntime& c, const Interval<edge_t>& edges, int64_t k, int64_t place) {
  if (__builtin_expect(uint64_t(k) >= edges.size(), 0)) return c.fault(place | access_fault), edge_t(0);
  return edge_t(edges.lo + edge_t(k));
}
// Where value k of the K that each node has lies: those of a node one behind the other.
template <int64_t K, class I>
IRGL_INLINE size_t slot(I node, int64_t k) {
  return size_t(node) * size_t(K) + size_t(k);
}
template <int64_t K, class I>
IRGL_INLINE size_t slot(UnitRuntime& c, I node, int64_t k, int64_t place) {
  if (__builtin_expect(uint64_t(k) >= uint64_t(K), 0)) return c.fault(place | access_fault), slot<K>(node, 0);
  return slot<K>(node, k);
}

// The run itself, with all threads at hand where a graph is large enough for them. (Elsewhere a loop calls them.)
template <class F>
int with_helpers(UnitRuntime& c, const irgl_run_args* a, F run) {
  size_t most = 0;
  for (int64_t k = 0; k < a->num_graphs; ++k) most += size_t(a->graphs[k].nodes) + size_t(a->graphs[k].edges);
  if (c.threads() == 1 || !c.worth_helpers(most)) return run();
  c.large = most > 100000;
  struct Run { F& run; int result; } host{run, 0};
  c.team.together(c.threads(), [](void* of) { static_cast<Run*>(of)->result = static_cast<Run*>(of)->run(); }, &host);
  return host.result;
}

inline int finish(UnitRuntime& c, irgl_run_args* a) {
  a->stats[IRGL_STAT_ROUNDS] += c.rounds;
  a->stats[IRGL_STAT_WORKLIST_GROWTHS] += c.stats.worklist_growths;
  a->stats[IRGL_STAT_PARALLEL_REGIONS] += c.stats.parallel_loops;
  a->stats[IRGL_STAT_SERIAL_ROUNDS] += c.stats.serial_loops;
  a->stats[IRGL_STAT_GIANT_ITEMS] += c.stats.giants;
  a->stats[IRGL_STAT_INVOCATIONS] += c.stats.parallel_loops + c.stats.serial_loops;
  if (c.faulted() != 0) {
    const Fault f(c.faulted());
    a->fault[0] = f.stop ? IRGL_FAULT_STOP : f.access ? IRGL_FAULT_ACCESS : IRGL_FAULT_DIVISION;
    a->fault[1] = f.line;
    a->fault[2] = f.column;
    a->fault[3] = f.source;
    a->fault[4] = f.width;
    return 1;
  }
  if (c.stop != nullptr && *c.stop != 0) {
    a->fault[0] = IRGL_FAULT_STOPPED;
    return 1;
  }
  return 0;
}

inline int out_of_memory(irgl_run_args* a) {
  a->fault[0] = IRGL_FAULT_MEMORY;
  for (int64_t k = 0; k < a->num_graphs; ++k)
    if ((a->graphs[k].flags & IRGL_GRAPH_ON_DEVICE) != 0) a->fault[0] = IRGL_FAULT_DEVICE;
  return 1;
}

// A list's items in a row, for the sequential For of the host: the values copied once.
template <class R>
struct Sequence {
  using T = typename R::item;
  Array<T> items;
  size_t count = 0;
  explicit Sequence(const R& range) : items(held(range) + 1) {
    range.visit(0, range.size(), [this](T x) { items[count++] = x; });
  }
  const T* begin() const { return items.data(); }
  const T* end() const { return items.data() + count; }
  static size_t held(const R& range) {
    size_t found = 0;  // the size is in positions: of a bitmap, and of a large set, these are words
    range.visit(0, range.size(), [&found](T) { ++found; });
    return found;
  }
};
template <class R>
Sequence<R> sequence(const R& range) { return Sequence<R>(range); }

// Edges of a node without the first k.
template <class I>
Interval<I> skip(const Interval<I>& edges, int64_t k) {
  return {k <= 0 ? edges.lo : k < int64_t(edges.hi) - int64_t(edges.lo) ? I(edges.lo + I(k)) : edges.hi, edges.hi};
}

// Edges of a node, or none.
template <class I>
Interval<I> when(const Interval<I>& edges, bool wanted) {
  return {edges.lo, wanted ? edges.hi : edges.lo};
}

}  // namespace irgl
