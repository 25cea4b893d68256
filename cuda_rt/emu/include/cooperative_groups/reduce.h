// cooperative_groups::reduce over tiles and coalesced threads.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T = void>
struct plus {
  IRGL_EMU_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T = void>
struct less {
  IRGL_EMU_MEMBER T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void>
struct greater {
  IRGL_EMU_MEMBER T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void>
struct bit_and {
  IRGL_EMU_MEMBER T operator()(T a, T b) const { return a & b; }
};
template <class T = void>
struct bit_or {
  IRGL_EMU_MEMBER T operator()(T a, T b) const { return a | b; }
};
template <class T = void>
struct bit_xor {
  IRGL_EMU_MEMBER T operator()(T a, T b) const { return a ^ b; }
};

template <class Group, class T, class Op>
IRGL_EMU_MEMBER T reduce(const Group& g, T v, Op op) {
  T r = g.shfl(v, 0);
  for (unsigned i = 1; i < g.size(); i++) r = op(r, g.shfl(v, i));
  return r;
}

}  // namespace cooperative_groups
