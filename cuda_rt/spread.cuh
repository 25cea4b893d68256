// What schedulers of nested loops (nested.cuh) have in common: ranges that threads bring, shown to all of their block.
//
// A scheduler derives from Spread and has round(own, length): what the threads do that have slots for their ranges, and
// all others with them. own is what a thread has brought, of that length.
#pragma once
#include "board.cuh"

namespace irgl {
namespace detail {

template <int np, Scope S, int depth, class Boards, class Of, class C, class P, class Op>
struct Spread {
  using R = typename Items<Of>::Row;
  using Reader = typename Items<Of>::Reader;
  using Shape = Layout<np, R, C, typename P::Wide, P::count != 0>;
  static constexpr unsigned rounds = Shape::template rounds_within<Boards::limit>(), slots = block_size / rounds;
  static constexpr size_t own_bytes = Shape::template bytes<Boards::limit>(), bytes = Boards::template bytes<depth>;
  static_assert(bytes >= own_bytes || bytes == 0, "a loop that its kernel's boards don't name");
  using Shared = typename Shape::template Memory<slots>;
  using start_t = typename Shape::start_t;
  using Local = typename P::Local;

  Thread& t;
  const Of& of;
  const P& pack;
  Op& op;
  Shared* s = nullptr;
  unsigned first = 0;  // the thread that has the first slot in this round

  IRGL_DEVICE unsigned slot(unsigned thread) const { return rounds == 1 ? thread : thread - first; }

  // Shows what the calling thread has brought where it has a slot now, and tells whether; its part, when all have run.
  IRGL_DEVICE bool bring(const Load<R, C>& own) const {
    const bool brings = rounds == 1 || threadIdx.x - first < slots;
    if (brings) s->load[slot(threadIdx.x)] = own;
    if constexpr (P::count != 0)
      if (brings) s->part[slot(threadIdx.x)] = pack.wide_neutral();
    return brings;
  }
  IRGL_DEVICE void take(bool brings) const {
    if constexpr (P::count != 0)
      if (brings) pack.to_target(s->part[slot(threadIdx.x)]);
  }

  // All have run what they have taken.
  IRGL_DEVICE void finish(bool brings) const {
    __syncthreads();
    if constexpr (P::count != 0) {
      take(brings);
      __syncthreads();  // the next loop may lay out the same memory another way
    }
  }

  IRGL_DEVICE void call(const Load<R, C>& load, Reader& from, size_t p, bool valid, Local& part) const {
    if constexpr (S == One) {
      if (valid) load.template call<P>(op, part, t, true, from.at(of, load.range, p));
    } else {
      load.template call<P>(op, part, t, valid, valid ? from.at(of, load.range, p) : typename Of::item());
    }
  }
  // The part of a whole warp goes to the thread that brought the range.
  IRGL_DEVICE void hand_over(unsigned owner, Local& part) const {
    if constexpr (P::count != 0) {
      P::warp_merge(part);
      if (lane_id() == 0) pack.to_shared(s->part[owner], part);
    }
  }

  // What a warp's lanes have run, from one piece to the next, for an owner to whom all of it belongs.
  struct Held {
    Local part;
    unsigned owner = nobody;
  };
  static constexpr unsigned nobody = block_size;
  IRGL_DEVICE Held none() const { return {pack.neutral()}; }

  // Those lanes, the first ones, have an item each: the k-th of its owner's range, or as many from there on as a thread
  // should take at a time. The items of an owner are neighbours; heads: the first lane of each. Where all lanes have
  // one owner, their parts stay in registers until another comes; else they are added up along the warp, owner by
  // owner, and the last lane of each writes.
  IRGL_DEVICE void piece(Held& held, bool valid, unsigned lanes, unsigned heads, unsigned owner, size_t k) const {
    const size_t unit = Items<Of>::unit(of);
    Reader from;
    if constexpr (P::count != 0) {
      const unsigned whole = heads == 1 && lanes == all_lanes ? owner : nobody;
      if (held.owner != whole) {
        close(held);
        held.owner = whole;
      }
    }
    call(s->load[owner], from, k, valid, held.part);
    for (size_t i = 1; i < unit; ++i)
      call(s->load[owner], from, k + i, valid && k + i < s->load[owner].range.size(), held.part);
    if constexpr (P::count != 0) {
      if (held.owner != nobody) return;
      P::merge_runs(held.part, heads, lanes);
      if (ends_run(heads, lanes)) pack.to_shared(s->part[owner], held.part);
      held.part = pack.neutral();
    }
  }
  IRGL_DEVICE void piece(Held& held, bool valid, unsigned owner, size_t k) const {
    if constexpr (P::count == 0) piece(held, valid, 0, 0, owner, k);
    else piece(held, valid, __ballot_sync(all_lanes, valid), run_heads(owner), owner, k);
  }
  // The last piece has been run.
  IRGL_DEVICE void close(Held& held) const {
    if constexpr (P::count != 0) {
      if (held.owner == nobody) return;
      hand_over(held.owner, held.part);
      held = none();
    }
  }

  // All threads read the same words and so take the same turns, without a barrier.
  IRGL_DEVICE void by_block() const {
    for (unsigned w = 0; w < warps; ++w) {
      for (unsigned rest = s->big[w]; rest != 0; rest &= rest - 1) {
        const unsigned owner = slot(w * warp_size + unsigned(__ffs(int(rest)) - 1));
        const Load<R, C> load = s->load[owner];
        const size_t length = load.range.size(), count = (np & CUT) != 0 ? length - length % block_size : length;
        Local part = pack.neutral();
        Reader from;
        for (size_t base = 0; base < count; base += block_size)
          call(load, from, base + threadIdx.x, base + threadIdx.x < count, part);
        hand_over(owner, part);
      }
    }
  }

  // In as many rounds as the ranges' slots want.
  template <class Self>
  IRGL_DEVICE static void in_rounds(Self& self, const Load<R, C>& own, size_t length) {
    self.s = static_cast<Shared*>(slab<bytes != 0 ? bytes : own_bytes, depth>());
    if constexpr (rounds == 1) {
      self.round(own, length);
    } else {
#pragma unroll 1
      for (self.first = 0; self.first < block_size; self.first += slots) self.round(own, length);
    }
  }
};

}  // namespace detail
}  // namespace irgl
