// The unit of SparseWeaver beside a block's warps (docs/weaver.md): what its threads register is handed out to whole
// warps.
//
// Its table (ST) has an entry for each thread, scanned in their order whatever the order of registrations. A request
// is worked off as its state machine does: S1 loads the first entry, S2 takes what the entry has for lanes without an
// item, S3 and S4 load the next one, S5 writes the lanes' items (DT), S7 and S8 are its end.
#include <algorithm>
#include <memory>

#include "explore.hpp"
#include "report.hpp"
#include "schedule.hpp"

namespace emu {

struct Unit {
  static constexpr u32 ENTRIES = 512;

  struct Entry {
    int vid = -1;
    u32 loc = 0, deg = 0;
    bool there = false;
  };
  struct Item {
    int vid = -1;
    u32 loc = 0;
  };
  std::vector<Entry> table;
  std::vector<Item> items;    // of each thread, by its warp's last request
  std::vector<u32> places;    // of each thread's last item; its warp may have asked again since
  std::vector<u32> answered;  // of each warp: lanes whose items of the last request are waiting
  u32 at = 0, used = 0;       // where the scan is, and how much of that entry is handed out
  u32 registered = 0, asked = 0, pc = 0;  // stamps; where it was last told of work
  bool loaded = false, decoding = false;

  bool drained() const {
    for (std::size_t k = at; k < table.size(); k++) {
      if (table[k].deg > (k == at ? used : 0)) return false;
    }
    return true;
  }
  void reset(std::size_t threads) {
    table.assign(threads, {});
    items.assign(threads, {});
    places.resize(threads);
    answered.assign((threads + 31) / 32, 0);
    at = used = 0;
    loaded = decoding = false;
  }

  // Fills the items of a warp's lanes, and tells whether there were any.
  bool answer(const Warp& w) {
    std::map<std::string, long>& own = own_counters();
    u32 filled = 0, cycles = 0, reads = 0, lanes[32], n = 0;
    for (u32 m = w.live; m != 0; m &= m - 1) lanes[n++] = w.lanes[__builtin_ctz(m)]->number;
    for (u32 i = 0; i < n; i++) items[lanes[i]] = {};
    if (!loaded && !table.empty()) loaded = true, cycles++, reads++;  // S1
    while (at < table.size()) {
      const Entry& e = table[at];
      cycles++;  // S2
      for (; filled < n && used < e.deg; filled++, used++) items[lanes[filled]] = {e.vid, e.loc + used};
      if (filled == n) break;
      if (at + 1 == table.size()) {
        cycles += 2;  // S7, S8
        at++, used = 0;
        break;
      }
      at++, used = 0, reads++, cycles += 2;  // S3, S4
    }
    if (filled != 0) cycles++;  // S5
    own["weaver_requests"]++;
    own["weaver_decodes"] += filled != 0;
    own["weaver_lanes"] += filled;
    own["weaver_st_reads"] += reads;
    own["weaver_cycles"] += cycles;
    own["weaver_shared_bytes"] += 12 * reads + 4 * filled;
    return filled != 0;
  }
};

namespace {

Unit& unit_of(Block& b) {
  if (b.unit == nullptr) b.unit = new Unit;
  if (b.unit->table.empty()) b.unit->reset(b.threads.size());
  return *b.unit;
}

// The place in the program from which the unit's function was called.
u32 place_of(u32 pc, void* frame, const char* what) {
  if (cur == nullptr) refuse(pc, text("%s in host code", what));
  if (lockstep) stop(pc, 0, 0, false, frame);  // an instruction
  const Site site = site_here(frame, pc);
  return site.depth > 1 ? site.pc[1] : pc;
}
#define UNIT_PLACE(what) place_of(EMU_PC, __builtin_frame_address(0), what)

}  // namespace

void end_unit(Block& b) {
  if (b.unit == nullptr) return;
  if (!b.unit->drained()) {
    error("weaver", b.unit->pc, text("block (%u,%u,%u) ends, and what was registered here was never fetched to its end",
                                     b.idx.x, b.idx.y, b.idx.z));
  }
  delete b.unit;
  b.unit = nullptr;
}

}  // namespace emu

