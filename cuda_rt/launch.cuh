// Launches, ordinary and cooperative, sized by the occupancy API; and waiting, with an ear for the user's interrupt.
#pragma once
#include <time.h>

#include "memory.cuh"

namespace irgl {

constexpr size_t all_blocks = ~size_t(0);
// As many blocks as the largest of these numbers of items fills.
template <class... N>
size_t blocks_for(N... items) {
  size_t most = 0;
  ((most = size_t(items) > most ? size_t(items) : most), ...);
  return (most + block_size - 1) / block_size;
}

class Launcher : public DeviceMemory {
  static constexpr size_t most_blocks = 32;  // of a multiprocessor of any GPU

 public:
  using DeviceMemory::DeviceMemory;

  // As many blocks as the work fills, but no more than run at once: kernels stride. At least one, for a kernel may have
  // statements outside of its loops.
  template <class... P, class... A>
  void launch(void (*kernel)(P...), size_t items, A&&... args) {
    const size_t wanted = (items + block_size - 1) / block_size, most = resident(kernel);
    start(kernel, wanted < 1 ? 1 : wanted < most ? wanted : most, false, args...);
  }
  // A barrier costs each block that has nothing to do as much as the others.
  template <class... P, class... A>
  void launch_cooperative(void (*kernel)(P...), size_t blocks, A&&... args) {
    zero(device_control()->halted, offsetof(Control, barriers) - offsetof(Control, halted));
    const size_t most = resident_beside(kernel);
    start(kernel, blocks < 1 ? 1 : blocks < most ? blocks : most, true, args...);
  }
  // For kernels whose threads open up to `sets` scratch sets over the universe at a time: as many threads as an eighth
  // of the free memory has room for their marks.
  template <class... P, class... A>
  void launch_scratch(void (*kernel)(P...), size_t items, size_t universe, size_t sets, A&&... args) {
    const size_t wanted = (items + block_size - 1) / block_size, most = resident(kernel);
    start(kernel, open_scratch(wanted < most ? wanted : most, universe, sets), false, args...);
  }
  template <class... P, class... A>
  void launch_scratch_cooperative(void (*kernel)(P...), size_t universe, size_t sets, A&&... args) {
    zero(device_control()->halted, offsetof(Control, barriers) - offsetof(Control, halted));
    start(kernel, open_scratch(resident_beside(kernel), universe, sets), true, args...);
  }
  // For kernels whose blocks tell each other what they have (even.cuh): a word for each block that runs at once.
  void open_shares() {
    shares_ = allocate_array<counter_t>(size_t(processors_) * most_blocks);
    copy_in(&device_control()->shares, &shares_, sizeof shares_);
  }
  void wait() {
    bool told = args_->stop == nullptr && before_ == nullptr;
    for (unsigned looks = 0; !failed() && !told; ++looks) {
      if (turns_ != nullptr) pass();
      const cudaError_t state = cudaStreamQuery(stream_);
      if (state != cudaErrorNotReady) break;
      if (is_stopped() || part_before_ended()) tell_device(), told = true;
      const timespec pause{0, 50000};
      if (looks > 1000 && turns_ == nullptr) nanosleep(&pause, nullptr);
    }
    if (!failed()) synchronize();
  }

 protected:
  int64_t kernels_ = 0;  // launched
  unsigned* scratch_ = nullptr;
  counter_t* shares_ = nullptr;
  size_t scratch_sets_ = 0, scratch_words_ = 0, scratch_log_ = 0;  // as many as it has room for; words of each

  virtual void before_launch() = 0;
  ~Launcher() = default;

