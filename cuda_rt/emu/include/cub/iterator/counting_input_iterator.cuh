// CUB's iterators: numbers that count, one value, what a function makes of another iterator's, pairs with positions.
#pragma once
#include "../thread/thread_search.cuh"

namespace cub {

// `Self` has at(i), the value i places from where it stands.
template <class Self, class Value, class Offset = long>
class IrglEmuIterator {
 public:
  using value_type = Value;
  using reference = Value;
  using pointer = Value*;
  using difference_type = Offset;
  using iterator_category = std::random_access_iterator_tag;

  IRGL_EMU_MEMBER Value operator*() const { return self().at(here); }
  IRGL_EMU_MEMBER Value operator[](Offset i) const { return self().at(here + i); }
  IRGL_EMU_MEMBER Self operator+(Offset n) const { return moved(n); }
  IRGL_EMU_MEMBER Self operator-(Offset n) const { return moved(-n); }
  IRGL_EMU_MEMBER Offset operator-(const Self& b) const { return here - b.here; }
  IRGL_EMU_MEMBER Self& operator+=(Offset n) { return here += n, self(); }
  IRGL_EMU_MEMBER Self& operator-=(Offset n) { return here -= n, self(); }
  IRGL_EMU_MEMBER Self& operator++() { return *this += 1; }
  IRGL_EMU_MEMBER Self& operator--() { return *this -= 1; }
  IRGL_EMU_MEMBER Self operator++(int) {
    const Self old = self();
    here += 1;
    return old;
  }
  IRGL_EMU_MEMBER bool operator==(const Self& b) const { return here == b.here; }
  IRGL_EMU_MEMBER bool operator!=(const Self& b) const { return here != b.here; }
  IRGL_EMU_MEMBER bool operator<(const Self& b) const { return here < b.here; }

 protected:
  Offset here = 0;

 private:
  IRGL_EMU_MEMBER const Self& self() const { return static_cast<const Self&>(*this); }
  IRGL_EMU_MEMBER Self& self() { return static_cast<Self&>(*this); }
  IRGL_EMU_MEMBER Self moved(Offset n) const {
    Self r = self();
    r.here += n;
    return r;
  }
};

template <class T, class Offset = long>
class CountingInputIterator : public IrglEmuIterator<CountingInputIterator<T, Offset>, T, Offset> {
  T first;

 public:
  IRGL_EMU_MEMBER CountingInputIterator(const T& value) : first(value) {}
  IRGL_EMU_MEMBER T at(Offset i) const { return first + static_cast<T>(i); }
};

template <class T, class Offset = long>
class ConstantInputIterator : public IrglEmuIterator<ConstantInputIterator<T, Offset>, T, Offset> {
  T value;

 public:
  IRGL_EMU_MEMBER ConstantInputIterator(T v, Offset = 0) : value(v) {}
  IRGL_EMU_MEMBER T at(Offset) const { return value; }
};

template <class T, class Op, class In, class Offset = long>
class TransformInputIterator : public IrglEmuIterator<TransformInputIterator<T, Op, In, Offset>, T, Offset> {
  In in;
  mutable Op op;

 public:
  IRGL_EMU_MEMBER TransformInputIterator(In i, Op o) : in(i), op(o) {}
  IRGL_EMU_MEMBER T at(Offset i) const { return op(in[i]); }
};

template <class In, class Offset = long, class T = IrglEmuValue<In>>
class ArgIndexInputIterator
    : public IrglEmuIterator<ArgIndexInputIterator<In, Offset, T>, KeyValuePair<Offset, T>, Offset> {
  In in;

 public:
  IRGL_EMU_MEMBER ArgIndexInputIterator(In i) : in(i) {}
  IRGL_EMU_MEMBER KeyValuePair<Offset, T> at(Offset i) const { return {i, in[i]}; }
};

template <CacheLoadModifier M, class T, class Offset = long>
class CacheModifiedInputIterator
    : public IrglEmuIterator<CacheModifiedInputIterator<M, T, Offset>, T, Offset> {
  const T* data;

 public:
  IRGL_EMU_MEMBER CacheModifiedInputIterator(const T* p) : data(p) {}
  IRGL_EMU_MEMBER T at(Offset i) const { return ThreadLoad<M>(data + i); }
};

// Whatever is written to it is lost.
template <class Offset = long>
class DiscardOutputIterator {
 public:
  struct Nothing {
    template <class T>
    IRGL_EMU_MEMBER const Nothing& operator=(const T&) const {
      return *this;
    }
  };
  using value_type = void;
  using reference = Nothing;
  using pointer = void;
  using difference_type = Offset;
  using iterator_category = std::output_iterator_tag;
  IRGL_EMU_MEMBER Nothing operator*() const { return {}; }
  IRGL_EMU_MEMBER Nothing operator[](Offset) const { return {}; }
  IRGL_EMU_MEMBER DiscardOutputIterator operator+(Offset) const { return *this; }
};

}  // namespace cub
