// Two devices: each halves its part of an array and hands its edge to the other one, by copies that events order.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

static int wrong = 0;

static void hold(bool is_right, int line) {
  if (!is_right) printf("line %d: %s\n", line, cudaGetErrorName(cudaGetLastError()));
  wrong += !is_right;
}
#define HOLD(what) hold(what, __LINE__)
#define DONE(what) hold((what) == cudaSuccess, __LINE__)
#define GIVES(what, error) hold((what) == error && (cudaGetLastError(), true), __LINE__)

__device__ int calls;
__constant__ int scale = 1;

__global__ void smooth(const int* in, int* out, int n) {  // in[0] and in[n + 1] are the neighbours'
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i <= n) out[i] = (in[i - 1] + 2 * in[i] + in[i + 1]) / 4;
}
__global__ void count(int* out) {
  atomicAdd(&calls, scale);
  *out = calls;
}
__global__ void add(const int* from, int* to, int n) {
  if (threadIdx.x < n) to[threadIdx.x] += from[threadIdx.x];
}
__global__ void fill(int* p, int v) { p[threadIdx.x] = v; }

// Rounds of a stencil on two halves, and on the host.
static void halves() {
  const int n = 300, rounds = 5;
  static int h[2 * n + 2], g[2 * n + 2], got[n];
  int *a[2], *b[2];
  cudaStream_t work[2];
  cudaEvent_t ready[2], copied[2];
  for (int i = 1; i <= 2 * n; i++) h[i] = i * 7919 % 1000;
  for (int d = 0; d < 2; d++) {
    DONE(cudaSetDevice(d));
    DONE(cudaStreamCreateWithFlags(&work[d], cudaStreamNonBlocking));
    DONE(cudaEventCreateWithFlags(&ready[d], cudaEventDisableTiming));
    DONE(cudaEventCreateWithFlags(&copied[d], cudaEventDisableTiming));
    DONE(cudaMalloc(&a[d], (n + 2) * sizeof(int)));
    DONE(cudaMalloc(&b[d], (n + 2) * sizeof(int)));
    DONE(cudaMemset(b[d], 0, (n + 2) * sizeof(int)));
    DONE(cudaMemcpy(a[d], h + d * n, (n + 2) * sizeof(int), cudaMemcpyHostToDevice));
    DONE(cudaDeviceSynchronize());
  }
  for (int round = 0; round < rounds; round++) {
    for (int d = 0; d < 2; d++) {
      DONE(cudaSetDevice(d));
      smooth<<<(n + 127) / 128, 128, 0, work[d]>>>(a[d], b[d], n);
      DONE(cudaEventRecord(ready[d], work[d]));
    }
    for (int d = 0; d < 2; d++) {
      DONE(cudaStreamWaitEvent(work[d], ready[1 - d], 0));  // the other one's result is there, and b[d] not read yet
      int* edge = d == 0 ? b[0] + n + 1 : b[1];
      const int* from = d == 0 ? b[1] + 1 : b[0] + n;
      if (round % 2 == 0)
        DONE(cudaMemcpyPeerAsync(edge, d, from, 1 - d, sizeof(int), work[d]));
      else
        DONE(cudaMemcpyAsync(edge, from, sizeof(int), cudaMemcpyDefault, work[d]));
      GIVES(cudaEventRecord(copied[1 - d], work[d]), cudaErrorInvalidResourceHandle);
      DONE(cudaEventRecord(copied[d], work[d]));
    }
    for (int d = 0; d < 2; d++) {
      DONE(cudaStreamWaitEvent(work[d], copied[1 - d], 0));
      int* other = a[d];
      a[d] = b[d];
      b[d] = other;
    }
    memcpy(g, h, sizeof g);
    for (int i = 1; i <= 2 * n; i++) h[i] = (g[i - 1] + 2 * g[i] + g[i + 1]) / 4;
  }
  for (int d = 0; d < 2; d++) {
    DONE(cudaStreamSynchronize(work[d]));
    DONE(cudaEventQuery(copied[d]));
    DONE(cudaMemcpy(got, a[d] + 1, sizeof got, cudaMemcpyDeviceToHost));
    HOLD(memcmp(got, h + d * n + 1, sizeof got) == 0);
    DONE(cudaFree(a[d]));
    DONE(cudaFree(b[d]));
    DONE(cudaStreamDestroy(work[d]));
    DONE(cudaEventDestroy(ready[d]));
    DONE(cudaEventDestroy(copied[d]));
  }
}

