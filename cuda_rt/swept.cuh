// swept: a ForAll inside an operator whose edges lie in a form that keeps those of many nodes together.
//
//     irgl::for_each<irgl::Block>(t, irgl::rows(F, g), REDUCERS...,
//                                 [&](irgl::Thread& t, bool valid, irgl::Kth kth, ACCS&...) {
//       const node_t n = kth.node;
//       irgl::swept<S>(t, kth, wanted, F, irgl::closure(a, b...), INTO..., [&](irgl::Thread& t, bool valid, node_t far,
//                      edge_t place, A a, B b..., PART&...) {...});
//     });
// Each thread brings a row of the form: that is a node with its edges. The operator runs once for each edge of those
// that are wanted, with the closure's values of the thread that brought its near end; far is the other one. S, INTO and
// what shares memory are those of nested (nested.cuh). All threads of the block call swept, which ends with the block
// synchronised where others than its own thread take a row's edges.
//
// What every form of this kind offers:
//     F::node(row)                  the node of a row
//     F::shared                     do all threads of a block share its edges?
//       true:   F::numbers(part)      the numbers of a part's edges; a part is as many rows as a block has threads
//               F::Part(F, part)      reads them in ascending order: at(number) is {row of the part, far end, place}
//       false:  F::Lane(F, row)       reads a row beside those of its warp: length, its steps, and, called by all its
//                                     lanes together, next(place): is there an edge in the next step, and where?
//                                     far(place) is its far end
// Where the edges of parts are cut further,
//     irgl::swept_by_segments<S>(...)   is called by all threads of a cooperative grid the same number of times: before
//                                       each segment they wait for each other, so that what is read of its nodes stays
//                                       in the cache that all share. The form has
//       F::segments, F::numbers(part, k)  how many; the numbers of the edges of a part's k-th
// A form that copies (irgl/forms/form.py) has F.copies (copies.cuh) and, called by all threads of the grid,
//     each_far(F, f)                calls f(far, place) for every edge: where it wants values of its far end
// form.cuh says what lies beside it.
#pragma once
#include "form.cuh"

namespace irgl {

struct Kth {  // a row of a form
  node_t node = -1;
  size_t row = ~size_t(0);
};
template <class F>
struct FormRows : Unweighted {
  using item = Kth;
  const F& form;
  size_t count;
  IRGL_DEVICE FormRows(const F& f, const Csr& g) : form(f), count(size_t(g.n)) {}
  IRGL_DEVICE size_t size() const { return count; }
  IRGL_DEVICE Kth at(size_t p) const { return {form.node(p), p}; }
};
template <class F>
IRGL_DEVICE FormRows<F> rows(const F& form, const Csr& g) { return {form, g}; }

struct Met {  // an edge: which of its part's rows it is of, its far end, its place
  unsigned row = 0;
  node_t far = 0;
  edge_t place = 0;
};

namespace detail {

template <Scope S, int depth, class Boards, bool segmented, class F, class C, class P, class Op>
struct Swept {
  using Shape = Layout<Sweep, Wanted, C, typename P::Wide, P::count != 0>;
  static constexpr unsigned rounds = Shape::template rounds_within<Boards::limit>(), slots = block_size / rounds;
  static constexpr size_t own_bytes = Shape::template bytes<Boards::limit>(), bytes = Boards::template bytes<depth>;
  static_assert(bytes >= own_bytes || bytes == 0, "a loop that its kernel's boards don't name");
  using Shared = typename Shape::template Memory<slots>;
  using Local = typename P::Local;

  Thread& t;
  const F& form;
  const P& pack;
  Op& op;

  IRGL_DEVICE void call(const Load<Wanted, C>& load, bool valid, node_t far, edge_t place, Local& local) const {
    if (S != One || valid) load.template call<P>(op, local, t, S == One || valid, far, place);
  }

  // Parts of neighbouring threads that belong to one row are added up along the warp, and the last of them writes.
  IRGL_DEVICE void give(Shared& s, bool valid, unsigned owner, Local& local) const {
    const unsigned heads = run_heads(valid ? owner : block_size);
    P::merge_runs(local, heads, all_lanes);
    if (valid && ends_run(heads, all_lanes)) pack.to_shared(s.part[owner], local);
  }

