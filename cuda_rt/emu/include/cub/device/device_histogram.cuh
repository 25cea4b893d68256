// cub::DeviceHistogram of samples with one channel.
#pragma once
#include "../util_device.cuh"

namespace cub {

struct DeviceHistogram {
  // num_levels - 1 bins of one width, from lower_level up to upper_level.
  template <class In, class Counter, class Level, class Count>
  IRGL_EMU_MEMBER static cudaError_t HistogramEven(void* temp, size_t& bytes, In samples, Counter* histogram,
                                                   int num_levels, Level lower_level, Level upper_level,
                                                   Count num_samples, cudaStream_t stream = 0) {
    return counted(temp, bytes, samples, histogram, num_levels - 1, num_samples, stream, [=](auto sample) -> int {
      const auto x = static_cast<std::common_type_t<Level, decltype(sample)>>(sample);
      if (!(x >= lower_level && x < upper_level)) return -1;
      if constexpr (std::is_integral_v<decltype(x - lower_level)>) {
        return static_cast<int>(static_cast<unsigned long>(x - lower_level) * (num_levels - 1) /
                                static_cast<unsigned long>(upper_level - lower_level));
      } else {
        return static_cast<int>((x - lower_level) * ((num_levels - 1) / (upper_level - lower_level)));
      }
    });
  }
  // Bin i from levels[i] up to levels[i + 1].
  template <class In, class Counter, class Level, class Count>
  IRGL_EMU_MEMBER static cudaError_t HistogramRange(void* temp, size_t& bytes, In samples, Counter* histogram,
                                                    int num_levels, const Level* levels, Count num_samples,
                                                    cudaStream_t stream = 0) {
    return counted(temp, bytes, samples, histogram, num_levels - 1, num_samples, stream, [=](auto sample) -> int {
      int low = -1, high = num_levels;  // levels[low] <= sample < levels[high]
      while (high - low > 1) {
        const int middle = (low + high) / 2;
        (sample < levels[middle] ? high : low) = middle;
      }
      return high < num_levels ? low : -1;
    });
  }

 private:
  template <class In, class Counter, class Count, class Bin>
  IRGL_EMU_MEMBER static cudaError_t counted(void* temp, size_t& bytes, In samples, Counter* histogram, int bins,
                                             Count num_samples, cudaStream_t stream, Bin bin) {
    return irgl_emu_whole("cub::DeviceHistogram", temp, bytes, 0, stream, [=]() {
      for (int b = 0; b < bins; b++) histogram[b] = 0;
      for (Count i = 0; i < num_samples; i++) {
        const int b = bin(static_cast<IrglEmuValue<In>>(samples[i]));
        if (b >= 0 && b < bins) histogram[b]++;
      }
    });
  }
};

}  // namespace cub
