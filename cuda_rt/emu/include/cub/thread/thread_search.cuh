// What one thread does alone: binary searches, a reduction or scan of its own items, loads and stores by cache.
#pragma once
#include "thread_operators.cuh"

namespace cub {

template <class In, class Offset, class T>
IRGL_EMU_MEMBER Offset LowerBound(In input, Offset num_items, T val) {
  Offset low = 0;
  while (num_items > 0) {
    const Offset half = num_items / 2;
    const bool behind = input[low + half] < val;
    low = behind ? low + half + 1 : low;
    num_items = behind ? num_items - half - 1 : half;
  }
  return low;
}
template <class In, class Offset, class T>
IRGL_EMU_MEMBER Offset UpperBound(In input, Offset num_items, T val) {
  Offset low = 0;
  while (num_items > 0) {
    const Offset half = num_items / 2;
    const bool behind = !(val < input[low + half]);
    low = behind ? low + half + 1 : low;
    num_items = behind ? num_items - half - 1 : half;
  }
  return low;
}
// Where the diagonal meets the path along which two sorted lists are merged.
template <class A, class B, class Offset, class Coordinate>
IRGL_EMU_MEMBER void MergePathSearch(Offset diagonal, A a, B b, Offset a_len, Offset b_len, Coordinate& path) {
  Offset low = diagonal > b_len ? diagonal - b_len : 0, high = diagonal < a_len ? diagonal : a_len;
  while (low < high) {
    const Offset pivot = (low + high) / 2;
    if (a[pivot] <= b[diagonal - pivot - 1]) {
      low = pivot + 1;
    } else {
      high = pivot;
    }
  }
  path.x = low < a_len ? low : a_len;
  path.y = diagonal - low;
}

template <class T, int N, class Op>
IRGL_EMU_MEMBER T ThreadReduce(T (&input)[N], Op op) {
  T sum = input[0];
  for (int i = 1; i < N; i++) sum = op(sum, input[i]);
  return sum;
}
template <class T, int N, class Op, class Prefix>
IRGL_EMU_MEMBER T ThreadReduce(T (&input)[N], Op op, Prefix prefix) {
  T sum = prefix;
  for (int i = 0; i < N; i++) sum = op(sum, input[i]);
  return sum;
}

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, class In>
IRGL_EMU_MEMBER IrglEmuValue<In> ThreadLoad(In from) {
  IrglEmuValue<In> v = IrglEmuValue<In>();
  if constexpr (M == LOAD_CG || M == LOAD_CV || M == LOAD_VOLATILE) {
    irgl_emu_load(&*from, &v, sizeof v);
  } else {
    v = *from;
  }
  return v;
}
template <CacheStoreModifier M, class Out, class T>
IRGL_EMU_MEMBER void ThreadStore(Out to, T v) {
  if constexpr (M == STORE_CG || M == STORE_WT || M == STORE_VOLATILE) {
    irgl_emu_store(&*to, &v, sizeof v);
  } else {
    *to = v;
  }
}

}  // namespace cub
