// What the handwritten programs share: checked calls, arrays and graphs on the device, arguments, timing.
#pragma once
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "graph.hpp"

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  exit(3);
}

template <class T>
struct DeviceArray {
  T* data = nullptr;

  explicit DeviceArray(size_t count) { check(cudaMalloc(&data, (count > 0 ? count : 1) * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) {
    if (!from.empty()) check(cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { check(cudaFree(data)); }

  std::vector<T> read(size_t count) const {
    std::vector<T> out(count);
    if (count > 0) check(cudaMemcpy(out.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return out;
  }
  T read_one(size_t at = 0) const {
    T out{};
    check(cudaMemcpy(&out, data + at, sizeof(T), cudaMemcpyDeviceToHost));
    return out;
  }
  void fill_bytes(int byte, size_t count) { check(cudaMemsetAsync(data, byte, count * sizeof(T))); }
};

// What a kernel gets of a graph: plain pointers.
struct Rows {
  int n, m;
  const int *row, *cols, *weights;
};

struct DeviceGraph {
  DeviceArray<int> row, cols, weights, in_row, in_cols;
  Rows out, in;

  explicit DeviceGraph(const Graph& g)
      : row(g.row), cols(g.cols), weights(g.weights), in_row(g.in_row), in_cols(g.in_cols) {
    out = {g.n, g.m, row.data, cols.data, weights.data};
    in = g.directed ? Rows{g.n, g.m, in_row.data, in_cols.data, nullptr} : out;
  }
};

struct Arguments {
  const char* path = nullptr;
  int src = 0, repeat = 5, delta = 0;

  Arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      if (argv[i][0] != '-') path = argv[i];
      else if (i + 1 < argc && strcmp(argv[i], "--src") == 0) src = atoi(argv[++i]);
      else if (i + 1 < argc && strcmp(argv[i], "--repeat") == 0) repeat = atoi(argv[++i]);
      else if (i + 1 < argc && strcmp(argv[i], "--delta") == 0) delta = atoi(argv[++i]);
      else path = nullptr, i = argc;
    }
    if (path == nullptr || repeat < 1) {
      fprintf(stderr, "usage: %s GRAPH.irglg [--src NODE] [--repeat N] [--delta WEIGHT]\n", argv[0]);
      exit(2);
    }
  }
  void need_source(const Graph& g) const {
    if (src >= 0 && src < g.n) return;
    fprintf(stderr, "error: the graph has no node %d\n", src);
    exit(2);
  }
};

// What is timed on this GPU takes turns: whoever holds the file that the variable IRGL_ALONE names.
struct Alone {
  int file = -1;

  Alone() {
    const char* path = getenv("IRGL_ALONE");
    if (path != nullptr && (file = open(path, O_RDWR | O_CREAT, 0666)) >= 0) flock(file, LOCK_EX);
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
  ~Alone() {
    if (file >= 0) close(file);
  }
};

// One call to warm up, then the median of `repeat` timed ones, in milliseconds.
template <class Run>
float median_ms(int repeat, Run run) {
  const Alone alone;
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  run();
  check(cudaDeviceSynchronize());
  std::vector<float> times;
  for (int i = 0; i < repeat; ++i) {
    float ms = 0;
    check(cudaEventRecord(begin));
    run();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

inline int blocks_for(int items, int threads) { return items > 0 ? (items + threads - 1) / threads : 1; }

// As many blocks as the device holds at once, and no more than `most`: a cooperative grid.
template <class Kernel>
int resident_blocks(Kernel kernel, int threads, int most) {
  int per_processor = 0, processors = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, kernel, threads, 0));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  return std::max(1, std::min(per_processor * processors, most));
}

constexpr int INF = 0x7fffffff;

// Reads and writes of values that other threads may be changing by atomics: past the first-level cache, never torn.
__device__ inline int relaxed_load(const int* p) { return *static_cast<const volatile int*>(p); }
__device__ inline unsigned relaxed_load(const unsigned* p) { return *static_cast<const volatile unsigned*>(p); }
__device__ inline void relaxed_store(int* p, int x) { *static_cast<volatile int*>(p) = x; }