static void which() {
  int n, device, can, value;
  cudaDeviceProp p[2];
  char bus[16];
  DONE(cudaGetDeviceCount(&n));
  HOLD(n == 2);
  GIVES(cudaSetDevice(2), cudaErrorInvalidDevice);
  GIVES(cudaSetDevice(-1), cudaErrorInvalidDevice);
  GIVES(cudaGetDeviceProperties(&p[0], 2), cudaErrorInvalidDevice);
  GIVES(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2), cudaErrorInvalidDevice);
  for (int d = 0; d < 2; d++) {
    DONE(cudaSetDevice(d));
    HOLD(cudaGetDevice(&device) == cudaSuccess && device == d);
    DONE(cudaGetDeviceProperties(&p[d], d));
    DONE(cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, d));
    DONE(cudaDeviceGetPCIBusId(bus, sizeof bus, d));
    HOLD(value == p[d].pciBusID && cudaDeviceGetByPCIBusId(&device, bus) == cudaSuccess && device == d);
  }
  HOLD(memcmp(&p[0].uuid, &p[1].uuid, sizeof p[0].uuid) != 0);
  HOLD(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess && can == 1);
  HOLD(cudaDeviceCanAccessPeer(&can, 1, 1) == cudaSuccess && can == 0);
  GIVES(cudaDeviceCanAccessPeer(&can, 0, 2), cudaErrorInvalidDevice);
}

