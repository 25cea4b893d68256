// nested: a ForAll inside an operator, its iterations spread over the threads of a block.
//
//     irgl::nested<NP, S>(t, valid, RANGE, irgl::closure(a, b...), INTO..., [&](irgl::Thread& t, bool valid, item e,
//                         A a, B b..., PART&...) {...});
// Each thread with valid brings a range; the operator runs once for each of its items, on any thread of the block, with
// the closure's values of the thread that brought it. Who runs a range depends on its length, by the schedulers that NP
// names:
//     TB      at least a block of items: the whole block, one range after the other
//     WP      at least a warp of them: the warp of the thread that brought it
//     FG      the rest: all items in a row, found again by a binary search in the sums of lengths
// A range too short for those present is run by its own thread. One by one they cost nothing where absent. S: One: the
// operator is called for items only; Warp, Block: by all lanes, or all threads of the block, together. With any of TB,
// WP, FG all threads of the block call nested, and it ends with the block synchronised. A nested loop in a nested
// loop's operator has its own shared memory: it says so by a third template argument, its depth (1, 2...). A fourth
// names the loops that take turns with the same (board.cuh).
#pragma once
#include "board.cuh"

namespace irgl {
namespace detail {

template <int np, Scope S, int depth, class Boards, class R, class C, class P, class Op>
struct Nested {
  using Shape = Layout<np, R, C, typename P::Wide, P::count != 0>;
  static constexpr unsigned rounds = Shape::template rounds_within<Boards::limit>(), slots = block_size / rounds;
  static constexpr size_t own_bytes = Shape::template bytes<Boards::limit>(), bytes = Boards::template bytes<depth>;
  static_assert(bytes >= own_bytes || bytes == 0, "a loop that its kernel's boards don't name");
  using Shared = typename Shape::template Memory<slots>;
  using start_t = typename Shape::start_t;
  using Local = typename P::Local;
  using Item = typename R::item;

  Thread& t;
  const P& pack;
  Op& op;
  Shared* s = nullptr;
  unsigned first = 0;  // the thread that has the first slot in this round

  IRGL_DEVICE unsigned slot(unsigned thread) const { return rounds == 1 ? thread : thread - first; }

  IRGL_DEVICE void call(const Load<R, C>& load, size_t p, bool valid, Local& part) const {
    if constexpr (S == One) {
      if (valid) load.template call<P>(op, part, t, true, load.range.at(p));
    } else {
      load.template call<P>(op, part, t, valid, valid ? load.range.at(p) : Item());
    }
  }
  // The part of a whole warp goes to the thread that brought the range.
  IRGL_DEVICE void hand_over(unsigned owner, Local& part) const {
    if constexpr (P::count != 0) {
      P::warp_merge(part);
      if (lane_id() == 0) pack.to_shared(s->part[owner], part);
    }
  }

  // All threads read the same words and so take the same turns, without a barrier.
  IRGL_DEVICE void by_block() const {
    for (unsigned w = 0; w < warps; ++w) {
      for (unsigned rest = s->big[w]; rest != 0; rest &= rest - 1) {
        const unsigned owner = slot(w * warp_size + unsigned(__ffs(int(rest)) - 1));
        const Load<R, C> load = s->load[owner];
        const size_t count = load.range.size();
        Local part = pack.neutral();
        for (size_t base = 0; base < count; base += block_size)
          call(load, base + threadIdx.x, base + threadIdx.x < count, part);
        hand_over(owner, part);
      }
    }
  }

  // A step serves 32 items of one range; a warp that is done early keeps in step where the block has to meet.
  IRGL_DEVICE void by_warp(bool mine, size_t length) const {
    unsigned rest = __ballot_sync(all_lanes, mine);
    counter_t steps = warp_reduce<Add>(mine ? counter_t((length + warp_size - 1) / warp_size) : counter_t(0));
    if constexpr (S == Block) steps = block_most(steps);
    unsigned owner = rounds == 1 ? warp_id() * warp_size : 0;
    size_t base = 0, count = 0;
    Local part = pack.neutral();
    for (; steps != 0; --steps) {
      if (base >= count && rest != 0) {
        owner = slot(warp_id() * warp_size + unsigned(__ffs(int(rest)) - 1));
        rest &= rest - 1;
        count = s->load[owner].range.size();
        base = 0;
      }
      call(s->load[owner], base + lane_id(), base + lane_id() < count, part);
      base += warp_size;
      if (base >= count && base < count + warp_size) {  // just done; steps beyond have no items
        hand_over(owner, part);
        part = pack.neutral();
      }
    }
  }

