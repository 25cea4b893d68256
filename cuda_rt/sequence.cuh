// What a sequential For runs over where that is a list, a set or an object of a library.
//
//     for (T x : irgl::sequence(c, RANGE))    on the host: the items as they are now, copied over
//     for (T x : irgl::sequence(RANGE))       in a kernel: the range itself
#pragma once
#include "launch.cuh"
#include "ranges.cuh"

namespace irgl {
namespace detail {

template <class T, class R>
__global__ void copy_items_kernel(R range, T* items, bool* there) {
  const size_t all = size_t(gridDim.x) * block_size;
  for (size_t p = size_t(blockIdx.x) * block_size + threadIdx.x; p < range.size(); p += all) {
    const bool has = has_item(range, p);
    if (R::holed) there[p] = has;
    if (has) items[p] = range.at(p);
  }
}

// A range's items in its order, in memory of the host's own.
template <class T>
class Sequence {
 public:
  template <class R>
  Sequence(Launcher& c, const R& range) {
    const size_t size = range.size(), flags = R::holed ? size : 0;
    items_ = static_cast<T*>(malloc(size * sizeof(T) + flags + 1));
    if (items_ == nullptr) c.check(cudaErrorMemoryAllocation);
    T* items = c.allocate_array<T>(size);
    bool* there = c.allocate_array<bool>(flags);
    if (size != 0 && !c.failed()) {
      if (R::holed) c.zero(items, size * sizeof(T));
      c.launch(copy_items_kernel<T, R>, size, range, items, there);
      c.copy_out(items_, items, size * sizeof(T));
      c.copy_out(items_ + size, there, flags);
      const bool* const has = reinterpret_cast<const bool*>(items_ + size);
      for (size_t p = 0; p < size; ++p)
        if (!R::holed || has[p]) items_[count_++] = items_[p];
    }
    c.release(items);
    c.release(there);
  }
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;
  ~Sequence() { free(items_); }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + count_; }

 private:
  T* items_ = nullptr;
  size_t count_ = 0;
};
}  // namespace detail

template <class R>
detail::Sequence<typename R::item> sequence(Launcher& c, const R& range) { return {c, range}; }
template <class R>
IRGL_DEVICE R sequence(const R& range) { return range; }

}  // namespace irgl
