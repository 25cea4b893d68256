// Atomic blocks and Exclusive.
//
//     irgl::Locks locks(c, count);                                      one word per element, zero: free
//     irgl::Locks locks(c, count, irgl::Locks::striped);                elements without end share a power of two words:
//                                                                       at worst two conflict needlessly
//     { irgl::Lock held(locks, t, i); BODY }                            Atomic without Else: waits
//     { irgl::TryLock held(locks, t, i); if (held) BODY else OTHER }    Atomic with Else
//     { irgl::Exclusive mine(locks, t); mine.add(elements, k); mine.add(more, j);
//       if (mine) BODY else OTHER }                                     all of the elements or none
// Lock, TryLock and Exclusive are LockIf<true> and so on. LockIf<IRGL_RACED(inner)> takes nothing where one thread alone is
// at work: then nobody is ever in its way.
// Released at the end of the scope. A thread that meets an element it already holds keeps it and does not release it
// early. A word holds its owner's thread id + 1. In a conflict the lower id waits and the higher one fails: a thread
// waits only for higher ids, so nobody waits in a circle, and the lowest of the conflicting threads always succeeds
// (the original's rule "lowest id wins", without its barriers). Taking is an acquire, releasing a release, so what the
// body reads is what the last owner wrote.
#pragma once
#include <sched.h>

#include "runtime.hpp"

namespace irgl {

class Locks {
 public:
  enum Result { taken, mine, lost };
  enum Sharing : size_t { striped };
  Locks(Runtime&, size_t count) : words_(count, true) {}
  Locks(Runtime&, size_t count, Sharing) : words_(count, true), mask_(count - 1) {}

  // One attempt; may_wait: wait for an owner of a higher id (wait_for_all: for any owner).
  template <bool may_wait, bool wait_for_all>
  IRGL_INLINE Result acquire(Thread& t, size_t i) {
    const uint16_t me = uint16_t(t.id + 1);
    i &= mask_;
    for (int spins = 0;; ++spins) {
      uint16_t owner = 0;
      if (__atomic_compare_exchange_n(&words_[i], &owner, me, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return taken;
      if (owner == me) return mine;
      if (!may_wait || (!wait_for_all && owner < me)) return lost;
      if (spins < 64) pause();
      else sched_yield();
    }
  }
  IRGL_INLINE void release(size_t i) { __atomic_store_n(&words_[i & mask_], uint16_t(0), __ATOMIC_RELEASE); }
  size_t size() const { return words_.size(); }

 private:
  Array<uint16_t> words_;
  size_t mask_ = ~size_t(0);
};

class Lock {
 public:
  IRGL_INLINE Lock(Locks& locks, Thread& t, size_t i)
      : locks_(locks), i_(i), result_(locks.acquire<true, true>(t, i)) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  IRGL_INLINE ~Lock() {
    if (result_ == Locks::taken) locks_.release(i_);
  }

 private:
  Locks& locks_;
  size_t i_;
  Locks::Result result_;
};

class TryLock {
 public:
  IRGL_INLINE TryLock(Locks& locks, Thread& t, size_t i)
      : locks_(locks), i_(i), result_(locks.acquire<false, false>(t, i)) {}
  TryLock(const TryLock&) = delete;
  TryLock& operator=(const TryLock&) = delete;
  IRGL_INLINE ~TryLock() {
    if (result_ == Locks::taken) locks_.release(i_);
  }
  IRGL_INLINE explicit operator bool() const { return result_ != Locks::lost; }

 private:
  Locks& locks_;
  size_t i_;
  Locks::Result result_;
};

class Exclusive {
 public:
  IRGL_INLINE Exclusive(Locks& locks, Thread& t) : locks_(locks), t_(t), first_(t.held.size) {}
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;
  IRGL_INLINE ~Exclusive() { release(); }

  template <class I>
  bool add(const I* elements, size_t count, size_t step = 1) {
    for (size_t k = 0; ok_ && k < count; k += step) {
      t_.held.push(*t_.rt, uint32_t(elements[k]));  // before the lock is taken, which nobody could release if this throws
      const Locks::Result result = locks_.acquire<true, false>(t_, size_t(elements[k]));
      if (result != Locks::taken) --t_.held.size;
      if (result == Locks::lost) ok_ = false, release();
    }
    return ok_;
  }
  template <class I>
  bool add(I element) { return add(&element, 1); }
  IRGL_INLINE explicit operator bool() const { return ok_; }

 private:
  void release() {
    while (t_.held.size > first_) locks_.release(t_.held.data[--t_.held.size]);
  }
  Locks& locks_;
  Thread& t_;
  size_t first_;
  bool ok_ = true;
};

// By whether other threads may be at work.
template <bool raced> struct LockChoice { using lock = Lock; using try_lock = TryLock; using exclusive = Exclusive; };
template <>
struct LockChoice<false> {
  struct lock {
    IRGL_INLINE lock(const Locks&, const Thread&, size_t) {}
    IRGL_INLINE ~lock() {}  // no trivial one: it would be an unused variable
  };
  struct try_lock : lock {
    using lock::lock;
    IRGL_INLINE explicit operator bool() const { return true; }
  };
  struct exclusive {
    IRGL_INLINE exclusive(const Locks&, const Thread&) {}
    template <class... A> IRGL_INLINE bool add(const A&...) const { return true; }
    IRGL_INLINE explicit operator bool() const { return true; }
  };
};
template <bool raced> using LockIf = typename LockChoice<raced>::lock;
template <bool raced> using TryLockIf = typename LockChoice<raced>::try_lock;
template <bool raced> using ExclusiveIf = typename LockChoice<raced>::exclusive;

}  // namespace irgl
