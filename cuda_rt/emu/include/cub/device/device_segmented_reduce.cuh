// cub::DeviceSegmentedReduce: one result for each segment, as DeviceReduce has it for all.
#pragma once
#include "../../irgl_emu/limits.h"
#include "../util_device.cuh"

namespace cub {

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begins, class Ends, class Op, class T>
  IRGL_EMU_MEMBER static cudaError_t Reduce(void* temp, size_t& bytes, In in, Out out, long num_segments, Begins begins,
                                            Ends ends, Op op, T init, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceSegmentedReduce", temp, bytes, 0, stream, [=]() mutable {
      for (long s = 0; s < num_segments; s++) {
        std::decay_t<decltype(op(init, *in))> sum = init;
        for (long i = begins[s]; i < static_cast<long>(ends[s]); i++) sum = op(sum, in[i]);
        out[s] = sum;
      }
    });
  }
  template <class In, class Out, class Begins, class Ends>
  IRGL_EMU_MEMBER static cudaError_t Sum(void* temp, size_t& bytes, In in, Out out, long num_segments, Begins begins,
                                         Ends ends, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, in, out, num_segments, begins, ends, irgl_emu::Add(), IrglEmuOutput<Out, In>{}, stream);
  }
  template <class In, class Out, class Begins, class Ends>
  IRGL_EMU_MEMBER static cudaError_t Min(void* temp, size_t& bytes, In in, Out out, long num_segments, Begins begins,
                                         Ends ends, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, in, out, num_segments, begins, ends, irgl_emu::Least(),
                  cuda::std::numeric_limits<IrglEmuValue<In>>::max(), stream);
  }
  template <class In, class Out, class Begins, class Ends>
  IRGL_EMU_MEMBER static cudaError_t Max(void* temp, size_t& bytes, In in, Out out, long num_segments, Begins begins,
                                         Ends ends, cudaStream_t stream = 0) {
    return Reduce(temp, bytes, in, out, num_segments, begins, ends, irgl_emu::Greatest(),
                  cuda::std::numeric_limits<IrglEmuValue<In>>::lowest(), stream);
  }
  // Pairs of position in the segment and value.
  template <class In, class Out, class Begins, class Ends>
  IRGL_EMU_MEMBER static cudaError_t ArgMin(void* temp, size_t& bytes, In in, Out out, long num_segments, Begins begins,
                                            Ends ends, cudaStream_t stream = 0) {
    return extremes<false>(temp, bytes, in, out, num_segments, begins, ends, stream);
  }
  template <class In, class Out, class Begins, class Ends>
  IRGL_EMU_MEMBER static cudaError_t ArgMax(void* temp, size_t& bytes, In in, Out out, long num_segments, Begins begins,
                                            Ends ends, cudaStream_t stream = 0) {
    return extremes<true>(temp, bytes, in, out, num_segments, begins, ends, stream);
  }

 private:
  template <bool Largest, class In, class Out, class Begins, class Ends>
  IRGL_EMU_MEMBER static cudaError_t extremes(void* temp, size_t& bytes, In in, Out out, long num_segments,
                                              Begins begins, Ends ends, cudaStream_t stream) {
    return irgl_emu_whole("cub::DeviceSegmentedReduce", temp, bytes, 0, stream, [=]() mutable {
      using T = IrglEmuValue<In>;
      using Limits = cuda::std::numeric_limits<T>;
      for (long s = 0; s < num_segments; s++) {
        const long begin = begins[s], end = ends[s];
        IrglEmuOutput<Out, KeyValuePair<int, T>*> best(1, Largest ? Limits::lowest() : Limits::max());
        for (long i = begin; i < end; i++) {
          const T item = in[i];
          if (i == begin || (Largest ? best.value < item : item < best.value)) {
            best = {static_cast<int>(i - begin), item};
          }
        }
        out[s] = best;
      }
    });
  }
};

}  // namespace cub
