// Copies of a run's arrays on other devices than its own: made where a section first takes them, and made anew where
// what they are copies of has changed meanwhile. Of sections of one device the first makes them, the others wait.
#pragma once
#include <cuda_runtime.h>
#include <stdint.h>

#include "table.cuh"

namespace irgl {

class Elsewhere {
 public:
  struct Copy {
    const void* of;
    int device;
    void* data;
    cudaEvent_t made;  // when all of it is there
    bool fresh;
  };
  Copy* find(const void* of, int device) {
    for (Copy& copy : all_)
      if (copy.of == of && copy.device == device) return &copy;
    return nullptr;
  }
  Copy& add(const Copy& copy) { return all_.add(copy); }
  void changed(const void* of) {
    for (Copy& copy : all_)
      if (copy.of == of) copy.fresh = false;
  }
  Places<Copy>& all() { return all_; }

 private:
  Places<Copy> all_;
};

}  // namespace irgl
