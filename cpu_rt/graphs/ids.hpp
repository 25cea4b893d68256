// Ids of nodes as files have them, for irgl/rt/graphs/native/ids.py.
#pragma once
#include "parts.hpp"

// seen[id] = 1 of each id.
extern "C" int64_t irgl_mark_ids(int64_t count, const irgl::node_t* ids, uint8_t* seen) {
#pragma omp parallel for schedule(static) num_threads(irgl::graphs::threads_for(count))
  for (int64_t i = 0; i < count; ++i)
    if (__atomic_load_n(&seen[ids[i]], __ATOMIC_RELAXED) == 0) __atomic_store_n(&seen[ids[i]], 1, __ATOMIC_RELAXED);
  return 1;
}

// Each id becomes place[id].
extern "C" int64_t irgl_rename_ids(int64_t count, irgl::node_t* ids, const irgl::node_t* place) {
#pragma omp parallel for schedule(static) num_threads(irgl::graphs::threads_for(count))
  for (int64_t i = 0; i < count; ++i) ids[i] = place[ids[i]];
  return 1;
}