  // Neighbouring threads run neighbouring items. Their parts are added up along the warp, owner by owner, and the last
  // thread of each owner's stretch writes.
  IRGL_DEVICE void by_item(bool brings, size_t length) const {
    const Place place = join_warps(warp_place(length));
    if (brings) s->start[slot(threadIdx.x)] = start_t(place.before);
    __syncthreads();
    const start_t total = start_t(place.total);
    for (start_t base = 0; base < total; base += block_size) {
      const start_t p = base + threadIdx.x;
      const bool valid = p < total;
      unsigned owner = 0;  // the last slot whose items begin at or before p: so it has some
      for (unsigned step = power_upto(slots - 1); valid && step != 0; step /= 2)
        if (owner + step < slots && s->start[owner + step] <= p) owner += step;
      Local part = pack.neutral();
      call(s->load[owner], size_t(p - s->start[owner]), valid, part);
      if constexpr (P::count != 0) {
        const unsigned key = valid ? owner : block_size;
        for (unsigned step = 1; step < warp_size; step *= 2) {
          const unsigned below = shuffle_up(key, step);
          const Local sum = P::from_below(part, step);
          if (lane_id() >= step && below == key) P::merge(part, sum);
        }
        const unsigned above = shuffle(key, (lane_id() + 1) % warp_size);
        if (valid && (lane_id() == warp_size - 1 || above != key)) pack.to_shared(s->part[owner], part);
      }
    }
  }

  IRGL_DEVICE void by_thread(const Load<R, C>& own, size_t length) const {
    counter_t steps = length;
    if constexpr (S == Warp) steps = warp_reduce<Max>(steps);
    if constexpr (S == Block) steps = block_most(warp_reduce<Max>(steps));
    Local part = pack.neutral();
    for (size_t p = 0; p < steps; ++p) call(own, p, p < length, part);
    pack.to_target(part);
  }

  // Those threads that have slots bring their ranges, and all run them.
  IRGL_DEVICE void round(const Load<R, C>& own, size_t length) const {
    const bool brings = rounds == 1 || threadIdx.x - first < slots;
    if (!brings) length = 0;
    if (brings) s->load[slot(threadIdx.x)] = own;
    if constexpr (P::count != 0)
      if (brings) s->part[slot(threadIdx.x)] = pack.wide_neutral();
    if constexpr ((np & TB) != 0) {
      const unsigned votes = __ballot_sync(all_lanes, length >= block_size);
      if (lane_id() == 0) s->big[warp_id()] = votes;
    }
    __syncthreads();
    if constexpr ((np & TB) != 0) {
      by_block();
      if (length >= block_size) length = 0;
    }
    if constexpr ((np & WP) != 0) {
      const bool mine = length >= warp_size;
      by_warp(mine, length);
      if (mine) length = 0;
    }
    if constexpr ((np & FG) != 0) by_item(brings, length);
    else by_thread(own, length);
    __syncthreads();
    if constexpr (P::count != 0) {
      if (brings) pack.to_target(s->part[slot(threadIdx.x)]);
      __syncthreads();  // the next loop may lay out the same memory another way
    }
  }

  IRGL_DEVICE void run(bool valid, const Load<R, C>& own) {
    const size_t length = valid ? own.range.size() : 0;
    if constexpr (np == Serial) {
      by_thread(own, length);
    } else {
      s = static_cast<Shared*>(slab<bytes != 0 ? bytes : own_bytes, depth>());
      if constexpr (rounds == 1) {
        round(own, length);
      } else {
#pragma unroll 1
        for (first = 0; first < block_size; first += slots) round(own, length);
      }
    }
  }
};

}  // namespace detail

template <int np, Scope S, int depth = 0, class Boards = detail::Alone, class R, class C, class... A>
IRGL_DEVICE void nested(Thread& t, bool valid, const R& range, const C& closure, A&&... a) {
  detail::split_last(
      [&](const auto& pack, auto& op) {
        using P = std::remove_const_t<std::remove_reference_t<decltype(pack)>>;
        using Op = std::remove_reference_t<decltype(op)>;
        detail::Nested<np, S, depth, Boards, R, C, P, Op>{t, pack, op}.run(valid, detail::Load<R, C>(range, closure));
      },
      std::make_index_sequence<sizeof...(A) - 1>(), a...);
}

}  // namespace irgl
