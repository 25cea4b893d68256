// The body of a graph's WHILE node never clears its condition.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(3);
}

__global__ void step(cudaGraphConditionalHandle handle, int* left) {
  cudaGraphSetConditional(handle, *left > 0);  // fault: no-progress
}

int main() {
  int start = 5, left = -1, *d;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle handle;
  check(cudaStreamCreate(&stream));
  check(cudaMalloc(&d, sizeof start));
  check(cudaMemcpy(d, &start, sizeof start, cudaMemcpyHostToDevice));
  check(cudaGraphCreate(&graph, 0));
  check(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  cudaGraph_t body = params.conditional.phGraph_out[0];
  check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  step<<<1, 1, 0, stream>>>(handle, d);
  check(cudaStreamEndCapture(stream, nullptr));
  check(cudaGraphInstantiate(&run, graph, 0));
  check(cudaGraphLaunch(run, stream));  // or: no-progress
  check(cudaStreamSynchronize(stream));
  check(cudaMemcpy(&left, d, sizeof left, cudaMemcpyDeviceToHost));
  check(cudaGraphExecDestroy(run));
  check(cudaGraphDestroy(graph));
  check(cudaStreamDestroy(stream));
  check(cudaFree(d));
  return left;
}
