// nested: a ForAll inside an operator, its iterations spread over the threads of a block.
//
//     irgl::nested<NP, S>(t, valid, RANGE, irgl::closure(a, b...), INTO..., [&](irgl::Thread& t, bool valid, item e,
//                         A a, B b..., PART&...) {...});
// Each thread with valid brings a range; the operator runs once for each of its items, on any thread of the block, with
// the closure's values of the thread that brought it. Who runs a range depends on its length, by the schedulers that NP
// names:
//     TB      at least a block of items: the whole block, one range after the other
//     WP      at least a warp of them: the warp of the thread that brought it
//     FG      the rest: all items in a row, or all pieces of a form (row_form.cuh), found again by a binary search
//     cut(K)  each range is cut: multiples of a block, multiples of a warp, and the rest (cut.cuh)
//     WF      each warp: all items that its threads have brought, in a row (warp_fine.cuh)
//     WV      all items in a row, 32 to each warp that asks for some (weaver.cuh)
// A range too short for those present is run by its own thread. S: One: the operator is called for items only; Warp,
// Block: by all lanes, or all threads of the block, together. But for Serial all threads of the block call nested, and
// it ends with the block synchronised. A nested loop in another's operator has its own shared memory: it says so by a
// third template argument, its depth (1, 2...). A fourth names those that take turns (board.cuh).
#pragma once
#include "cut.cuh"
#include "warp_fine.cuh"
#include "weaver.cuh"

namespace irgl {
namespace detail {

template <int np, Scope S, int depth, class Boards, class Of, class C, class P, class Op>
struct Nested : Spread<np, S, depth, Boards, Of, C, P, Op> {
  using Base = Spread<np, S, depth, Boards, Of, C, P, Op>;
  using typename Base::Local, typename Base::R, typename Base::Reader, typename Base::start_t;
  using Base::call, Base::hand_over, Base::of, Base::pack, Base::rounds, Base::s, Base::slot, Base::slots;

  // A step serves 32 items of one range; a warp that is done early keeps in step where the block has to meet.
  IRGL_DEVICE void by_warp(bool mine, size_t length) const {
    unsigned rest = __ballot_sync(all_lanes, mine);
    counter_t steps = warp_reduce<Add>(mine ? counter_t((length + warp_size - 1) / warp_size) : counter_t(0));
    if constexpr (S == Block) steps = block_most(steps);
    unsigned owner = rounds == 1 ? warp_id() * warp_size : 0;
    size_t base = 0, count = 0;
    Local part = pack.neutral();
    Reader from;
    for (; steps != 0; --steps) {
      if (base >= count && rest != 0) {
        owner = slot(warp_id() * warp_size + unsigned(__ffs(int(rest)) - 1));
        rest &= rest - 1;
        count = s->load[owner].range.size();
        base = 0, from = Reader();
      }
      call(s->load[owner], from, base + lane_id(), base + lane_id() < count, part);
      base += warp_size;
      if (base >= count && base < count + warp_size) {  // just done; steps beyond have no items
        hand_over(owner, part);
        part = pack.neutral();
      }
    }
  }

  // Neighbouring threads run neighbouring items.
  IRGL_DEVICE void by_item(bool brings, size_t length) const {
    const size_t unit = Items<Of>::unit(of);
    const Place place = join_warps(warp_place((length + unit - 1) / unit));
    if (brings) s->start[slot(threadIdx.x)] = start_t(place.before);
    __syncthreads();
    const start_t total = start_t(place.total);
    auto held = this->none();
    for (start_t base = 0; base < total; base += block_size) {
      const start_t p = base + threadIdx.x;
      const bool valid = p < total;
      unsigned owner = 0;  // the last slot whose items begin at or before p: so it has some
      for (unsigned step = power_upto(slots - 1); valid && step != 0; step /= 2)
        if (owner + step < slots && s->start[owner + step] <= p) owner += step;
      this->piece(held, valid, owner, size_t(p - s->start[owner]) * unit);
    }
    this->close(held);
  }

  IRGL_DEVICE void by_thread(const Load<R, C>& own, size_t length) const {
    counter_t steps = length;
    if constexpr (S == Warp) steps = warp_reduce<Max>(steps);
    if constexpr (S == Block) steps = block_most(warp_reduce<Max>(steps));
    Local part = pack.neutral();
    Reader from;
    for (size_t p = 0; p < steps; ++p) call(own, from, p, p < length, part);
    pack.to_target(part);
  }

  // Those threads that have slots bring their ranges, and all run them.
  IRGL_DEVICE void round(const Load<R, C>& own, size_t length) const {
    const bool brings = this->bring(own);
    if (!brings) length = 0;
    if constexpr ((np & TB) != 0) {
      const unsigned votes = __ballot_sync(all_lanes, length >= block_size);
      if (lane_id() == 0) s->big[warp_id()] = votes;
    }
    __syncthreads();
    if constexpr ((np & TB) != 0) {
      this->by_block();
      if (length >= block_size) length = 0;
    }
    if constexpr ((np & WP) != 0) {
      const bool mine = length >= warp_size;
      by_warp(mine, length);
      if (mine) length = 0;
    }
    if constexpr ((np & FG) != 0) by_item(brings, length);
    else by_thread(own, length);
    this->finish(brings);
  }

  IRGL_DEVICE void run(bool valid, const Load<R, C>& own) {
    const size_t length = valid ? own.range.size() : 0;
    if constexpr (np == Serial) by_thread(own, length);
    else this->in_rounds(*this, own, length);
  }
};

}  // namespace detail

template <int np, Scope S, int depth = 0, class Boards = detail::Alone, class Of, class C, class... A>
IRGL_DEVICE void nested(Thread& t, bool valid, const Of& range, const C& closure, A&&... a) {
  detail::split_last(
      [&](const auto& pack, auto& op) {
        using P = std::remove_const_t<std::remove_reference_t<decltype(pack)>>;
        using Op = std::remove_reference_t<decltype(op)>;
        using Nested = std::conditional_t<
            (np & CUT) != 0, detail::Cut<np, S, depth, Boards, Of, C, P, Op>,
            std::conditional_t<np == WF, detail::WarpFine<np, S, depth, Boards, Of, C, P, Op>,
                               std::conditional_t<np == WV, detail::Weaver<np, S, depth, Boards, Of, C, P, Op>,
                                                  detail::Nested<np, S, depth, Boards, Of, C, P, Op>>>>;
        Nested{{t, range, pack, op}}.run(valid, {detail::Items<Of>::row(range), closure});
      },
      std::make_index_sequence<sizeof...(A) - 1>(), a...);
}

}  // namespace irgl
