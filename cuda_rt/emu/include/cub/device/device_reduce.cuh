// cub::DeviceReduce.
#pragma once
#include "../../irgl_emu/limits.h"
#include "../util_device.cuh"

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class Op, class T, class Count>
  IRGL_EMU_MEMBER static cudaError_t Reduce(void* temp, size_t& bytes, In in, Out out, Count num_items, Op op, T init,
                                            cudaStream_t stream = 0) {
    return TransformReduce(temp, bytes, in, out, num_items, op, Same(), init, stream);
  }
  template <class In, class Out, class Op, class Transform, class T, class Count>
  IRGL_EMU_MEMBER static cudaError_t TransformReduce(void* temp, size_t& bytes, In in, Out out, Count num_items, Op op,
                                                     Transform transform, T init, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceReduce", temp, bytes, 0, stream, [=]() mutable {
      std::decay_t<decltype(op(init, transform(*in)))> sum = init;
      for (Count i = 0; i < num_items; i++) {
        irgl_emu_step();
        sum = op(sum, transform(in[i]));
      }
      *out = sum;
    });
  }
  template <class In, class Out, class Count>
  IRGL_EMU_MEMBER static cudaError_t Sum(void* temp, size_t& bytes, In in, Out out, Count num_items,
                                         cudaStream_t stream = 0) {
    return Reduce(temp, bytes, in, out, num_items, irgl_emu::Add(), IrglEmuOutput<Out, In>{}, stream);
  }
  template <class In, class Out, class Count>
  IRGL_EMU_MEMBER static cudaError_t Min(void* temp, size_t& bytes, In in, Out out, Count num_items,
                                         cudaStream_t stream = 0) {
    return Reduce(temp, bytes, in, out, num_items, irgl_emu::Least(),
                  cuda::std::numeric_limits<IrglEmuValue<In>>::max(), stream);
  }
  template <class In, class Out, class Count>
  IRGL_EMU_MEMBER static cudaError_t Max(void* temp, size_t& bytes, In in, Out out, Count num_items,
                                         cudaStream_t stream = 0) {
    return Reduce(temp, bytes, in, out, num_items, irgl_emu::Greatest(),
                  cuda::std::numeric_limits<IrglEmuValue<In>>::lowest(), stream);
  }

  // The first of the smallest or largest items: as a pair of position and value, or one to each of two outputs.
  template <class In, class Out>
  IRGL_EMU_MEMBER static cudaError_t ArgMin(void* temp, size_t& bytes, In in, Out out, int num_items,
                                            cudaStream_t stream = 0) {
    return extreme<false>(temp, bytes, in, Pair<Out>{out}, num_items, stream);
  }
  template <class In, class Out>
  IRGL_EMU_MEMBER static cudaError_t ArgMax(void* temp, size_t& bytes, In in, Out out, int num_items,
                                            cudaStream_t stream = 0) {
    return extreme<true>(temp, bytes, in, Pair<Out>{out}, num_items, stream);
  }
  template <class In, class Out, class Index, class = IrglEmuValue<Index>>
  IRGL_EMU_MEMBER static cudaError_t ArgMin(void* temp, size_t& bytes, In in, Out out, Index index, long num_items,
                                            cudaStream_t stream = 0) {
    return extreme<false>(temp, bytes, in, Two<Out, Index>{out, index}, num_items, stream);
  }
  template <class In, class Out, class Index, class = IrglEmuValue<Index>>
  IRGL_EMU_MEMBER static cudaError_t ArgMax(void* temp, size_t& bytes, In in, Out out, Index index, long num_items,
                                            cudaStream_t stream = 0) {
    return extreme<true>(temp, bytes, in, Two<Out, Index>{out, index}, num_items, stream);
  }

  // Items that follow each other under one key.
  template <class Keys, class Unique, class Values, class Sums, class Runs, class Op, class Count>
  IRGL_EMU_MEMBER static cudaError_t ReduceByKey(void* temp, size_t& bytes, Keys keys, Unique unique, Values values,
                                                 Sums sums, Runs num_runs, Op op, Count num_items,
                                                 cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceReduce::ReduceByKey", temp, bytes, 0, stream, [=]() mutable {
      Count runs = 0;
      for (Count i = 0; i < num_items; runs++) {
        const IrglEmuValue<Keys> key = keys[i];
        IrglEmuValue<Values> sum = values[i];
        while (++i < num_items && keys[i] == key) sum = op(sum, values[i]);
        unique[runs] = key;
        sums[runs] = sum;
      }
      *num_runs = runs;
    });
  }

 private:
  struct Same {
    template <class T>
    IRGL_EMU_MEMBER const T& operator()(const T& x) const {
      return x;
    }
  };
  template <class Out>
  struct Pair {
    Out out;
    template <class T>
    IRGL_EMU_MEMBER void operator()(long i, const T& value) {
      using Both = IrglEmuOutput<Out, KeyValuePair<int, T>*>;
      *out = Both(i, value);
    }
  };
  template <class Out, class Index>
  struct Two {
    Out out;
    Index index;
    template <class T>
    IRGL_EMU_MEMBER void operator()(long i, const T& value) {
      *out = value;
      *index = i;
    }
  };
  template <bool Largest, class In, class To>
  IRGL_EMU_MEMBER static cudaError_t extreme(void* temp, size_t& bytes, In in, To to, long num_items,
                                             cudaStream_t stream) {
    return irgl_emu_whole("cub::DeviceReduce::ArgMin or ArgMax", temp, bytes, 0, stream, [=]() mutable {
      using T = IrglEmuValue<In>;
      using Limits = cuda::std::numeric_limits<T>;
      if (num_items == 0) return to(1, Largest ? Limits::lowest() : Limits::max());
      long best = 0;
      T value = in[0];
      for (long i = 1; i < num_items; i++) {
        irgl_emu_step();
        const T item = in[i];
        if (Largest ? value < item : item < value) {
          best = i;
          value = item;
        }
      }
      to(best, value);
    });
  }
};

}  // namespace cub
