// HostBase: the host's side of a run that does not depend on the program: stream, memory, copies, launches, faults.
//
// An error of CUDA ends the run: it is told once on stderr, every later operation does nothing, halted() is true and
// finish returns IRGL_FAULT_DEVICE (or MEMORY). So no operation has to be checked by generated code. Counters of lists
// stand together in pages of device memory, the first of which begins with Control: one copy of a few words brings all
// that the host asks for between two launches.
#pragma once
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../cpu_rt/abi.hpp"
#include "table.cuh"
#include "thread.cuh"

namespace irgl {

class HostBase {
 public:
  int64_t rounds = 0, worklist_growths = 0;
  size_t spare = 0;  // bytes behind each array: what a fault in an empty graph goes on with has several values

  explicit HostBase(irgl_run_args* args) : args_(args), seed_(uint64_t(args->seed)) {
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
    if (launches_ - heard_ > 64) {
      copy_out(pages_[0].host, pages_[0].device, sizeof(Control::fault));
      heard_ = launches_;
    }
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
  // Seconds since the run began; what was launched is done then.
  double clock() {
    if (!failed()) check(cudaStreamSynchronize(stream_));
    return now() - began_;
  }
  int64_t random(int64_t k) { return k <= 0 ? 0 : int64_t(hash(seed_ + drawn_++) % uint64_t(k)); }

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
  counter_t* take_counters(size_t count) {  // side by side, of one page at most
    for (Page& page : pages_)
      for (size_t i = 0, free = 0; i < page_size; ++i)
        if ((free = page.taken[i] ? 0 : free + 1) == count) return take(page, i + 1 - count, count);
    return take(add_page(0), 0, count);
  }
  // One that the host seldom reads: from the page's end, so that those it reads stay side by side.
  counter_t* take_spare() {
    for (Page& page : pages_)
      for (size_t i = page_size; i-- != 0;)
        if (!page.taken[i]) return page.spares = i < page.spares ? i : page.spares, take(page, i);
    return take_counter();
  }
  void give_counter(counter_t* counter) {
    if (Page* page = page_of(counter)) page->taken[counter - page->device] = false;
  }
  counter_t read(const counter_t* counter) {
    Page* page = page_of(counter);
    if (page == nullptr) return 0;
    const size_t i = size_t(counter - page->device);
    if (page->stamp[i] != launches_) bring(*page, i);
    return failed() ? 0 : page->host[i];
  }
  void write(counter_t* counter, counter_t value) {
    Page* page = page_of(counter);
    if (page == nullptr) return;
    page->host[counter - page->device] = value;
    page->stamp[counter - page->device] = launches_;
    if (value == 0) zero(counter, sizeof(counter_t));
    else copy_in(counter, &value, sizeof(counter_t));
  }
  DeviceRuntime device_runtime() {
    DeviceRuntime d;
    d.control = device_control();
    return d;
  }
  cudaStream_t stream() const { return stream_; }
  uint64_t launches() const { return launches_; }
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
    uint64_t stamp[page_size];   // how many launches there were when the host's copy of a word was made
    size_t first, last, spares;  // the host has read counters from first to before last; at spares the spare ones begin
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
    page.first = page.spares = page_size;
    zero(page.device, page_size * sizeof(counter_t));
    return pages_.add(page);
  }
  static double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
  }
  counter_t* take(Page& page, size_t i, size_t count = 1) {
    for (size_t k = i; k < i + count; ++k) {
      page.taken[k] = true;
      if (page.device != nullptr) write(page.device + k, 0);
    }
    return page.device + i;
  }
  Page* page_of(const counter_t* counter) {
    for (Page& page : pages_)
      if (counter >= page.device && counter < page.device + page_size) return &page;
    return nullptr;
  }
  // A counter, with all that were read before: they will be again.
  void bring(Page& page, size_t i) {
    size_t first = i, last = i + 1;
    if (i < page.spares) {
      first = page.first = i < page.first ? i : page.first;
      last = page.last = i < page.last ? page.last : i + 1;
    }
    copy_out(page.host + first, page.device + first, (last - first) * sizeof(counter_t));
    for (size_t k = first; k < last; ++k) page.stamp[k] = launches_;
  }
  void refresh(Page& page) { copy_out(page.host, page.device, sizeof(Control)); }
  const Control& control() { return *reinterpret_cast<const Control*>(pages_[0].host); }
  Control* device_control() { return reinterpret_cast<Control*>(pages_[0].device); }

  irgl_run_args* args_;
  cudaStream_t stream_ = nullptr;
  int device_ = 0, processors_ = 1;
  int failed_ = 0;
  int64_t fault_ = 0;
  uint64_t seed_, drawn_ = 0, launches_ = 0, heard_ = 0;
  int64_t transfers_ = 0, transfer_bytes_ = 0;
  double began_ = now();
  Table<Page> pages_;
};

template <class T>
T param(const irgl_run_args* a, int index) { return *static_cast<const T*>(a->params[index]); }

}  // namespace irgl
