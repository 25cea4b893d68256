// A CUDA thread as operators see it, the part of the context that lives on the device, and the grid's barrier.
//
//     irgl::Thread t(c);       first statement of a kernel; one per CUDA thread, passed by reference
//     t.sync()                 all threads of the grid meet, and what they wrote is seen; cooperative launches only
//     t.halted                 after a sync, the same for the whole grid: a fault happened or the user interrupted
//     c.fault(place)           keeps the first place that faulted
#pragma once
#include <cooperative_groups.h>

#include "math.cuh"

namespace irgl {

// A place in the user's text as one number, as in cpu_rt/runtime.hpp: width 0: up to the end of the line; column 0: the
// whole line. What does not fit becomes 0.
IRGL_BOTH constexpr int64_t at(int64_t line, int64_t column, int64_t width, int64_t source = 0) {
  const bool narrow = width < 1 << 14, near = column < 1 << 14;
  return source << 52 | (line & 0xffffff) << 28 | (near ? column : 0) << 14 | (near && narrow ? width : 0);
}
// What a fault is: a place, its kind, and a bit that is always set.
constexpr int64_t access_fault = int64_t(1) << 60;  // outside of its bounds or through NONE; else a division by zero
constexpr int64_t any_fault = int64_t(1) << 61;
constexpr int64_t memory_fault = int64_t(1) << 62;  // something overflowed where nothing could take the rest
constexpr int64_t stop_fault = memory_fault | access_fault;  // the program itself said stop

// The first words of the device's first page (runtime.cuh), zero at the start of a run; halted and sums of each
// outlined loop.
struct Control {
  long long fault;
  int stop;            // the host writes it when the user interrupts
  int reserved;
  int halted[2];       // what thread 0 publishes before a barrier, by parity
  counter_t sums[3];   // of reductions over the grid, in rotation
  unsigned passed, summed;  // what the first block hands to those that waited (few.cuh): as in Thread
  int waits, over;          // are they to halt; has the loop ended without them?
  counter_t barriers;  // statistics of outlined loops
  counter_t rounds;
  unsigned* scratch;   // the slab of scratch sets (scratch.cuh): words of each, of which the first are its log
  unsigned scratch_words, scratch_log;
  counter_t* shares;   // a word for each block of a grid (even.cuh)
};
static_assert(sizeof(Control) == 104);

struct DeviceRuntime {
  Control* control = nullptr;
  IRGL_DEVICE void fault(int64_t place) const {
    if (load(control->fault) == 0) atomic_cas(control->fault, 0, (long long)(place | any_fault));
  }
};

// What kernels take of the context, by value.
template <class Scalars>
struct Device : DeviceRuntime {
  Scalars* globals = nullptr;
};

enum Alone { alone };  // a kernel of one thread, which stands for the whole grid: its barriers are passed at once

struct Thread {
  Control* control;
  bool is_alone = false;
  bool halted = false;
  bool solo = false;      // is it of the first block, which stands for the whole grid for a while (few.cuh)?
  bool over = false;      // did the loop end while it waited for the first block?
  unsigned barriers = 0;  // passed since the launch
  unsigned met = 0;       // of the whole grid
  unsigned summed = 0;    // reductions over the grid since the launch
  int64_t rounds = 0;     // of the outlined loop, for the statistics
  unsigned open = 0;      // scratch sets

  IRGL_DEVICE explicit Thread(const DeviceRuntime& c) : control(c.control) {}
  IRGL_DEVICE Thread(const DeviceRuntime& c, Alone) : control(c.control), is_alone(true) { sync(); }
  IRGL_DEVICE bool first() const { return blockIdx.x == 0 && threadIdx.x == 0; }
  IRGL_DEVICE unsigned blocks() const { return solo ? 1 : gridDim.x; }
  IRGL_DEVICE size_t rank() const { return size_t(blockIdx.x) * block_size + threadIdx.x; }
  IRGL_DEVICE size_t count() const { return size_t(blocks()) * block_size; }
  IRGL_DEVICE void fault(int64_t place) const { DeviceRuntime{control}.fault(place); }

  IRGL_DEVICE void meet() {
    cooperative_groups::this_grid().sync();
    ++met;
  }
  // The slot that is written before one barrier is read after it and not written again before the next but one: so the
  // value is the same for all without a second barrier.
  IRGL_DEVICE void sync() {
    if (is_alone) {
      halted = load(control->fault) != 0 || load(control->stop) != 0;
      return;
    }
    int* slot = &control->halted[barriers & 1];
    if (first()) *slot = load(control->fault) != 0 || load(control->stop) != 0;
    if (solo) __syncthreads();
    else meet();
    halted = *slot != 0;
    ++barriers;
  }
};

// The end of an outlined loop, called by all threads: its state goes back to where it came from, to be taken up again
// at `at` (0: it ran to its end). The barrier stands before the store, for others may not have read their copy yet.
template <class State>
IRGL_DEVICE void leave(Thread& t, State* saved, State& s, int at) {
  if (t.over) return;
  t.sync();
  if (t.first()) {
    s.at = at;
    *saved = s;
    t.control->barriers += t.met + t.solo;
    t.control->rounds += counter_t(t.rounds);
    t.control->over = 1;
  }
  if (t.solo) t.meet();  // the others, which wait
}

// Quotient and remainder; by zero: a fault, and 0.
template <class T>
IRGL_DEVICE T idiv(const DeviceRuntime& c, T a, same_t<T> b, int64_t place) {
  if (b == 0) return c.fault(place), T(0);
  return detail::quotient<T>(a, b);
}
template <class T>
IRGL_DEVICE T imod(const DeviceRuntime& c, T a, same_t<T> b, int64_t place) {
  if (b == 0) return c.fault(place), T(0);
  return detail::remainder<T>(a, b);
}

// Numbers made into nodes and edges: one outside the graph is a fault, and stands for the first until the run ends.
IRGL_DEVICE node_t node_at(const DeviceRuntime& c, const Csr& g, int64_t i, int64_t place) {
  if (uint64_t(i) >= uint64_t(g.n)) return c.fault(place | access_fault), node_t(0);
  return node_t(i);
}
IRGL_DEVICE edge_t edge_at(const DeviceRuntime& c, const Csr& g, int64_t i, int64_t place) {
  if (uint64_t(i) >= uint64_t(g.m)) return c.fault(place | access_fault), edge_t(0);
  return edge_t(i);
}
// A node or edge that may be NONE, where something of it is used: the same.
template <class I>
IRGL_DEVICE I some(const DeviceRuntime& c, I item, int64_t place) {
  if (item < 0) return c.fault(place | access_fault), I(0);
  return item;
}
// Where value k of the K that each node has lies: those of a node one behind the other.
template <int64_t K, class I>
IRGL_BOTH size_t slot(I node, int64_t k) {
  return size_t(node) * size_t(K) + size_t(k);
}
template <int64_t K, class I>
IRGL_DEVICE size_t slot(const DeviceRuntime& c, I node, int64_t k, int64_t place) {
  if (uint64_t(k) >= uint64_t(K)) return c.fault(place | access_fault), slot<K>(node, 0);
  return slot<K>(node, k);
}
// Does a loop have to end, because it may never find its own end behind a fault?
IRGL_DEVICE bool faulted(const DeviceRuntime& c) { return load(c.control->fault) != 0; }

}  // namespace irgl
