// cub::DeviceScan.
#pragma once
#include "../util_device.cuh"

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Op, class T, class Count>
  IRGL_EMU_MEMBER static cudaError_t ExclusiveScan(void* temp, size_t& bytes, In in, Out out, Op op, T init,
                                                   Count num_items, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceScan", temp, bytes, 0, stream, [=]() mutable {
      std::decay_t<decltype(op(init, *in))> sum = init;
      for (Count i = 0; i < num_items; i++) {
        const IrglEmuValue<In> item = in[i];
        out[i] = sum;
        sum = op(sum, item);
      }
    });
  }
  template <class In, class Out, class Op, class Count>
  IRGL_EMU_MEMBER static cudaError_t InclusiveScan(void* temp, size_t& bytes, In in, Out out, Op op, Count num_items,
                                                   cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceScan", temp, bytes, 0, stream, [=]() mutable {
      if (num_items <= 0) return;
      std::decay_t<decltype(op(*in, *in))> sum = in[0];
      out[0] = sum;
      for (Count i = 1; i < num_items; i++) out[i] = sum = op(sum, in[i]);
    });
  }
  template <class In, class Out, class Op, class T, class Count>
  IRGL_EMU_MEMBER static cudaError_t InclusiveScanInit(void* temp, size_t& bytes, In in, Out out, Op op, T init,
                                                       Count num_items, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceScan", temp, bytes, 0, stream, [=]() mutable {
      std::decay_t<decltype(op(init, *in))> sum = init;
      for (Count i = 0; i < num_items; i++) out[i] = sum = op(sum, in[i]);
    });
  }
  template <class In, class Out, class Count, class = std::enable_if_t<std::is_integral_v<Count>>>
  IRGL_EMU_MEMBER static cudaError_t ExclusiveSum(void* temp, size_t& bytes, In in, Out out, Count num_items,
                                                  cudaStream_t stream = 0) {
    return ExclusiveScan(temp, bytes, in, out, irgl_emu::Add(), IrglEmuValue<In>{}, num_items, stream);
  }
  template <class In, class Out, class Count, class = std::enable_if_t<std::is_integral_v<Count>>>
  IRGL_EMU_MEMBER static cudaError_t InclusiveSum(void* temp, size_t& bytes, In in, Out out, Count num_items,
                                                  cudaStream_t stream = 0) {
    return InclusiveScan(temp, bytes, in, out, irgl_emu::Add(), num_items, stream);
  }
  // In place.
  template <class Data, class Count, class = std::enable_if_t<std::is_integral_v<Count>>>
  IRGL_EMU_MEMBER static cudaError_t ExclusiveSum(void* temp, size_t& bytes, Data data, Count num_items,
                                                  cudaStream_t stream = 0) {
    return ExclusiveSum(temp, bytes, data, data, num_items, stream);
  }
  template <class Data, class Count, class = std::enable_if_t<std::is_integral_v<Count>>>
  IRGL_EMU_MEMBER static cudaError_t InclusiveSum(void* temp, size_t& bytes, Data data, Count num_items,
                                                  cudaStream_t stream = 0) {
    return InclusiveSum(temp, bytes, data, data, num_items, stream);
  }

  // Each run of equal keys by itself.
  template <class Keys, class In, class Out, class Op, class T, class Count, class Equal = irgl_emu::Equal>
  IRGL_EMU_MEMBER static cudaError_t ExclusiveScanByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, Op op,
                                                        T init, Count num_items, Equal equal = {},
                                                        cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceScan", temp, bytes, 0, stream, [=]() mutable {
      std::decay_t<decltype(op(init, *in))> sum = init;
      for (Count i = 0; i < num_items; i++) {
        if (i > 0 && !equal(keys[i - 1], keys[i])) sum = init;
        const IrglEmuValue<In> item = in[i];
        out[i] = sum;
        sum = op(sum, item);
      }
    });
  }
  template <class Keys, class In, class Out, class Op, class Count, class Equal = irgl_emu::Equal>
  IRGL_EMU_MEMBER static cudaError_t InclusiveScanByKey(void* temp, size_t& bytes, Keys keys, In in, Out out, Op op,
                                                        Count num_items, Equal equal = {}, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceScan", temp, bytes, 0, stream, [=]() mutable {
      if (num_items <= 0) return;
      std::decay_t<decltype(op(*in, *in))> sum = in[0];
      out[0] = sum;
      for (Count i = 1; i < num_items; i++) {
        const IrglEmuValue<In> item = in[i];
        if (equal(keys[i - 1], keys[i])) {
          sum = op(sum, item);
        } else {
          sum = item;
        }
        out[i] = sum;
      }
    });
  }
  template <class Keys, class In, class Out, class Count, class Equal = irgl_emu::Equal>
  IRGL_EMU_MEMBER static cudaError_t ExclusiveSumByKey(void* temp, size_t& bytes, Keys keys, In in, Out out,
                                                       Count num_items, Equal equal = {}, cudaStream_t stream = 0) {
    return ExclusiveScanByKey(temp, bytes, keys, in, out, irgl_emu::Add(), IrglEmuValue<In>{}, num_items, equal,
                              stream);
  }
  template <class Keys, class In, class Out, class Count, class Equal = irgl_emu::Equal>
  IRGL_EMU_MEMBER static cudaError_t InclusiveSumByKey(void* temp, size_t& bytes, Keys keys, In in, Out out,
                                                       Count num_items, Equal equal = {}, cudaStream_t stream = 0) {
    return InclusiveScanByKey(temp, bytes, keys, in, out, irgl_emu::Add(), num_items, equal, stream);
  }
};

}  // namespace cub
