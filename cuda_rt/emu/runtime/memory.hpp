// Device memory: where it lies, what is allocated, and the shadow that each access is held to.
#pragma once
#include "report.hpp"
#include "state.hpp"

namespace emu {

// Fixed addresses, far from the host's. A granule of 256 bytes belongs to one allocation at most; nothing is used
// twice.
constexpr u64 HEAP = 0x200000000000, HEAP_SIZE = 64ull << 30;
constexpr u64 INIT = 0x210000000000;   // a byte per 4 bytes: which of them were written
constexpr u64 OWNER = 0x220000000000;  // u32 per granule: the allocation
constexpr u64 CELLS = 0x230000000000;  // a Cell per 4 bytes

enum class Kind : u8 { plain, marked };  // marked: volatile or atomic, meant to race

struct Access {  // who touched a word, when, where and how
  u32 id, stamp, info;
};
struct Cell {
  Access write;   // the last plain one
  Access marked;  // the last volatile or atomic one
  Access read, read2;
};
inline u32 make_info(u32 pc, Kind kind, u32 mask) { return (pc - 0x400000) << 8 | static_cast<u32>(kind) << 4 | mask; }
// Beside the kind: by an atomic operation, and of which scope; a plain read, aligned, of 8 bytes at most.
constexpr u32 ATOMIC = 1 << 5, OF_SYSTEM = 1 << 6, OF_BLOCK = 1 << 7, SMALL_READ = 1 << 6;
inline u32 info_pc(u32 info) { return (info >> 8) + 0x400000; }
inline Kind info_kind(u32 info) { return static_cast<Kind>(info >> 4 & 1); }

enum class Room : u8 { device, managed, pinned, in_kernel };
struct Allocation {
  u64 base, size;
  u32 pc, freed_pc;
  Room room;
  bool freed;
  bool is_pooled;  // a stream-ordered one
  u8 device;
};

struct Variable {  // a static shared array or a __device__ variable
  u64 address, size;
  std::string name;
  bool is_asked = false;  // the host knows its address from cudaGetSymbolAddress
};

// 0 where there is no room.
u64 allocate(u64 size, Room room, u32 pc, int device, bool is_pooled = false);
void release(Allocation& a, u32 pc);
Allocation* allocation_of(u64 address);
u64 used_memory(int device);
// A device's pool of stream-ordered allocations: what was freed stays in it until the host waits, and less than `threshold`
// beyond that. Its size is told, but nothing is refused for it.
struct Pool {
  u64 threshold = 0, kept = 0;
  void trim(u64 most);
  void trim() { trim(threshold); }
};
Pool& pool_of(int device);
std::vector<Allocation>& allocations();
void report_leaks();
// Fills host memory that nobody has written, so that the host's reading it is seen.
constexpr u32 POISON = 0xb9d35ec7;
void poison(void* p, u64 size);
// A word of which a part is written can look like that: one byte of 256 makes it so. That is noted before the write,
// and kept where it turns out so.
void write_part(u64 address, u64 size);
bool is_part_written(u64 address);
void forget_parts(u64 address, u64 size);
inline bool is_poison(u64 address, u64 size) {
  const u32* p = reinterpret_cast<const u32*>(address & ~3ull);
  return size <= 8 && *p == POISON && (size <= 4 || p[1] == POISON) && !is_part_written(address);
}
struct HostBlock {  // of malloc or new
  u64 base = 0, size = 0;
  u32 pc = 0;
};
bool is_locked(u64 address);  // by cudaHostRegister
HostBlock host_block(u64 address);  // the one that this lies in; its size is 0 where none is known
void map_regions();
void mark_written(u64 address, u64 size);
bool is_constant(u64 address);
bool is_managed(u64 address);
bool is_shared(u64 address);  // of a device access: in a window
bool is_device(u64 address);  // in the heap, the section of device variables or a shared window

void read_symbols();
void run_jobs(const char* path);  // IRGL_EMU_JOBS (jobs.cpp)
extern u64 section_low, section_high;  // __device__ and __constant__ variables
extern u64 table_low, table_high;      // const ones
extern u64 tls_low, tls_size;          // the window of static shared memory
extern std::vector<Cell> section_cells;  // of the device whose variables lie in the section
extern std::vector<u8> tls_valid, section_valid, table_valid;
// g++ guards a shared variable that has a constructor by a byte beside it. Shared memory is filled with what is not
// zero, so that the constructor is taken to have run, as CUDA runs none.
extern std::vector<bool> tls_guards;  // empty where there is none
inline bool is_guard(const void* p) {
  const u64 at = reinterpret_cast<u64>(p) - tls_low;
  return at < tls_guards.size() && tls_guards[at];
}
extern std::vector<Variable> shared_variables, device_variables;
const Variable* variable_near(const std::vector<Variable>& all, u64 address);
// Tells of a __device__ variable's name where the host needs a pointer.
bool is_host_name(u64 address, u32 pc, const char* call);
u64 static_shared(const void* function);

// A device access of the running thread; write and kind as compiled.
void check_access(u64 address, u64 size, bool write, Kind kind, u32 pc, bool is_kept = true);
// The host touches this.
void check_host(u64 address, u64 size, bool write, u32 pc, bool by_atomic_of_system = false);
// A library call that touches many bytes, on the host or the device.
void check_range(u64 address, u64 size, bool write, u32 pc);
std::string variable_at(u64 address);  // what lies there, in words
// In place of a thread's id: work in another stream that nothing orders, a copy or a kernel of device 0, 1, ...
constexpr u32 A_COPY = 0xffffff20, A_KERNEL = 0xffffff00;
inline bool is_elsewhere(u32 id) { return id >= A_KERNEL; }
u32 elsewhere(const Access& a);
std::string name_of_elsewhere(u32 id, int here = -1);
extern bool is_pending;
void settle();  // decides whether a racing write stored the value that was there

}  // namespace emu
