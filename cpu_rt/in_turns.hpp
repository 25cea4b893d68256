// in_turns(count, f): f(0) .. f(count - 1) by all threads, each taking the next one when it is done with one. For what is
// built of a graph before a run; loops of a run are for_each's (executor.hpp).
#pragma once
#include "types.hpp"

namespace irgl {

template <class F>
void in_turns(int64_t count, F f) {
  int64_t next = 0;
#pragma omp parallel
  for (int64_t k; (k = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < count;) f(k);
}

}  // namespace irgl
