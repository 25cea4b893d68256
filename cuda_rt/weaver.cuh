// WV: a block hands out all items of the ranges (nested.cuh) that its threads have brought, 32 to each warp that asks.
//
// The threads register: those that have items put into a table, in their order, who they are and which number their
// first item has. Behind a barrier each warp has 32 numbers, and asks for the next by an atomic in shared memory,
// until there are none. Since a warp asks for ever larger ones, it goes on in the table from the entry where it was;
// the 32 entries from there on hold the owners of all its items, for each has one at least. Each marks the lane of its
// first item with the warp's question, and a vote tells all lanes how many entries begin up to their own. Only the last
// 32 items are not full. Source: S. Jeong, Decoupling Scheduling and Storage Formats for Balanced Graph Processing on a
// GPU, PhD thesis, Yonsei University, 2024, chapter 4, where a unit beside the warp scheduler does it.
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
    const counter_t shares = (total + warp_size - 1) / warp_size, end = shares * warp_size;
    const counter_t most = S == Block ? (shares + warps - 1) / warps * warps : shares;
    const unsigned upto = all_lanes >> (warp_size - 1 - lane_id());
    unsigned* const marks = s->mark + warp_id() * warp_size;
    auto held = this->none();
    unsigned at = 0;
    for (counter_t k = warp_id(); k < most; k = next(k, shares)) {
      const counter_t begin = k * warp_size;
      const bool valid = begin + lane_id() < total;
      unsigned heads = 1, owner = 0;
      size_t place = 0;
      if (begin < total) {  // a whole warp's question
        counter_t first;
        for (;;) {
          first = at + lane_id() < entries ? s->start[at + lane_id()] : end;
          const unsigned passed = unsigned(__popc(__ballot_sync(all_lanes, first <= begin)));
          if (passed <= 1) break;
          at += passed - 1;
        }
        __syncwarp();  // all have looked at the last marks
        if (first - begin < warp_size) marks[first - begin] = unsigned(k);
        __syncwarp();
        heads |= __ballot_sync(all_lanes, marks[lane_id()] == unsigned(k));
        const unsigned head = unsigned(31 - __clz(int(heads & upto)));
        place = shuffle(size_t(begin - first), 0);  // how many of the first one's items others have
        place = lane_id() - head + (head == 0 ? place : 0);
        owner = s->big[at + unsigned(__popc(heads & upto)) - 1];
      }
      const unsigned lanes = P::count != 0 ? __ballot_sync(all_lanes, valid) : 0;
      this->piece(held, valid, lanes, heads, owner, place * unit);
    }
    this->close(held);
  }

#ifdef __IRGL_EMU__  // whose unit does it, for one loop of a block at a time, unless all warps have to meet in a step
  static IRGL_DEVICE bool has_unit() { return depth == 0 && S != Block && block_size <= 512 && irgl_emu_weaver() != 0; }
  IRGL_DEVICE void by_unit(bool brings, counter_t items) const {
    const size_t unit = Items<Of>::unit(of);
    irgl_emu_weaver_reg(brings ? int(slot(threadIdx.x)) : 0, 0, unsigned(items));
    __syncthreads();
    auto held = this->none();
    for (;;) {
      const int owner = irgl_emu_weaver_dec_id();
      const unsigned lanes = __ballot_sync(all_lanes, owner != -1);
      if (lanes == 0) break;
      const size_t k = irgl_emu_weaver_dec_loc();
      const unsigned heads = P::count != 0 ? run_heads(unsigned(owner)) : 1;
      this->piece(held, owner != -1, lanes, heads, owner != -1 ? unsigned(owner) : 0, k * unit);
    }
    this->close(held);
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
    s->mark[threadIdx.x] = ~0u;
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
