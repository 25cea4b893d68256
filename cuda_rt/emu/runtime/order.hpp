// Which kernels are ordered: by their streams, by events, and by the host's waiting. Work runs at once when it is given
// to a stream; what a GPU might run beside it is kept as ranges of stamps.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "../include/irgl_emu/runtime_api.h"
#include "state.hpp"

namespace emu {

// Streams by number: the default one of each device, cudaStreamPerThread of each device, and others by address.
struct Moment {  // of a stream: all that was given to it so far, and what that waited for
  u64 stream = 0;
  u32 stamp = 0;
  std::vector<std::pair<u64, u32>> seen;
};

// The ranges of stamps of earlier kernels that may run beside one in this stream.
std::vector<std::pair<u32, u32>> begin_work(cudaStream_t s);
void end_work(cudaStream_t s, u32 begin);
Moment moment_of(cudaStream_t s);
void wait_for(cudaStream_t s, const Moment& m);
void host_waits(const Moment& m);
u32 last_work_of(cudaStream_t s);  // the stamp of its last kernel that the host has not waited for; 0: there is none
void host_waits_for_all();
void host_waits_for(int device);
bool is_any_pending();
// A copy between the memories of two devices is work of a stream. In the default one it waits for all that the two
// were given, and all that they are given later waits for it.
std::vector<std::pair<u32, u32>> begin_copy(cudaStream_t s, int from, int to);
void end_copy(cudaStream_t s, u32 begin, int from, int to);
int device_of(cudaStream_t s);  // the current one has the default stream
int device_of_key(u64 key);     // of a stream, as `Moment` has it; -1: it is gone
int device_of_work(u32 stamp);
// Work of a stream that the host does: for it, what was given to the stream before is over.
void call_host(cudaStream_t s, const std::function<void()>& f);
bool may_still_run(u32 stamp);  // the kernel that made this access, since the host has not waited for it
bool is_blocking(cudaStream_t s);

}  // namespace emu
