// Dense worklists over 0 <= item < universe: bitmap (a bit each) and bytemap (a byte each). Each item is in it at most
// once, and is visited in order of ids. The interface is worklist.hpp's, without reserve, and:
//
//     contains(x)        may run beside pushes: then it sees any of them or none
//     push_own(t, x)     no atomic: legal when x is the very item that an outermost loop over an interval or over a dense
//                        worklist is at (its chunks hold whole words: ranges.hpp), and others push only theirs
//     push_of<shared>(t, x)      the same in a loop below that one, which threads share or not (bitmaps)
// update passes NONE (-1) over. size() counts (universe / 64 word steps, by all threads when large, by itself in a loop of theirs); empty() stops at the first item.
#pragma once
#include "worklist.hpp"

namespace irgl {
namespace detail {

// Words of 64 items; Word says how many bits an item takes, and yields the items present.
struct BitWord {
  static constexpr size_t bytes = 8;
  template <class F>
  static IRGL_INLINE void visit(const uint8_t* base, size_t word, F&& f) {
    uint64_t bits;
    __builtin_memcpy(&bits, base + word * 8, 8);
    for (; bits != 0; bits &= bits - 1) f(word * 64 + size_t(__builtin_ctzll(bits)));
  }
};
struct ByteWord {
  static constexpr size_t bytes = 64;
  template <class F>
  static IRGL_INLINE void visit(const uint8_t* base, size_t word, F&& f) {
    for (size_t i = word * 64; i < word * 64 + 64; i += 8) {
      uint64_t eight;
      __builtin_memcpy(&eight, base + i, 8);
      for (; eight != 0; eight &= eight - 1) f(i + size_t(__builtin_ctzll(eight)) / 8);  // a present byte is 1
    }
  }
};

template <class T, class Word>
struct DenseItems : Unweighted {
  using item = T;
  const uint8_t* base;
  size_t words;
  DenseItems(const uint8_t* b, size_t count) : base(b), words(count) {}
  size_t size() const { return words; }
  size_t cost() const { return 64; }
  size_t work(size_t limit) const {
    if (words > limit) return words * 8;
    size_t sum = words;
    visit(0, words, [&](T) { ++sum; });
    return sum;
  }
  size_t cut(size_t chunks, size_t k) const { return words * k / chunks; }
  static constexpr bool holed = true;
  bool none() const {
    bool found = false;
    for (size_t w = 0; !found && w < words; ++w) Word::visit(base, w, [&](size_t) { found = true; });
    return !found;
  }
  template <class F>
  IRGL_INLINE void visit(size_t from, size_t to, F&& f) const {
    for (size_t w = from; w < to; ++w) Word::visit(base, w, [&](size_t x) { f(T(x)); });
  }
};

// What bitmap and bytemap share: memory in whole words, zero beyond the universe.
template <class T, class Word>
class Dense {
 public:
  using item = T;
  using Items = DenseItems<T, Word>;
  Dense(Runtime& c, size_t universe) : c_(&c), words_((universe + 63) / 64), bytes_(words_ * Word::bytes, true) {}
  DenseItems<T, Word> items() const { return {bytes_.data(), words_}; }
  size_t size() const {
    size_t total = 0;
    if (c_->team.sharing()) {  // an iteration asks, which starts no loop of all threads
      items().visit(0, words_, [&](T) { ++total; });
      return total;
    }
    for_each(*c_, items(), sum(total), [](Thread&, auto&, T, size_t& acc) { ++acc; });
    return total;
  }
  bool empty() const {
    const uint8_t* p = bytes_.data();
    for (size_t i = 0; i < bytes_.size(); i += 8) {
      uint64_t eight;
      __builtin_memcpy(&eight, p + i, 8);
      if (eight != 0) return false;
    }
    return true;
  }
  void clear() {
    uint8_t* p = bytes_.data();
    constexpr size_t piece = 65536;
    const size_t total = bytes_.size();
    for_each(*c_, costly(range<size_t>(0, (total + piece - 1) / piece), 512), [=](Thread&, auto&, size_t k) {
      memset(p + k * piece, 0, total - k * piece < piece ? total - k * piece : piece);
    });
  }

 protected:
  template <class D>
  void swap_with(D& other) {
    bytes_.swap(other.bytes_);
    size_t w = words_; words_ = other.words_; other.words_ = w;
  }
  Runtime* c_;
  size_t words_;
  Array<uint8_t> bytes_;
};
}  // namespace detail

template <class T>
class bitmap : public detail::Dense<T, detail::BitWord> {
 public:
  using detail::Dense<T, detail::BitWord>::Dense;
  IRGL_INLINE void push(Thread&, T x) { atomic_or(word(x), bit(x)); }
  IRGL_INLINE void push_own(Thread&, T x) { word(x) |= bit(x); }
  template <bool shared>
  IRGL_INLINE void push_of(Thread&, T x) { reduce_or<shared>(word(x), bit(x)); }
  IRGL_INLINE bool claim(Thread&, T x) { return !contains(x) && atomic_or(word(x), bit(x)).changed; }  // whether x is new
  IRGL_INLINE bool claim_own(Thread& t, T x) { return claim(t, x); }  // others have bits of the word
  IRGL_INLINE bool contains(T x) const { return (load(word(x)) & bit(x)) != 0; }
  IRGL_INLINE void forget(T x) { store(word(x), 0); }  // where all items go, those beside x, too
  void swap(bitmap& other) { this->swap_with(other); }
  template <class W>
  void update(W& other) { update_from(*this->c_, other.items()); }
  template <class R>
  void update_from(Runtime& c, const R& range) {
    for_each(c, range, [this](Thread& t, auto&, T x) {
      if (x >= 0) push(t, x);
    });
  }

 private:
  using Word = detail::word_t<uint64_t>;
  static IRGL_INLINE uint64_t bit(T x) { return uint64_t(1) << (size_t(x) & 63); }
  IRGL_INLINE Word& word(T x) const { return reinterpret_cast<Word*>(this->bytes_.data())[size_t(x) / 64]; }
};

template <class T>
class bytemap : public detail::Dense<T, detail::ByteWord> {
 public:
  using detail::Dense<T, detail::ByteWord>::Dense;
  IRGL_INLINE void push(Thread&, T x) { store(this->bytes_[size_t(x)], 1); }
  IRGL_INLINE void push_own(Thread&, T x) { this->bytes_[size_t(x)] = 1; }
  IRGL_INLINE bool claim(Thread&, T x) {  // whether x is new
    uint8_t& byte = this->bytes_[size_t(x)];
    return load(byte) == 0 && atomic_xchg(byte, 1).old == 0;
  }
  IRGL_INLINE bool claim_own(Thread&, T x) {  // the same where nobody else claims x
    uint8_t& byte = this->bytes_[size_t(x)];
    if (load(byte) != 0) return false;
    store(byte, 1);
    return true;
  }
  IRGL_INLINE bool contains(T x) const { return load(this->bytes_[size_t(x)]) != 0; }
  IRGL_INLINE void forget(T x) { store(this->bytes_[size_t(x)], 0); }  // where all items go
  void swap(bytemap& other) { this->swap_with(other); }
  template <class W>
  void update(W& other) { update_from(*this->c_, other.items()); }
  template <class R>
  void update_from(Runtime& c, const R& range) {
    for_each(c, range, [this](Thread& t, auto&, T x) {
      if (x >= 0) push(t, x);
    });
  }
};

}  // namespace irgl
