// ScratchSet: a set of ids that lives as long as one item of a ForAll, in marks that its thread keeps and reuses.
//
//     auto marks = irgl::scratch_bytemap(t, g.n);     empty; ids 0 <= x < n; kernels launched by c.launch_scratch
//     marks.insert(x)  marks.contains(x)  marks.erase(x)  marks.clear()
// A bit per id, for every thread that runs has its own: a slab of device memory holds them, which each thread makes
// zero when it first opens a set in it. So a kernel that seldom opens one touches little of a slab that may be a large
// part of the memory. clear, which the end of the scope does too, undoes what was inserted while its log holds that (a
// word for eight of marks), and else clears all. Other threads may ask a view of it, marks.view(), a small value that a
// closure carries: behind a barrier, as in nested loops.
#pragma once
#include "context.cuh"

namespace irgl {

struct ScratchView {
  const unsigned* words;
  IRGL_DEVICE bool contains(node_t x) const { return (words[size_t(x) / 32] >> (size_t(x) % 32) & 1) != 0; }
};

class ScratchSet {
 public:
  IRGL_DEVICE ScratchSet(Thread& t, size_t universe) : t_(t), universe_(universe) {
    const Control& c = *t.control;
    const size_t place = t.rank() + t.open++ * t.count();
    room_ = c.scratch_log;
    log_ = c.scratch + place * c.scratch_words;
    words_ = log_ + room_;
    unsigned& is_zero = *(c.scratch - 1 - place);
    if (is_zero != 0) return;
    wipe(c.scratch_words - room_);
    is_zero = 1;
  }
  ScratchSet(const ScratchSet&) = delete;
  ScratchSet& operator=(const ScratchSet&) = delete;
  IRGL_DEVICE ~ScratchSet() {
    clear();
    --t_.open;
  }
  IRGL_DEVICE void insert(node_t x) {
    words_[size_t(x) / 32] |= 1u << (size_t(x) % 32);
    if (logged_ < room_) log_[logged_] = unsigned(size_t(x) / 32);
    ++logged_;
  }
  IRGL_DEVICE void erase(node_t x) { words_[size_t(x) / 32] &= ~(1u << (size_t(x) % 32)); }
  IRGL_DEVICE ScratchView view() const { return {words_}; }
  IRGL_DEVICE bool contains(node_t x) const { return view().contains(x); }
  IRGL_DEVICE void clear() {
    if (logged_ <= room_) {
      for (size_t i = 0; i < logged_; ++i) words_[log_[i]] = 0;
    } else {
      wipe((universe_ + 31) / 32);
    }
    logged_ = 0;
  }

 private:
  struct __attribute__((may_alias, aligned(16))) Four {
    unsigned words[4];
  };
  IRGL_DEVICE void wipe(size_t count) {  // each lane's words lie apart: fewer stores are fewer transactions
    Four* const all = reinterpret_cast<Four*>(words_);
    for (size_t i = 0; i < (count + 3) / 4; ++i) all[i] = Four{};
  }

  Thread& t_;
  size_t universe_, room_, logged_ = 0;
  unsigned* log_;    // which words were marked: the first of them
  unsigned* words_;
};

IRGL_DEVICE ScratchSet scratch_bytemap(Thread& t, size_t universe) { return ScratchSet(t, universe); }

}  // namespace irgl