  // Neighbouring threads take neighbouring edges of the part, of those rows that have slots in this round.
  IRGL_DEVICE void by_place(Shared& s, unsigned first, size_t part, const Interval<edge_t>& all) const {
    typename F::Part reader(form, part);
    for (size_t base = size_t(all.lo), end = size_t(all.hi); base < end; base += block_size) {
      const size_t number = base + threadIdx.x;
      bool valid = number < end;
      const Met met = valid ? reader.at(number) : Met();
      const unsigned owner = met.row - first;
      valid = valid && owner < slots && s.load[owner].range.wanted;
      Local local = pack.neutral();
      call(s.load[valid ? owner : 0], valid, met.far, met.place, local);
      if constexpr (P::count != 0) give(s, valid, owner, local);
    }
  }

  // The first thread has a row of the part, or nobody has.
  IRGL_DEVICE void round(Shared& s, unsigned first, const Kth& kth, const Load<Wanted, C>& own) const {
    const unsigned slot = threadIdx.x - first;
    const bool brings = slot < slots;
    if (brings) s.load[slot] = own;
    if constexpr (P::count != 0)
      if (brings) s.part[slot] = pack.wide_neutral();
    if (threadIdx.x == 0) s.start[0] = counter_t(kth.row / block_size);
    const bool any = __syncthreads_or(int(brings && own.range.wanted)) != 0;
    const size_t part = any ? size_t(s.start[0]) : 0;
    if constexpr (segmented) {
      for (size_t k = 0; k < form.segments; ++k) {
        if (form.segments != 1) t.sync();
        if (any) by_place(s, first, part, form.numbers(part, k));
      }
    }
    if (!any) return;
    if constexpr (!segmented) by_place(s, first, part, form.numbers(part));
    __syncthreads();
    if constexpr (P::count != 0) {
      if (brings) pack.to_target(s.part[slot]);
      __syncthreads();  // the next loop may lay out the same memory another way
    }
  }

  // Each thread takes the edges of its own row.
  IRGL_DEVICE void by_lane(const Kth& kth, const Load<Wanted, C>& own) const {
    typename F::Lane lane(form, kth.row);
    const bool wanted = own.range.wanted;
    counter_t steps = warp_reduce<Max>(wanted ? counter_t(lane.length) : counter_t(0));
    if constexpr (S == Block) steps = block_most(steps);
    Local local = pack.neutral();
    for (counter_t k = 0; k < steps; ++k) {
      edge_t place = 0;
      const bool valid = lane.next(place) && wanted;
      call(own, valid, valid ? lane.far(place) : node_t(0), place, local);
    }
    pack.to_target(local);
  }

  IRGL_DEVICE void run(const Kth& kth, const Load<Wanted, C>& own) const {
    if constexpr (F::shared) {
      Shared& s = *static_cast<Shared*>(slab<bytes != 0 ? bytes : own_bytes, depth>());
      if constexpr (rounds == 1) {
        round(s, 0, kth, own);
      } else {
#pragma unroll 1
        for (unsigned first = 0; first < block_size; first += slots) round(s, first, kth, own);
      }
    } else {
      by_lane(kth, own);
    }
  }
};

}  // namespace detail

namespace detail {

template <Scope S, int depth, class Boards, bool segmented, class F, class C, class... A>
IRGL_DEVICE void sweep(Thread& t, const Kth& kth, bool wanted, const F& form, const C& closure, A&&... a) {
  split_last(
      [&](const auto& pack, auto& op) {
        using P = std::remove_const_t<std::remove_reference_t<decltype(pack)>>;
        using Op = std::remove_reference_t<decltype(op)>;
        Swept<S, depth, Boards, segmented, F, C, P, Op>{t, form, pack, op}.run(
            kth, Load<Wanted, C>(Wanted{wanted}, closure));
      },
      std::make_index_sequence<sizeof...(A) - 1>(), a...);
}

}  // namespace detail

template <Scope S, int depth = 0, class Boards = detail::Alone, class F, class C, class... A>
IRGL_DEVICE void swept(Thread& t, const Kth& kth, bool wanted, const F& form, const C& closure, A&&... a) {
  detail::sweep<S, depth, Boards, false>(t, kth, wanted, form, closure, a...);
}
template <Scope S, int depth = 0, class Boards = detail::Alone, class F, class C, class... A>
IRGL_DEVICE void swept_by_segments(Thread& t, const Kth& kth, bool wanted, const F& form, const C& closure, A&&... a) {
  detail::sweep<S, depth, Boards, true>(t, kth, wanted, form, closure, a...);
}

}  // namespace irgl
