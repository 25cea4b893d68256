// The constructors and assignments of a class `Self` that is a memory_vector `base` of elements T. They stand in each
// such class, since inherited ones would not be inlined into the line that makes the vector.
#pragma once

#define IRGL_EMU_VECTOR_MEMBERS(Self)                                                                          \
  Self() = default;                                                                                            \
  IRGL_EMU_MEMBER explicit Self(const Allocator& a) : base(a) {}                                               \
  IRGL_EMU_MEMBER explicit Self(size_t n) : base(n, Allocator()) {}                                            \
  IRGL_EMU_MEMBER explicit Self(size_t n, const Allocator& a) : base(n, a) {}                                  \
  IRGL_EMU_MEMBER explicit Self(size_t n, const T& value, const Allocator& a = Allocator()) : base(n, value, a) {} \
  IRGL_EMU_MEMBER Self(const Self& o) : base(o.get_allocator()) { this->assign(o.begin(), o.end()); }          \
  IRGL_EMU_MEMBER Self(Self&& o) { this->swap(o); }                                                            \
  IRGL_EMU_MEMBER Self(std::initializer_list<T> l) { this->assign(l.begin(), l.end()); }                       \
  template <class V, class = detail::if_other_vector<V, Self>>                                                 \
  IRGL_EMU_MEMBER Self(const V& o) {                                                                           \
    this->assign(o.begin(), o.end());                                                                          \
  }                                                                                                            \
  template <class I, class = detail::if_iterator<I>>                                                           \
  IRGL_EMU_MEMBER Self(I first, I last) {                                                                      \
    this->assign(first, last);                                                                                 \
  }                                                                                                            \
  IRGL_EMU_MEMBER ~Self() {}                                                                                   \
  IRGL_EMU_MEMBER Self& operator=(const Self& o) {                                                             \
    if (this != &o) this->assign(o.begin(), o.end());                                                          \
    return *this;                                                                                              \
  }                                                                                                            \
  IRGL_EMU_MEMBER Self& operator=(Self&& o) {                                                                  \
    this->take(o);                                                                                             \
    return *this;                                                                                              \
  }                                                                                                            \
  template <class V, class = detail::if_other_vector<V, Self>>                                                 \
  IRGL_EMU_MEMBER Self& operator=(const V& o) {                                                                \
    this->assign(o.begin(), o.end());                                                                          \
    return *this;                                                                                              \
  }                                                                                                            \
  IRGL_EMU_MEMBER Self& operator=(std::initializer_list<T> l) {                                                \
    this->assign(l.begin(), l.end());                                                                          \
    return *this;                                                                                              \
  }
