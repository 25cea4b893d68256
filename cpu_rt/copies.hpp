// Copies: memory for values that a sweep copies to its edges' places before it takes them, kept for the next one.
//
//     irgl::Copies copies;                                        the context of a unit that needs it has one
//     float* const copied_p = copies.of<float>(0, place_count(F));    the first array of a loop; not initialised
#pragma once
#include <vector>

#include "memory.hpp"

namespace irgl {

class Copies {
 public:
  Copies() = default;
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() {
    for (const Piece& p : pieces_) free(p.data);
  }
  template <class T>
  T* of(size_t which, size_t count) {
    if (which >= pieces_.size()) pieces_.resize(which + 1);
    Piece& p = pieces_[which];
    if (p.bytes < count * sizeof(T)) {
      free(p.data);
      p = Piece();
      p.data = allocate_array<T>(count);
      p.bytes = count * sizeof(T);
    }
    return static_cast<T*>(p.data);
  }

 private:
  struct Piece {
    void* data = nullptr;
    size_t bytes = 0;
  };
  std::vector<Piece> pieces_;
};

}  // namespace irgl
