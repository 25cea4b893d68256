// cub::WarpScan, by shuffles: its storage is never touched.
#pragma once
#include "../../irgl_emu/together.h"
#include "../util_device.cuh"

namespace cub {

template <class T, int LOGICAL_WARP_THREADS = 32, int = 0>
class WarpScan {
 public:
  struct TempStorage {
    unsigned char unused;
  };
  IRGL_EMU_MEMBER explicit WarpScan(TempStorage&) {}

  template <class Op>
  IRGL_EMU_MEMBER void InclusiveScan(T input, T& output, Op op) {
    output = w.scan(input, op);
  }
  template <class Op>
  IRGL_EMU_MEMBER void InclusiveScan(T input, T& output, Op op, T& warp_aggregate) {
    output = w.scan(input, op);
    warp_aggregate = w.from(w.count - 1, output);
  }
  template <class Op>
  IRGL_EMU_MEMBER void InclusiveScan(T input, T& output, T initial_value, Op op) {
    output = op(initial_value, w.scan(input, op));
  }
  template <class Op>
  IRGL_EMU_MEMBER void InclusiveScan(T input, T& output, T initial_value, Op op, T& warp_aggregate) {
    const T all = w.scan(input, op);
    output = op(initial_value, all);
    warp_aggregate = w.from(w.count - 1, all);
  }

  // Without an initial value the first lane's output means nothing: it stays as it is.
  template <class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, Op op) {
    const T before = w.from(w.rank - 1, w.scan(input, op));
    if (w.rank > 0) output = before;
  }
  template <class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, Op op, T& warp_aggregate) {
    const T all = w.scan(input, op), before = w.from(w.rank - 1, all);
    if (w.rank > 0) output = before;
    warp_aggregate = w.from(w.count - 1, all);
  }
  template <class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, T initial_value, Op op) {
    T unused = input;
    ExclusiveScan(input, output, initial_value, op, unused);
  }
  template <class Op>
  IRGL_EMU_MEMBER void ExclusiveScan(T input, T& output, T initial_value, Op op, T& warp_aggregate) {
    const T all = w.scan(input, op), before = w.from(w.rank - 1, all);
    output = w.rank > 0 ? op(initial_value, before) : initial_value;
    warp_aggregate = w.from(w.count - 1, all);
  }

  IRGL_EMU_MEMBER void InclusiveSum(T input, T& output) { InclusiveScan(input, output, irgl_emu::Add()); }
  IRGL_EMU_MEMBER void InclusiveSum(T input, T& output, T& warp_aggregate) {
    InclusiveScan(input, output, irgl_emu::Add(), warp_aggregate);
  }
  IRGL_EMU_MEMBER void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T{}, irgl_emu::Add()); }
  IRGL_EMU_MEMBER void ExclusiveSum(T input, T& output, T& warp_aggregate) {
    ExclusiveScan(input, output, T{}, irgl_emu::Add(), warp_aggregate);
  }

  template <class Op>
  IRGL_EMU_MEMBER void Scan(T input, T& inclusive, T& exclusive, Op op) {
    inclusive = w.scan(input, op);
    const T before = w.from(w.rank - 1, inclusive);
    if (w.rank > 0) exclusive = before;
  }
  template <class Op>
  IRGL_EMU_MEMBER void Scan(T input, T& inclusive, T& exclusive, T initial_value, Op op) {
    inclusive = op(initial_value, w.scan(input, op));
    const T before = w.from(w.rank - 1, inclusive);
    exclusive = w.rank > 0 ? before : initial_value;
  }
  IRGL_EMU_MEMBER T Broadcast(T input, unsigned src_lane) { return w.from(static_cast<int>(src_lane), input); }

 private:
  irgl_emu::Lanes<LOGICAL_WARP_THREADS> w;
};

}  // namespace cub
