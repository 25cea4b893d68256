// Own<L>: an L that lives as long as one item of a ForAll: its thread alone knows it, so no atomics. A list or array:
//
//     irgl::Own<irgl::AppendOnlyList<T>> l(c);    c: the device's part of the context, whose scalars have a Heap
//     l.append(t, x, place)  l.at(i, place)  l[i]  l.size()  l.items()     as ArrayView's; items may move
//     l.resize(n, place)                          of an array, whose new elements are the zero that was given behind c
//     c.write().heap = irgl::make_heap(c);        on the host, before the first kernel
// The first items lie on the thread's stack. What grows beyond moves into a block of the heap, and from there into one
// of four times the space. At the list's end its block goes to its thread, which takes it again for another list: so
// the heap's one counter is seldom asked, and what is alive is bounded by what the threads held at once. The heap is a
// large part of the device's memory that comes into being where it is touched (vast.cuh); beyond it is a memory fault.
#pragma once
#include "array.cuh"

namespace irgl {

struct Heap : DeviceRuntime {
  static constexpr unsigned sizes = 16;  // of 512, 2 K, 8 K... bytes
  char* memory = nullptr;
  counter_t capacity = 0;
  counter_t* used = nullptr;
  char** freed = nullptr;  // of each thread a chain of blocks of each size

  IRGL_BOTH static counter_t bytes(unsigned k) { return counter_t(512) << 2 * k; }
  // Calls, for a block changes its type: no access to it moves past them. Null where nothing is left.
  __device__ __attribute__((noinline)) char* take(unsigned k) const {
    if (k >= sizes) return fault(memory_fault), nullptr;
    char** chain = mine(k);
    if (char* block = *chain) return *chain = *reinterpret_cast<Link*>(block), block;
    const counter_t at = atomicAdd(used, bytes(k));
    if (at + bytes(k) > capacity) return fault(memory_fault), nullptr;
    return memory + at;
  }
  __device__ __attribute__((noinline)) void give(unsigned k, char* block) const {
    *reinterpret_cast<Link*>(block) = *mine(k);
    *mine(k) = block;
  }

 private:
  using Link __attribute__((may_alias)) = char*;
  IRGL_DEVICE char** mine(unsigned k) const {
    return freed + (size_t(blockIdx.x) * block_size + threadIdx.x) * sizes + k;
  }
};

inline Heap make_heap(Properties& c) {
  Heap heap;
  int processors = 1, most = 0, device = 0;
  const Vast<char> memory = c.make_vast<char>(for_device);  // until the run ends
  c.check(cudaGetDevice(&device));
  c.check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  c.check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  const size_t threads = size_t(processors) * (size_t(most) > block_size ? size_t(most) : block_size);
  heap.control = c.device_runtime().control;
  heap.memory = memory.data;
  heap.capacity = memory.capacity;
  heap.used = c.take_spare();
  heap.freed = c.property<char*>(nullptr, threads * Heap::sizes);
  c.zero(heap.freed, threads * Heap::sizes * sizeof(char*));
  return heap;
}

template <class T>
class OwnItems {
 public:
  using item = T;
  template <class D>
  IRGL_DEVICE explicit OwnItems(const D& c, T zero = T{}) : heap_(&c.globals->heap), zero_(zero) {}
  OwnItems(const OwnItems&) = delete;
  OwnItems& operator=(const OwnItems&) = delete;
  IRGL_DEVICE ~OwnItems() {
    if (block_ != nullptr) heap_->give(kind_, block_);
  }
  IRGL_DEVICE int64_t size() const { return size_; }
  IRGL_DEVICE Elements<T> items() const { return {data(), size_t(size_)}; }
  IRGL_DEVICE T& operator[](int64_t i) { return at(i); }
  IRGL_DEVICE T& at(int64_t i, int64_t place = 0) {
    if (uint64_t(i) < uint64_t(size_)) return data()[i];
    heap_->fault(place | access_fault);
    return first_[first] = T{};
  }
  IRGL_DEVICE int64_t append(Thread&, T x, int64_t = 0) {
    if (size_ == room_) grow(size_ + 1);
    if (size_ == room_) return size_;  // no memory: the run ends
    data()[size_] = x;
    return size_++;
  }
  IRGL_DEVICE void resize(int64_t wanted, int64_t place = 0) {
    if (wanted < 0) return heap_->fault(place | access_fault);
    if (wanted > room_) grow(wanted);
    if (wanted > room_) return;
    for (int64_t i = size_; i < wanted; ++i) data()[i] = zero_;
    size_ = wanted;
  }
  IRGL_DEVICE void sort(int64_t = 0) { irgl::sort(data(), size_); }

 private:
  static constexpr int64_t first = sizeof(T) <= 8 ? 16 : 4;

  IRGL_DEVICE T* data() const {
    return block_ != nullptr ? reinterpret_cast<T*>(block_) : const_cast<T*>(first_);
  }
  __device__ __attribute__((noinline)) void grow(int64_t wanted) {
    unsigned k = block_ != nullptr ? kind_ + 1 : 0;
    while (k < Heap::sizes && Heap::bytes(k) / sizeof(T) < counter_t(wanted)) ++k;
    char* larger = heap_->take(k);
    if (larger == nullptr) return;
    for (int64_t i = 0; i < size_; ++i) reinterpret_cast<T*>(larger)[i] = data()[i];
    if (block_ != nullptr) heap_->give(kind_, block_);
    block_ = larger;
    kind_ = k;
    room_ = int64_t(Heap::bytes(k) / sizeof(T));
  }

  const Heap* heap_;
  char* block_ = nullptr;
  int64_t size_ = 0, room_ = first;
  unsigned kind_ = 0;
  T zero_;
  alignas(8) T first_[first + 1];  // and one for what goes astray
};
template <class L>
using Own = typename L::Own;
// Is an object, by its type, a thread's own L and not a view of the Program's?
template <class Object, class L>
constexpr bool is_own = std::is_same_v<std::remove_reference_t<Object>, Own<L>>;

}  // namespace irgl
