// Rounds on a GPU (rounds.cuh): a log in the device's memory of what begins and ends when. Kernels and the host write
// it in the order of the stream, so that nobody waits: the host by a kernel of one thread, an outlined loop by its
// first thread, when that comes there.
//
//     const irgl::RoundsOfRun _rounds(c);      at the run's begin; at its end the log goes into the file that the
//                                              environment's IRGL_ROUNDS names (irgl/rt/results/rounds.py reads it)
// What a round runs over is counted by a kernel, or by all threads of an outlined loop, which meet once more for it;
// the time that takes is in no round.
#pragma once
#include "context.cuh"
#include "worklist.cuh"

namespace irgl {

enum Way : unsigned { pushing = 1, pulling = 2 };

struct RoundLog {
  static constexpr size_t most = 300000;  // notes that are kept
  enum What : long long { begins = 1, end = 2, way = 3, over = 4, counts = 5 };  // over: behind its counting
  struct Note {
    long long what, a, b, ns, launches;  // launches: of the run so far; -1: a kernel's note
  };
  counter_t items, edges;       // of the range that the host has counted
  long long notes, rounds, ns;  // how many there were, kept or not; the last one's time
  Note kept[most];
};

namespace detail {
static __device__ RoundLog* round_log;
static HostBase* noted_run = nullptr;

IRGL_DEVICE void write_note(RoundLog::What what, long long a, long long b, long long launches) {
  RoundLog& log = *round_log;
  long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  if (log.notes < (long long)(RoundLog::most)) log.kept[log.notes] = {what, a, b, ns, launches};
  ++log.notes;
  log.rounds += what == RoundLog::begins;
  log.ns = ns;
}
static __global__ void note_kernel(RoundLog::What what, long long a, long long b, long long launches) {
  write_note(what, a, b, launches);
}
IRGL_BOTH void note(RoundLog::What what, long long a, long long b = 0) {
#if defined(__CUDA_ARCH__) && !defined(__IRGL_EMU__)
  if (blockIdx.x == 0 && threadIdx.x == 0) write_note(what, a, b, -1);
#else
  HostBase* const c = noted_run;
  if (c == nullptr || c->failed()) return;
  note_kernel<<<1, 1, 0, c->stream()>>>(what, a, b, (long long)(c->launches()));
  c->check(cudaGetLastError());
#endif
}
}  // namespace detail

IRGL_BOTH void begin_round(unsigned place, unsigned depth) { detail::note(RoundLog::begins, place, depth); }
IRGL_BOTH void end_rounds(unsigned depth) { detail::note(RoundLog::end, depth); }
IRGL_BOTH void goes(Way way) { detail::note(RoundLog::way, way); }
IRGL_BOTH void rejoin_round() {}
IRGL_BOTH void runs_over() { detail::note(RoundLog::over, -1, -1); }

namespace detail {
template <class R>
__global__ void measure_kernel(R range) {
  counter_t items, edges;
  measure(range, size_t(blockIdx.x) * block_size + threadIdx.x, size_t(gridDim.x) * block_size, items, edges);
  items = block_reduce<Add>(items, counter_t(0)), edges = block_reduce<Add>(edges, counter_t(0));
  if (threadIdx.x == 0) atomicAdd(&round_log->items, items), atomicAdd(&round_log->edges, edges);
}
static __global__ void measured_kernel(long long items, bool holed, bool weighted, long long launches) {
  RoundLog& log = *round_log;
  write_note(RoundLog::over, holed ? (long long)(log.items) : items, weighted ? (long long)(log.edges) : -1, launches);
  log.items = log.edges = 0;
}
}  // namespace detail

// In an outlined loop, by all its threads. The one of a CUDA graph's loop looks at no items.
template <class F>
IRGL_DEVICE void runs_over(Thread& t, const F& range) {
  const auto of = range();
  using R = std::remove_cv_t<decltype(of)>;
  if (t.is_alone) return detail::note(RoundLog::over, R::holed ? -1 : (long long)(of.size()), -1);
  const unsigned met = t.met;
  detail::note(RoundLog::counts, 0);
  counter_t items = 0, edges = 0;
  if constexpr (R::holed || R::weighted) detail::measure(of, t.rank(), t.count(), items, edges);
  if constexpr (R::holed) items = grid_sum(t, items);
  else items = of.size();
  if constexpr (R::weighted) edges = grid_sum(t, edges);
  detail::note(RoundLog::over, (long long)(items), R::weighted ? (long long)(edges) : -1);
  t.met = met;  // what noting takes isn't counted
}
template <class F>
void runs_over(const F& range) {
  const auto of = range();
  using R = std::remove_cv_t<decltype(of)>;
  HostBase* const c = detail::noted_run;
  if (c == nullptr || c->failed()) return;
  detail::note(RoundLog::counts, 0);
  if constexpr (R::holed || R::weighted) {
    size_t blocks = (size_t(of.size()) + block_size - 1) / block_size;
    if (blocks > 1024) blocks = 1024;
    if (blocks != 0) detail::measure_kernel<<<unsigned(blocks), block_size, 0, c->stream()>>>(of);
  }
  detail::measured_kernel<<<1, 1, 0, c->stream()>>>((long long)(of.size()), R::holed, R::weighted,
                                                    (long long)(c->launches()));
  c->check(cudaGetLastError());
}

class RoundsOfRun {
 public:
  explicit RoundsOfRun(HostBase& c) : c_(c), log_(static_cast<RoundLog*>(c.allocate(sizeof(RoundLog)))) {
    c.zero(log_, offsetof(RoundLog, kept));
    if (c.failed()) return;
    c.check(cudaMemcpyToSymbol(detail::round_log, &log_, sizeof log_));
    detail::noted_run = &c;
    end_rounds(0);  // so that there is a time from which on
  }
  RoundsOfRun(const RoundsOfRun&) = delete;
  RoundsOfRun& operator=(const RoundsOfRun&) = delete;
  ~RoundsOfRun() {
    end_rounds(0);
    if (const char* const path = getenv("IRGL_ROUNDS")) write(path);
    detail::noted_run = nullptr;
    c_.release(log_);
  }

 private:
  void write(const char* path) {
    RoundLog* const log = static_cast<RoundLog*>(malloc(sizeof(RoundLog)));
    if (log == nullptr || c_.failed()) return free(log);
    c_.check(cudaMemcpyAsync(log, log_, sizeof(RoundLog), cudaMemcpyDeviceToHost, c_.stream())) &&
        c_.check(cudaStreamSynchronize(c_.stream()));
    FILE* const file = fopen(path, "wb");
    const size_t kept = size_t(log->notes) < RoundLog::most ? size_t(log->notes) : RoundLog::most;
    const size_t bytes = offsetof(RoundLog, kept) - offsetof(RoundLog, notes) + kept * sizeof(RoundLog::Note);
    if (file == nullptr || c_.failed() || fwrite(&log->notes, bytes, 1, file) != 1)
      fprintf(stderr, "no rounds in %s\n", path);
    if (file != nullptr) fclose(file);
    free(log);
  }
  HostBase& c_;
  RoundLog* log_;
};

}  // namespace irgl
