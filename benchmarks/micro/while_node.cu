// What an iteration of a CUDA graph's WHILE node costs, by the number of kernels in its body, beside a host loop that
// launches the same kernels and reads the condition back.
#include "micro.hpp"

__global__ void rest() {}

__global__ void count_down(cudaGraphConditionalHandle handle, int* left) {
  const int now = *left - 1;
  *left = now;
  cudaGraphSetConditional(handle, now > 0 ? 1u : 0u);
}

__global__ void count_down_plain(int* left) { *left -= 1; }

static double graph_us(int kernels, int iterations) {
  DeviceArray<int> left(1);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle handle;
  check(cudaStreamCreate(&stream));
  check(cudaGraphCreate(&graph, 0));
  check(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
#if CUDART_VERSION >= 13000 || defined(__IRGL_EMU__)
  check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
#else
  check(cudaGraphAddNode(&node, graph, nullptr, 0, &params));
#endif
  cudaGraph_t body = params.conditional.phGraph_out[0];
  check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  for (int i = 1; i < kernels; ++i) rest<<<1, 32, 0, stream>>>();
  count_down<<<1, 1, 0, stream>>>(handle, left.data);
  check(cudaStreamEndCapture(stream, nullptr));
  check(cudaGraphInstantiate(&run, graph, 0));
  const double us = device_us(
      [&] {
        check(cudaMemcpyAsync(left.data, &iterations, sizeof(int), cudaMemcpyHostToDevice, stream));
        check(cudaGraphLaunch(run, stream));
      },
      stream);
  check(cudaGraphExecDestroy(run));
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
  return us;
}

static double host_loop_us(int kernels, int iterations) {
  DeviceArray<int> left(1);
  return host_us([&] {
    int seen = iterations;
    check(cudaMemcpy(left.data, &iterations, sizeof(int), cudaMemcpyHostToDevice));
    while (seen > 0) {
      for (int i = 1; i < kernels; ++i) rest<<<1, 32>>>();
      count_down_plain<<<1, 1>>>(left.data);
      check(cudaMemcpy(&seen, left.data, sizeof(int), cudaMemcpyDeviceToHost));
    }
  });
}

int main(int argc, char** argv) {
  const bool quick = is_quick(argc, argv);
  const int few = quick ? 2 : 100, many = quick ? 5 : 2100;
  for (int kernels : {1, 2, 4}) {
    const double graph = (graph_us(kernels, many) - graph_us(kernels, few)) / (many - few);
    tell("WHILE node, an iteration", "us", graph, "\"kernels\": %d", kernels);
    const double host = (host_loop_us(kernels, many) - host_loop_us(kernels, few)) / (many - few);
    tell("host loop, an iteration", "us", host, "\"kernels\": %d", kernels);
  }
  return 0;
}
