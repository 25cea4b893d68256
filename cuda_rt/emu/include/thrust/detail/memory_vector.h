// A vector in memory of the device that an allocator gives. New elements are made by a kernel, or set to zero.
#pragma once
#include "room.h"
#include "run.h"
#include "vector_like.h"

namespace thrust::detail {

template <class A, class T, class = void>
constexpr bool constructs = false;
template <class A, class T>
constexpr bool constructs<A, T, std::void_t<decltype(std::declval<A&>().construct(std::declval<T*>()))>> = true;

template <class Derived, class T, class Pointer, class Allocator>
class memory_vector : public vector_like<Derived, T, Pointer> {
  friend vector_like<Derived, T, Pointer>;
  Pointer data_{};
  size_t size_ = 0, room_ = 0;
  Allocator allocator_{};

  IRGL_EMU_MEMBER T* at(size_t i) const { return thrust::raw_pointer_cast(data_) + i; }
  IRGL_EMU_MEMBER void make(T* to, size_t n) {
    if (n == 0) return;
    if constexpr (constructs<Allocator, T>) {
      Allocator a = allocator_;
      each(device_system_tag{}, "thrust::device_vector", n, [=](long i) IRGL_EMU_BODY { a.construct(to + i); });
    } else if constexpr (std::is_trivially_default_constructible_v<T>) {
      check(cudaMemset((void*)to, 0, n * sizeof(T)), "device_vector");
    } else {
      each(device_system_tag{}, "thrust::device_vector", n, [=](long i) IRGL_EMU_BODY { ::new ((void*)(to + i)) T(); });
    }
  }
  IRGL_EMU_MEMBER void destroy(T* from, size_t n) {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      each(device_system_tag{}, "thrust::~device_vector", n, [=](long i) IRGL_EMU_BODY { from[i].~T(); });
    }
  }
  IRGL_EMU_MEMBER static void move_bytes(T* to, const T* from, size_t n) {
    if (n == 0) return;
    copied(cudaMemcpy((void*)to, (const void*)from, n * sizeof(T), cudaMemcpyDeviceToDevice), "device_vector");
  }
  // Into new memory, with a gap of n elements at `low`.
  IRGL_EMU_MEMBER void move_to(size_t room, size_t low, size_t n) {
    Pointer now = room != 0 ? Pointer(allocator_.allocate(room)) : Pointer();
    T* const to = thrust::raw_pointer_cast(now);
    move_bytes(to, at(0), low);
    move_bytes(to + low + n, at(low), size_ - low);
    if (room_ != 0) allocator_.deallocate(data_, room_);
    data_ = now;
    room_ = room;
  }
  IRGL_EMU_MEMBER void open(size_t low, size_t n) {
    if (n == 0) return;
    const size_t twice = 2 * room_, needed = size_ + n;
    move_to(needed <= room_ ? room_ : needed < twice ? twice : needed, low, n);
    make(at(low), n);
    size_ += n;
  }
  IRGL_EMU_MEMBER void close(size_t low, size_t n) {
    const size_t rest = size_ - low - n;
    destroy(at(low), n);
    if (rest != 0) {
      temporary<device_system_tag, T> other(device_system_tag{}, rest);
      move_bytes(other.data, at(low + n), rest);
      move_bytes(at(low), other.data, rest);
    }
    size_ -= n;
  }

 public:
  using allocator_type = Allocator;
  memory_vector() = default;
  IRGL_EMU_MEMBER explicit memory_vector(const Allocator& a) : allocator_(a) {}
  IRGL_EMU_MEMBER explicit memory_vector(size_t n, const Allocator& a) : allocator_(a) { resize(n); }
  IRGL_EMU_MEMBER explicit memory_vector(size_t n, const T& value, const Allocator& a) : allocator_(a) {
    resize(n, value);
  }
  memory_vector(const memory_vector&) = delete;
  IRGL_EMU_MEMBER ~memory_vector() {
    destroy(at(0), size_);
    if (room_ != 0) allocator_.deallocate(data_, room_);
  }

  IRGL_EMU_MEMBER size_t size() const { return size_; }
  IRGL_EMU_MEMBER size_t capacity() const { return room_; }
  IRGL_EMU_MEMBER Pointer data() { return data_; }
  IRGL_EMU_MEMBER typename pointer_to_const<Pointer>::type data() const { return data_; }
  IRGL_EMU_MEMBER void reserve(size_t n) {
    if (n > room_) move_to(n, size_, 0);
  }
  IRGL_EMU_MEMBER void shrink_to_fit() {
    if (size_ != room_) move_to(size_, size_, 0);
  }
  IRGL_EMU_MEMBER void resize(size_t n) {
    grow(n);
    if (n > size_) make(at(size_), n - size_);
    if (n < size_) destroy(at(n), size_ - n);
    size_ = n;
  }
  IRGL_EMU_MEMBER void resize(size_t n, const T& value) {
    const size_t before = size_;
    const T v = value;
    grow(n);
    if (n < size_) destroy(at(n), size_ - n);
    size_ = n;
    if (n > before) {
      T* const to = at(before);
      each(device_system_tag{}, "thrust::device_vector", n - before,
           [=](long i) IRGL_EMU_BODY { ::new ((void*)(to + i)) T(v); });
    }
  }
  IRGL_EMU_MEMBER void push_back(const T& value) { resize(size_ + 1, value); }
  IRGL_EMU_MEMBER void swap(memory_vector& o) {
    thrust::swap(data_, o.data_);
    thrust::swap(size_, o.size_);
    thrust::swap(room_, o.room_);
    thrust::swap(allocator_, o.allocator_);
  }
  IRGL_EMU_MEMBER Allocator get_allocator() const { return allocator_; }

 protected:
  IRGL_EMU_MEMBER void take(memory_vector& o) {
    memory_vector mine;
    mine.swap(o);
    swap(mine);
  }

 private:
  IRGL_EMU_MEMBER void grow(size_t n) {
    if (n > room_) move_to(size_ != 0 && n < 2 * room_ ? 2 * room_ : n, size_, 0);
  }
};

}  // namespace thrust::detail
