// Graphs that are looked at, copied and changed after they were made.
#pragma once
#include "graph_api.h"
#include "memory3d.h"

enum cudaGraphExecUpdateResult {
  cudaGraphExecUpdateSuccess,
  cudaGraphExecUpdateError,
  cudaGraphExecUpdateErrorTopologyChanged,
  cudaGraphExecUpdateErrorNodeTypeChanged,
  cudaGraphExecUpdateErrorFunctionChanged,
  cudaGraphExecUpdateErrorParametersChanged,
  cudaGraphExecUpdateErrorNotSupported,
  cudaGraphExecUpdateErrorUnsupportedFunctionChange,
  cudaGraphExecUpdateErrorAttributesChanged
};
typedef struct cudaGraphExecUpdateResultInfo_st {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
enum cudaGraphDebugDotFlags { cudaGraphDebugDotFlagsVerbose = 1 };

extern "C" {
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t* nodes, size_t* n);
cudaError_t irgl_emu_graph_edges(cudaGraph_t g, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* n);
cudaError_t irgl_emu_graph_connect(cudaGraph_t g, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t n);
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t g);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node, cudaGraph_t clone);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t e, cudaGraphNode_t node, const cudaKernelNodeParams* p);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t e, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind);
cudaError_t irgl_emu_graph_exec_update(cudaGraphExec_t e, cudaGraph_t g, cudaGraphExecUpdateResultInfo* info);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t g, const char* path, unsigned flags);
}

IRGL_EMU_API cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* n) {
  return irgl_emu_graph_edges(g, from, to, n);
}
IRGL_EMU_API cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData*,
                               size_t* n) {
  return irgl_emu_graph_edges(g, from, to, n);
}
IRGL_EMU_API cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                      size_t n) {
  return irgl_emu_graph_connect(g, from, to, n);
}
IRGL_EMU_API cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                      const cudaGraphEdgeData*, size_t n) {
  return irgl_emu_graph_connect(g, from, to, n);
}
IRGL_EMU_API cudaGraphExecUpdate(cudaGraphExec_t e, cudaGraph_t g, cudaGraphExecUpdateResultInfo* info) {
  return irgl_emu_graph_exec_update(e, g, info);
}
IRGL_EMU_API cudaGraphExecUpdate(cudaGraphExec_t e, cudaGraph_t g, cudaGraphNode_t* node,
                                 cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = irgl_emu_graph_exec_update(e, g, &info);
  if (node != nullptr) *node = info.errorNode;
  *result = info.result;
  return error;
}

// A copy node of bytes that follow each other on both sides.
IRGL_EMU_API cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                    const cudaMemcpy3DParms* p) {
  const cudaExtent x = p->extent;
  const bool rows = x.height * x.depth > 1 && (p->srcPtr.pitch != x.width || p->dstPtr.pitch != x.width);
  const bool planes = x.depth > 1 && (p->srcPtr.ysize != x.height || p->dstPtr.ysize != x.height);
  if (rows || planes) irgl_emu_refuse("a copy node of rows with gaps", "copy with cudaMemcpy3DAsync");
  return cudaGraphAddMemcpyNode1D(node, g, before, n, irgl_emu::at(p->dstArray, p->dstPtr, p->dstPos, 0),
                                  irgl_emu::at(p->srcArray, p->srcPtr, p->srcPos, 0), x.width * x.height * x.depth,
                                  p->kind);
}
