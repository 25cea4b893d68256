// Vectors of the host's memory.
#pragma once
#include <initializer_list>
#include <memory>
#include <vector>

#include "detail/copy.h"
#include "detail/vector_like.h"
#include "iterator/reverse_iterator.h"

namespace thrust {

namespace detail {
struct slot_of_bool {
  bool v;
};
template <class T>
using slot_of = std::conditional_t<std::is_same_v<T, bool>, slot_of_bool, T>;
}  // namespace detail

template <class T, class Allocator = std::allocator<T>>
class host_vector : public detail::vector_like<host_vector<T, Allocator>, T, T*> {
  using slot = detail::slot_of<T>;
  using slots = std::vector<slot, typename std::allocator_traits<Allocator>::template rebind_alloc<slot>>;
  using base = detail::vector_like<host_vector, T, T*>;
  slots v_;
  friend base;

  IRGL_EMU_MEMBER static slot as_slot(const T& v) {
    if constexpr (std::is_same_v<T, bool>) {
      return slot{v};
    } else {
      return v;
    }
  }
  IRGL_EMU_MEMBER void open(size_t at, size_t n) { v_.insert(v_.begin() + at, n, as_slot(T())); }
  IRGL_EMU_MEMBER void close(size_t at, size_t n) { v_.erase(v_.begin() + at, v_.begin() + at + n); }

 public:
  using allocator_type = Allocator;
  host_vector() = default;
  IRGL_EMU_MEMBER explicit host_vector(const Allocator&) {}
  IRGL_EMU_MEMBER explicit host_vector(size_t n) : v_(n) {}
  IRGL_EMU_MEMBER explicit host_vector(size_t n, const T& value) : v_(n, as_slot(value)) {}
  host_vector(const host_vector&) = default;
  host_vector(host_vector&&) = default;
  IRGL_EMU_MEMBER host_vector(std::initializer_list<T> l) { this->assign(l.begin(), l.end()); }
  template <class V, class = detail::if_other_vector<V, host_vector>>
  IRGL_EMU_MEMBER host_vector(const V& o) {
    this->assign(o.begin(), o.end());
  }
  template <class I, class = detail::if_iterator<I>>
  IRGL_EMU_MEMBER host_vector(I first, I last) {
    this->assign(first, last);
  }
  host_vector& operator=(const host_vector&) = default;
  host_vector& operator=(host_vector&&) = default;
  template <class V, class = detail::if_other_vector<V, host_vector>>
  IRGL_EMU_MEMBER host_vector& operator=(const V& o) {
    this->assign(o.begin(), o.end());
    return *this;
  }
  IRGL_EMU_MEMBER host_vector& operator=(std::initializer_list<T> l) {
    this->assign(l.begin(), l.end());
    return *this;
  }

  IRGL_EMU_MEMBER size_t size() const { return v_.size(); }
  IRGL_EMU_MEMBER size_t capacity() const { return v_.capacity(); }
  IRGL_EMU_MEMBER T* data() { return reinterpret_cast<T*>(v_.data()); }
  IRGL_EMU_MEMBER const T* data() const { return reinterpret_cast<const T*>(v_.data()); }
  IRGL_EMU_MEMBER void reserve(size_t n) { v_.reserve(n); }
  IRGL_EMU_MEMBER void shrink_to_fit() { v_.shrink_to_fit(); }
  IRGL_EMU_MEMBER void resize(size_t n) { v_.resize(n, as_slot(T())); }
  IRGL_EMU_MEMBER void resize(size_t n, const T& value) { v_.resize(n, as_slot(value)); }
  IRGL_EMU_MEMBER void push_back(const T& value) { v_.push_back(as_slot(value)); }
  IRGL_EMU_MEMBER void swap(host_vector& o) { v_.swap(o.v_); }
  IRGL_EMU_MEMBER Allocator get_allocator() const { return Allocator(); }
};

}  // namespace thrust
