// What vectors of the host and of the device share. `Derived` has data, size, resize, capacity and reserve; open(at, n)
// and close(at, n) make and take away room in the middle.
#pragma once
#include "../iterator/reverse_iterator.h"
#include "copy.h"
#include "fill.h"
#include "usual.h"

namespace thrust::detail {

template <class I>
using if_iterator = std::enable_if_t<!std::is_integral_v<I> && !std::is_same_v<value_of<I>, void>>;
template <class V, class Self>
using if_other_vector = std::enable_if_t<
    !std::is_same_v<V, Self> && !std::is_same_v<std::remove_cv_t<V>, Self> &&
    std::is_integral_v<decltype(std::declval<const V&>().end() - std::declval<const V&>().begin())>>;

template <class T>
struct pointer_to_const {
  using type = const T;
};
template <class T>
struct pointer_to_const<T*> {
  using type = const T*;
};
template <template <class> class Pointer, class T>
struct pointer_to_const<Pointer<T>> {
  using type = Pointer<const T>;
};

template <class Derived, class T, class Pointer>
class vector_like {
  IRGL_EMU_MEMBER Derived& self() { return *static_cast<Derived*>(this); }
  IRGL_EMU_MEMBER const Derived& self() const { return *static_cast<const Derived*>(this); }
  IRGL_EMU_MEMBER size_t index(const normal_iterator<typename pointer_to_const<Pointer>::type>& i) const {
    return i - cbegin();
  }

 public:
  using value_type = T;
  using pointer = Pointer;
  using const_pointer = typename pointer_to_const<Pointer>::type;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using iterator = normal_iterator<pointer>;
  using const_iterator = normal_iterator<const_pointer>;
  using reference = typename std::iterator_traits<pointer>::reference;
  using const_reference = typename std::iterator_traits<const_pointer>::reference;
  using reverse_iterator = thrust::reverse_iterator<iterator>;
  using const_reverse_iterator = thrust::reverse_iterator<const_iterator>;

  IRGL_EMU_MEMBER iterator begin() { return iterator(self().data()); }
  IRGL_EMU_MEMBER iterator end() { return begin() + self().size(); }
  IRGL_EMU_MEMBER const_iterator begin() const { return const_iterator(self().data()); }
  IRGL_EMU_MEMBER const_iterator end() const { return begin() + self().size(); }
  IRGL_EMU_MEMBER const_iterator cbegin() const { return begin(); }
  IRGL_EMU_MEMBER const_iterator cend() const { return end(); }
  IRGL_EMU_MEMBER reverse_iterator rbegin() { return reverse_iterator(end()); }
  IRGL_EMU_MEMBER reverse_iterator rend() { return reverse_iterator(begin()); }
  IRGL_EMU_MEMBER const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  IRGL_EMU_MEMBER const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  IRGL_EMU_MEMBER const_reverse_iterator crbegin() const { return rbegin(); }
  IRGL_EMU_MEMBER const_reverse_iterator crend() const { return rend(); }
  IRGL_EMU_MEMBER reference operator[](size_t i) { return begin()[i]; }
  IRGL_EMU_MEMBER const_reference operator[](size_t i) const { return begin()[i]; }
  IRGL_EMU_MEMBER reference front() { return begin()[0]; }
  IRGL_EMU_MEMBER const_reference front() const { return begin()[0]; }
  IRGL_EMU_MEMBER reference back() { return begin()[self().size() - 1]; }
  IRGL_EMU_MEMBER const_reference back() const { return begin()[self().size() - 1]; }
  IRGL_EMU_MEMBER bool empty() const { return self().size() == 0; }
  IRGL_EMU_MEMBER size_t max_size() const { return ~0ul / sizeof(T) / 2; }
  IRGL_EMU_MEMBER void clear() { erase(begin(), end()); }
  IRGL_EMU_MEMBER void pop_back() { self().resize(self().size() - 1); }

  template <class I, class = if_iterator<I>>
  IRGL_EMU_MEMBER void assign(I first, I last) {
    self().resize(count_of(first, last));
    thrust::copy(first, last, begin());
  }
  IRGL_EMU_MEMBER void assign(size_t n, const T& value) {
    self().resize(n);
    thrust::fill(begin(), end(), value);
  }
  template <class I, class = if_iterator<I>>
  IRGL_EMU_MEMBER void insert(const_iterator at, I first, I last) {
    const size_t low = index(at);
    self().open(low, count_of(first, last));
    thrust::copy(first, last, begin() + low);
  }
  IRGL_EMU_MEMBER void insert(const_iterator at, size_t n, const T& value) {
    const size_t low = index(at);
    const T v = value;
    self().open(low, n);
    thrust::fill(begin() + low, begin() + (low + n), v);
  }
  IRGL_EMU_MEMBER iterator insert(const_iterator at, const T& value) {
    const size_t low = index(at);
    insert(at, 1, value);
    return begin() + low;
  }
  IRGL_EMU_MEMBER iterator erase(const_iterator first, const_iterator last) {
    const size_t low = index(first), n = last - first;
    if (n != 0) self().close(low, n);
    return begin() + low;
  }
  IRGL_EMU_MEMBER iterator erase(const_iterator at) { return erase(at, at + 1); }
  IRGL_EMU_MEMBER friend void swap(Derived& a, Derived& b) { a.swap(b); }
};

}  // namespace thrust::detail
