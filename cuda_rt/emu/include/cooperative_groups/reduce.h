// cooperative_groups::reduce over tiles and coalesced threads.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

#define IRGL_EMU_OPERATOR(name, how)                             \
  template <class T>                                             \
  struct name {                                                  \
    IRGL_EMU_MEMBER T operator()(T a, T b) const { return how; } \
  };
IRGL_EMU_OPERATOR(plus, a + b)
IRGL_EMU_OPERATOR(less, b < a ? b : a)
IRGL_EMU_OPERATOR(greater, a < b ? b : a)
IRGL_EMU_OPERATOR(bit_and, a& b)
IRGL_EMU_OPERATOR(bit_or, a | b)
IRGL_EMU_OPERATOR(bit_xor, a ^ b)
#undef IRGL_EMU_OPERATOR

template <class Group, class T, class Op>
IRGL_EMU_MEMBER T reduce(const Group& g, T v, Op op) {
  T r = g.shfl(v, 0);
  for (unsigned i = 1; i < g.size(); i++) r = op(r, g.shfl(v, i));
  return r;
}
template <class Group, class Params, class T, class Op>
IRGL_EMU_MEMBER void reduce_store_async(const Group& g, Params* to, T v, Op op) {
  const T r = reduce(g, v, op);
  if (g.thread_rank() == 0) *to = r;
}
template <class Group, class Atomic, class T, class Op>
IRGL_EMU_MEMBER void reduce_update_async(const Group& g, Atomic& to, T v, Op op) {
  const T r = reduce(g, v, op);
  if (g.thread_rank() != 0) return;
  T was = to.load();
  while (!to.compare_exchange_weak(was, op(was, r))) {
  }
}

}  // namespace cooperative_groups
