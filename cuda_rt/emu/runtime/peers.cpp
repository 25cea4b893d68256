// Memory of another device: which kernels may touch it, and copies from one device to another.
#include "devices.hpp"

#include <algorithm>

#include "../include/irgl_emu/api_more.h"
#include "api.hpp"

namespace emu {

namespace {

u32 opened[MOST_DEVICES];  // by the device of a kernel: the devices whose memory it may touch, as bits
struct PoolAccess {
  u32 readers, writers;  // devices beside the pool's own
};
PoolAccess pool_access[MOST_DEVICES];

bool is_beside(const std::vector<std::pair<u32, u32>>& beside, u32 stamp) {
  return std::any_of(beside.begin(), beside.end(),
                     [=](const auto& b) { return stamp >= b.first && stamp <= b.second; });
}

// One side of a copy against what was done to it by work that nothing orders before the copy.
class Side {
 public:
  Side(const void* p, u64 n, bool write) : address_(reinterpret_cast<u64>(p)), end_(address_ + n), write_(write) {}

  void check(const std::vector<std::pair<u32, u32>>& beside, u32 pc, const char* call) const {
    for (u64 a = address_; a < end_; a = (a | 3) + 1) {
      const Cell& c = cell(a);
      for (const Access* x : {&c.write, &c.marked, &c.read, &c.read2}) {
        const bool was_write = x == &c.write || x == &c.marked;
        if ((x->info & mask(a)) == 0 || !(write_ || was_write) || !is_beside(beside, x->stamp)) continue;
        error("race", pc,
              text("data race: %s %s here what %s %s at %s, and nothing orders the two; it is %s", call,
                   write_ ? "writes" : "reads", name_of_elsewhere(elsewhere(*x)).c_str(),
                   was_write ? "writes" : "reads", where(info_pc(x->info)).c_str(), variable_at(a).c_str()),
              info_pc(x->info));
        return;
      }
    }
  }
  void keep(u32 pc) const {
    for (u64 a = address_; a < end_; a = (a | 3) + 1) {
      Cell& c = cell(a);
      const Access mine{A_COPY, now, make_info(pc, Kind::plain, mask(a))};
      (write_ ? c.write : may_still_run(c.read.stamp) ? c.read2 : c.read) = mine;
    }
  }

 private:
  static Cell& cell(u64 a) { return reinterpret_cast<Cell*>(CELLS)[(a - HEAP) / 4]; }
  u32 mask(u64 a) const {  // of the bytes of a word
    const u64 first = a % 4, last = std::min<u64>(4, first + (end_ - a));
    return ((1u << last) - 1) & ~((1u << first) - 1);
  }
  u64 address_, end_;
  bool write_;
};

}  // namespace

int home_of(const void* p) {
  const Allocation* a = allocation_of(reinterpret_cast<u64>(p));
  return a != nullptr && (a->room == Room::device || a->room == Room::in_kernel) ? a->device : -1;
}

bool is_crossing(const void* to, const void* from) {
  if (options.devices == 1) return false;
  const int target = home_of(to), source = home_of(from);
  return target >= 0 && source >= 0 && target != source;
}

void check_peer(const Allocation& a, bool write, u32 pc) {
  if (a.room == Room::managed || a.room == Room::pinned) return;
  const int here = grid->device, there = a.device;
  const PoolAccess& p = pool_access[there];
  const u32 may = a.is_pooled ? (write ? p.writers : p.readers) >> here : opened[here] >> there;
  if ((may & 1) != 0) return;
  const std::string remedy =
      a.is_pooled ? text("let device %d in by cudaMemPoolSetAccess, since this memory is of a pool", here)
                  : text("call cudaDeviceEnablePeerAccess(%d, 0) while device %d is current, or copy", there, here);
  error("peer", pc,
        text("%s runs on device %d and %s memory of device %d, which was allocated at %s: %s", who(cur).c_str(), here,
             write ? "writes" : "reads", there, where(a.pc).c_str(), remedy.c_str()));
}

void forget_peers(int device) {
  opened[device] = 0;
  pool_access[device] = {};
}

void copied_across(void* to, const void* from, u64 n, cudaStream_t s, u32 pc, const char* call) {
  const int target = home_of(to), source = home_of(from);
  counters_of(target).peer_bytes += n;
  const auto beside = begin_copy(s, source, target);
  const u32 begin = ++now;
  if (checks) {
    const Side read(from, n, false), written(to, n, true);
    if (!beside.empty()) read.check(beside, pc, call), written.check(beside, pc, call);
    read.keep(pc);
    written.keep(pc);
  }
  end_copy(s, begin, source, target);
}

void check_unused(const Allocation& a, u32 pc, const char* call) {
  if (options.devices == 1 || !checks || !is_any_pending()) return;
  for (u64 at = 0; at < a.size; at += 4) {
    const Cell& c = reinterpret_cast<const Cell*>(CELLS)[(a.base + at - HEAP) / 4];
    for (const Access* x : {&c.write, &c.marked, &c.read, &c.read2}) {
      if (x->stamp == 0 || !may_still_run(x->stamp)) continue;
      error("use-after-free", pc,
            text("%s frees memory of device %d that %s touches at %s, and nobody has waited for that", call, a.device,
                 name_of_elsewhere(elsewhere(*x)).c_str(), where(info_pc(x->info)).c_str()),
            info_pc(x->info));
      return;
    }
  }
}

}  // namespace emu

