// What a run asks of the device's memory besides arrays: memory without a known end (vast.cuh), and how much is free.
#pragma once
#include "vast.cuh"

namespace irgl {

class DeviceMemory : public HostBase {
 public:
  using HostBase::HostBase;

  // Managed memory may be used by the host when all launches have ended.
  void settle() {
    if ((settled_ != launches_ || copies_wait()) && !failed()) synchronize();
    settled_ = launches_;
    if (turns_ != nullptr && vast_->is_never_shared() && !failed()) check(cudaDeviceSynchronize());
  }
  template <class T>
  Vast<T> make_vast(VastUser user) {
    size_t bytes = 0;
    void* const p = vast_->take(*this, user, bytes);
    if (p == nullptr) return {};
    return {static_cast<T*>(p), bytes / sizeof(T) - 1};
  }
  // What kernels touch next of such memory comes over at once, instead of page by page as they touch it: a hint.
  void bring(void* data, size_t bytes) {
    if (failed() || bytes == 0 || !vast_->moves(data)) return;
#if CUDART_VERSION >= 13000 && !defined(__IRGL_EMU__)
    cudaMemLocation here{};
    here.type = cudaMemLocationTypeDevice, here.id = device_;
    const cudaError_t error = cudaMemPrefetchAsync(data, bytes, here, 0, stream_);
#else
    const cudaError_t error = cudaMemPrefetchAsync(data, bytes, device_, stream_);
#endif
    if (error != cudaSuccess) cudaGetLastError();
  }
  void drop_vast(void* data) {
    if (data == nullptr) return;
    settle();
    vast_->give(*this, data);
  }
  // Are so many items of a size less than a quarter of the free memory? Then they are taken of it.
  bool takes(counter_t count, size_t size) {
    if (count > quarter_ / size) quarter_ = free_memory() / 4;  // no more often: the driver takes its time to say
    if (count > quarter_ / size) return false;
    quarter_ -= size_t(count) * size;
    return true;
  }
  size_t free_memory() {  // of the device, for what may as well be smaller: what the pool keeps is there, too
    size_t free = 0, total = 0;
    cudaMemPool_t pool{};
    uint64_t held = 0, used = 0;
    if (!failed()) check(cudaMemGetInfo(&free, &total)) && check(cudaDeviceGetMemPool(&pool, device_)) &&
        check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &held)) &&
        check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    free += held > used ? size_t(held - used) : 0;
    return free > vast_->promised() ? free - vast_->promised() : 0;
  }

 protected:
  VastMemory all_vast_;
  VastMemory* vast_ = &all_vast_;
  uint64_t settled_ = 0;
  size_t quarter_ = 0;  // what is left of it; lists that have ended since may have given more back

  ~DeviceMemory() = default;
  void share_vast(const DeviceMemory& whole) { vast_ = whole.vast_; }  // which ends it
  void end_vast() {
    settle();
    vast_->give_all(*this);
  }
};

}  // namespace irgl
