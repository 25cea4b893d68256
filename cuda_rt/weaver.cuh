// WV: a block hands out all items of the ranges (nested.cuh) that its threads have brought, 32 to each warp that asks.
//
// The threads register: those that have items put into a table, in their order, who they are and which number their
// first item has. Behind a barrier each warp has 32 numbers, and asks for the next by an atomic in shared memory,
// until there are none. Since a warp asks for ever larger ones, it goes on in the table from the entry where it was;
// the 32 entries from there on hold the owners of all its items, for each has one at least, and the lanes find theirs
// among these. Only the last 32 are not full. Source: S. Jeong, Decoupling Scheduling and Storage Formats for
// Balanced Graph Processing on a GPU, PhD thesis, Yonsei University, 2024, chapter 4, where a unit beside the warp
// scheduler does it.
#pragma once
#ifdef __IRGL_EMU__
#include "irgl_emu/weaver.h"
#endif
#include "spread.cuh"

namespace irgl {
namespace detail {

template <int np, Scope S, int depth, class Boards, class Of, class C, class P, class Op>
struct Weaver : Spread<np, S, depth, Boards, Of, C, P, Op> {
  using Base = Spread<np, S, depth, Boards, Of, C, P, Op>;
  using typename Base::R, typename Base::start_t;
  using Base::of, Base::s, Base::slot, Base::slots;
  static constexpr counter_t entry = counter_t(1) << 48;  // in sums of entries and items

  IRGL_DEVICE unsigned& asked() const { return s->big[slots]; }  // how often all warps have

  // Which 32 items a warp takes behind the k-th. Where the block has to meet in every step, they are dealt out.
  IRGL_DEVICE counter_t next(counter_t k, counter_t shares) const {
    if constexpr (S == Block) return k + warps;
    if (shares <= warps) return shares;
    if (lane_id() == 0) k = warps + atomicAdd(&asked(), 1u);
    return shuffle(k, 0);
  }

  IRGL_DEVICE void hand_out(counter_t total, unsigned entries) const {
    const size_t unit = Items<Of>::unit(of);
    const counter_t shares = (total + warp_size - 1) / warp_size;
    const counter_t most = S == Block ? (shares + warps - 1) / warps * warps : shares;
    unsigned at = 0;
    for (counter_t k = warp_id(); k < most; k = next(k, shares)) {
      const counter_t begin = k * warp_size;
      start_t first = start_t(total);
      if (begin < total) {  // a whole warp's question
        for (;;) {
          first = at + lane_id() < entries ? s->start[at + lane_id()] : start_t(total);
          const unsigned passed = unsigned(__popc(__ballot_sync(all_lanes, first <= begin)));
          if (passed <= 1) break;
          at += passed - 1;
        }
      }
      const counter_t p = begin + lane_id();
      const unsigned lane = warp_find(first, start_t(p));
      const start_t before = shuffle(first, lane);
      const bool valid = p < total;
      this->piece(valid, valid ? s->big[at + lane] : 0, size_t(p - before) * unit);
    }
  }

#ifdef __IRGL_EMU__  // whose unit does it, for one loop of a block at a time, unless all warps have to meet in a step
  static IRGL_DEVICE bool has_unit() { return depth == 0 && S != Block && block_size <= 512 && irgl_emu_weaver() != 0; }
  IRGL_DEVICE void by_unit(bool brings, counter_t items) const {
    const size_t unit = Items<Of>::unit(of);
    irgl_emu_weaver_reg(brings ? int(slot(threadIdx.x)) : 0, 0, unsigned(items));
    __syncthreads();
    for (int owner = 0; __any_sync(all_lanes, (owner = irgl_emu_weaver_dec_id()) != -1);) {
      const size_t k = irgl_emu_weaver_dec_loc();
      this->piece(owner != -1, owner != -1 ? unsigned(owner) : 0, k * unit);
    }
  }
#endif

  IRGL_DEVICE void round(const Load<R, C>& own, size_t length) const {
    const bool brings = this->bring(own);
    const size_t unit = Items<Of>::unit(of);
    const counter_t items = brings ? (length + unit - 1) / unit : 0;
#ifdef __IRGL_EMU__
    if (has_unit()) return by_unit(brings, items), this->finish(brings);
#endif
    if (threadIdx.x == 0) asked() = 0;
    const Place of_items = warp_place(items), of_entries = warp_place_flag(items != 0);
    const Place place = join_warps({of_items.before + entry * of_entries.before,
                                    of_items.total + entry * of_entries.total});
    if (items != 0) {
      const unsigned k = unsigned(place.before / entry);
      s->start[k] = start_t(place.before % entry), s->big[k] = slot(threadIdx.x);
    }
    __syncthreads();
    hand_out(place.total % entry, unsigned(place.total / entry));
    this->finish(brings);
  }

  IRGL_DEVICE void run(bool valid, const Load<R, C>& own) {
    this->in_rounds(*this, own, valid ? own.range.size() : 0);
  }
};

}  // namespace detail
}  // namespace irgl
