// What the shim headers and the emulator's runtime agree on.
#pragma once

#define IRGL_EMU_DYNAMIC 232448  // the most dynamic shared memory of a block

extern "C" {

struct irgl_emu_uint3 {
  unsigned x, y, z;
};
struct irgl_emu_dim3 {
  unsigned x, y, z;
};

// A launch: entry(data) is the body of one thread.
struct irgl_emu_launch {
  irgl_emu_dim3 grid, block;
  unsigned long shared;
  void* stream;
  int cooperative;
  const char* name;
  const void* function;  // the kernel's address where it is known
  void (*entry)(const void*);
  const void* data;
  void* (*clone)(const void*);  // for graphs, which keep it
  void (*destroy)(void*);
};

enum irgl_emu_type {
  IRGL_I32,
  IRGL_U32,
  IRGL_I64,
  IRGL_U64,
  IRGL_F32,
  IRGL_F64,
  IRGL_U16,
  IRGL_U8,
  IRGL_HALF,  // these can only be added, the pairs each for itself
  IRGL_HALF2,
  IRGL_BFLOAT,
  IRGL_BFLOAT2
};
enum irgl_emu_atomic_op {
  IRGL_ADD,
  IRGL_SUB,
  IRGL_MIN,
  IRGL_MAX,
  IRGL_AND,
  IRGL_OR,
  IRGL_XOR,
  IRGL_EXCH,
  IRGL_CAS,
  IRGL_INC,
  IRGL_DEC,
  IRGL_LOAD,
  IRGL_STORE
};
enum irgl_emu_warp_op {
  IRGL_SYNCWARP,
  IRGL_SHFL,
  IRGL_SHFL_UP,
  IRGL_SHFL_DOWN,
  IRGL_SHFL_XOR,
  IRGL_BALLOT,
  IRGL_ANY,
  IRGL_ALL,
  IRGL_MATCH_ANY,
  IRGL_MATCH_ALL,
  IRGL_REDUCE_ADD,
  IRGL_REDUCE_MIN,
  IRGL_REDUCE_MAX,
  IRGL_REDUCE_UMIN,
  IRGL_REDUCE_UMAX,
  IRGL_REDUCE_AND,
  IRGL_REDUCE_OR,
  IRGL_REDUCE_XOR
};
enum irgl_emu_small_op {
  IRGL_SMALL_ADD,
  IRGL_SMALL_SUB,
  IRGL_SMALL_MUL,
  IRGL_SMALL_DIV,
  IRGL_SMALL_FMA,
  IRGL_SMALL_MAX,
  IRGL_SMALL_MIN,
  IRGL_SMALL_MAX_NAN,
  IRGL_SMALL_MIN_NAN,
  IRGL_SMALL_NEG,
  IRGL_SMALL_ABS,
  IRGL_SMALL_SQRT,
  IRGL_SMALL_RSQRT,
  IRGL_SMALL_RCP,
  IRGL_SMALL_EXP,
  IRGL_SMALL_EXP2,
  IRGL_SMALL_EXP10,
  IRGL_SMALL_LOG,
  IRGL_SMALL_LOG2,
  IRGL_SMALL_LOG10,
  IRGL_SMALL_SIN,
  IRGL_SMALL_COS,
  IRGL_SMALL_TANH,
  IRGL_SMALL_FLOOR,
  IRGL_SMALL_CEIL,
  IRGL_SMALL_TRUNC,
  IRGL_SMALL_RINT
};
enum irgl_emu_block_op { IRGL_SYNC, IRGL_SYNC_AND, IRGL_SYNC_OR, IRGL_SYNC_COUNT };

int irgl_emu_run(const irgl_emu_launch* launch);  // a cudaError_t
int irgl_emu_block_barrier(int op, int predicate);
void irgl_emu_grid_barrier(void);
// extra: the width of a shuffle << 32 | its lane, delta or mask
unsigned long irgl_emu_warp(int op, unsigned mask, unsigned long value, unsigned long extra);
unsigned irgl_emu_activemask(void);
unsigned irgl_emu_coalesced(void);  // the same, without a warning
int irgl_emu_is_cooperative(void);
int irgl_emu_in_kernel(void);
// `type` | IRGL_ANYWHERE: on a thread's own local memory, too, as libcu++ allows and CUDA's own functions don't.
#define IRGL_ANYWHERE 16
// Also beside the type: whom the operation is atomic for, where that is not the device.
#define IRGL_OF_BLOCK 32
#define IRGL_OF_SYSTEM 64
unsigned long irgl_emu_atomic(int op, int type, volatile void* p, unsigned long value, unsigned long compare);
// Floats of 16 bits, of format 0 (half) or 1 (bfloat16). mode: 0 to 3 for nearest, zero, up, down.
unsigned short irgl_emu_small(int format, int op, unsigned short a, unsigned short b, unsigned short c);
unsigned short irgl_emu_small_of_double(int format, int mode, double v);
unsigned short irgl_emu_small_of_long(int format, int mode, long v);
unsigned short irgl_emu_small_of_ulong(int format, int mode, unsigned long v);
float irgl_emu_float_of_small(int format, unsigned short v);
// Accesses that are meant to race.
void irgl_emu_load(const volatile void* p, void* to, unsigned long size);
void irgl_emu_store(volatile void* p, const void* from, unsigned long size);
void irgl_emu_fence(void);
void irgl_emu_pause(void);
void irgl_emu_trap(void) __attribute__((noreturn));
long irgl_emu_clock(void);
void irgl_emu_count(const char* name, long n);
// Rounds, by which counters are told (rounds.hpp of the runtime). place: which loop's, depth: how many are around it.
void irgl_emu_begin_round(unsigned place, unsigned depth) noexcept;
void irgl_emu_end_rounds(unsigned depth) noexcept;
void irgl_emu_rejoin_round(void) noexcept;
void irgl_emu_round_goes(unsigned way) noexcept;  // 1: it pushes, 2: it pulls
// What the round runs over, unless it is known: tell(of, &items, &edges) is called; null: nobody knows.
void irgl_emu_round_runs_over(void (*tell)(const void*, long*, long*), const void* of) noexcept;
// What a library of the emulator's finds wrong with how it is called: told as a fault, at the caller's line.
void irgl_emu_fault(const char* kind, const char* sentence);
void irgl_emu_deprecated(const char* name, const char* instead);
void irgl_emu_step(void);  // a loop of a library's goes on: its thread is not stuck
void irgl_emu_refuse(const char* what, const char* instead) __attribute__((noreturn));
void irgl_emu_register_kernel(const void* function, const char* name, void (*entry)(const void*), unsigned parameters,
                              const unsigned* sizes);
// The host uses the address of a __device__ variable: wrong, unless cudaGetSymbolAddress gave it.
void irgl_emu_pointer_argument(const volatile void* p);
void irgl_emu_symbol_address(const volatile void* p);
extern char irgl_emu_dynamic_shared[];
}
