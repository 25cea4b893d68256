// cub::BlockHistogram: counts of bins, by atomic operations.
#pragma once
#include "../../irgl_emu/together.h"
#include "../util_device.cuh"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int N, int BINS, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int = 0>
class BlockHistogram {
 public:
  struct TempStorage {
    unsigned char unused;
  };
  IRGL_EMU_MEMBER BlockHistogram() {}
  IRGL_EMU_MEMBER explicit BlockHistogram(TempStorage&) {}

  template <class Count>
  IRGL_EMU_MEMBER void InitHistogram(Count histogram[BINS]) {
    for (int b = block.rank; b < BINS; b += X * Y * Z) histogram[b] = 0;
  }
  template <class Count>
  IRGL_EMU_MEMBER void Composite(T (&items)[N], Count histogram[BINS]) {
    for (int i = 0; i < N; i++) atomicAdd(&histogram[items[i]], Count(1));
    __syncthreads();
  }
  template <class Count>
  IRGL_EMU_MEMBER void Histogram(T (&items)[N], Count histogram[BINS]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }

 private:
  irgl_emu::Threads<X, Y, Z> block;
};

}  // namespace cub
