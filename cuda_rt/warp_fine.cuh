// WF: each warp runs all items of the ranges (nested.cuh) that its threads have brought, in a row, 32 in a step.
//
// Each thread finds its item's range by a binary search in the scanned lengths, which the warp's lanes hold. No thread
// waits for other warps but at the end. Source: WM in C. Zhang and others, Taming the Zoo: the Unified GraphIt Compiler
// Framework for Novel Architectures, ISCA 2021.
#pragma once
#include "spread.cuh"

namespace irgl {
namespace detail {

template <int np, Scope S, int depth, class Boards, class Of, class C, class P, class Op>
struct WarpFine : Spread<np, S, depth, Boards, Of, C, P, Op> {
  using Base = Spread<np, S, depth, Boards, Of, C, P, Op>;
  using typename Base::R;
  using Base::of, Base::rounds, Base::slot;

  IRGL_DEVICE void by_item(size_t length) const {
    const size_t unit = Items<Of>::unit(of);
    const Place place = warp_place((length + unit - 1) / unit);
    counter_t steps = (place.total + warp_size - 1) / warp_size;
    if constexpr (S == Block) steps = block_most(steps);
    const unsigned head = warp_id() * warp_size;
    auto held = this->none();
    for (counter_t p = lane_id(); steps != 0; --steps, p += warp_size) {
      const bool valid = p < place.total;
      const unsigned lane = warp_find(place.before, p);
      const counter_t before = shuffle(place.before, lane);
      const unsigned owner = valid ? slot(head + lane) : rounds == 1 ? threadIdx.x : 0;
      this->piece(held, valid, owner, size_t(p - before) * unit);
    }
    this->close(held);
  }

  IRGL_DEVICE void round(const Load<R, C>& own, size_t length) const {
    const bool brings = this->bring(own);
    if constexpr (rounds == 1) __syncwarp();
    else __syncthreads();  // a warp without slots looks at the first
    by_item(brings ? length : 0);
    if constexpr (P::count != 0) __syncwarp();
    this->take(brings);
    __syncthreads();  // the next loop may lay out the same memory another way
  }

  IRGL_DEVICE void run(bool valid, const Load<R, C>& own) {
    this->in_rounds(*this, own, valid ? own.range.size() : 0);
  }
};

}  // namespace detail
}  // namespace irgl