static void peers() {
  int *p, *q, h[32];
  DONE(cudaSetDevice(0));
  GIVES(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
  GIVES(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  GIVES(cudaDeviceEnablePeerAccess(2, 0), cudaErrorInvalidDevice);
  GIVES(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  DONE(cudaDeviceEnablePeerAccess(1, 0));
  GIVES(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  DONE(cudaMalloc(&p, sizeof h));
  DONE(cudaSetDevice(1));
  DONE(cudaMalloc(&q, sizeof h));
  fill<<<1, 32>>>(q, 3);
  DONE(cudaDeviceSynchronize());
  DONE(cudaSetDevice(0));
  fill<<<1, 32>>>(p, 4);
  add<<<1, 32>>>(q, p, 32);
  DONE(cudaMemcpyPeer(q, 1, p, 0, sizeof h));  // in order with the default streams of both
  DONE(cudaSetDevice(1));
  fill<<<1, 1>>>(q, 5);
  DONE(cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost));
  HOLD(h[0] == 5 && h[1] == 7 && h[31] == 7);
  DONE(cudaSetDevice(0));
  DONE(cudaDeviceDisablePeerAccess(1));
  DONE(cudaFree(q));
  DONE(cudaFree(p));
}

static void memory() {
  size_t before[2], after[2], total;
  int *p, *pooled, *shared, *pinned, h[32];
  cudaStream_t s;
  cudaPointerAttributes a;
  for (int d = 0; d < 2; d++) {
    DONE(cudaSetDevice(d));
    DONE(cudaMemGetInfo(&before[d], &total));
  }
  DONE(cudaStreamCreate(&s));
  DONE(cudaMalloc(&p, 1 << 20));
  DONE(cudaMallocManaged(&shared, sizeof h));
  DONE(cudaMallocHost(&pinned, sizeof h));
  HOLD(cudaPointerGetAttributes(&a, p) == cudaSuccess && a.type == cudaMemoryTypeDevice && a.device == 1);
  DONE(cudaSetDevice(0));
  DONE(cudaMallocAsync(&pooled, sizeof h, s));  // of the stream's device
  HOLD(cudaPointerGetAttributes(&a, pooled) == cudaSuccess && a.device == 1);
  cudaMemPool_t pools[2];
  unsigned long long used[2];
  for (int d = 0; d < 2; d++) {
    DONE(cudaDeviceGetDefaultMemPool(&pools[d], d));
    DONE(cudaMemPoolGetAttribute(pools[d], cudaMemPoolAttrUsedMemCurrent, &used[d]));
    DONE(cudaSetDevice(d));
    DONE(cudaMemGetInfo(&after[d], &total));
  }
  HOLD(before[0] == after[0] && before[1] - after[1] >= (1 << 20));
  HOLD(used[1] > used[0]);
  cudaMemAccessDesc open = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  DONE(cudaMemPoolSetAccess(pools[1], &open, 1));
  DONE(cudaStreamSynchronize(s));
  DONE(cudaSetDevice(0));
  GIVES((fill<<<1, 32, 0, s>>>(pooled, 1), cudaGetLastError()), cudaErrorInvalidResourceHandle);
  fill<<<1, 32>>>(pooled, 2);
  fill<<<1, 32>>>(shared, 2);
  fill<<<1, 32>>>(pinned, 2);
  DONE(cudaDeviceSynchronize());
  HOLD(shared[31] == 2 && pinned[31] == 2);
  DONE(cudaMemcpy(h, pooled, sizeof h, cudaMemcpyDeviceToHost));
  HOLD(h[31] == 2);
  DONE(cudaFreeAsync(pooled, s));
  DONE(cudaStreamSynchronize(s));
  DONE(cudaSetDevice(1));
  DONE(cudaFreeHost(pinned));
  DONE(cudaDeviceReset());  // p and shared
  DONE(cudaMemGetInfo(&after[1], &total));
  HOLD(before[1] == after[1]);
}

// Each device has its own __device__ and __constant__ variables.
static void variables() {
  int *p[2], h;
  for (int d = 0; d < 2; d++) {
    DONE(cudaSetDevice(d));
    DONE(cudaMalloc(&p[d], sizeof(int)));
    const int step = d == 0 ? 1 : 10;
    DONE(cudaMemcpyToSymbol(scale, &step, sizeof step));
  }
  for (int round = 1; round < 3; round++) {
    for (int d = 0; d < 2; d++) {
      DONE(cudaSetDevice(d));
      count<<<1, 1>>>(p[d]);
      DONE(cudaMemcpy(&h, p[d], sizeof h, cudaMemcpyDeviceToHost));
      HOLD(h == (d == 0 ? round : 10 * round));
      DONE(cudaMemcpyFromSymbol(&h, calls, sizeof h));
      HOLD(h == (d == 0 ? round : 10 * round));
    }
  }
  for (int d = 0; d < 2; d++) DONE(cudaFree(p[d]));
}

// A graph runs on the device where its nodes were captured, whichever is current when it is launched.
static void graphs() {
  int *p, h[32];
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  DONE(cudaSetDevice(1));
  DONE(cudaMalloc(&p, sizeof h));
  DONE(cudaStreamCreate(&s));
  DONE(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  fill<<<1, 32, 0, s>>>(p, 6);
  DONE(cudaStreamEndCapture(s, &graph));
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  DONE(cudaSetDevice(0));
  DONE(cudaGraphLaunch(exec, s));
  DONE(cudaStreamSynchronize(s));
  DONE(cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost));
  HOLD(h[31] == 6);
  DONE(cudaGraphExecDestroy(exec));
  DONE(cudaGraphDestroy(graph));
  DONE(cudaStreamDestroy(s));
  DONE(cudaFree(p));
}

int main() {
  which();
  halves();
  peers();
  memory();
  variables();
  graphs();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
