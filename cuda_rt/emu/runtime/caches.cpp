#include "caches.hpp"

#include <memory>

#include "report.hpp"

namespace emu {

namespace {

struct Caches {  // of a device
  Cache shared{options.l2};
  std::vector<std::unique_ptr<Cache>> own;  // of each multiprocessor, once it has loaded
};

Caches& caches_of(int device) {
  static auto& all = *new std::vector<std::unique_ptr<Caches>>(MOST_DEVICES);
  if (all[device] == nullptr) all[device] = std::make_unique<Caches>();
  return *all[device];
}

}  // namespace

void count_sector(const Block& block, u64 sector, bool past_l1) {
  Caches& caches = caches_of(grid->device);
  if (!past_l1) {
    if (caches.own.empty()) caches.own.resize(options.processors);
    std::unique_ptr<Cache>& own = caches.own[block.number % options.processors];
    if (own == nullptr) own = std::make_unique<Cache>(options.l1);
    if (own->touch(sector, grid->number & 0xfffff)) {
      counters.l1_sectors++;
      return;
    }
  }
  counters.l2_sectors++;
  if (!caches.shared.touch(sector, 0)) counters.dram_sectors++;
}

}  // namespace emu
