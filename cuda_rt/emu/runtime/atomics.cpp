// Atomic operations: checked, counted, done.
#include <algorithm>
#include <cstring>

#include "cas_reads.hpp"
#include "explore.hpp"
#include "fences.hpp"
#include "fiber.hpp"
#include "lockstep.hpp"
#include "memory.hpp"
#include "rounds.hpp"
#include "schedule.hpp"

namespace emu {
namespace {

template <class T>
T as(u64 bits) {
  T v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
template <class T>
u64 bits(T v) {
  u64 b = 0;
  std::memcpy(&b, &v, sizeof v);
  return b;
}

template <class T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
  else
    return a + b;
}

template <class T>
u64 apply(int op, T* p, u64 value, u64 compare) {
  const T old = *p, v = as<T>(value);
  T next = old;
  switch (op) {
    case IRGL_ADD: next = sum(old, v); break;
    case IRGL_MIN: next = std::min(old, v); break;
    case IRGL_MAX: next = std::max(old, v); break;
    case IRGL_STORE:
    case IRGL_EXCH: next = v; break;
    case IRGL_CAS: next = bits(old) == compare ? v : old; break;
    case IRGL_LOAD: return bits(old);
    default:
      if constexpr (std::is_integral_v<T>) {
        switch (op) {
          case IRGL_SUB: next = static_cast<T>(static_cast<u64>(old) - static_cast<u64>(v)); break;
          case IRGL_AND: next = old & v; break;
          case IRGL_OR: next = old | v; break;
          case IRGL_XOR: next = old ^ v; break;
          case IRGL_INC: next = old >= v ? 0 : old + 1; break;
          case IRGL_DEC: next = old == 0 || old > v ? v : old - 1; break;
          default: break;
        }
      }
  }
  if (bits(next) != bits(old)) progress++, changes++;
  *p = next;
  return bits(old);
}

// One or two floats of 16 bits.
u64 add_small(int format, u64 size, void* p, u64 value) {
  u64 old = 0, next = 0;
  std::memcpy(&old, p, size);
  for (u64 at = 0; at < 8 * size; at += 16) {
    const auto a = static_cast<std::uint16_t>(old >> at), b = static_cast<std::uint16_t>(value >> at);
    next |= u64{irgl_emu_small(format, IRGL_SMALL_ADD, a, b, 0)} << at;
  }
  if (next != old) progress++, changes++;
  std::memcpy(p, &next, size);
  return old;
}

constexpr u64 SIZES[] = {4, 4, 8, 8, 4, 8, 2, 1, 2, 4, 2, 4};

}  // namespace
}  // namespace emu

using namespace emu;

extern "C" unsigned long irgl_emu_atomic(int op, int type_and_place, volatile void* where_to, unsigned long value,
                                         unsigned long compare) {
  const u32 pc = EMU_PC;
  const int type = type_and_place & (IRGL_ANYWHERE - 1);
  const u64 a = reinterpret_cast<u64>(where_to), size = SIZES[type];
  void* p = const_cast<void*>(where_to);
  Thread* t = cur;
  if (t == nullptr) {
    if (checks && is_device(a)) check_host(a, size, true, pc, (type_and_place & IRGL_OF_SYSTEM) != 0);
  } else if (a - reinterpret_cast<u64>(t->fiber->stack) >= STACK) {
    may_give_way(is_shared(a));
    if (lockstep) stop(pc, a, size, true, __builtin_frame_address(0));
    t->last_pc = pc;
    if (a % size != 0) {
      error("misaligned", pc,
            text("%s makes an atomic operation on %lu bytes at %p, which is no multiple of %lu", who(t).c_str(), size,
                 p, size));
    }
    watch(a);
    if (checks) {
      const bool writes = op != IRGL_LOAD;
      if (op == IRGL_CAS) note_cas(t->id, a);
      by_atomic = ATOMIC | ((type_and_place & IRGL_OF_BLOCK) != 0 ? OF_BLOCK : 0) |
                  ((type_and_place & IRGL_OF_SYSTEM) != 0 ? OF_SYSTEM : 0);
      // What is read and written at once is remembered as written: who writes so after others has seen them.
      if (op != IRGL_LOAD && op != IRGL_STORE && op != IRGL_EXCH)
        check_access(a, size, false, Kind::marked, pc, !is_fenced);
      if (op == IRGL_EXCH && is_fenced) marked_read(t, a);
      check_access(a, size, writes, Kind::marked, pc);
      by_atomic = 0;
    }
    if (op < IRGL_LOAD) {
      const bool shared = is_shared(a);
      count_atomic(pc, op, shared);
      round_now().atomics++;
      if (lockstep && !shared) note_atomic(a);
    }
  } else if ((type_and_place & IRGL_ANYWHERE) == 0) {
    error("device-access", pc, text("%s makes an atomic operation on its own local memory", who(t).c_str()));
  }
  switch (type) {
    case IRGL_I32: return apply(op, static_cast<int*>(p), value, compare);
    case IRGL_U32: return apply(op, static_cast<u32*>(p), value, compare);
    case IRGL_I64: return apply(op, static_cast<long*>(p), value, compare);
    case IRGL_U64: return apply(op, static_cast<u64*>(p), value, compare);
    case IRGL_F32: return apply(op, static_cast<float*>(p), value, compare);
    case IRGL_F64: return apply(op, static_cast<double*>(p), value, compare);
    case IRGL_U16: return apply(op, static_cast<std::uint16_t*>(p), value, compare);
    case IRGL_U8: return apply(op, static_cast<u8*>(p), value, compare);
    default: return add_small(type >= IRGL_BFLOAT, size, p, value);
  }
}

extern "C" {
void irgl_emu_fence() {
  if (cur == nullptr) return;
  may_give_way(false);
  if (checks) fence(cur);
}
void irgl_emu_pause() { pass_others(); }
long irgl_emu_clock() { return static_cast<long>(++now) * 16; }
}
