// Iterations that several lanes of a warp run together, each with values of its own of every vector: L lanes, 2 to 32.
//
//     irgl::for_each_row<L>(t, RANGE, REDUCERS..., op)     as for_each<One>, each item on L lanes side by side
//     irgl::Beside<T, K, L> v(first)                       a vector of K values: v.at[i] is value i * L + lane
//     for (int i = 0; i < irgl::turns<K, L>; ++i)          the loop over a vector's values: those of this lane
//       if (const int64_t k = irgl::value_of<L>(i); irgl::is_there<K, L>(k)) ...
//     irgl::value_at(v, k)                                 value k, on all lanes of the item: they call it together
//     irgl::together<L, Op>(x)                             what the lanes of an item have, combined, on each of them
//     irgl::leads<L>()                                     is it the item's first lane, which stores what all know?
// The lanes of an item take the same branches; those of others in the warp may take other ones.
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
