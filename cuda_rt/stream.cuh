// StreamBase: the stream of a run, the device's memory, and copies. An error of CUDA is told once on stderr; after it
// every operation does nothing.
//
// Small copies go through a few pages of pinned memory. So the host waits for none that goes to the device: the stream
// keeps it in order. Larger ones are waited for, since what they read may change.
#pragma once
#include <stdio.h>
#include <string.h>

#include "../cpu_rt/abi.hpp"
#include "thread.cuh"
#include "turns.cuh"

namespace irgl {

class StreamBase {
 public:
  static constexpr size_t small_size = 4096, stage_size = 4 * small_size;
  size_t spare = 0;  // bytes behind each array: what a fault in an empty graph goes on with has several values

  // device: one of those of the arguments, -1: the first.
  explicit StreamBase(irgl_run_args* args, int device = -1) : args_(args) {
    if (args->devices != 0) choose(device < 0 ? __builtin_ctzll(uint64_t(args->devices)) : device);
    check(cudaGetDevice(&device_));
    check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device_));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    if (!failed()) staged_ = PinnedPages::of_process().take(*this);
  }
  StreamBase(const StreamBase&) = delete;
  StreamBase& operator=(const StreamBase&) = delete;

  bool failed() const { return failed_ != 0; }
  bool check(cudaError_t error) {
    if (error == cudaSuccess) return true;
    if (failed_ == 0) {
      failed_ = error == cudaErrorMemoryAllocation ? IRGL_FAULT_MEMORY : IRGL_FAULT_DEVICE;
      fprintf(stderr, "irgl: CUDA: %s (%s)\n", cudaGetErrorString(error), cudaGetErrorName(error));
    }
    return false;
  }
  cudaStream_t stream() const { return stream_; }
  // What is launched and allocated next is on the device of this context.
  void enter() {
    if (args_->devices != 0 && !failed()) check(cudaSetDevice(device_));
  }

  // Memory of the device, in whole words (atomics.cuh). Null only after a failure.
  void* allocate(size_t bytes) {
    void* p = nullptr;
    if (!failed()) check(cudaMallocAsync(&p, (bytes + spare + 15) / 8 * 8, stream_));
    return p;
  }
  template <class T>
  T* allocate_array(size_t count) {
    if (count > size_t(PTRDIFF_MAX) / sizeof(T)) return check(cudaErrorMemoryAllocation), nullptr;
    return static_cast<T*>(allocate(count * sizeof(T)));
  }
  void release(void* p) {
    if (p != nullptr) check(cudaFreeAsync(p, stream_));
  }
  void zero(void* device, size_t bytes) {
    if (!failed() && bytes != 0) check(cudaMemsetAsync(device, 0, bytes, stream_));
  }
  void copy_in(void* device, const void* host, size_t bytes) {
    if (!counts(bytes)) return;
    const bool small = bytes <= small_size;
    if (small) host = memcpy(stage(bytes), host, bytes);
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_)) && !small && synchronize();
  }
  void copy_out(void* host, const void* device, size_t bytes) {
    if (!counts(bytes)) return;
    const bool small = bytes <= small_size;
    void* const to = small ? stage(bytes) : host;
    const bool done = check(cudaMemcpyAsync(to, device, bytes, cudaMemcpyDeviceToHost, stream_)) && synchronize();
    if (small && done) memcpy(host, to, bytes);
  }
  // Two small copies to the host, one behind the other in what is given; there when the stream has been waited for.
  // Null only after a failure.
  const char* begin_out(const void* first, size_t first_bytes, const void* second, size_t second_bytes) {
    if (!counts(first_bytes) || !counts(second_bytes)) return nullptr;
    char* const to = static_cast<char*>(stage(first_bytes + second_bytes));
    check(cudaMemcpyAsync(to, first, first_bytes, cudaMemcpyDeviceToHost, stream_));
    check(cudaMemcpyAsync(to + first_bytes, second, second_bytes, cudaMemcpyDeviceToHost, stream_));
    return failed() ? nullptr : to;
  }
  void copy_over(void* to, const void* from, size_t bytes) {
    if (!failed() && bytes != 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
  }

 protected:
  bool copies_wait() const { return staged_bytes_ != 0; }
  bool has_room(size_t bytes) const { return staged_bytes_ + bytes <= stage_size; }  // for a copy, without a wait
  // What was copied by way of the pinned pages has come to where it goes.
  bool synchronize() {
    if (turns_ != nullptr && !failed()) {
      do pass(); while (cudaStreamQuery(stream_) == cudaErrorNotReady);
      turns_->goes_on();
    }
    staged_bytes_ = 0;
    return check(cudaStreamSynchronize(stream_));
  }
  void pass() {
    turns_->pass();
    enter();
  }
  void end_stream() {
    if (stream_ != nullptr) {
      synchronize();
      check(cudaStreamDestroy(stream_));
    }
    if (staged_ != nullptr) PinnedPages::of_process().give(staged_);
  }

  irgl_run_args* args_;
  Turns* turns_ = nullptr;  // with parts of the program that run beside this one (beside.cuh)
  cudaStream_t stream_ = nullptr;
  int device_ = 0, processors_ = 1;
  int failed_ = 0;
  int64_t transfers_ = 0, transfer_bytes_ = 0;

 private:
  void choose(int device) {
    int there = 0;
    const int last = 63 - __builtin_clzll(uint64_t(args_->devices));
    if (!check(cudaGetDeviceCount(&there))) return;
    if (last < there) return void(check(cudaSetDevice(device)));
    failed_ = IRGL_FAULT_DEVICE;
    fprintf(stderr, "irgl: CUDA: device %d is asked for, and there are %d, numbered from 0\n", last, there);
  }
  bool counts(size_t bytes) {
    if (failed() || bytes == 0) return false;
    ++transfers_;
    transfer_bytes_ += int64_t(bytes);
    return true;
  }
  void* stage(size_t bytes) {
    if (!has_room(bytes)) synchronize();
    char* const place = staged_ + staged_bytes_;
    staged_bytes_ += (bytes + 15) / 16 * 16;
    return place;
  }

  // The process keeps them for its next run: to give and to take them takes the driver more than a millisecond.
  class PinnedPages {
   public:
    static PinnedPages& of_process() {
      static PinnedPages pages;
      return pages;
    }
    char* take(StreamBase& c) {  // another's where one runs beside
      char* found = __atomic_exchange_n(&idle_, nullptr, __ATOMIC_ACQ_REL);
      if (!is_there(found)) found = nullptr;
      if (found == nullptr) c.check(cudaHostAlloc(reinterpret_cast<void**>(&found), stage_size, cudaHostAllocPortable));
      return found;
    }
    void give(char* pages) {
      pages = __atomic_exchange_n(&idle_, pages, __ATOMIC_ACQ_REL);
      if (is_there(pages)) cudaFreeHost(pages);
    }
    ~PinnedPages() {
      if (is_there(idle_)) cudaFreeHost(idle_);
    }

   private:
    static bool is_there(const char* pages) {  // and did not go with a device that was reset, or with the driver's end
      cudaPointerAttributes found{};
      if (pages == nullptr) return false;
      if (cudaPointerGetAttributes(&found, pages) == cudaSuccess) return found.type == cudaMemoryTypeHost;
      return cudaGetLastError(), false;
    }

    char* idle_ = nullptr;
  };

  char* staged_ = nullptr;
  size_t staged_bytes_ = 0;  // of it, those that a copy may yet read
};

}  // namespace irgl
