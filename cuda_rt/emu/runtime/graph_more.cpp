// Graphs that are looked at, copied and changed after they were made. Nodes run in the order in which they were added;
// an edge against that order moves them.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "../include/irgl_emu/graph_more.h"
#include "api.hpp"

namespace emu {
namespace {

struct Drawn {  // what is known of a graph's nodes beside what they do
  std::map<cudaGraphNode_t, cudaGraphNodeType> types;
  std::set<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges;
};
Drawn& drawn() {
  static auto* all = new Drawn;
  return *all;
}

size_t place(cudaGraph_t g, cudaGraphNode_t node) {
  const auto at = std::find_if(g->nodes.begin(), g->nodes.end(), [&](const auto& n) { return n.get() == node; });
  return static_cast<size_t>(at - g->nodes.begin());
}

// All edges of a graph. A node that a stream's capture added, of which none were named, comes after the one before it.
std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges_of(cudaGraph_t g) {
  std::vector<std::pair<cudaGraphNode_t, cudaGraphNode_t>> found;
  cudaGraphNode_t before = nullptr;
  for (const auto& node : g->nodes) {
    if (drawn().types.count(node.get()) == 0 && before != nullptr) found.push_back({before, node.get()});
    before = node.get();
    for (const auto& [from, to] : drawn().edges) {
      if (to == node.get() && from->graph == g) found.push_back({from, to});
    }
  }
  return found;
}

// Brings nodes into an order that fits all edges, the old one as far as it does; false: there is a circle.
bool ordered(cudaGraph_t g) {
  const auto edges = edges_of(g);
  std::vector<std::unique_ptr<CUgraphNode_st>> rest = std::move(g->nodes), done_;
  std::set<cudaGraphNode_t> ready;
  while (!rest.empty()) {
    const auto next = std::find_if(rest.begin(), rest.end(), [&](const auto& n) {
      return std::all_of(edges.begin(), edges.end(),
                         [&](const auto& e) { return e.second != n.get() || ready.count(e.first) != 0; });
    });
    const bool circle = next == rest.end();
    const auto taken = circle ? rest.begin() : next;
    ready.insert(taken->get());
    done_.push_back(std::move(*taken));
    rest.erase(taken);
    if (circle) {
      for (auto& n : rest) done_.push_back(std::move(n));
      g->nodes = std::move(done_);
      return false;
    }
  }
  g->nodes = std::move(done_);
  return true;
}

// A graph with the same nodes, in the same places. What they use stays with the old one, which is kept for it.
cudaGraph_t copy(cudaGraph_t g, u32 pc) {
  if (!g->conditionals.empty()) refuse(pc, "a copy of a graph with conditional nodes is not covered");
  auto* made = new CUgraph_st;
  g->users++;
  made->kept.push_back(std::shared_ptr<void>(g, [](void* old) { drop(static_cast<cudaGraph_t>(old)); }));
  std::map<cudaGraphNode_t, cudaGraphNode_t> twin;
  for (const auto& n : g->nodes) {
    made->nodes.push_back(std::make_unique<CUgraphNode_st>(CUgraphNode_st{made, n->run}));
    twin[n.get()] = made->nodes.back().get();
    const auto type = drawn().types.find(n.get());
    if (type != drawn().types.end()) drawn().types[twin[n.get()]] = type->second;
  }
  for (const auto& [from, to] : edges_of(g)) drawn().edges.insert({twin[from], twin[to]});
  return made;
}

// The node of an executable graph that stands for one of the graph it was made from. The graph becomes its own.
cudaGraphNode_t own_node(cudaGraphExec_t e, cudaGraphNode_t node, u32 pc) {
  const size_t at = place(node->graph, node);
  if (at >= e->graph->nodes.size()) return nullptr;
  if (e->graph == node->graph) {
    cudaGraph_t mine = copy(e->graph, pc);
    drop(e->graph);
    e->graph = mine;
  }
  return e->graph->nodes[at].get();
}

}  // namespace
}  // namespace emu

