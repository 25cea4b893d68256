// Each access against what is known of its address: does it exist, was it written, who else touched it since the last
// synchronization. Happens-before is kept as stamps: an access is ordered before this one if a barrier that both its
// thread and this one passed got its stamp later.
#include <algorithm>
#include <cstring>

#include "cas_reads.hpp"
#include "devices.hpp"
#include "fences.hpp"
#include "fiber.hpp"
#include "memory.hpp"
#include "order.hpp"

namespace emu {

bool is_pending = false;
std::vector<Cell> section_cells;

namespace {

struct Place {
  Cell* cell;
  u8* init;  // null where everything is written
  bool shared;
};

bool is_beside(u32 stamp) {
  for (const auto& [begin, end] : grid->beside) {
    if (stamp >= begin && stamp <= end) return true;
  }
  return false;
}

bool is_in_step(const Access& a, const Thread* t, bool shared) {
  if (!grid->beside.empty() && !shared && is_beside(a.stamp)) return false;
  if (a.stamp < grid->serial) return true;
  const u32 apart = a.id ^ t->id;
  if (shared && a.stamp < t->block->serial) return true;  // perhaps of the block that had this memory before
  if (apart == 0) return true;
  if (apart >> 10 != 0) return false;
  if (a.stamp < t->block->serial) return true;
  if (apart >> 5 != 0) return false;
  if (a.stamp < t->warp->serial) return true;
  return t->warp->clock != nullptr && a.stamp < t->warp->clock->seen[t->lane][a.id & 31];
}

bool ordered(const Access& a, const Thread* t, bool shared) {
  return is_in_step(a, t, shared) || (is_fenced && is_behind_fences(a, t));
}

// A write that meets another unordered write: an error if it changes the value, else a warning.
struct Pending {
  u64 address, size;
  u8 old[16];
  u32 pc, other, id;
  Kind kind, other_kind;
};
Pending pending;

const char* name_of(bool write, Kind kind) {
  return write ? (kind == Kind::plain ? "writes" : "writes (volatile or atomic)")
               : (kind == Kind::plain ? "reads" : "reads (volatile or atomic)");
}

}  // namespace

std::string variable_at(u64 address) {
  if (const Allocation* a = allocation_of(address)) {
    return text("byte %lu of the memory that was allocated at %s", address - a->base, where(a->pc).c_str());
  }
  const bool shared = address - tls_low < tls_size;
  if (shared || (address >= section_low && address < section_high) || (address >= table_low && address < table_high)) {
    const Variable* v = variable_near(shared ? shared_variables : device_variables, address);
    if (v != nullptr) return text("byte %lu of `%s`", address - v->address, v->name.c_str());
  }
  return "a byte of dynamic shared memory";
}

u32 elsewhere(const Access& a) {
  return a.id == A_COPY ? A_COPY : A_KERNEL + static_cast<u32>(device_of_work(a.stamp));
}

std::string name_of_elsewhere(u32 id, int here) {
  if (id == A_COPY) return "a copy in another stream";
  const int device = static_cast<int>(id - A_KERNEL);
  return device == here ? "a kernel in another stream" : text("a kernel of device %d", device);
}

namespace {

std::string race_sentence(u64 address, bool write, Kind kind, bool other_write, Kind other_kind, u32 other_pc, u32 id,
                          bool is_same) {
  const std::string here = who(cur), there = is_elsewhere(id) ? name_of_elsewhere(id, grid->device) : who(id),
                    other = is_elsewhere(id) ? where(other_pc) : where_in_kernel(other_pc);
  const bool same_block = id >> 10 == cur->id >> 10;
  std::string s = text("data race: %s %s here what %s %s at %s, and nothing orders the two%s; it is ", here.c_str(),
                       name_of(write, kind), there.c_str(), name_of(other_write, other_kind), other.c_str(),
                       is_same ? " (both write the same value)" : "");
  s += variable_at(address);
  if (kind == Kind::marked && other_kind == Kind::marked)
    s += "; an atomic operation of block scope is atomic for its own block only";
  else if (!same_block && !is_elsewhere(id))
    s += "; threads of two blocks are ordered by a grid barrier or the end of a launch only";
  return s;
}

// Is one of two atomic operations atomic for a block that the other's thread is not of?
bool is_out_of_scope(const Access& a) {
  return (a.info & by_atomic & ATOMIC) != 0 && ((a.info | by_atomic) & OF_BLOCK) != 0 && a.id >> 10 != cur->id >> 10;
}

// Does this access race with `a`? Two marked ones do only beyond the scope of one.
void conflict(const Access& a, u64 address, u64 size, u32 mask, bool write, Kind kind, bool other_write, u32 pc,
              bool shared) {
  if ((a.info & mask & 15) == 0) return;
  const Kind other = info_kind(a.info);
  if (kind == Kind::marked && other == Kind::marked && !is_out_of_scope(a)) return;
  if (ordered(a, cur, shared)) return;
  const u32 id = !grid->beside.empty() && is_beside(a.stamp) ? elsewhere(a) : a.id;
  if (write && other_write && size <= sizeof pending.old) {
    if (is_pending) return;
    pending = {address, size, {}, pc, info_pc(a.info), id, kind, other};
    std::memcpy(pending.old, reinterpret_cast<void*>(address), size);
    is_pending = true;
    return;
  }
  const u32 other_pc = info_pc(a.info);
  const std::string s = race_sentence(address, write, kind, other_write, other, other_pc, id, false);
  const bool reads = kind == Kind::plain && !write && size <= 8 && address % size == 0;
  if (!is_elsewhere(id) && by_atomic != 0 && other == Kind::plain && (a.info & SMALL_READ) != 0)
    defer_cas_read(other_pc, id, address, pc, other_pc, s);
  else if (!is_elsewhere(id) && reads && (a.info & ATOMIC) != 0)
    defer_cas_read(pc, cur->id, address, pc, other_pc, s);
  else
    error("race", pc, s, other_pc);
}

void race(Cell& c, u64 address, u64 size, u32 mask, bool write, Kind kind, u32 pc, bool shared, bool is_kept) {
  const Thread* t = cur;
  const bool is_small = !write && kind == Kind::plain && size <= 8 && address % size == 0;
  const u32 info = make_info(pc, kind, mask) | by_atomic | (is_small ? SMALL_READ : 0);
  const Access mine{t->id, now, info};
  if (!write) {
    if (c.read.id == t->id && c.read.stamp == now && (kind == Kind::marked || info_kind(c.read.info) == kind) &&
        c.write.stamp < grid->serial && c.marked.stamp < grid->serial && grid->beside.empty()) {
      return;
    }
    conflict(c.write, address, size, mask, false, kind, true, pc, shared);
    if (kind == Kind::plain || by_atomic != 0) conflict(c.marked, address, size, mask, false, kind, true, pc, shared);
    if (!is_kept) return;
    // Two readers are kept; a plain one is worth more, since more can conflict with it.
    const bool worse = kind == Kind::marked && info_kind(c.read.info) == Kind::plain;
    if (ordered(c.read, t, shared) && (c.read.id != t->id || c.read.stamp < grid->serial || !worse)) {
      c.read = mine;
    } else if (c.read.id != t->id) {
      const bool worse2 = kind == Kind::marked && info_kind(c.read2.info) == Kind::plain;
      if (ordered(c.read2, t, shared) || !worse2) c.read2 = mine;
    }
    return;
  }
  if (!shared) cur->last_write = now;
  conflict(c.write, address, size, mask, true, kind, true, pc, shared);
  if (kind == Kind::plain || by_atomic != 0) conflict(c.marked, address, size, mask, true, kind, true, pc, shared);
  conflict(c.read, address, size, mask, true, kind, false, pc, shared);
  conflict(c.read2, address, size, mask, true, kind, false, pc, shared);
  (kind == Kind::plain ? c.write : c.marked) = mine;
}

void report_outside(u64 address, u64 size, bool write, u32 pc) {
  const char* verb = write ? "writes" : "reads";
  const std::string me = who(cur);
  if (address - HEAP < HEAP_SIZE) {
    Allocation* a = allocation_of(address);
    for (u64 back = 256; a == nullptr && back <= 1 << 20 && address - back >= HEAP; back += 256) {
      a = allocation_of(address - back);
    }
    if (a != nullptr && a->freed) {
      error("use-after-free", pc,
            text("%s %s memory that was freed at %s", me.c_str(), verb, where(a->freed_pc).c_str()));
    } else if (a != nullptr && address >= a->base) {
      error("out-of-bounds", pc,
            text("%s %s %lu bytes at byte %lu of %lu that were allocated at %s", me.c_str(), verb, size,
                 address - a->base, a->size, where(a->pc).c_str()));
    } else {
      error("out-of-bounds", pc, text("%s %s device memory where nothing is allocated", me.c_str(), verb));
    }
    return;
  }
  const bool shared = address - tls_low < tls_size;
  const Variable* v = nullptr;
  if (shared || (address >= section_low && address < section_high) || (address >= table_low && address < table_high)) {
    v = variable_near(shared ? shared_variables : device_variables, address);
  }
  if (v != nullptr) {
    error("out-of-bounds", pc,
          text("%s %s %lu bytes at byte %lu of `%s`, which has %lu", me.c_str(), verb, size, address - v->address,
               v->name.c_str(), v->size));
    return;
  }
  error("out-of-bounds", pc,
        text("%s %s %lu bytes beyond the %lu of dynamic shared memory that the launch asked for", me.c_str(), verb,
             size, grid->launch->shared));
}

[[noreturn]] void report_foreign(u64 address, bool write, u32 pc) {
  const std::string me = who(cur);
  if (address < 1 << 16) {
    error("out-of-bounds", pc,
          text("%s %s through a null pointer (address %#lx)", me.c_str(), write ? "writes" : "reads", address));
  } else {
    error("device-access", pc,
          text("%s %s host memory (address %#lx); copy it to device memory first", me.c_str(),
               write ? "writes" : "reads", address));
  }
  finish();
}

// The place of one word, or false where there is none (then it is told).
bool find(u64 address, u64 size, bool write, u32 pc, Place& p) {
  if (address - HEAP < HEAP_SIZE) {
    const u64 off = address - HEAP;
    const u32 owner = reinterpret_cast<u32*>(OWNER)[off / 256];
    const Allocation& a = allocations()[owner];
    if (owner == 0 || a.freed || address + size > a.base + a.size) {
      report_outside(address, size, write, pc);
      return false;
    }
    if (a.device != grid->device) check_peer(a, write, pc);
    p = {reinterpret_cast<Cell*>(CELLS) + off / 4, reinterpret_cast<u8*>(INIT) + off / 4, false};
    return true;
  }
  Block* b = cur->block;
  const u64 in_tls = address - tls_low;
  if (in_tls < tls_size) {
    for (u64 i = in_tls; i < in_tls + size; i++) {
      if ((tls_valid[i / 4] >> i % 4 & 1) == 0) {
        report_outside(address, size, write, pc);
        return false;
      }
    }
    p = {&b->cells[in_tls / 4], &b->valid[in_tls / 4], true};
    return true;
  }
  const u64 in_dynamic = address - reinterpret_cast<u64>(irgl_emu_dynamic_shared);
  if (in_dynamic < IRGL_EMU_DYNAMIC) {
    if (in_dynamic + size > grid->launch->shared) {
      report_outside(address, size, write, pc);
      return false;
    }
    const u64 at = tls_size / 4 + 1 + in_dynamic / 4;
    p = {&b->cells[at], &b->valid[at], true};
    return true;
  }
  if (address >= section_low && address < section_high) {
    const u64 off = address - section_low;
    for (u64 i = off; i < off + size; i++) {
      if ((section_valid[i / 4] >> i % 4 & 1) == 0) {
        report_outside(address, size, write, pc);
        return false;
      }
    }
    if (section_cells.empty()) section_cells.resize((section_high - section_low) / 4 + 1);
    p = {&section_cells[off / 4], nullptr, false};
    return true;
  }
  if (address >= table_low && address < table_high && !write) {
    for (u64 i = address - table_low; i < address - table_low + size; i++) {
      if ((table_valid[i / 4] >> i % 4 & 1) == 0) {
        report_outside(address, size, write, pc);
        break;
      }
    }
    return false;
  }
  if (is_managed(address) || (!write && is_constant(address)) || is_locked(address)) return false;
  report_foreign(address, write, pc);
}

// Do the bytes that nobody wrote look like the padding of a struct that is copied whole? Each run of them then ends at
// a multiple of a field's alignment, and is shorter than that.
bool is_padding(u64 address, u64 size, const u8* init) {
  const u64 word = address & ~3ull, end = address + size;
  u64 run = 0, written = 0;
  for (u64 a = address; a <= end; a++) {
    if (a < end && (init[(a - word) / 4] >> a % 4 & 1) == 0) {
      run++;
      continue;
    }
    if (run >= 8 || (run > 0 && a % (run < 2 ? 2 : run < 4 ? 4 : 8) != 0)) return false;
    written += a < end ? 1 : 0;
    run = 0;
  }
  return written > 0;
}

}  // namespace

void settle() {
  if (!is_pending) return;
  is_pending = false;
  const Pending& p = pending;
  const bool same = std::memcmp(reinterpret_cast<void*>(p.address), p.old, p.size) == 0;
  report(same ? Level::warning : Level::error, same ? "same-value-race" : "race", p.pc, p.other,
         race_sentence(p.address, true, p.kind, true, p.other_kind, p.other, p.id, same));
}

void check_access(u64 address, u64 size, bool write, Kind kind, u32 pc, bool is_kept) {
  if (is_pending) settle();
  if (address - reinterpret_cast<u64>(cur->fiber->stack) < STACK) return;  // its own local memory
  Place p;
  if (!find(address, size, write, pc, p)) return;
  if (is_fenced && kind == Kind::marked) write ? marked_write(cur, address) : marked_read(cur, address);
  u64 first = address % 4, done = 0;
  bool decided = false;
  for (u64 word = 0; done < size; word++, first = 0) {
    const u64 n = std::min(4 - first, size - done);
    const u32 mask = ((1u << n) - 1) << first;
    if (p.init != nullptr) {
      if (write) {
        p.init[word] |= mask;
      } else if ((p.init[word] & mask) != mask && !decided) {
        decided = true;
        if (!is_padding(address, size, p.init)) {
          error("uninitialised", pc,
                text("%s reads what nobody wrote: %s", who(cur).c_str(), variable_at(address + done).c_str()));
          p.init[word] |= mask;
        }
      }
    }
    race(p.cell[word], address, size, mask, write, kind, pc, p.shared, is_kept);
    done += n;
  }
}

void check_host(u64 address, u64 size, bool write, u32 pc, bool by_atomic_of_system) {
  if (address - HEAP < HEAP_SIZE) {
    const Allocation* a = allocation_of(address);
    if (a != nullptr && a->freed) {
      error("use-after-free", pc,
            text("the host %s memory that was freed at %s", write ? "writes" : "reads", where(a->freed_pc).c_str()));
      return;
    }
    if (a != nullptr && (a->room == Room::managed || a->room == Room::pinned)) {
      // Managed memory that takes its place at once is one side's at a time, whatever the operation.
      const bool is_meeting_allowed =
          by_atomic_of_system && (a->room == Room::pinned || options.managed == Managed::pages);
      const Cell& c = reinterpret_cast<Cell*>(CELLS)[(address - HEAP) / 4];
      for (const Access* x : {&c.write, &c.marked, &c.read}) {
        if (x->stamp == 0 || (x == &c.read && !write) || !may_still_run(x->stamp)) continue;
        if (is_meeting_allowed && (x->info & ATOMIC) != 0 && (x->info & OF_SYSTEM) != 0) continue;
        error("race", pc,
              text("data race: the host %s what a kernel touches at %s, and has not waited for that kernel%s",
                   write ? "writes" : "reads", where(info_pc(x->info)).c_str(),
                   by_atomic_of_system && !is_meeting_allowed && (x->info & OF_SYSTEM) != 0
                       ? "; IRGL_EMU_MANAGED=pages makes a device on which both may use managed memory at a time"
                       : ""),
              info_pc(x->info));
        break;
      }
      if (!write && is_poison(address, size)) {
        error("uninitialised", pc,
              "the host reads what nobody has written, or what an asynchronous copy may not have "
              "brought yet");
      }
      if (address + size > a->base + a->size) {
        error("out-of-bounds", pc,
              text("the host %s byte %lu of %lu that were allocated at %s", write ? "writes" : "reads",
                   address - a->base, a->size, where(a->pc).c_str()));
      }
      return;
    }
  }
  error("host-access", pc,
        text("the host %s device memory (%s); copy it with cudaMemcpy", write ? "writes" : "reads",
             variable_at(address).c_str()));
}

void check_range(u64 address, u64 size, bool write, u32 pc) {
  if (size == 0) return;
  if (cur == nullptr) {
    if (is_device(address)) check_host(address, size, write, pc);
    return;
  }
  while (size > 0) {
    const u64 n = std::min<u64>(size, 64);
    check_access(address, n, write, Kind::plain, pc);
    address += n;
    size -= n;
  }
}

}  // namespace emu
