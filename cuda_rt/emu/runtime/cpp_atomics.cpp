// C++ atomics, which -fsanitize=thread makes calls of: counts of shared pointers, guards of static variables,
// std::atomic. The host's are what they are; a kernel's are accesses that are meant to race.
#include "fences.hpp"
#include "fiber.hpp"
#include "memory.hpp"
#include "schedule.hpp"

namespace emu {
namespace {

void cpp_atomic(const volatile void* p, u64 size, bool write, u32 pc, void* frame) {
  const u64 a = reinterpret_cast<u64>(p);
  if (cur == nullptr) {
    if (checks && is_device(a)) check_host(a, size, write, pc, true);
    return;
  }
  if (a - reinterpret_cast<u64>(cur->fiber->stack) < STACK) return;
  if (lockstep) stop(pc, a, size, true, frame);
  watch(a);
  cur->last_pc = pc;
  if (checks) check_access(a, size, write, Kind::marked, pc);
  if (write) note_store(a, size), changes++;
}

// No processor is sure to have instructions for 16 bytes: one thread at a time.
struct Turn {
  static inline bool taken = false;
  Turn() {
    while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE)) {
    }
  }
  ~Turn() { __atomic_clear(&taken, __ATOMIC_RELEASE); }
};

enum class Rmw { exchange, add, sub, band, bor, bxor, nand };

template <class T>
T next_of(Rmw op, T old, T v) {
  switch (op) {
    case Rmw::add: return static_cast<T>(old + v);
    case Rmw::sub: return static_cast<T>(old - v);
    case Rmw::band: return static_cast<T>(old & v);
    case Rmw::bor: return static_cast<T>(old | v);
    case Rmw::bxor: return static_cast<T>(old ^ v);
    case Rmw::nand: return static_cast<T>(~(old & v));
    default: return v;
  }
}

template <class T>
bool swap_if(volatile T* p, T* expected, T v) {
  if constexpr (sizeof(T) <= 8) {
    return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  } else {
    const Turn turn;
    const T old = *p;
    const bool same = old == *expected;
    if (same) *p = v;
    *expected = old;
    return same;
  }
}

template <class T>
T load_whole(const volatile T* p) {
  if constexpr (sizeof(T) <= 8) {
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
  } else {
    const Turn turn;
    return *p;
  }
}

template <class T>
T change(Rmw op, volatile T* p, T v) {
  T old = load_whole(p);
  while (!swap_if(p, &old, next_of(op, old, v))) {
  }
  return old;
}

}  // namespace
}  // namespace emu

using namespace emu;

#define EMU_SEEN(write) cpp_atomic(p, sizeof *p, write, EMU_PC, __builtin_frame_address(0))
#define EMU_RMW(BITS, T, NAME, OP)                                  \
  T __tsan_atomic##BITS##_##NAME(volatile T* p, T v, int) {         \
    EMU_SEEN(true);                                                 \
    return change(Rmw::OP, p, v);                                   \
  }
#define EMU_ATOMIC(BITS, T)                                                                              \
  T __tsan_atomic##BITS##_load(const volatile T* p, int) {                                               \
    EMU_SEEN(false);                                                                                     \
    return load_whole(p);                                                                                \
  }                                                                                                      \
  void __tsan_atomic##BITS##_store(volatile T* p, T v, int) {                                            \
    EMU_SEEN(true);                                                                                      \
    change(Rmw::exchange, p, v);                                                                         \
  }                                                                                                      \
  EMU_RMW(BITS, T, exchange, exchange)                                                                   \
  EMU_RMW(BITS, T, fetch_add, add)                                                                       \
  EMU_RMW(BITS, T, fetch_sub, sub)                                                                       \
  EMU_RMW(BITS, T, fetch_and, band)                                                                      \
  EMU_RMW(BITS, T, fetch_or, bor)                                                                        \
  EMU_RMW(BITS, T, fetch_xor, bxor)                                                                      \
  EMU_RMW(BITS, T, fetch_nand, nand)                                                                     \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile T* p, T* expected, T v, int, int) {         \
    EMU_SEEN(true);                                                                                      \
    return swap_if(p, expected, v);                                                                      \
  }                                                                                                      \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile T* p, T* expected, T v, int, int) {           \
    EMU_SEEN(true);                                                                                      \
    return swap_if(p, expected, v);                                                                      \
  }                                                                                                      \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T* p, T expected, T v, int, int) {               \
    EMU_SEEN(true);                                                                                      \
    swap_if(p, &expected, v);                                                                            \
    return expected;                                                                                     \
  }

extern "C" {
EMU_ATOMIC(8, u8)
EMU_ATOMIC(16, std::uint16_t)
EMU_ATOMIC(32, u32)
EMU_ATOMIC(64, u64)
EMU_ATOMIC(128, unsigned __int128)

void __tsan_atomic_thread_fence(int) {
  if (cur != nullptr && checks)
    fence(cur);
  else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
}
#undef EMU_ATOMIC
#undef EMU_RMW
#undef EMU_SEEN
