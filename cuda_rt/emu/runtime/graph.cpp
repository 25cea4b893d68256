// CUDA graphs: a list of things to do, one after another in the order in which they were added.
#include <functional>
#include <memory>
#include <vector>

#include "../include/irgl_emu/graph_api.h"
#include "api.hpp"
#include "devices.hpp"
#include "memory.hpp"
#include "order.hpp"

struct CUgraphNode_st {
  cudaGraph_t graph;
  std::function<int(u32)> run;  // given the place of the graph's launch
};
struct Conditional {
  unsigned value, initial;
  bool assign;
  u32 set_at;
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::unique_ptr<CUgraph_st>> bodies;  // of conditional nodes
  std::vector<std::unique_ptr<Conditional>> conditionals;
  std::vector<std::unique_ptr<cudaGraph_t[]>> lists;
  std::vector<std::shared_ptr<void>> kept;
  int users = 1;
};
struct CUgraphExec_st {
  cudaGraph_t graph;
};

namespace emu {
namespace {

constexpr u32 VAIN_ROUNDS = 1000;
bool in_graph = false;
cudaStream_t stream_of_graph = nullptr;

int run_host(cudaStream_t s, cudaHostFn_t f, void* data) {
  const Opened opened;
  call_host(s, [=] { f(data); });
  return 0;
}

int run_all(cudaGraph_t g, u32 pc) {
  for (const auto& node : g->nodes) {
    const int e = node->run(pc);
    if (e != 0) return e;
  }
  return 0;
}

int loop(cudaGraph_t body, Conditional& c, u32 pc) {
  u32 vain = 0;
  while (c.value != 0) {
    const u64 before = changes;
    const int e = run_all(body, pc);
    if (e != 0) return e;
    vain = before == changes ? vain + 1 : 0;
    if (vain > VAIN_ROUNDS) {
      error("no-progress", c.set_at != 0 ? c.set_at : pc,
            text("no progress: the body of a WHILE node ran %u times without changing any memory, and its condition "
                 "still holds",
                 vain));
      finish();
    }
  }
  return 0;
}

void assign_defaults(cudaGraph_t g) {
  for (const auto& c : g->conditionals) {
    if (c->assign) c->value = c->initial;
  }
  for (const auto& body : g->bodies) assign_defaults(body.get());
}

// A graph lives as long as the user or an executable graph has it.
void drop(cudaGraph_t g) {
  if (--g->users == 0) delete g;
}

int copy_in_graph(void* to, const void* from, u64 n, cudaMemcpyKind kind, u32 where) {
  return transfer(to, from, n, kind, where, "memcpy", {NOT_KNOWN, NOT_KNOWN}, false, stream_of_graph);
}

cudaError_t add(cudaGraphNode_t* out, cudaGraph_t g, std::function<int(u32)> run) {
  if (g == nullptr) return done(cudaErrorInvalidValue);
  g->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{g, std::move(run)}));
  if (out != nullptr) *out = g->nodes.back().get();
  return done();
}

bool from_here(cudaGraph_t g, const cudaGraphNode_t* before, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (before[i] == nullptr || before[i]->graph != g) return false;
  }
  return true;
}

// A kernel node: its arguments are copied now, as CUDA does.
std::function<int(u32)> kernel_node(cudaGraph_t g, const cudaKernelNodeParams& p, u32 pc) {
  const auto found = kernels().find(p.func);
  if (found == kernels().end())
    refuse(pc, "a kernel node by an address that is no kernel of this program: write (void*)kernel");
  const Kernel& k = found->second;
  auto values = std::make_shared<std::vector<std::vector<u8>>>();
  auto pointers = std::make_shared<std::vector<void*>>();
  for (size_t i = 0; i < k.sizes.size(); i++) {
    const u8* a = static_cast<const u8*>(p.kernelParams[i]);
    values->emplace_back(a, a + k.sizes[i]);
  }
  for (auto& v : *values) pointers->push_back(v.data());
  g->kept.push_back(values);
  irgl_emu_launch l{};
  l.grid = {p.gridDim.x, p.gridDim.y, p.gridDim.z};
  l.block = {p.blockDim.x, p.blockDim.y, p.blockDim.z};
  l.shared = p.sharedMemBytes;
  l.name = k.name.c_str();
  l.function = p.func;
  l.entry = k.entry;
  return [l, pointers, device = current_device()](u32 where) {
    irgl_emu_launch mine = l;
    mine.data = pointers->data();
    counters.graph_kernels++;
    return launch(mine, where, device);
  };
}

}  // namespace

