// What a plan says for one loop alone, in front of it:
//
//     {
//       const irgl::Knobs _own(c);  // the runtime's knobs are as they were behind the block
//       c.chunk_work = 256;
//       irgl::for_each(c, ...);
//     }
#pragma once
#include "runtime.hpp"

namespace irgl {

class Knobs {
 public:
  explicit Knobs(Runtime& c) : c_(c), was_(c) {}
  Knobs(const Knobs&) = delete;
  Knobs& operator=(const Knobs&) = delete;
  ~Knobs() { static_cast<Limits&>(c_) = was_; }

 private:
  Runtime& c_;
  const Limits was_;
};

}  // namespace irgl
