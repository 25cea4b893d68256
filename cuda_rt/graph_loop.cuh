// Loops as CUDA graphs: a WHILE node whose body is a kernel of one thread that runs the host's statements up to the
// next invocation, and the kernels that may be invoked, of which each returns at once unless it is the one.
//
//     in the control kernel:   return irgl::invoke(t, saved, s, call, at);   run kernel `call`, then go on at `at`
//                              return irgl::end_loop(t, saved, s, at, loop)  0: it has ended
//     on the host:             c.run_graph(s, (void*)control, irgl::calls((void*)k1, (void*)k2...), graphs...);
// The control kernel takes (Device, graphs..., State*, cudaGraphConditionalHandle), the others (Device, graphs...,
// State*). (CUDA programming guide, conditional graph nodes; CUDA 12.4 and later.)
#pragma once
#include "thread.cuh"

namespace irgl {

template <class State>
IRGL_DEVICE void invoke(Thread& t, State* saved, State& s, int call, int at) {
  t.control->rounds += counter_t(t.rounds);
  s.call = call;
  s.at = at;
  *saved = s;
}
template <class State>
IRGL_DEVICE void end_loop(Thread& t, State* saved, State& s, int at, cudaGraphConditionalHandle loop) {
  invoke(t, saved, s, 0, at);
  cudaGraphSetConditional(loop, 0);
}

template <size_t n>
struct Calls {
  void* kernels[n];
};
template <class... K>
Calls<sizeof...(K)> calls(K... kernels) { return {{kernels...}}; }

namespace detail {
inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                            cudaGraphNodeParams* params) {
  const size_t count = before == nullptr ? 0 : 1;
#if CUDART_VERSION >= 13000
  return cudaGraphAddNode(node, graph, before, nullptr, count, params);
#else
  return cudaGraphAddNode(node, graph, before, count, params);
#endif
}
inline cudaError_t add_kernel(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before, void* kernel,
                              unsigned blocks, unsigned threads, void** arguments) {
  cudaGraphNodeParams p{};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = kernel;
  p.kernel.gridDim = dim3(blocks);
  p.kernel.blockDim = dim3(threads);
  p.kernel.kernelParams = arguments;
  return add_node(node, graph, before, &p);
}
}  // namespace detail
}  // namespace irgl