using namespace emu;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!is_device_number(device) || !is_device_number(peer)) return done(cudaErrorInvalidDevice);
  return *can = device != peer, done();
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  u32& mine = opened[current_device()];
  if (!is_device_number(peer) || peer == current_device()) return done(cudaErrorInvalidDevice);
  if (flags != 0) return done(cudaErrorInvalidValue);
  if ((mine >> peer & 1) != 0) return done(cudaErrorPeerAccessAlreadyEnabled);
  mine |= 1u << peer;
  return done();
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  u32& mine = opened[current_device()];
  if (!is_device_number(peer)) return done(cudaErrorInvalidDevice);
  if ((mine >> peer & 1) == 0) return done(cudaErrorPeerAccessNotEnabled);
  mine &= ~(1u << peer);
  return done();
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
  if (!is_device_number(device) || !is_device_number(peer) || device == peer) return done(cudaErrorInvalidDevice);
  if (attribute < cudaDevP2PAttrPerformanceRank || attribute > cudaDevP2PAttrCudaArrayAccessSupported)
    return done(cudaErrorInvalidValue);
  *value = attribute == cudaDevP2PAttrAccessSupported || attribute == cudaDevP2PAttrNativeAtomicSupported;
  return done();
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t p, const cudaMemAccessDesc* given, size_t n) {
  if (!is_device_number(p - 1)) return done(cudaErrorInvalidValue);
  for (size_t i = 0; i < n; i++) {
    const cudaMemAccessDesc& d = given[i];
    if (d.location.type != cudaMemLocationTypeDevice) return done(cudaErrorInvalidValue);
    if (!is_device_number(d.location.id)) return done(cudaErrorInvalidDevice);
    if (d.location.id == p - 1 && d.flags != cudaMemAccessFlagsProtReadWrite) return done(cudaErrorInvalidDevice);
  }
  PoolAccess& access = pool_access[p - 1];
  for (size_t i = 0; i < n; i++) {
    const u32 bit = 1u << given[i].location.id;
    access.readers = given[i].flags != cudaMemAccessFlagsProtNone ? access.readers | bit : access.readers & ~bit;
    access.writers = given[i].flags == cudaMemAccessFlagsProtReadWrite ? access.writers | bit : access.writers & ~bit;
  }
  return done();
}

}  // extern "C"
