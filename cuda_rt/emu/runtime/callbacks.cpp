// What instrumented code calls: at each load and store (-fsanitize=thread), at each basic block (trace-pc), and where
// the bounds of an array, a shift, a division or an alignment is wrong.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "explore.hpp"
#include "fiber.hpp"
#include "memory.hpp"
#include "schedule.hpp"

namespace emu {

namespace {

[[gnu::noinline]] void device_access(u64 a, u64 size, bool write, Kind kind, u32 pc, void* frame) {
  if (a - reinterpret_cast<u64>(cur->fiber->stack) < STACK) return;
  if (kind == Kind::marked) may_give_way(is_shared(a));
  if (lockstep) stop(pc, a, size, true, frame, write || kind == Kind::marked);
  if (kind == Kind::marked && !write) watch(a);
  cur->last_pc = pc;
  if (checks) check_access(a, size, write, kind, pc);
  if (write) note_store(a, size), changes++;
}

inline void access(void* p, u64 size, bool write, Kind kind, u32 pc, void* frame) {
  const u64 a = reinterpret_cast<u64>(p);
  if (cur != nullptr) {
    device_access(a, size, write, kind, pc, frame);
    return;
  }
  if (write && size < 4 && checks) write_part(a, size);
  if (__builtin_expect(a - HEAP < HEAP_SIZE || (a >= section_low && a < section_high), 0) && checks) {
    check_host(a, size, write, pc);
  } else if (!write && checks && is_poison(a, size)) {
    error("uninitialised", pc, "the host reads memory that nobody has written");
  }
}

inline void aligned(void* p, u64 size, u32 pc) {
  if (__builtin_expect((reinterpret_cast<u64>(p) & (size - 1)) != 0, 0) && cur != nullptr && checks) {
    error(
        "misaligned", pc,
        text("%s accesses %lu bytes at the address %p, which is no multiple of %lu", who(cur).c_str(), size, p, size));
  }
}

}  // namespace
}  // namespace emu

using namespace emu;
#define EMU_FRAME __builtin_frame_address(0)

extern "C" {

void __tsan_init() {}

// Sized calls promise an address that is a multiple of the size, for the largest one of half of it.
#define EMU_SIZE(N)                                        \
  void __tsan_read##N(void* p) {                           \
    if (N == 1 && is_guard(p)) return;                     \
    aligned(p, N < 8 ? N : 8, EMU_PC);                     \
    access(p, N, false, Kind::plain, EMU_PC, EMU_FRAME);   \
  }                                                        \
  void __tsan_write##N(void* p) {                          \
    aligned(p, N < 8 ? N : 8, EMU_PC);                     \
    access(p, N, true, Kind::plain, EMU_PC, EMU_FRAME);    \
  }                                                        \
  void __tsan_volatile_read##N(void* p) {                  \
    aligned(p, N < 8 ? N : 8, EMU_PC);                     \
    access(p, N, false, Kind::marked, EMU_PC, EMU_FRAME);  \
  }                                                        \
  void __tsan_volatile_write##N(void* p) {                 \
    aligned(p, N < 8 ? N : 8, EMU_PC);                     \
    access(p, N, true, Kind::marked, EMU_PC, EMU_FRAME);   \
  }
EMU_SIZE(1)
EMU_SIZE(2)
EMU_SIZE(4)
EMU_SIZE(8)
EMU_SIZE(16)
#undef EMU_SIZE

#define EMU_SIZE(N)                                                                                         \
  void __tsan_unaligned_read##N(void* p) { access(p, N, false, Kind::plain, EMU_PC, EMU_FRAME); }           \
  void __tsan_unaligned_write##N(void* p) { access(p, N, true, Kind::plain, EMU_PC, EMU_FRAME); }           \
  void __tsan_unaligned_volatile_read##N(void* p) { access(p, N, false, Kind::marked, EMU_PC, EMU_FRAME); } \
  void __tsan_unaligned_volatile_write##N(void* p) { access(p, N, true, Kind::marked, EMU_PC, EMU_FRAME); }
EMU_SIZE(2)
EMU_SIZE(4)
EMU_SIZE(8)
EMU_SIZE(16)
#undef EMU_SIZE

void __tsan_read_range(void* p, unsigned long n) { access(p, n, false, Kind::plain, EMU_PC, EMU_FRAME); }
void __tsan_write_range(void* p, unsigned long n) { access(p, n, true, Kind::plain, EMU_PC, EMU_FRAME); }
void __tsan_vptr_update(void** p, void*) { access(p, 8, true, Kind::plain, EMU_PC, EMU_FRAME); }
void __tsan_vptr_read(void** p) { access(p, 8, false, Kind::plain, EMU_PC, EMU_FRAME); }
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

