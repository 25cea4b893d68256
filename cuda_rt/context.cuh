// HostRuntime<Scalars>: the Context of a generated unit. The program's scalars live on both sides, and move when asked
// for.
//
//     c.read().x  c.write().x      on the host: the latest values; write makes the device's stale until the next launch
//     c.device()                   what kernels take: c.globals->x there
//     c.wrote_scalars()            a kernel has written some
//     c.run_outlined(kernel, blocks, s, g...)   one cooperative launch of kernel(device, g..., State*), s going there
//                                      and back
//     return c.finish(args);       results to the caller, statistics and faults; frees everything
#pragma once
#include <time.h>

#include "element.cuh"
#include "graph.cuh"
#include "graph_loop.cuh"
#include "host_values.cuh"

namespace irgl {

template <class Scalars>
class HostRuntime : public Graphs {
 public:
  explicit HostRuntime(irgl_run_args* args, int device = -1) : Graphs(args, device) {
    globals_ = static_cast<Scalars*>(allocate(sizeof(Scalars)));
  }

  const Scalars& read() {
    if (!host_valid_) copy_out(static_cast<void*>(&scalars_), globals_, sizeof(Scalars)), host_valid_ = true;
    return scalars_;
  }
  Scalars& write() {
    read();
    device_valid_ = false;
    return scalars_;
  }
  void wrote_scalars() { host_valid_ = false; }
  bool is_away() const { return whole_ != nullptr; }
  Device<Scalars> device() {
    Device<Scalars> d;
    d.control = device_control();
    d.globals = globals_;
    return d;
  }

  template <class Kernel, class State, class... G>
  void run_outlined(Kernel kernel, size_t blocks, State& s, const G&... graphs) {
    stage_state(s);
    launch_cooperative(kernel, blocks, device(), graphs..., static_cast<State*>(state_));
    unstage_state(s);
  }

