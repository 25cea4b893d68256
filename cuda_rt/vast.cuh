// Memory for what nobody can say the size of beforehand: managed memory, of which pages are there once they are
// touched. The host reads and writes it between launches.
//
//     irgl::Vast<T> v = c.make_vast<T>(irgl::for_both);   v.data[0 .. v.capacity], the last for what goes astray
//     c.drop_vast(v.data);                                or at the end of the run
//
// All that a run has of it together is less than the device has free, for a GPU that is given more than it has may
// hang: each takes a quarter of what is left of half of the free memory. Pages that nobody has touched are free by the
// driver's account, wherefore what was given out is counted here. Where such memory is there from the start (the
// device and the host can't use it at the same time), each takes a small part. Where there is none, as on some virtual
// GPUs, it is memory of the host that the device sees, or the device's own if the host never looks into it. If the
// system has less than wanted, half will do, down to a megabyte. IRGL_SHARERS in the environment is the number of
// processes that use the device at a time: each has its part of the free memory.
#pragma once
#include <stdlib.h>

#include "runtime.cuh"

namespace irgl {

template <class T>
struct Vast {
  T* data = nullptr;
  counter_t capacity = 0;
};

enum VastUser { for_both, for_device };  // who reads and writes it; what is the device's may still be copied

class VastMemory {
 public:
  void* take(HostBase& c, VastUser user, size_t& bytes) {  // which become as many as there are; null after a failure
    if (c.failed()) return nullptr;
    if (!asked_) ask(c);
    Kind kind = managed_ ? managed : without(user);
    for (bytes = share(c, kind);;) {
      void* p = nullptr;
      const cudaError_t error = get(kind, &p, bytes);
      if (error == cudaSuccess) return add({p, bytes, kind});
      cudaGetLastError();
      if (kind == managed && error == cudaErrorNotSupported) {
        managed_ = false;
        kind = without(user);
        bytes = share(c, kind);
      } else if (error == cudaErrorMemoryAllocation && bytes > least) {
        bytes = bytes / 2 > least ? bytes / 2 : least;
      } else {
        return c.check(error), nullptr;
      }
    }
  }
  void give(HostBase& c, void* p) {
    for (size_t i = 0; i < all_.size(); ++i)
      if (all_[i].data == p) return drop(c, i);
  }
  void give_all(HostBase& c) {
    while (all_.size() != 0) drop(c, all_.size() - 1);
  }
  bool moves(const void* p) {  // page by page between host and device
    for (const Part& part : all_)
      if (part.data == p) return part.kind == managed && lazy_;
    return false;
  }
  bool is_never_shared() const { return asked_ && managed_ && !lazy_; }  // by the host and kernels of any stream
  size_t promised() const { return lazy_ ? out_ : 0; }  // so much of what is free may come into being

 private:
  enum Kind { managed, of_host, of_device };
  struct Part {
    void* data;
    size_t bytes;
    Kind kind;
  };
  static constexpr size_t least = size_t(1) << 20, most_of_host = size_t(256) << 20;

  static Kind without(VastUser user) { return user == for_both ? of_host : of_device; }
  void ask(HostBase& c) {
    int device = 0, managed = 0, lazy = 0;
    c.check(cudaGetDevice(&device));
    c.check(cudaDeviceGetAttribute(&managed, cudaDevAttrManagedMemory, device));
    c.check(cudaDeviceGetAttribute(&lazy, cudaDevAttrConcurrentManagedAccess, device));
    const char* const sharers = getenv("IRGL_SHARERS");
    const int count = sharers != nullptr ? atoi(sharers) : 1;
    sharers_ = count > 1 ? size_t(count) : 1;
    asked_ = true, managed_ = managed != 0, lazy_ = lazy != 0;
  }
  size_t share(HostBase& c, Kind kind) {
    size_t free = 0, total = 0, bytes = 0;
    c.check(cudaMemGetInfo(&free, &total));
    free /= sharers_;
    if (kind == managed && lazy_) bytes = free / 2 > out_ ? (free / 2 - out_) / 4 : 0;
    else bytes = kind == of_host && free / 32 > most_of_host ? most_of_host : free / 32;
    return bytes > least ? bytes / 256 * 256 : least;
  }
  cudaError_t get(Kind kind, void** p, size_t bytes) {
    size_t free = 0, total = 0;
    if (kind == of_host) return cudaHostAlloc(p, bytes, cudaHostAllocMapped);
    if (kind == of_device) return cudaMalloc(p, bytes);
    if (const cudaError_t error = cudaMemGetInfo(&free, &total)) return error;
    return out_ + bytes > free ? cudaErrorMemoryAllocation : cudaMallocManaged(p, bytes);
  }
  void* add(const Part& part) {
    if (part.kind == managed) out_ += part.bytes;
    return all_.add(part).data;
  }
  void drop(HostBase& c, size_t i) {
    const Part part = all_[i];
    c.check(part.kind == of_host ? cudaFreeHost(part.data) : cudaFree(part.data));
    if (part.kind == managed) out_ -= part.bytes;
    all_.remove(i);
  }

  Table<Part> all_;
  size_t out_ = 0, sharers_ = 1;  // managed memory; processes
  bool asked_ = false, managed_ = true, lazy_ = false;
};

}  // namespace irgl
