// Rounds of little work in an outlined loop: the first block runs them alone, with barriers of its own, while the
// others wait at one barrier of the grid.
//
//     irgl::few(RANGE)   is so little to be done for its items, and their edges, that one block is enough?
//     if (irgl::regroup(t, saved, s, at, few)) goto regrouped;
// stands before an invocation, the same for all threads that come to it. The first block goes on behind it, and so do
// all others unless it is time for them to wait; they come back when there is more to do, to the place `at` of a state
// `s` as the first block has it by then, or to none where the loop has ended.
#pragma once
#include "ranges.cuh"
#include "thread.cuh"

namespace irgl {

// A round that the whole grid takes costs each of its blocks a turn, and a barrier of the grid or more: 1 us each on an
// H200, where the first block's turn over as many items as it has threads takes longer.
constexpr size_t few_items = block_size, few_edges = 8 * few_items;

template <class R>
IRGL_BOTH bool few(const R& range) {
  if constexpr (R::weighted) return range.size() <= few_items && range.size() * range.heaviest <= few_edges;
  else return range.size() <= few_items;
}

template <class State>
IRGL_DEVICE bool regroup(Thread& t, State* saved, State& s, int at, bool few) {
  if (few == t.solo || gridDim.x == 1) return false;
  Control& c = *t.control;
  if (few) {
    t.meet();  // all have read how much there is to do
    t.solo = blockIdx.x == 0;
    if (t.solo) return false;
  } else if (t.first()) {
    s.at = at;
    *saved = s;
    c.passed = t.barriers, c.summed = t.summed, c.waits = t.halted;
  }
  t.meet();
  if (t.solo) return t.solo = false;
  t.over = c.over != 0;
  s = *saved;
  if (t.over) s.at = -1;
  t.barriers = c.passed, t.summed = c.summed, t.halted = c.waits != 0;
  return true;
}

}  // namespace irgl
