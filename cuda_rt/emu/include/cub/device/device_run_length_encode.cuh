// cub::DeviceRunLengthEncode.
#pragma once
#include "../util_device.cuh"

namespace cub {

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Num, class Count>
  IRGL_EMU_MEMBER static cudaError_t Encode(void* temp, size_t& bytes, In in, Unique unique, Lengths lengths,
                                            Num num_runs, Count num_items, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceRunLengthEncode", temp, bytes, 0, stream, [=]() mutable {
      Count n = 0;
      for (Count i = 0, begin = 0; i < num_items; begin = i, n++) {
        const IrglEmuValue<In> item = in[i];
        while (++i < num_items && in[i] == item) continue;
        unique[n] = item;
        lengths[n] = i - begin;
      }
      *num_runs = n;
    });
  }
  // Runs of two and more.
  template <class In, class Offsets, class Lengths, class Num, class Count>
  IRGL_EMU_MEMBER static cudaError_t NonTrivialRuns(void* temp, size_t& bytes, In in, Offsets offsets, Lengths lengths,
                                                    Num num_runs, Count num_items, cudaStream_t stream = 0) {
    return irgl_emu_whole("cub::DeviceRunLengthEncode", temp, bytes, 0, stream, [=]() mutable {
      Count n = 0;
      for (Count i = 0, begin = 0; i < num_items; begin = i) {
        while (++i < num_items && in[i] == in[begin]) continue;
        if (i - begin < 2) continue;
        offsets[n] = begin;
        lengths[n++] = i - begin;
      }
      *num_runs = n;
    });
  }
};

}  // namespace cub