bool captured(const irgl_emu_launch& l) {
  cudaGraph_t g = capture_of(static_cast<cudaStream_t>(l.stream));
  if (g == nullptr) return false;
  std::shared_ptr<void> body(l.clone(l.data), l.destroy);
  add(nullptr, g, [l, body, device = current_device()](u32 pc) {
    irgl_emu_launch mine = l;
    mine.data = body.get();
    counters.graph_kernels++;
    return launch(mine, pc, device);
  });
  return true;
}
bool captured(cudaStream_t s, std::function<int(u32)> run) {
  cudaGraph_t g = capture_of(s);
  if (g != nullptr) add(nullptr, g, std::move(run));
  return g != nullptr;
}
bool launching_graph() { return in_graph; }
cudaStream_t graph_stream() { return stream_of_graph; }

}  // namespace emu

using namespace emu;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* g, unsigned) { return *g = new CUgraph_st, done(); }
cudaError_t cudaGraphDestroy(cudaGraph_t g) { return drop(g), done(); }
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t* nodes, size_t* n) {
  if (nodes != nullptr) {
    for (size_t i = 0; i < *n && i < g->nodes.size(); i++) nodes[i] = g->nodes[i].get();
  }
  return *n = g->nodes.size(), done();
}

cudaError_t irgl_emu_graph_add(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                               cudaGraphNodeParams* p) {
  const u32 pc = EMU_PC;
  if (g == nullptr || !from_here(g, before, n)) return done(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel: return add(node, g, kernel_node(g, p->kernel, pc));
    case cudaGraphNodeTypeEmpty: return add(node, g, [](u32) { return 0; });
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams h = p->host;
      return add(node, g, [h](u32) { return run_host(graph_stream(), h.fn, h.userData); });
    }
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams m = p->memset;
      if (m.elementSize != 1 && m.value % 255 != 0)
        refuse(pc, "a memset node of elements with several bytes is not covered");
      return add(node, g, [m](u32 where) {
        return fill(m.dst, static_cast<int>(m.value), m.width * m.elementSize, where, "memset");
      });
    }
    case cudaGraphNodeTypeGraph: {
      cudaGraph_t child = p->graph.graph;
      return add(node, g, [child](u32 where) { return run_all(child, where); });
    }
    case cudaGraphNodeTypeConditional: {
      const cudaConditionalNodeParams c = p->conditional;
      auto* handle = reinterpret_cast<Conditional*>(c.handle);
      auto list = std::make_unique<cudaGraph_t[]>(c.size);
      for (unsigned i = 0; i < c.size; i++) {
        g->bodies.push_back(std::make_unique<CUgraph_st>());
        list[i] = g->bodies.back().get();
      }
      cudaGraph_t* bodies = list.get();
      p->conditional.phGraph_out = bodies;
      g->lists.push_back(std::move(list));
      return add(node, g, [=](u32 where) {
        if (c.type == cudaGraphCondTypeWhile) return loop(bodies[0], *handle, where);
        const unsigned v = handle->value;
        if (c.type == cudaGraphCondTypeSwitch) return v < c.size ? run_all(bodies[v], where) : 0;
        return v != 0 ? run_all(bodies[0], where) : c.size > 1 ? run_all(bodies[1], where) : 0;
      });
    }
    default: refuse(pc, "this kind of graph node is not covered");
  }
}
cudaError_t irgl_emu_graph_add_copy(cudaGraphNode_t* node, cudaGraph_t g, const cudaGraphNode_t* before, size_t n,
                                    void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (g == nullptr || !from_here(g, before, n)) return done(cudaErrorInvalidValue);
  return add(node, g, [=](u32 where) { return copy_in_graph(to, from, bytes, kind, where); });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* h, cudaGraph_t g, unsigned initial,
                                             unsigned flags) {
  g->conditionals.push_back(std::make_unique<Conditional>(Conditional{initial, initial, (flags & 1) != 0, 0}));
  *h = reinterpret_cast<cudaGraphConditionalHandle>(g->conditionals.back().get());
  return done();
}
void cudaGraphSetConditional(cudaGraphConditionalHandle h, unsigned value) {
  const u32 pc = EMU_PC;
  if (cur == nullptr) refuse(pc, "cudaGraphSetConditional is for kernels");
  auto* c = reinterpret_cast<Conditional*>(h);
  c->value = value;
  c->set_at = pc;
}

cudaError_t irgl_emu_graph_instantiate(cudaGraphExec_t* e, cudaGraph_t g) {
  if (g == nullptr) return done(cudaErrorInvalidValue);
  g->users++;
  return *e = new CUgraphExec_st{g}, done();
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e) {
  drop(e->graph);
  delete e;
  return done();
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return done(); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t s) {
  const u32 pc = EMU_PC;
  if (api.sticky != 0) return done();
  counters.graph_launches++;
  assign_defaults(e->graph);
  const bool outer = in_graph;
  in_graph = true;
  stream_of_graph = s;
  const int code = run_all(e->graph, pc);
  in_graph = outer;
  return done(code);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void* data) {
  if (!captured(s, [=](u32) { return run_host(graph_stream(), f, data); })) run_host(s, f, data);
  return done();
}

}  // extern "C"
