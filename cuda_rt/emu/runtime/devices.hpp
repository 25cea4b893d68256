// The pretended devices: how many there are, which one is current, and what each has of its own.
#pragma once
#include "memory.hpp"
#include "order.hpp"

namespace emu {

void choose_devices();  // IRGL_EMU_DEVICES
bool is_device_number(int device);
int current_device();             // in a kernel: the one that it runs on
void load_variables(int device);  // its __device__ variables lie where the program sees them

struct DeviceCounters {
  u64 launches = 0, peer_bytes = 0, warp_steps = 0;  // peer_bytes: copied to it from other devices
};
DeviceCounters& counters_of(int device);

// Memory of another device (peers.cpp).
int home_of(const void* p);                        // the device whose memory this is; -1: none's alone
bool is_crossing(const void* to, const void* from);  // from one device to another
void check_peer(const Allocation& a, bool write, u32 pc);  // a kernel touches it: may it?
void forget_peers(int device);                             // what it has opened is closed
// A copy between two devices is work of its stream. It is held to the kernels and copies that nothing orders before
// it, and later ones are held to it.
void copied_across(void* to, const void* from, u64 n, cudaStream_t s, u32 pc, const char* call);
// The host has waited for the devices of this memory: does another one still use it?
void check_unused(const Allocation& a, u32 pc, const char* call);

}  // namespace emu