  // How many blocks there is memory for, at most `wanted`. What was zero stays so (scratch.cuh): a slab is used again
  // where it is large enough, whatever the universe was. In front of it stands a word for each set.
  size_t open_scratch(size_t wanted, size_t universe, size_t sets) {
    const size_t marks = (1 + (universe + 31) / 32 + 3) / 4 * 4, block = sets * block_size;
    const size_t log = marks / 8 > 64 ? marks / 8 / 4 * 4 : 64;  // words go by four
    const size_t words = marks + log > scratch_words_ ? marks + log : scratch_words_;
    const size_t held = scratch_sets_ * (scratch_words_ + 1) * sizeof(unsigned);
    size_t blocks = (free_memory() + held) / 8 / (block * (words + 1) * sizeof(unsigned));
    blocks = blocks < wanted ? blocks : wanted;
    blocks = blocks < 1 ? 1 : blocks;
    if (blocks * block > scratch_sets_ || words > scratch_words_) {
      release(scratch_);
      scratch_sets_ = blocks * block;
      if (words > scratch_words_) scratch_words_ = words, scratch_log_ = log;
      scratch_ = allocate_array<unsigned>(scratch_sets_ * (words + 1));
      zero(scratch_, scratch_sets_ * sizeof(unsigned));
    }
    const struct {
      unsigned* slab;
      unsigned words, log;
    } now{scratch_ + scratch_sets_, unsigned(scratch_words_), unsigned(scratch_log_)};
    copy_in(&device_control()->scratch, &now, sizeof now);
    return blocks;
  }
  // A kernel that is running reads control.stop at its barriers.
  void tell_device() {
    const int stop = 1;
    cudaStream_t beside = nullptr;
    if (!check(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking))) return;
    check(cudaMemcpyAsync(&device_control()->stop, &stop, sizeof stop, cudaMemcpyHostToDevice, beside));
    check(cudaStreamSynchronize(beside));
    check(cudaStreamDestroy(beside));
  }

 private:
  struct Occupancy {
    const void* kernel;
    size_t blocks;
  };
  Table<Occupancy> known_;

  template <class... P>
  size_t resident(void (*kernel)(P...)) { return resident_blocks(reinterpret_cast<const void*>(kernel)); }
  // A kernel whose blocks all run at once takes its share of the device, where others run beside it.
  template <class... P>
  size_t resident_beside(void (*kernel)(P...)) {
    const size_t share = resident(kernel) / (turns_ != nullptr ? turns_->running() : 1);
    return share < 1 ? 1 : share;
  }

 protected:
  size_t resident_blocks(const void* key) {
    for (const Occupancy& o : known_)
      if (o.kernel == key) return o.blocks;
    int blocks = 1;
    if (!failed()) check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, key, int(block_size), 0));
    return known_.add({key, size_t(blocks > 0 ? blocks : 1) * size_t(processors_)}).blocks;
  }

 private:
  // What a launch is told; false: there is to be none.
  bool begin(cudaLaunchConfig_t& config, cudaLaunchAttribute& attribute, size_t blocks, bool cooperative) {
    before_launch();
    if (failed()) return false;
    config.gridDim = dim3(unsigned(blocks));
    config.blockDim = dim3(block_size);
    config.stream = stream_;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = cooperative ? 1 : 0;
    ++kernels_;
    ++launches_;
    return true;
  }
  // Is a launch to be tried once more, with half of its blocks? So it is under tools that add to kernels.
  bool again(cudaError_t error, cudaLaunchConfig_t& config) {
    if (error != cudaErrorCooperativeLaunchTooLarge || config.gridDim.x <= 1) return check(error), false;
    cudaGetLastError();
    config.gridDim.x /= 2;
    return true;
  }
  // All that goes by the kernel's type: there are as many of these as types, in each unit.
  template <class... P, class... A>
  void start(void (*kernel)(P...), size_t blocks, bool cooperative, A&&... args) {
    cudaLaunchConfig_t config{};
    cudaLaunchAttribute attribute{};
    if (!begin(config, attribute, blocks, cooperative)) return;
    while (again(cudaLaunchKernelEx(&config, kernel, args...), config)) {
    }
  }
};

}  // namespace irgl
