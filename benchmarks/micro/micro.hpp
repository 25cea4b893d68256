// What the micro-benchmarks share: checked calls, arrays, timing by events, and one line of JSON for each measurement.
#pragma once
#include <cuda_runtime.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <vector>

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  exit(3);
}

// --quick: sizes that an emulator runs in a moment; its times say nothing.
inline bool is_quick(int argc, char** argv) {
  if (argc == 1) return false;
  if (argc == 2 && strcmp(argv[1], "--quick") == 0) return true;
  fprintf(stderr, "usage: %s [--quick]\n", argv[0]);
  exit(2);
}

template <class T>
struct DeviceArray {
  T* data = nullptr;

  explicit DeviceArray(size_t count) {
    check(cudaMalloc(&data, count * sizeof(T)));
    check(cudaMemset(data, 0, count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& from) {
    check(cudaMalloc(&data, from.size() * sizeof(T)));
    check(cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { check(cudaFree(data)); }
};

inline int attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

inline double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Device time: one call to warm up, then the median of five, in microseconds.
template <class Run>
double device_us(Run run, cudaStream_t stream = nullptr) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  run();
  check(cudaStreamSynchronize(stream));
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    float ms = 0;
    check(cudaEventRecord(begin, stream));
    run();
    check(cudaEventRecord(end, stream));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms * 1e3);
  }
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return median(times);
}

// The host's time until the device is done, likewise.
template <class Run>
double host_us(Run run) {
  run();
  check(cudaDeviceSynchronize());
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    check(cudaDeviceSynchronize());
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  return median(times);
}

// tell("grid sync", "us", 1.4, "\"blocks\": %d", 132)
inline void tell(const char* what, const char* unit, double value, const char* form = nullptr, ...) {
  if (!(value > -1e300 && value < 1e300)) value = 0;  // what JSON can't hold: the clock did not move
  printf("{\"what\": \"%s\", \"unit\": \"%s\", \"value\": %.6g", what, unit, value);
  if (form != nullptr) {
    va_list rest;
    va_start(rest, form);
    printf(", ");
    vprintf(form, rest);
    va_end(rest);
  }
  printf("}\n");
  fflush(stdout);
}
