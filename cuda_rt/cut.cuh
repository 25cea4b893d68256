// cut(K): each range of a nested loop (nested.cuh) is cut in three.
//
//     the multiples of a block of items     by the whole block, one range after the other
//     of the rest the multiples of a warp   by warps, each of which fetches the next range of the block
//     what is left                          by K neighbouring threads, which fetch the next range of the warp
// So no step of a block or a warp has a thread without an item. Source: ETWC, C. Zhang and others, Taming the Zoo: the
// Unified GraphIt Compiler Framework for Novel Architectures, ISCA 2021 (there K is 8).
#pragma once
#include "spread.cuh"

namespace irgl {
namespace detail {

template <int np, Scope S, int depth, class Boards, class Of, class C, class P, class Op>
struct Cut : Spread<np, S, depth, Boards, Of, C, P, Op> {
  using Base = Spread<np, S, depth, Boards, Of, C, P, Op>;
  using typename Base::Local, typename Base::R, typename Base::Reader;
  using Base::call, Base::hand_over, Base::pack, Base::rounds, Base::s, Base::slot;
  static constexpr unsigned stage = unsigned(np) >> 8, none = ~0u;
  static_assert(stage != 0 && stage < warp_size && (stage & (stage - 1)) == 0);

  // In shared memory, besides which lanes have items for the block: which have some for warps; how many were fetched.
  IRGL_DEVICE unsigned* small() const { return s->big + warps; }
  IRGL_DEVICE unsigned& fetched() const { return s->big[2 * warps]; }

  static IRGL_DEVICE size_t of_warps(size_t length) { return length % block_size / warp_size; }  // in steps

  // Which ranges have items for warps: lane w knows those that warp w has brought.
  struct Queue {
    unsigned votes, before, total;
    IRGL_DEVICE explicit Queue(const unsigned* small) : votes(lane_id() < warps ? small[lane_id()] : 0) {
      const Place place = warp_place(counter_t(__popc(votes)));
      before = unsigned(place.before), total = unsigned(place.total);
    }
    IRGL_DEVICE unsigned thread(unsigned k) const {  // that has brought the k-th, or the last; called by the whole warp
      const unsigned w = warp_find(before, k < total ? k : total - 1);
      unsigned rest = shuffle(votes, w), skipped = shuffle(before, w);
      for (; skipped < k && (rest & (rest - 1)) != 0; ++skipped) rest &= rest - 1;
      return w * warp_size + unsigned(__ffs(int(rest)) - 1);
    }
  };

  // Which range a warp takes next. Where the block has to meet in every step, they are dealt out in turn.
  IRGL_DEVICE unsigned next(unsigned& turn) const {
    unsigned k = turn;
    if constexpr (S == Block) {
      turn += warps;
    } else {
      if (lane_id() == 0) k = atomicAdd(&fetched(), 1u);
      k = shuffle(k, 0);
    }
    return k;
  }
  IRGL_DEVICE counter_t most_steps(const Queue& queue) const {
    const unsigned k = warp_id() + lane_id() * warps;  // a warp has 32 turns at most, for there are no more ranges
    const size_t length = s->load[slot(queue.thread(k))].range.size();
    return block_most(warp_reduce<Add>(counter_t(k < queue.total ? of_warps(length) : 0)));
  }

  // There is a range with items for warps.
  IRGL_DEVICE void by_warps() const {
    const Queue queue(small());
    counter_t steps = ~counter_t(0);
    if constexpr (S == Block) steps = most_steps(queue);
    unsigned turn = warp_id(), owner = 0;
    size_t base = 0, end = 0;
    Local part = pack.neutral();
    Reader from;
    for (; steps != 0; --steps) {
      if (base == end) {
        const unsigned k = next(turn);
        if (k < queue.total) {
          owner = slot(queue.thread(k));
          const size_t length = s->load[owner].range.size();
          base = length - length % block_size, end = base + of_warps(length) * warp_size;
          from = Reader();
        } else if (S != Block) {
          break;
        }
      }
      const bool valid = base != end;
      call(s->load[owner], from, base + lane_id(), valid, part);
      if (!valid) continue;
      base += warp_size;
      if (base == end) {
        hand_over(owner, part);
        part = pack.neutral();
      }
    }
  }

