// What device queries print, flags and limits, memory with three dimensions, pools, graphs that change.
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

__global__ void add(int* p, int v) { p[threadIdx.x] += v; }
__global__ void twice(int* p) { p[threadIdx.x] *= 2; }
__global__ void planes(cudaPitchedPtr p, int width, int height) {
  char* plane = (char*)p.ptr + blockIdx.x * p.pitch * height;
  const int x = threadIdx.x;
  for (int y = 0; y < height; y++) ((int*)(plane + y * p.pitch))[x] += blockIdx.x * 100 + y * 10 + x;
}

static void properties() {
  cudaDeviceProp p;
  DONE(cudaGetDeviceProperties(&p, 0));
#ifdef __IRGL_EMU__  // what CUDA 13 has no more
  HOLD(p.clockRate > 0 && p.memoryClockRate > 0 && p.computeMode == cudaComputeModeDefault && p.deviceOverlap == 1);
  HOLD(p.kernelExecTimeoutEnabled == 0 && p.maxTexture1DLinear == 0);
#endif
  HOLD(p.uuid.bytes[0] != 0 && p.pciDomainID == 0 && p.pciBusID == 1 && p.pciDeviceID == 0 && p.tccDriver == 0);
  HOLD(p.textureAlignment == 512 && p.surfaceAlignment == 512 && p.streamPrioritiesSupported && p.memPitch > 0);
  HOLD(p.globalL1CacheSupported && p.localL1CacheSupported && !p.pageableMemoryAccess && !p.isMultiGpuBoard);
  HOLD(!p.hostNativeAtomicSupported && p.computePreemptionSupported && p.memoryPoolsSupported && !p.clusterLaunch);
  HOLD(p.maxTexture3D[2] == 0 && p.maxSurface2DLayered[0] == 0 && p.reservedSharedMemPerBlock == 1024);
  int rate, side, width, none, can, device;
  DONE(cudaDeviceGetAttribute(&rate, cudaDevAttrMemoryClockRate, 0));
  DONE(cudaDeviceGetAttribute(&side, cudaDevAttrMaxBlockDimZ, 0));
  DONE(cudaDeviceGetAttribute(&width, cudaDevAttrGlobalMemoryBusWidth, 0));
  DONE(cudaDeviceGetAttribute(&none, cudaDevAttrMaxTexture2DWidth, 0));
  HOLD(rate > 0 && side == 64 && width == 256 && none == 0);
  HOLD(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess && can == 0);
  HOLD(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
  char bus[16];
  DONE(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  HOLD(strcmp(bus, "0000:01:00.0") == 0);
  DONE(cudaChooseDevice(&device, &p));
  size_t limit;
  DONE(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22));
  HOLD(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize) == cudaSuccess && limit == 1 << 22);
  unsigned flags;
  DONE(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceMapHost));
  HOLD(cudaGetDeviceFlags(&flags) == cudaSuccess && (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleSpin);
  HOLD(strcmp(cudaGetErrorName(cudaErrorMissingConfiguration), "cudaErrorMissingConfiguration") == 0);
  HOLD(strcmp(cudaGetErrorString(cudaErrorInsufficientDriver),
              "CUDA driver version is insufficient for CUDA runtime version") == 0);
  HOLD(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
}

static void memory() {
  const int width = 6, height = 3, depth = 4;
  static int host[depth][height][width];
  const cudaExtent size = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr p;
  DONE(cudaMalloc3D(&p, size));
  HOLD(p.pitch >= size.width && p.xsize == size.width && p.ysize == size.height);
  DONE(cudaMemset3D(p, 0, size));
  planes<<<depth, width>>>(p, width, height);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = p;
  copy.dstPtr = make_cudaPitchedPtr(host, size.width, width, height);
  copy.srcPos = make_cudaPos(0, 1, 1);
  copy.dstPos = make_cudaPos(0, 1, 1);
  copy.extent = make_cudaExtent(size.width, height - 1, depth - 1);
  copy.kind = cudaMemcpyDeviceToHost;
  DONE(cudaMemcpy3D(&copy));
  HOLD(host[3][2][5] == 325 && host[1][1][0] == 110 && host[0][2][5] == 0 && host[3][0][5] == 0);
  DONE(cudaMemset2DAsync(p.ptr, p.pitch, 0, size.width, height));
  DONE(cudaFree(p.ptr));

  int* managed;
  DONE(cudaMallocManaged(&managed, 64, cudaMemAttachHost));
  const cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  DONE(cudaMemPrefetchAsync(managed, 64, here, 0));
  DONE(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, here));
  cudaStream_t s;
  int least, greatest, priority;
  unsigned flags;
  DONE(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  DONE(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
  HOLD(cudaStreamGetPriority(s, &priority) == cudaSuccess && priority == greatest);
  HOLD(cudaStreamGetFlags(s, &flags) == cudaSuccess && flags == cudaStreamNonBlocking);
  DONE(cudaStreamAttachMemAsync(s, managed));
  DONE(cudaFree(managed));

  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = here;
  cudaMemPool_t pool;
  int* q;
  DONE(cudaMemPoolCreate(&pool, &props));
  DONE(cudaMallocFromPoolAsync((void**)&q, 64, pool, s));
  DONE(cudaFreeAsync(q, s));
  DONE(cudaStreamSynchronize(s));
  DONE(cudaMemPoolDestroy(pool));
  DONE(cudaStreamDestroy(s));
  int grid, block;
  DONE(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, twice, [](int n) { return (size_t)n * 228; }));
  HOLD(grid > 0 && block > 0);
}

static void graphs() {
  int *p, *h, got[4], one = 1, ten = 10;
  DONE(cudaMalloc(&p, 16));
  DONE(cudaMallocHost(&h, 16));
  for (int i = 0; i < 4; i++) h[i] = i;
  cudaGraph_t g, clone, seen;
  cudaGraphExec_t run, copied;
  cudaGraphNode_t first, second, copy, nodes[4], from[4], to[4];
  DONE(cudaGraphCreate(&g, 0));
  // Added against their order: the edges say what comes first.
  void* twice_of[] = {&p};
  void* add_of[] = {&p, &one};
  cudaKernelNodeParams k = {(void*)twice, dim3(1), dim3(4), 0, twice_of, nullptr};
  DONE(cudaGraphAddKernelNode(&second, g, nullptr, 0, &k));
  k.func = (void*)add;
  k.kernelParams = add_of;
  DONE(cudaGraphAddKernelNode(&first, g, nullptr, 0, &k));
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(h, 16, 4, 1);
  c.dstPtr = make_cudaPitchedPtr(p, 16, 4, 1);
  c.extent = make_cudaExtent(16, 1, 1);
  c.kind = cudaMemcpyHostToDevice;
  DONE(cudaGraphAddMemcpyNode(&copy, g, nullptr, 0, &c));
  from[0] = copy;
  to[0] = from[1] = first;
  to[1] = second;
  DONE(cudaGraphAddDependencies(g, from, to, nullptr, 2));
  size_t n = 4, edges = 4;
  HOLD(cudaGraphGetRootNodes(g, nodes, &n) == cudaSuccess && n == 1 && nodes[0] == copy);
  HOLD(cudaGraphGetEdges(g, from, to, nullptr, &edges) == cudaSuccess && edges == 2);
  cudaGraphNodeType type;
  HOLD(cudaGraphNodeGetType(copy, &type) == cudaSuccess && type == cudaGraphNodeTypeMemcpy);
  DONE(cudaGraphDebugDotPrint(g, "/dev/null", 0));
  DONE(cudaGraphInstantiate(&run, g));
  DONE(cudaGraphLaunch(run, 0));
  DONE(cudaMemcpy(got, p, 16, cudaMemcpyDeviceToHost));
  HOLD(got[0] == 2 && got[3] == 8);
  // Changed in one of two that run: the other stays.
  DONE(cudaGraphClone(&clone, g));
  DONE(cudaGraphInstantiate(&copied, clone));
  add_of[1] = &ten;
  DONE(cudaGraphExecKernelNodeSetParams(run, first, &k));
  DONE(cudaGraphLaunch(run, 0));
  DONE(cudaMemcpy(got, p, 16, cudaMemcpyDeviceToHost));
  HOLD(got[0] == 20 && got[3] == 26);
  DONE(cudaGraphLaunch(copied, 0));
  DONE(cudaMemcpy(got, p, 16, cudaMemcpyDeviceToHost));
  HOLD(got[0] == 2 && got[3] == 8);
  cudaGraphExecUpdateResultInfo info;
  DONE(cudaGraphExecUpdate(run, clone, &info));
  DONE(cudaGraphLaunch(run, 0));
  DONE(cudaMemcpy(got, p, 16, cudaMemcpyDeviceToHost));
  HOLD(info.result == cudaGraphExecUpdateSuccess && got[0] == 2);
  DONE(cudaGraphCreate(&seen, 0));
  HOLD(cudaGraphExecUpdate(run, seen, &info) == cudaErrorGraphExecUpdateFailure);
  HOLD(info.result == cudaGraphExecUpdateErrorTopologyChanged && cudaGetLastError() != cudaSuccess);
  DONE(cudaGraphExecDestroy(run));
  DONE(cudaGraphExecDestroy(copied));
  DONE(cudaGraphDestroy(g));
  DONE(cudaGraphDestroy(clone));
  DONE(cudaGraphDestroy(seen));
  DONE(cudaFree(p));
  DONE(cudaFreeHost(h));
}

int main() {
  properties();
  memory();
  graphs();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