using namespace emu;

extern "C" {

void irgl_emu_graph_drawn(cudaGraphNode_t node, int type, const cudaGraphNode_t* before, size_t n) {
  drawn().types[node] = static_cast<cudaGraphNodeType>(type);
  for (auto i = drawn().edges.begin(); i != drawn().edges.end();) {  // of a node that had this address before
    i = i->second == node || i->first == node ? drawn().edges.erase(i) : std::next(i);
  }
  for (size_t i = 0; i < n; i++) drawn().edges.insert({before[i], node});
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  const auto found = drawn().types.find(node);
  if (found == drawn().types.end()) refuse(EMU_PC, "the type of a node that was captured is not covered");
  return *type = found->second, done();
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t* nodes, size_t* n) {
  const auto edges = edges_of(g);
  size_t found = 0;
  for (const auto& node : g->nodes) {
    if (std::any_of(edges.begin(), edges.end(), [&](const auto& e) { return e.second == node.get(); })) continue;
    if (nodes != nullptr && found < *n) nodes[found] = node.get();
    found++;
  }
  return *n = found, done();
}
cudaError_t irgl_emu_graph_edges(cudaGraph_t g, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* n) {
  const auto edges = edges_of(g);
  for (size_t i = 0; from != nullptr && to != nullptr && i < *n && i < edges.size(); i++) {
    from[i] = edges[i].first;
    to[i] = edges[i].second;
  }
  return *n = edges.size(), done();
}
cudaError_t irgl_emu_graph_connect(cudaGraph_t g, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (from[i]->graph != g || to[i]->graph != g) return done(cudaErrorInvalidValue);
    drawn().edges.insert({from[i], to[i]});
  }
  if (ordered(g)) return done();
  for (size_t i = 0; i < n; i++) drawn().edges.erase({from[i], to[i]});
  return done(cudaErrorInvalidValue);
}
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t g) { return *to = copy(g, EMU_PC), done(); }
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node, cudaGraph_t clone) {
  const size_t at = place(node->graph, node);
  if (at >= clone->nodes.size()) return done(cudaErrorInvalidValue);
  return *found = clone->nodes[at].get(), done();
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  return node->run = kernel_node(node->graph, *p, EMU_PC), done();
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t e, cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  const u32 pc = EMU_PC;
  cudaGraphNode_t mine = own_node(e, node, pc);
  if (mine == nullptr) return done(cudaErrorInvalidValue);
  return mine->run = kernel_node(mine->graph, *p, pc), done();
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t e, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
  cudaGraphNode_t mine = own_node(e, node, EMU_PC);
  if (mine == nullptr) return done(cudaErrorInvalidValue);
  mine->run = [=](u32 where) { return copy_in_graph(to, from, bytes, kind, where); };
  return done();
}
cudaError_t irgl_emu_graph_exec_update(cudaGraphExec_t e, cudaGraph_t g, cudaGraphExecUpdateResultInfo* info) {
  *info = {};
  if (e == nullptr || g == nullptr) return done(cudaErrorInvalidValue);
  if (e->graph->nodes.size() != g->nodes.size()) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    return done(cudaErrorGraphExecUpdateFailure);
  }
  g->users++;
  drop(e->graph);
  return e->graph = g, done();
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t g, const char* path, unsigned) {
  std::FILE* f = std::fopen(path, "w");
  if (f == nullptr) return done(cudaErrorOperatingSystem);
  std::fputs("digraph graph_1 {\n", f);
  for (size_t i = 0; i < g->nodes.size(); i++) std::fprintf(f, "node_%zu;\n", i);
  for (const auto& [from, to] : edges_of(g)) std::fprintf(f, "node_%zu -> node_%zu;\n", place(g, from), place(g, to));
  std::fputs("}\n", f);
  std::fclose(f);
  return done();
}

}  // extern "C"
