// Iterations that several lanes of a warp run together, each with values of its own of every vector: L lanes, 2 to 32.
//
//     irgl::for_each_row<L>(t, RANGE, REDUCERS..., op)     as for_each<One>, each item on L lanes side by side; on a
//                                                          warp's, they are several groups of lanes
//     irgl::Beside<T, K, L> v(first)                       a vector of K values: v.at[i] is value i * L + lane
//     for (int i = 0; i < irgl::turns<K, L>; ++i)          the loop over a vector's values: those of this lane
//       if (const int64_t k = irgl::value_of<L>(i); irgl::is_there<K, L>(k)) ...
//     irgl::value_at(v, k)                                 value k, on all lanes of the item: they call it together
//     irgl::together<L, Op>(x)                             what the lanes of an item have, combined, on each of them
//     irgl::leads<L>()                                     is it the item's first lane, which stores what all know?
// The lanes of an item take the same branches; those of others in the warp may take other ones. Groups that have a warp
// know the same, too, but for what they share out:
//     irgl::in_first<L>()                                  is it in the first group, which stores values for all?
//     irgl::apart<L, Op>(x)                                from here on each group combines by itself what it adds to x
//     for (auto e : irgl::dealt<L>(RANGE)) ...             the items of each group: those of a step are neighbours
//     irgl::joined<L, Op>(x)                               what all groups have, x as it was with it, on each lane
#pragma once
#include "schedulers.cuh"

namespace irgl {

template <int L>
IRGL_DEVICE unsigned own_lane() { return threadIdx.x % L; }
template <int L>
IRGL_DEVICE bool leads() { return own_lane<L>() == 0; }
template <int L>
IRGL_DEVICE unsigned own_mask() {
  if constexpr (L == warp_size) return all_lanes;
  else return ((1u << L) - 1) << (lane_id() / L * L);
}

template <int K, int L>
constexpr int turns = (K + L - 1) / L;
template <int L>
IRGL_DEVICE int64_t value_of(int turn) { return int64_t(turn) * L + own_lane<L>(); }
template <int K, int L>
IRGL_DEVICE bool is_there(int64_t k) { return K % L == 0 || k < K; }

template <class T, int K, int L>
struct Beside {
  T at[turns<K, L>];
  IRGL_DEVICE explicit Beside(T each = T(0)) {
    for (int i = 0; i < turns<K, L>; ++i) at[i] = each;
  }
};

template <class T, int K, int L>
IRGL_DEVICE T value_at(const Beside<T, K, L>& v, int64_t k) {
  const T mine = v.at[turns<K, L> == 1 ? 0 : k / L];
  return detail::narrow<T>(__shfl_sync(own_mask<L>(), detail::widen(mine), int(k % L), L));
}

template <int L, class Op, class T>
IRGL_DEVICE T together(T x) {
  for (int step = L / 2; step != 0; step /= 2)
    x = Op{}(x, detail::narrow<T>(__shfl_xor_sync(own_mask<L>(), detail::widen(x), step, L)));
  return x;
}

template <int L>
IRGL_DEVICE unsigned group() { return lane_id() / L; }
template <int L>
IRGL_DEVICE bool in_first() { return group<L>() == 0; }

namespace detail {
template <class Op, class T>
IRGL_DEVICE T nothing() {
  if constexpr (std::is_same_v<Op, Min>) return highest<T>();
  else if constexpr (std::is_same_v<Op, Max>) return lowest<T>();
  else if constexpr (std::is_same_v<Op, And>) return ones<T>();
  else return T(0);
}
}  // namespace detail

template <int L, class Op, class T>
IRGL_DEVICE void apart(T& x) {
  if (!in_first<L>()) x = detail::nothing<Op, T>();
}
template <int L, class Op, class T>
IRGL_DEVICE void joined(T& x) {
  for (int step = L; step != warp_size; step *= 2) x = Op{}(x, shuffle_xor(x, step));
}
template <int L, class Op, class T, int K>
IRGL_DEVICE void apart(Beside<T, K, L>& v) {
  for (int i = 0; i < turns<K, L>; ++i) apart<L, Op>(v.at[i]);
}
template <int L, class Op, class T, int K>
IRGL_DEVICE void joined(Beside<T, K, L>& v) {
  for (int i = 0; i < turns<K, L>; ++i) joined<L, Op>(v.at[i]);
}

template <int L, class R>
struct Dealt {
  R range;
  struct End {};
  struct Iterator {
    const R& of;
    size_t p;
    IRGL_DEVICE typename R::item operator*() const { return of.at(p); }
    IRGL_DEVICE Iterator& operator++() { return p += warp_size / L, *this; }
    IRGL_DEVICE bool operator!=(End) const { return p < of.size(); }
  };
  IRGL_DEVICE Iterator begin() const { return {range, group<L>()}; }
  IRGL_DEVICE End end() const { return {}; }
};
template <int L, class R>
IRGL_DEVICE Dealt<L, R> dealt(const R& range) { return {range}; }

template <int L, class R, class... A>
IRGL_DEVICE void for_each_row(Thread& t, const R& range, A&&... a) {
  detail::split_last([&](const auto& pack, auto& op) {
    using P = std::decay_t<decltype(pack)>;
    typename P::Local acc = pack.neutral();
    const size_t count = range.size(), stride = t.count() / L;
    for (size_t p = t.rank() / L; p < count; p += stride)
      if (has_item(range, p)) P::call(op, acc, t, true, range.at(p));
    pack.to_global(acc);
  }, std::make_index_sequence<sizeof...(A) - 1>(), a...);
}

}  // namespace irgl
