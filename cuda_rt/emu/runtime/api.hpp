// The state of the CUDA runtime API.
#pragma once
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "../include/irgl_emu/graph_api.h"
#include "state.hpp"

namespace emu {

struct Api {
  int last = 0;    // what cudaGetLastError gives
  int sticky = 0;  // a kernel failed: every call gives this from now on
  int abort_code = 0;
  u32 unchecked = 0;  // the place of a failed launch that nobody asked about
  int unchecked_error = 0;
  std::string why;
};
extern Api& api;

struct Starter {  // its constructor starts the emulator
  Starter();
};

struct Kernel {
  std::string name;
  void (*entry)(const void*) = nullptr;  // its data: the void** of arguments
  std::vector<u32> sizes;
  u32 dynamic_limit = 0;
};
std::unordered_map<const void*, Kernel>& kernels();
cudaError_t done(int code = 0);  // what an API call returns
void from_one_thread();          // refuses a call by another host thread than made the first
constexpr u64 NOT_KNOWN = ~0ul;
cudaError_t transfer(void* to, const void* from, u64 n, int kind, u32 pc, const char* call,
                     irgl_emu_known known = {NOT_KNOWN, NOT_KNOWN}, bool by_symbol = false,
                     cudaStream_t stream = nullptr);
cudaError_t fill(void* p, int value, u64 n, u32 pc, const char* call);
void arrive();  // what asynchronous copies gave is there from now on
struct Opened {  // what they gave is there for the device meanwhile
  Opened();
  ~Opened();
};
cudaGraph_t capture_of(cudaStream_t s);  // the graph that a stream's work goes to, or null
bool captured(const irgl_emu_launch& l);
bool captured(cudaStream_t s, std::function<int(u32)> run);
bool launching_graph();
cudaStream_t graph_stream();
constexpr int OF_THE_STREAM = -1;  // which has to be one of the current device
int launch(const irgl_emu_launch& l, u32 pc, int device = OF_THE_STREAM);
u32 blocks_per_processor(const void* function, u32 threads, u64 dynamic);
void write_report(const char* path);

}  // namespace emu

extern "C" const char* irgl_emu_error_text(int code);
