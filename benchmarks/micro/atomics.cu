// How many atomic operations, and loads, at random places a second, by footprint: in global memory with and without a
// use of their value, and in shared memory.
#include "micro.hpp"

enum Operation { LOAD, ADD, ADD_VALUE, MIN, CAS };
static const char* const NAMES[] = {"load", "add", "add with value", "min", "cas"};

__device__ unsigned next_random(unsigned x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

template <Operation OPERATION>
__global__ void strike(unsigned* at, unsigned mask, int times, unsigned* out) {
  unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, sum = 0;
  for (int i = 0; i < times; ++i) {
    x = next_random(x);
    unsigned* const place = &at[x & mask];
    if (OPERATION == LOAD) sum += __ldcg(place);
    else if (OPERATION == ADD) atomicAdd(place, 1u);
    else if (OPERATION == ADD_VALUE) sum += atomicAdd(place, 1u);
    else if (OPERATION == MIN) sum += atomicMin(place, x);
    else sum += atomicCAS(place, x, x + 1);
  }
  if (sum == 0x9e3779b9u) atomicAdd(out, 1u);  // so that values are wanted
}

__global__ void strike_shared(int times, unsigned mask, unsigned* out) {
  __shared__ unsigned at[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) at[i] = 0;
  __syncthreads();
  unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
  for (int i = 0; i < times; ++i) {
    x = next_random(x);
    atomicAdd(&at[x & mask], 1u);
  }
  __syncthreads();
  if (at[threadIdx.x] == 0x9e3779b9u) atomicAdd(out, 1u);
}

template <Operation OPERATION>
static void measure(unsigned* at, size_t words, int blocks, int times, unsigned* out) {
  const double us = device_us([&] { strike<OPERATION><<<blocks, 256>>>(at, unsigned(words - 1), times, out); });
  check(cudaGetLastError());
  tell(NAMES[OPERATION], "G/s", double(blocks) * 256 * times / us * 1e-3, "\"kib\": %.6g", double(words) * 4 / 1024);
}

int main(int argc, char** argv) {
  const bool quick = is_quick(argc, argv);
  const int blocks = quick ? 2 : attribute(cudaDevAttrMultiProcessorCount) * 8, times = quick ? 2 : 64;
  const DeviceArray<unsigned> out(1);
  for (size_t words : quick ? std::vector<size_t>{1, 1024}
                            : std::vector<size_t>{1, 32, 1024, size_t(1) << 18, size_t(1) << 22, size_t(1) << 24,
                                                  size_t(1) << 28}) {
    const DeviceArray<unsigned> at(words);
    const int some = words < 1024 ? std::max(1, times / 8) : times;
    measure<LOAD>(at.data, words, blocks, some, out.data);
    measure<ADD>(at.data, words, blocks, some, out.data);
    measure<ADD_VALUE>(at.data, words, blocks, some, out.data);
    measure<MIN>(at.data, words, blocks, some, out.data);
    measure<CAS>(at.data, words, blocks, some, out.data);
  }
  for (unsigned words : {1u, 32u, 1024u}) {
    const double us = device_us([&] { strike_shared<<<blocks, 256>>>(times, words - 1, out.data); });
    check(cudaGetLastError());
    tell("add in shared memory", "G/s", double(blocks) * 256 * times / us * 1e-3, "\"words\": %u", words);
  }
  return 0;
}