  // `stage` threads run `stage` items of a range in a step. Those that are done with one take the next of their warp
  // and don't wait for each other; single threads have one range each, their own. Ranges that run at the same time were
  // brought by threads far from each other: neighbours' ranges often hold the same items.
  IRGL_DEVICE void by_few(size_t rest) const {
    constexpr bool alone = stage == 1;
    const unsigned brought = __ballot_sync(all_lanes, rest != 0), below = (1u << lane_id() / stage * stage) - 1;
    const unsigned before = unsigned(__popc(brought & ((1u << lane_id()) - 1)));
    const unsigned total = alone ? warp_size : unsigned(__popc(brought));
    const unsigned kth = alone ? lane_id() : warp_find(before, dealt(lane_id(), total));  // lane k: whose is the k-th
    counter_t steps = 0;
    if constexpr (alone) steps = most(warp_reduce<Max>(counter_t(rest)));
    unsigned taken = 0, owner = rounds == 1 ? threadIdx.x : 0;
    size_t base = 0, end = 0;
    Local part = pack.neutral();
    Reader from;
    while (alone ? steps-- != 0 : any(taken < total || base < end)) {
      if (taken < total) {
        const unsigned done = __ballot_sync(all_lanes, base >= end), k = taken + unsigned(__popc(done & below)) / stage;
        const unsigned lane = shuffle(kth, k % warp_size);
        taken += unsigned(__popc(done)) / stage;
        if (base >= end && k < total && (!alone || (brought >> lane & 1) != 0)) {
          owner = slot(warp_id() * warp_size + lane);
          end = s->load[owner].range.size(), base = end - end % warp_size;
          from = Reader();
        }
      }
      const size_t p = base + lane_id() % stage;
      call(s->load[owner], from, p, p < end, part);
      base += stage;
      if constexpr (P::count != 0) give(base >= end && base < end + stage, owner, part);
    }
  }
  // Which of so many ranges is the k-th to run: each `stage` threads have a stretch of them to begin with.
  static IRGL_DEVICE unsigned dealt(unsigned k, unsigned total) {
    constexpr unsigned hands = warp_size / stage;
    const unsigned hand = k % hands, more = total % hands;
    return hand * (total / hands) + (hand < more ? hand : more) + k / hands;
  }
  // Of all those that meet in every step.
  static IRGL_DEVICE counter_t most(counter_t of_warp) { return S == Block ? block_most(of_warp) : of_warp; }
  static IRGL_DEVICE bool any(bool mine) {
    if constexpr (S == Block) return __syncthreads_or(int(mine)) != 0;
    else return __any_sync(all_lanes, mine);
  }
  // Parts of those threads that are done with a range become one; called by the whole warp.
  IRGL_DEVICE void give(bool done, unsigned owner, Local& part) const {
    if (!__any_sync(all_lanes, done)) return;
    Local sum = part;
    P::template warp_merge<stage>(sum);
    if (!done) return;
    if (lane_id() % stage == 0) pack.to_shared(s->part[owner], sum);
    part = pack.neutral();
  }

  IRGL_DEVICE void round(const Load<R, C>& own, size_t length) const {
    const bool brings = this->bring(own);
    if (!brings) length = 0;
    const unsigned big = __ballot_sync(all_lanes, length >= block_size);
    const unsigned middle = __ballot_sync(all_lanes, of_warps(length) != 0);
    if (lane_id() == 0) s->big[warp_id()] = big, small()[warp_id()] = middle;
    if (threadIdx.x == 0) fetched() = 0;
    const bool any_big = __syncthreads_or(int(length >= warp_size)) != 0;
    if (any_big) {
      this->by_block();
      if (__any_sync(all_lanes, lane_id() < warps && small()[lane_id() % warps] != 0)) by_warps();
    }
    by_few(length % warp_size);
    this->finish(brings);
  }

  IRGL_DEVICE void run(bool valid, const Load<R, C>& own) {
    this->in_rounds(*this, own, valid ? own.range.size() : 0);
  }
};

}  // namespace detail
}  // namespace irgl
