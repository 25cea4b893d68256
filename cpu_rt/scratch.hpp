// ScratchSet: a set of ids that lives as long as one item of a ForAll, in a byte map that its thread keeps and reuses.
//
//     auto marks = irgl::scratch_bytemap(t, g.n);     empty; ids 0 <= x < n
//     marks.insert(x)  marks.contains(x)  marks.erase(x)  marks.clear()
// contains is one byte load (0 or 1): `count += marks.contains(x)` has no branch. clear, which the end of the scope
// does too, undoes what was inserted, one store each. Four may be open on a thread at once; a fifth is fatal (abort):
// the code generator knows the nesting and refuses deeper ones.
#pragma once
#include "runtime.hpp"

namespace irgl {

class ScratchSet {
 public:
  ScratchSet(Thread& t, size_t universe) : rt_(*t.rt) {
    int i = 0;
    while (i < 4 && t.scratch[i].taken) ++i;
    if (i == 4) __builtin_abort();
    s_ = &t.scratch[i];
    if (s_->size < universe + 1) {  // also in an empty graph there is a byte to stand for what a fault left open
      uint8_t* larger = allocate_array<uint8_t>(universe + 1, true);
      free(s_->marks);
      s_->marks = larger;
      s_->size = universe + 1;
    }
    s_->taken = true;
    marks_ = s_->marks;
  }
  ScratchSet(const ScratchSet&) = delete;
  ScratchSet& operator=(const ScratchSet&) = delete;
  IRGL_INLINE ~ScratchSet() {
    clear();
    s_->taken = false;
  }

  IRGL_INLINE void insert(node_t x) {
    s_->marked.push(rt_, x);
    marks_[x] = 1;
  }
  IRGL_INLINE void erase(node_t x) { marks_[x] = 0; }
  IRGL_INLINE bool contains(node_t x) const { return marks_[x] != 0; }
  IRGL_INLINE void clear() {
    const node_t* log = s_->marked.data;
    for (size_t i = 0; i < s_->marked.size; ++i) marks_[log[i]] = 0;
    s_->marked.size = 0;
  }

 private:
  Runtime& rt_;
  Scratch* s_;
  uint8_t* marks_;
};

IRGL_INLINE ScratchSet scratch_bytemap(Thread& t, size_t universe) { return ScratchSet(t, universe); }

}  // namespace irgl
