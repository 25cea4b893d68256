// Kernels of the libraries that the emulator brings: a body for each of n items, or one thread that does all.
//
//     each("thrust::fill", n, body, stream);   body(i) for 0 <= i < n, by the threads of a grid: nothing orders them
//     once("cub::DeviceScan", body, stream);   body() by a single thread
//     r = result("thrust::reduce", body, stream);  what body() returns, to the host, which has waited for it
// What they touch is checked as in any kernel. Faults in a line of these headers are told at the line that called them,
// into which all functions on the way to the launch are inlined.
#pragma once
#include "launch.h"

// Kernels as those of programs are: known as the device's, whatever the host's of the name does.
#define IRGL_EMU_KERNEL __attribute__((noinline, noclone, noipa, retain))

namespace irgl_emu {

template <class Body>
IRGL_EMU_KERNEL void each_item(Sent<Body> sent, long n) {
  Body& body = sent.value();
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (long)blockDim.x) {
    irgl_emu_step();
    body(i);
  }
}
template <class Body>
IRGL_EMU_KERNEL auto one_thread(Sent<Body> sent) {
  return sent.value()();
}

template <class Body>
IRGL_EMU_INLINE cudaError_t each(const char* name, long n, Body body, cudaStream_t stream = 0) {
  if (n <= 0) return cudaSuccess;
  const long blocks = (n + 127) / 128;
  const Sent<Body> sent(body);
  const auto all = [=]() IRGL_EMU_PLAIN { each_item(sent, n); };
  return run(Config(blocks < 8 ? (unsigned)blocks : 8, n < 128 ? (unsigned)n : 128, 0, stream), 0, name, nullptr, all);
}

template <class Body>
IRGL_EMU_INLINE cudaError_t once(const char* name, Body body, cudaStream_t stream = 0) {
  const Sent<Body> sent(body);
  const auto all = [=]() IRGL_EMU_PLAIN { one_thread(sent); };
  return run(Config(1, 1, 0, stream), 0, name, nullptr, all);
}

// Throws what `Failed(error)` makes where the kernel can't run.
template <class Failed, class Body>
IRGL_EMU_INLINE auto result(const char* name, Body body, cudaStream_t stream = 0) {
  using Result = decltype(body());
  alignas(Result) char room[sizeof(Result)] = {};
  char* const to = room;
  const Sent<Body> sent(body);
  const auto all = [=]() IRGL_EMU_PLAIN {
    const Result made = one_thread(sent);
    for (unsigned long k = 0; k < sizeof(Result); k++) to[k] = reinterpret_cast<const char*>(&made)[k];
  };
  cudaError_t e = run(Config(1, 1, 0, stream), 0, name, nullptr, all);
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
  if (e != cudaSuccess) throw Failed(e);
  return *reinterpret_cast<Result*>(room);
}

}  // namespace irgl_emu
