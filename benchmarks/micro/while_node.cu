// What an iteration of a CUDA graph's WHILE node costs, by the number of kernels in its body, beside a host loop that
// launches the same kernels and reads the condition back; and what making such a graph and ending it costs the host.
#include "micro.hpp"

__global__ void rest() {}

__global__ void count_down(cudaGraphConditionalHandle handle, int* left) {
  const int now = *left - 1;
  *left = now;
  cudaGraphSetConditional(handle, now > 0 ? 1u : 0u);
}

__global__ void count_down_plain(int* left) { *left -= 1; }

struct Program {
  cudaGraph_t graph;
  cudaGraphExec_t run;
};

static Program make(int kernels, int* left, cudaStream_t stream) {
  Program made;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle handle;
  check(cudaGraphCreate(&made.graph, 0));
  check(cudaGraphConditionalHandleCreate(&handle, made.graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
#if CUDART_VERSION >= 13000 || defined(__IRGL_EMU__)
  check(cudaGraphAddNode(&node, made.graph, nullptr, nullptr, 0, &params));
#else
  check(cudaGraphAddNode(&node, made.graph, nullptr, 0, &params));
#endif
  cudaGraph_t body = params.conditional.phGraph_out[0];
  check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  for (int i = 1; i < kernels; ++i) rest<<<1, 32, 0, stream>>>();
  count_down<<<1, 1, 0, stream>>>(handle, left);
  check(cudaStreamEndCapture(stream, nullptr));
  check(cudaGraphInstantiate(&made.run, made.graph, 0));
  return made;
}

static void end(const Program& made) {
  check(cudaGraphExecDestroy(made.run));
  check(cudaGraphDestroy(made.graph));
}

static double graph_us(int kernels, int iterations, cudaStream_t stream) {
  DeviceArray<int> left(1);
  const Program made = make(kernels, left.data, stream);
  const double us = device_us(
      [&] {
        check(cudaMemcpyAsync(left.data, &iterations, sizeof(int), cudaMemcpyHostToDevice, stream));
        check(cudaGraphLaunch(made.run, stream));
      },
      stream);
  end(made);
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
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  for (int kernels : {1, 2, 4}) {
    const double graph = (graph_us(kernels, many, stream) - graph_us(kernels, few, stream)) / (many - few);
    tell("WHILE node, an iteration", "us", graph, "\"kernels\": %d", kernels);
    const double host = (host_loop_us(kernels, many) - host_loop_us(kernels, few)) / (many - few);
    tell("host loop, an iteration", "us", host, "\"kernels\": %d", kernels);
    DeviceArray<int> left(1);
    const double once = host_us([&] {  // its count is 0, and ends the loop behind one iteration
      const Program made = make(kernels, left.data, stream);
      check(cudaGraphLaunch(made.run, stream));
      check(cudaStreamSynchronize(stream));
      end(made);
    });
    tell("WHILE node, made and run once", "us", once, "\"kernels\": %d", kernels);
  }
  check(cudaStreamDestroy(stream));
  return 0;
}
