// KeptMemory: memory that a thread keeps, of which loops take pieces and give them back, the last taken first.
#pragma once
#include "memory.hpp"

namespace irgl {

class KeptMemory {
 public:
  KeptMemory() = default;
  KeptMemory(const KeptMemory&) = delete;
  KeptMemory& operator=(const KeptMemory&) = delete;
  ~KeptMemory() { free(memory_); }

  IRGL_INLINE void* take(size_t bytes) {
    if (__builtin_expect(size_ - used_ < bytes, 0)) return take_more(bytes);
    return used_ += bytes, memory_ + (used_ - bytes);
  }
  IRGL_INLINE void give(size_t bytes, void* piece) {
    if (__builtin_expect(piece != memory_ + (used_ - bytes), 0)) return apart_ -= bytes, free(piece);
    used_ -= bytes;
  }

 private:
  // What is in use can't move: a piece of its own then, and all in one the next time that nothing is in use.
  IRGL_NOINLINE void* take_more(size_t bytes) {
    if (used_ != 0 || apart_ != 0) {
      void* piece = allocate(bytes);
      apart_ += bytes;
      if (wanted_ < used_ + apart_) wanted_ = used_ + apart_;
      return piece;
    }
    free(memory_);
    memory_ = nullptr, size_ = 0;
    if (wanted_ < bytes) wanted_ = bytes;
    memory_ = static_cast<char*>(allocate(wanted_));
    size_ = wanted_;
    return used_ = bytes, memory_;
  }

  char* memory_ = nullptr;
  size_t size_ = 0, used_ = 0, apart_ = 0, wanted_ = 0;
};

}  // namespace irgl
