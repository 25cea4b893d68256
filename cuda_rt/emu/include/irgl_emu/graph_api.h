// CUDA graphs: nodes in the order in which they are added, conditional nodes, stream capture.
#pragma once
#include "launch.h"

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef unsigned long long cudaGraphConditionalHandle;
#define cudaGraphCondAssignDefault 1u

enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel,
  cudaGraphNodeTypeMemcpy,
  cudaGraphNodeTypeMemset,
  cudaGraphNodeTypeHost,
  cudaGraphNodeTypeGraph,
  cudaGraphNodeTypeEmpty,
  cudaGraphNodeTypeConditional = 13
};
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf, cudaGraphCondTypeWhile, cudaGraphCondTypeSwitch };
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
typedef void (*cudaHostFn_t)(void*);

struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
};
struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};
typedef cudaKernelNodeParams cudaKernelNodeParamsV2;
struct cudaMemsetParams {
  void* dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
typedef cudaMemsetParams cudaMemsetParamsV2;
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t* phGraph_out;
};
struct cudaChildGraphNodeParams {
  cudaGraph_t graph;
};
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  cudaKernelNodeParams kernel;
  cudaMemsetParams memset;
  cudaHostNodeParams host;
  cudaChildGraphNodeParams graph;
  cudaConditionalNodeParams conditional;
};

extern "C" {
cudaError_t cudaGraphCreate(cudaGraph_t* g, unsigned flags);
cudaError_t cudaGraphDestroy(cudaGraph_t g);
cudaError_t irgl_emu_graph_add(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                               cudaGraphNodeParams* p);
void irgl_emu_graph_drawn(cudaGraphNode_t node, int type, const cudaGraphNode_t* before, size_t n);
cudaError_t irgl_emu_graph_add_copy(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                    void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* h, cudaGraph_t g, unsigned initial,
                                             unsigned flags);
void cudaGraphSetConditional(cudaGraphConditionalHandle h, unsigned value);
cudaError_t irgl_emu_graph_instantiate(cudaGraphExec_t* e, cudaGraph_t g);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e);
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t s);
cudaError_t cudaGraphUpload(cudaGraphExec_t e, cudaStream_t s);
cudaError_t irgl_emu_capture(cudaStream_t s, cudaGraph_t into);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g);
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t* nodes, size_t* n);
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void* data);
}

// The older callback of a stream, which is told whose it is and how the work before it has ended.
typedef void (*cudaStreamCallback_t)(cudaStream_t s, cudaError_t status, void* data);
IRGL_EMU_API cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void* data, unsigned) {
  struct Call {
    cudaStream_t stream;
    cudaStreamCallback_t f;
    void* data;
  };
  return cudaLaunchHostFunc(
      s,
      [](void* p) {
        Call* call = (Call*)p;
        call->f(call->stream, cudaSuccess, call->data);
        delete call;
      },
      new Call{s, f, data});
}

IRGL_EMU_API irgl_emu_graph_put(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                cudaGraphNodeParams* p) {
  cudaGraphNode_t mine = 0;
  const cudaError_t e = irgl_emu_graph_add(&mine, g, before, n, p);
  if (e != cudaSuccess) return e;
  irgl_emu_graph_drawn(mine, p->type, before, n);
  if (node != nullptr) *node = mine;
  return e;
}
IRGL_EMU_API cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before,
                              const cudaGraphEdgeData*, size_t n, cudaGraphNodeParams* p) {
  return irgl_emu_graph_put(node, g, before, n, p);
}
IRGL_EMU_API cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                              cudaGraphNodeParams* p) {
  return irgl_emu_graph_put(node, g, before, n, p);
}
IRGL_EMU_API cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                    const cudaKernelNodeParams* k) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel = *k;
  return irgl_emu_graph_put(node, g, before, n, &p);
}
IRGL_EMU_API cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                    const cudaMemsetParams* m) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeMemset;
  p.memset = *m;
  return irgl_emu_graph_put(node, g, before, n, &p);
}
IRGL_EMU_API cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                  const cudaHostNodeParams* h) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeHost;
  p.host = *h;
  return irgl_emu_graph_put(node, g, before, n, &p);
}
IRGL_EMU_API cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeEmpty;
  return irgl_emu_graph_put(node, g, before, n, &p);
}
IRGL_EMU_API cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                        cudaGraph_t child) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeGraph;
  p.graph.graph = child;
  return irgl_emu_graph_put(node, g, before, n, &p);
}
IRGL_EMU_API cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                      void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  cudaGraphNode_t mine = 0;
  const cudaError_t e = irgl_emu_graph_add_copy(&mine, g, before, n, to, from, bytes, kind);
  if (e == cudaSuccess) irgl_emu_graph_drawn(*node = mine, cudaGraphNodeTypeMemcpy, before, n);
  return e;
}
IRGL_EMU_API cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long = 0) {
  return irgl_emu_graph_instantiate(e, g);
}
IRGL_EMU_API cudaGraphInstantiate(cudaGraphExec_t* e, cudaGraph_t g, cudaGraphNode_t*, char*, size_t) {
  return irgl_emu_graph_instantiate(e, g);
}
IRGL_EMU_API cudaGraphInstantiateWithFlags(cudaGraphExec_t* e, cudaGraph_t g, unsigned long long) {
  return irgl_emu_graph_instantiate(e, g);
}
IRGL_EMU_API cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) { return irgl_emu_capture(s, 0); }
IRGL_EMU_API cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g, const cudaGraphNode_t*,
                                           const cudaGraphEdgeData*, size_t, cudaStreamCaptureMode) {
  return irgl_emu_capture(s, g);
}