  // The loop as a CUDA graph (graph_loop.cuh).
  template <size_t n, class State, class... G>
  void run_graph(State& s, void* control, const Calls<n>& calls, const G&... graphs) {
    stage_state(s);
    before_launch();
    Device<Scalars> d = device();
    State* saved = static_cast<State*>(state_);
    cudaGraph_t graph = nullptr, body = nullptr;
    cudaGraphExec_t program = nullptr;
    cudaGraphConditionalHandle loop{};
    if (failed() || !check(cudaGraphCreate(&graph, 0))) return;
    check(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p{};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = loop;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    if (!failed()) check(detail::add_node(&node, graph, nullptr, &p));
    if (!failed()) {
      body = p.conditional.phGraph_out[0];
      void* arguments[] = {&d, const_cast<void*>(static_cast<const void*>(&graphs))..., &saved, &loop};
      check(detail::add_kernel(&node, body, nullptr, control, 1, 1, arguments));
      for (size_t k = 0; k < n && !failed(); ++k) {
        const cudaGraphNode_t before = node;
        check(detail::add_kernel(&node, body, &before, calls.kernels[k], unsigned(resident_blocks(calls.kernels[k])),
                                 block_size, arguments));
      }
    }
    if (!failed()) check(cudaGraphInstantiate(&program, graph, 0));
    if (!failed()) check(cudaGraphLaunch(program, stream_)), ++kernels_, ++launches_;
    unstage_state(s);
    if (program != nullptr) check(cudaGraphExecDestroy(program));
    check(cudaGraphDestroy(graph));
  }

  // What is timed: behind the copies of graphs, and before those of results.
  void start_clock() {
    wait();
    count_timed(-1);
    begin_ = now();
  }
  void stop_clock(irgl_run_args* a) {
    wait();
    a->stats[IRGL_STAT_RUN_NS] += now() - begin_;
    count_timed(1);
  }

  int finish(irgl_run_args* a) {
    refresh(pages_[0]);
    end_properties();
    end_vast();
    end_elsewhere();
    end_own();
    const Control& last = control();
    a->stats[IRGL_STAT_ROUNDS] += rounds + int64_t(last.rounds);
    a->stats[IRGL_STAT_WORKLIST_GROWTHS] += worklist_growths;
    a->stats[IRGL_STAT_INVOCATIONS] += kernels_;
    a->stats[IRGL_STAT_LAUNCHES] += kernels_;
    a->stats[IRGL_STAT_GRID_BARRIERS] += barriers_ + int64_t(last.barriers);
    a->stats[IRGL_STAT_TRANSFERS] += transfers_;
    a->stats[IRGL_STAT_TRANSFER_BYTES] += transfer_bytes_;
    return told(a, fault_ != 0 ? fault_ : last.fault);
  }

 private:
  template <class>
  friend class Aside;
  template <class>
  friend class Moving;

  void end_own() {
    end_graphs();
    for (void* memory : held_) release(memory);
    release(state_), release(globals_);
    release(scratch_), release(shares_);
    for (Page& page : pages_) release(page.device);
    end_stream();
  }
  // What a part that stands behind this one has done, and its fault if this one has none.
  void take_in(HostRuntime& other) {
    refresh(pages_[0]);
    if (failed_ == 0) failed_ = other.failed_;
    if (fault_ == 0 && control().fault == 0) fault_ = other.fault_ != 0 ? other.fault_ : other.control().fault;
    rounds += other.rounds + int64_t(other.control().rounds);
    barriers_ += other.barriers_ + int64_t(other.control().barriers);
    worklist_growths += other.worklist_growths;
    kernels_ += other.kernels_, launches_ += other.launches_;
    transfers_ += other.transfers_, transfer_bytes_ += other.transfer_bytes_;
  }
  template <class State>
  void stage_state(State& s) {
    if (state_bytes_ < sizeof(State)) {
      release(state_);
      state_ = allocate(state_bytes_ = sizeof(State));
    }
    copy_in(state_, static_cast<const void*>(&s), sizeof(State));
  }
  // Waits for the loop; with its state comes the first page: whether there was a fault, and counters of lists.
  template <class State>
  void unstage_state(State& s) {
    Page& page = pages_[0];
    static_assert(sizeof(State) + sizeof page.host <= stage_size, "more than is copied at once");
    if (!has_room(sizeof(State) + sizeof page.host)) wait();  // here, where the user's interrupt is heard
    const char* const brought = begin_out(state_, sizeof(State), page.device, sizeof page.host);
    wait();
    if (failed()) return;
    memcpy(static_cast<void*>(&s), brought, sizeof(State));
    memcpy(page.host, brought + sizeof(State), sizeof page.host);
    for (uint64_t& stamp : page.stamp) stamp = launches_;
  }
  // In the emulator, which counts the whole run: what of it is timed.
  void count_timed(long sign) {
#ifdef __IRGL_EMU__
    irgl_emu_count("timed_launches", sign * long(launches_));
    irgl_emu_count("timed_transfers", sign * long(transfers_));
    irgl_emu_count("timed_transfer_bytes", sign * long(transfer_bytes_));
#else
    (void)sign;
#endif
  }
  static int64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
  }
  void before_launch() override {
    if (device_valid_) return;
    copy_in(globals_, static_cast<const void*>(&scalars_), sizeof(Scalars));
    device_valid_ = true;
  }

  Scalars scalars_;
  Scalars* globals_;
  HostRuntime* whole_ = nullptr;  // whose arrays lie on another device
  struct Written {
    void* home;
    void* here;
    size_t bytes;
  };
  Table<Written> written_;  // of them what a section writes
  int64_t begin_ = 0, barriers_ = 0;  // of parts that have ended
  bool host_valid_ = true, device_valid_ = false;
  void* state_ = nullptr;
  size_t state_bytes_ = 0;
};

}  // namespace irgl
