// cooperative_groups::inclusive_scan and exclusive_scan over tiles and coalesced threads.
#pragma once
#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Op>
IRGL_EMU_MEMBER T inclusive_scan(const Group& g, T v, Op op) {
  const unsigned rank = g.thread_rank();
  T r = g.shfl(v, 0);
  for (unsigned i = 1; i < g.size(); i++) {
    const T next = g.shfl(v, i);
    if (i <= rank) r = op(r, next);
  }
  return r;
}
template <class Group, class T>
IRGL_EMU_MEMBER T inclusive_scan(const Group& g, T v) {
  return inclusive_scan(g, v, plus<T>());
}
// The first thread gets T().
template <class Group, class T, class Op>
IRGL_EMU_MEMBER T exclusive_scan(const Group& g, T v, Op op) {
  const T r = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? T() : r;
}
template <class Group, class T>
IRGL_EMU_MEMBER T exclusive_scan(const Group& g, T v) {
  return exclusive_scan(g, v, plus<T>());
}

}  // namespace cooperative_groups
