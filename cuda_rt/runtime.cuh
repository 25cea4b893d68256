// HostBase: the host's side of a run that does not depend on the program: stream, memory, copies, launches, faults.
//
// An error of CUDA ends the run: it is told once on stderr, every later operation does nothing, halted() is true and
// finish returns IRGL_FAULT_DEVICE (or MEMORY). So no operation has to be checked by generated code. Counters of lists
// stand together in pages of device memory, the first of which begins with Control: one copy of a page brings all that
// the host asks for between two launches, faults too.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../cpu_rt/abi.hpp"
#include "thread.cuh"

namespace irgl {

// A growable array of the host, for tables of a few entries.
template <class T>
class Table {
 public:
  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  ~Table() { free(static_cast<void*>(data_)); }
  T& add(const T& x) {
    if (size_ == space_) {
      space_ = space_ != 0 ? space_ * 2 : 16;
      data_ = static_cast<T*>(realloc(static_cast<void*>(data_), space_ * sizeof(T)));
      if (data_ == nullptr) abort();
    }
    return data_[size_++] = x;
  }
  void remove(size_t i) { data_[i] = data_[--size_]; }
  void clear() { size_ = 0; }
  void swap(Table& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(space_, other.space_);
  }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0, space_ = 0;
};

class HostBase {
 public:
  int64_t rounds = 0, worklist_growths = 0;

  explicit HostBase(irgl_run_args* args)
      : args_(args), seed_(uint64_t(args->seed)) {
    check(cudaGetDevice(&device_));
    check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device_));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    add_page(sizeof(Control) / sizeof(counter_t));
  }
  HostBase(const HostBase&) = delete;
  HostBase& operator=(const HostBase&) = delete;

  // Faults
  void fault(int64_t place) { if (fault_ == 0) fault_ = place | any_fault; }
  bool failed() const { return failed_ != 0; }
  bool halted() {
    if (failed() || fault_ != 0 || (args_->stop != nullptr && *args_->stop != 0)) return true;
    if (launches_ - pages_[0].stamp > 64) refresh(pages_[0]);
    return control().fault != 0;
  }
  bool check(cudaError_t error) {
    if (error == cudaSuccess) return true;
    if (failed_ == 0) {
      failed_ = error == cudaErrorMemoryAllocation ? IRGL_FAULT_MEMORY : IRGL_FAULT_DEVICE;
      fprintf(stderr, "irgl: CUDA: %s (%s)\n", cudaGetErrorString(error), cudaGetErrorName(error));
    }
    return false;
  }
  int64_t random(int64_t k) { return k <= 0 ? 0 : int64_t(hash(seed_ + drawn_++) % uint64_t(k)); }

  // Memory of the device, in whole words (atomics.cuh). Null only after a failure.
  void* allocate(size_t bytes) {
    void* p = nullptr;
    if (!failed()) check(cudaMallocAsync(&p, (bytes + 15) / 8 * 8, stream_));
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
  void copy_in(void* device, const void* host, size_t bytes) { copy(device, host, bytes, cudaMemcpyHostToDevice); }
  void copy_out(void* host, const void* device, size_t bytes) { copy(host, device, bytes, cudaMemcpyDeviceToHost); }
  void copy_over(void* to, const void* from, size_t bytes) {
    if (!failed() && bytes != 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
  }

  // Counters
  counter_t* take_counter() {  // zero
    for (Page& page : pages_)
      for (size_t i = 0; i < page_size; ++i)
        if (!page.taken[i]) return take(page, i);
    return take(add_page(0), 0);
  }
  void give_counter(counter_t* counter) {
    if (Page* page = page_of(counter)) page->taken[counter - page->device] = false;
  }
  counter_t read(const counter_t* counter) {
    Page* page = page_of(counter);
    if (page == nullptr) return 0;
    refresh(*page);
    return failed() ? 0 : page->host[counter - page->device];
  }
  void write(counter_t* counter, counter_t value) {
    Page* page = page_of(counter);
    if (page == nullptr) return;
    page->host[counter - page->device] = value;
    if (value == 0) zero(counter, sizeof(counter_t));
    else copy_in(counter, &value, sizeof(counter_t));
  }
  DeviceRuntime device_runtime() {
    DeviceRuntime d;
    d.control = device_control();
    return d;
  }
  size_t first_capacity(size_t universe) const {
    if (args_->worklist_capacity > 0) return size_t(args_->worklist_capacity);
    return universe > 1024 ? universe : 1024;
  }

 protected:
  static constexpr size_t page_size = 128;
  struct Page {
    counter_t* device;
    counter_t host[page_size];
    bool taken[page_size];
    uint64_t stamp;  // how many launches there were when it was read
  };

  void copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    if (failed() || bytes == 0) return;
    ++transfers_;
    transfer_bytes_ += int64_t(bytes);
    check(cudaMemcpyAsync(to, from, bytes, kind, stream_)) && check(cudaStreamSynchronize(stream_));
  }
  Page& add_page(size_t reserved) {
    Page page{};
    for (size_t i = 0; i < reserved; ++i) page.taken[i] = true;
    page.device = allocate_array<counter_t>(page_size);
    page.stamp = launches_;
    zero(page.device, page_size * sizeof(counter_t));
    return pages_.add(page);
  }
  counter_t* take(Page& page, size_t i) {
    page.taken[i] = true;
    if (page.device != nullptr) write(page.device + i, 0);
    return page.device + i;
  }
  Page* page_of(const counter_t* counter) {
    for (Page& page : pages_)
      if (counter >= page.device && counter < page.device + page_size) return &page;
    return nullptr;
  }
  void refresh(Page& page) {
    if (page.stamp == launches_) return;
    copy_out(page.host, page.device, sizeof(page.host));
    page.stamp = launches_;
  }
  const Control& control() { return *reinterpret_cast<const Control*>(pages_[0].host); }
  Control* device_control() { return reinterpret_cast<Control*>(pages_[0].device); }

  irgl_run_args* args_;
  cudaStream_t stream_ = nullptr;
  int device_ = 0, processors_ = 1;
  int failed_ = 0;
  int64_t fault_ = 0;
  uint64_t seed_, drawn_ = 0, launches_ = 0;
  int64_t transfers_ = 0, transfer_bytes_ = 0;
  Table<Page> pages_;
};

template <class T>
T param(const irgl_run_args* a, int index) { return *static_cast<const T*>(a->params[index]); }

}  // namespace irgl