void __sanitizer_cov_trace_pc() {
  if (cur == nullptr) return;
  if (lockstep) {
    stop(EMU_PC, 0, 0, false, EMU_FRAME);
  } else if (--budget <= 0) {
    if (cur->last_pc == 0) cur->last_pc = EMU_PC;
    pass_others();
  }
}

struct Ubsan {  // how GCC describes a place; a type or two follow
  const char* file;
  u32 line, column;
};

static void ubsan(const char* kind, u32 pc, const char* sentence) {
  if (cur == nullptr && std::strcmp(kind, "misaligned") == 0) return;
  if (checks) error(kind, pc, text("%s %s", who(cur).c_str(), sentence));
}

void __ubsan_handle_out_of_bounds(Ubsan*, void* index) {
  ubsan("out-of-bounds", EMU_PC,
        text("uses the index %ld, which the array does not have", static_cast<long>(reinterpret_cast<u64>(index)))
            .c_str());
}
void __ubsan_handle_shift_out_of_bounds(Ubsan*, void*, void* by) {
  ubsan("shift", EMU_PC,
        text("shifts by %ld, which the type does not have", static_cast<long>(reinterpret_cast<u64>(by))).c_str());
}
void __ubsan_handle_divrem_overflow(Ubsan*, void*, void*) {
  ubsan("division", EMU_PC, "divides by zero, or the quotient does not fit");
  if (cur != nullptr) finish();
}
static void overflowed(u32 pc, const char* what) {
  if (cur != nullptr) ubsan("overflow", pc, text("has %s that its signed type can't hold", what).c_str());
}
void __ubsan_handle_add_overflow(Ubsan*, void*, void*) { overflowed(EMU_PC, "a sum"); }
void __ubsan_handle_sub_overflow(Ubsan*, void*, void*) { overflowed(EMU_PC, "a difference"); }
void __ubsan_handle_mul_overflow(Ubsan*, void*, void*) { overflowed(EMU_PC, "a product"); }
void __ubsan_handle_negate_overflow(Ubsan*, void*) { overflowed(EMU_PC, "a negative"); }
struct UbsanType {
  Ubsan place;
  void* type;
  u8 log_alignment, check;
};
void __ubsan_handle_type_mismatch_v1(UbsanType* t, void* p) {
  ubsan("misaligned", EMU_PC,
        text("accesses the address %p, which is no multiple of %u", p, 1u << t->log_alignment).c_str());
}

// Calls of the C library, which user code is linked to under these names.
void* irgl_emu_memcpy(void* to, const void* from, unsigned long n) {
  const u32 pc = EMU_PC;
  if (checks)
    check_range(reinterpret_cast<u64>(from), n, false, pc), check_range(reinterpret_cast<u64>(to), n, true, pc);
  return std::memcpy(to, from, n);
}
void* irgl_emu_memmove(void* to, const void* from, unsigned long n) {
  const u32 pc = EMU_PC;
  if (checks)
    check_range(reinterpret_cast<u64>(from), n, false, pc), check_range(reinterpret_cast<u64>(to), n, true, pc);
  return std::memmove(to, from, n);
}
void* irgl_emu_memset(void* to, int value, unsigned long n) {
  if (checks) check_range(reinterpret_cast<u64>(to), n, true, EMU_PC);
  return std::memset(to, value, n);
}
int irgl_emu_memcmp(const void* a, const void* b, unsigned long n) {
  const u32 pc = EMU_PC;
  if (checks) check_range(reinterpret_cast<u64>(a), n, false, pc), check_range(reinterpret_cast<u64>(b), n, false, pc);
  return std::memcmp(a, b, n);
}

static void touch(void* p, u64 size, bool write, u32 pc, void* frame) {
  if (cur == nullptr) {
    access(p, size, write, Kind::marked, pc, frame);
    return;
  }
  aligned(p, size, pc);
  device_access(reinterpret_cast<u64>(p), size, write, Kind::marked, pc, frame);
}
void irgl_emu_load(const volatile void* p, void* to, unsigned long size) {
  void* from = const_cast<void*>(p);
  touch(from, size, false, EMU_PC, EMU_FRAME);
  std::memcpy(to, from, size);
}
void irgl_emu_store(volatile void* p, const void* from, unsigned long size) {
  void* to = const_cast<void*>(p);
  touch(to, size, true, EMU_PC, EMU_FRAME);
  std::memcpy(to, from, size);
}

}  // extern "C"
