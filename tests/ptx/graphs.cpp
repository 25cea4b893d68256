// CUDA graphs: kernels and WHILE nodes, one after the other as they were added, which every dependency must allow.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "runtime.hpp"

namespace {
struct Graph;
struct Node {
  const void* kernel = nullptr;
  dim3 grid, block;
  size_t shared = 0;
  std::vector<std::vector<uint8_t>> args;
  unsigned* condition = nullptr;  // of a WHILE node
  std::shared_ptr<Graph> body;
};
struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::pair<unsigned*, unsigned>> handles;  // with what each is at first
};
struct Exec {
  std::shared_ptr<Graph> graph;
};
std::map<cudaGraph_t, std::shared_ptr<Graph>> graphs;
std::shared_ptr<Graph> captured;  // what takes the launches meanwhile

[[noreturn]] void refuse(const char* what) {
  fprintf(stderr, "ptx: error: not covered: %s\n", what);
  _exit(2);
}
std::shared_ptr<Graph> of(cudaGraph_t g) {
  const auto at = graphs.find(g);
  if (at == graphs.end()) refuse("a graph that is not there");
  return at->second;
}
cudaGraph_t made() {
  auto graph = std::make_shared<Graph>();
  const auto key = reinterpret_cast<cudaGraph_t>(graph.get());
  graphs[key] = std::move(graph);
  return key;
}
std::unique_ptr<Node> of_kernel(const ptx::Kernel& k, const void* host, dim3 grid, dim3 block, void** args,
                                size_t shared) {
  auto node = std::make_unique<Node>();
  node->kernel = host, node->grid = grid, node->block = block, node->shared = shared;
  for (size_t i = 0; i < k.function->in.size(); ++i) {
    const auto* const from = static_cast<const uint8_t*>(args[i]);
    node->args.emplace_back(from, from + k.function->in[i].size);
  }
  return node;
}
cudaError_t run(const Graph& graph) {
  for (const auto& [condition, first] : graph.handles) *condition = first;
  for (const auto& node : graph.nodes) {
    if (node->body != nullptr) {
      while (*node->condition != 0)
        if (const cudaError_t error = run(*node->body); error != cudaSuccess) return error;
      continue;
    }
    std::vector<void*> args;
    for (auto& arg : node->args) args.push_back(arg.data());
    const cudaError_t error = ptx::launch(node->kernel, node->grid, node->block, args.data(), node->shared, false);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
}  // namespace

bool ptx::capture(const Kernel& k, const void* host, dim3 grid, dim3 block, void** args, size_t shared) {
  if (captured == nullptr) return false;
  captured->nodes.push_back(of_kernel(k, host, grid, block, args, shared));
  return true;
}
PTX_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t g, const cudaGraphNode_t*,
    const cudaGraphEdgeData*, size_t, cudaStreamCaptureMode) {
  return captured = of(g), cudaSuccess;
}
PTX_API cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* g) {
  for (const auto& [key, graph] : graphs)
    if (g != nullptr && graph == captured) *g = key;
  return captured = nullptr, cudaSuccess;
}

PTX_API cudaError_t cudaGraphCreate(cudaGraph_t* g, unsigned) { return *g = made(), cudaSuccess; }
PTX_API cudaError_t cudaGraphDestroy(cudaGraph_t g) { return graphs.erase(g), cudaSuccess; }
PTX_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t g,
    unsigned first, unsigned flags) {
  unsigned* const condition = new unsigned(first);
  if (flags & cudaGraphCondAssignDefault) of(g)->handles.emplace_back(condition, first);
  *handle = reinterpret_cast<cudaGraphConditionalHandle>(condition);
  return cudaSuccess;
}
PTX_API cudaError_t cudaGraphAddNode(cudaGraphNode_t* found, cudaGraph_t g, const cudaGraphNode_t*,
    const cudaGraphEdgeData*,
                                     size_t, cudaGraphNodeParams* p) {
  auto node = std::make_unique<Node>();
  if (p->type == cudaGraphNodeTypeKernel) {
    const ptx::Kernel* const k = ptx::kernel_of(p->kernel.func);
    if (k == nullptr) return ptx::told(cudaErrorInvalidDeviceFunction);
    node = of_kernel(*k, p->kernel.func, p->kernel.gridDim, p->kernel.blockDim, p->kernel.kernelParams,
                     p->kernel.sharedMemBytes);
  } else if (p->type == cudaGraphNodeTypeConditional && p->conditional.type == cudaGraphCondTypeWhile) {
    static std::vector<std::unique_ptr<cudaGraph_t>> outputs;
    outputs.push_back(std::make_unique<cudaGraph_t>(made()));
    p->conditional.phGraph_out = outputs.back().get();
    node->condition = reinterpret_cast<unsigned*>(p->conditional.handle);
    node->body = of(*outputs.back());
  } else refuse("a graph's node that is no kernel and no WHILE");
  if (found != nullptr) *found = reinterpret_cast<cudaGraphNode_t>(node.get());
  of(g)->nodes.push_back(std::move(node));
  return cudaSuccess;
}
PTX_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t g, unsigned long long) {
  return *exec = reinterpret_cast<cudaGraphExec_t>(new Exec{of(g)}), cudaSuccess;
}
PTX_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) { return delete reinterpret_cast<Exec*>(exec),
    cudaSuccess; }
PTX_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec,
    cudaStream_t) { return run(*reinterpret_cast<Exec*>(exec)->graph); }
