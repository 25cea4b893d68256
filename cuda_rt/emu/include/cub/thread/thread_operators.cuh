// CUB's function objects, those of older versions too.
#pragma once
#include "../util_device.cuh"

namespace cub {

using Sum = irgl_emu::Add;
using Min = irgl_emu::Least;
using Max = irgl_emu::Greatest;
using Equality = irgl_emu::Equal;
struct Difference {
  template <class T, class U>
  IRGL_EMU_MEMBER auto operator()(const T& a, const U& b) const {
    return a - b;
  }
};
struct Inequality {
  template <class T, class U>
  IRGL_EMU_MEMBER bool operator()(const T& a, const U& b) const {
    return a != b;
  }
};
template <class Op>
struct InequalityWrapper {
  Op op;
  IRGL_EMU_MEMBER InequalityWrapper(Op o) : op(o) {}
  template <class T, class U>
  IRGL_EMU_MEMBER bool operator()(const T& a, const U& b) {
    return !op(a, b);
  }
};
template <class B>
struct CastOp {
  template <class A>
  IRGL_EMU_MEMBER B operator()(const A& a) const {
    return static_cast<B>(a);
  }
};

// Of pairs of key and value those with the smallest or largest value, of equal ones the smaller key.
struct ArgMax {
  template <class K, class T>
  IRGL_EMU_MEMBER KeyValuePair<K, T> operator()(const KeyValuePair<K, T>& a, const KeyValuePair<K, T>& b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class T>
  IRGL_EMU_MEMBER KeyValuePair<K, T> operator()(const KeyValuePair<K, T>& a, const KeyValuePair<K, T>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

// Pairs whose key counts segments, or names them: values of one segment are joined.
template <class Op>
struct ReduceBySegmentOp {
  Op op;
  ReduceBySegmentOp() = default;
  IRGL_EMU_MEMBER ReduceBySegmentOp(Op o) : op(o) {}
  template <class Pair>
  IRGL_EMU_MEMBER Pair operator()(const Pair& a, const Pair& b) {
    Pair r = b;
    r.key = a.key + b.key;
    if (!b.key) r.value = op(a.value, b.value);
    return r;
  }
};
template <class Op>
struct ReduceByKeyOp {
  Op op;
  ReduceByKeyOp() = default;
  IRGL_EMU_MEMBER ReduceByKeyOp(Op o) : op(o) {}
  template <class Pair>
  IRGL_EMU_MEMBER Pair operator()(const Pair& a, const Pair& b) {
    Pair r = b;
    if (a.key == b.key) r.value = op(a.value, b.value);
    return r;
  }
};

}  // namespace cub