using namespace emu;

extern "C" {

int irgl_emu_weaver() { return options.weaver ? 1 : 0; }

void irgl_emu_weaver_reg(int vid, unsigned loc, unsigned deg) {
  const u32 pc = UNIT_PLACE("weaver_reg");
  Thread& t = *cur;
  Block& b = *t.block;
  Unit& u = unit_of(b);
  if (b.threads.size() % 32 != 0) {
    error("weaver", pc, text("%s registers in a block of %lu threads, which is no multiple of 32", who(&t).c_str(),
                             static_cast<unsigned long>(b.threads.size())));
  }
  if (vid == -1 && deg != 0) {
    error("weaver", pc, text("%s registers items of -1, which means that there is none", who(&t).c_str()));
  }
  if (u.decoding) {
    if (b.serial <= u.asked) {
      error("weaver", pc,
            text("%s registers while the block fetches: a barrier belongs between them", who(&t).c_str()));
    } else if (!u.drained()) {
      error("weaver", pc,
            text("%s registers, and what was registered before was never fetched to its end: all warps have to ask "
                 "until they get -1", who(&t).c_str()), u.pc);
    }
    u.reset(b.threads.size());
  }
  if (t.number >= Unit::ENTRIES) {
    error("weaver", pc, text("%s is thread %u of its block, and the unit's table has %u entries", who(&t).c_str(),
                             t.number, Unit::ENTRIES));
  }
  Unit::Entry& e = u.table[t.number];
  if (e.there) error("weaver", pc, text("%s registers twice: a thread has one entry", who(&t).c_str()));
  e = {vid, loc, deg, true};
  u.registered = now;
  u.pc = pc;
  own_counters()["weaver_registrations"]++;
  own_counters()["weaver_shared_bytes"] += 12;
}

int irgl_emu_weaver_dec_id() {
  const u32 pc = UNIT_PLACE("weaver_dec_id");
  Thread& t = *cur;
  Block& b = *t.block;
  Unit& u = unit_of(b);
  if (b.serial <= u.registered && u.registered != 0) {
    error("weaver", pc, text("%s fetches work, and no barrier stands between that and the registrations",
                             who(&t).c_str()), u.pc);
  }
  if (!u.decoding) {
    for (std::size_t k = 0; k < u.table.size(); k++) {
      if (u.table[k].there) continue;
      error("weaver", pc, text("%s fetches work, and thread %lu of its block has registered none: every thread has to, "
                               "with 0 items where it has nothing", who(&t).c_str(), static_cast<unsigned long>(k)));
      break;
    }
  }
  u.decoding = true, u.asked = now;
  const u32 w = t.number / 32, bit = 1u << t.lane;
  if ((u.answered[w] & bit) == 0) {  // the first lane asks for all
    if (u.answer(*t.warp)) progress++;
    if (lockstep) t.warp->steps = 0, was_interrupted = true;  // the others ask, too, before this warp does again
    u.answered[w] = t.warp->live;
  }
  u.answered[w] &= ~bit;
  u.places[t.number] = u.items[t.number].loc;
  return u.items[t.number].vid;
}

unsigned irgl_emu_weaver_dec_loc() {
  UNIT_PLACE("weaver_dec_loc");
  own_counters()["weaver_shared_bytes"] += 4;
  return unit_of(*cur->block).places[cur->number];
}

void irgl_emu_weaver_skip(int vid) {
  UNIT_PLACE("weaver_skip");
  Unit& u = unit_of(*cur->block);
  own_counters()["weaver_skips"]++;
  if (u.at < u.table.size() && u.table[u.at].vid == vid) u.used = std::max(u.used, u.table[u.at].deg);
}
}
