// Atomic blocks: a property of locks is an array of words, zero where free.
//
//     irgl::Locks* guard = c.locks(count)
//     irgl::locked(t, guard[i], [&] { BODY });                        waits for the lock
//     if (!irgl::try_locked(t, guard[i], [&] { BODY })) { ELSE }      tries once
// A thread that has the lock lets it go before it asks whether others wait: the loop has no waiting branch inside, so
// that lanes of one warp that want the same lock take turns. What the body reads is what the last owner wrote: the
// fences order it, and the body's own accesses to what the lock guards go by load and store, for they pass from thread
// to thread.
#pragma once
#include "context.cuh"

namespace irgl {

struct Locks {
  unsigned word;
};

inline Locks* Properties::locks(size_t count) {
  Locks* words = property<Locks>(nullptr, count);
  zero(words, count * sizeof(Locks));
  return words;
}

template <class F>
IRGL_DEVICE bool try_locked(Thread&, Locks& lock, F&& body) {
  if (load(lock.word) != 0 || atomicCAS(&lock.word, 0u, 1u) != 0) return false;
  __threadfence();
  body();
  __threadfence();
  atomicExch(&lock.word, 0u);
  return true;
}
template <class F>
IRGL_DEVICE void locked(Thread& t, Locks& lock, F&& body) {
  for (bool done = false; !done;) done = try_locked(t, lock, body);
}

}  // namespace irgl
