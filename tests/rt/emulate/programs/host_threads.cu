// Threads of the host that compute while the first one launches kernels.
#include <atomic>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

__global__ void square(int* p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] = i * i % 7;
}

int main() {
  const int n = 1 << 14;
  int* d;
  cudaMalloc(&d, n * 4);
  std::atomic<bool> stop{false};
  std::atomic<long> rounds{0};
  std::vector<std::thread> ts;
  for (int k = 0; k < 3; k++) {
    ts.emplace_back([&] {
      while (!stop) {
        std::vector<int> v(1000);
        std::iota(v.begin(), v.end(), 0);
        rounds += std::accumulate(v.begin(), v.end(), 0) == 499500;
      }
    });
  }
  for (int r = 0; r < 10; r++) square<<<8, 128>>>(d, n);
  std::vector<int> h(n);
  cudaMemcpy(h.data(), d, n * 4, cudaMemcpyDeviceToHost);
  stop = true;
  for (auto& t : ts) t.join();
  bool ok = rounds > 0;
  for (int i = 0; i < n; i++) ok &= h[i] == i * i % 7;
  cudaFree(d);
  printf("%s\n", ok ? "right" : "wrong");
  return !ok;
}
