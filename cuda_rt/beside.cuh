// Parts of a Program that have nothing to do with each other, side by side: each in a stream of its own, so that the
// device runs kernels of one where those of another leave it room. The host's side of them takes turns (turns.cuh).
//
//     irgl::beside(c, irgl::part([&](Context& c) {...}, [](Context& c, Context& own) { c.write().n = own.read().n; }),
//                     irgl::part(...), ...);
// The second says what the first has left of the program's scalars: each part but the first has a context of its own,
// with counters, memory and a fault of its own, the scalars as they were, and everybody's arrays. The first fault in
// the order of the text is the one that is told, and ends what stands behind it.
#pragma once
#include "context.cuh"

namespace irgl {

template <class Run, class Keep>
struct ProgramPart {
  Run run;
  Keep keep;
};
template <class Run, class Keep>
ProgramPart<Run, Keep> part(Run run, Keep keep) { return {run, keep}; }

// The context of a part that stands behind another one.
template <class C>
class Aside {
 public:
  Aside(C& whole, Turns& turns, C& before) : own_(whole.args_), whole_(whole), before_(before) {
    own_.spare = whole.spare;
    own_.share_properties(whole);
    own_.share_vast(whole);
    for (HostCsr& known : whole.graphs_) {
      HostCsr& g = own_.graphs_.add(known);
      g.row.c = g.cols.c = g.in_row.c = g.in_cols.c = g.in_eid.c = &own_;
    }
    if (whole.shares_ != nullptr) own_.open_shares();
    own_.write() = whole.read();
    follow(whole.stream_, own_.stream_);
    own_.before_ = &before;
    own_.turns_ = &turns;
  }
  C& own() { return own_; }
  template <class Keep>
  void end(const Keep& keep) {
    own_.turns_ = nullptr;
    keep(whole_, own_);
    follow(own_.stream_, whole_.stream_);
    own_.end_own();
    before_.take_in(own_);
  }
  template <class Run>
  static void run(C& c, const Run& part) {
    if (!c.halted()) part(c);
    c.refresh(c.pages_[0]);  // its fault, which ends those behind it
  }
  static void take_turns(C& whole, Turns* turns) { whole.turns_ = turns; }

 private:
  // What one stream is given from now on waits for what the other one has been given.
  void follow(cudaStream_t first, cudaStream_t then) {
    cudaEvent_t there{};
    if (own_.failed() || !own_.check(cudaEventCreateWithFlags(&there, cudaEventDisableTiming))) return;
    own_.check(cudaEventRecord(there, first)) && own_.check(cudaStreamWaitEvent(then, there, 0));
    own_.check(cudaEventDestroy(there));
  }

  C own_;
  C &whole_, &before_;
};

namespace detail {

template <class C, class Part>
struct AsideRun {
  Aside<C> aside;
  const Part& part;
  static void run(void* data) {
    AsideRun& of = *static_cast<AsideRun*>(data);
    Aside<C>::run(of.aside.own(), of.part.run);
  }
};

// The first part, beside those that have begun and those that are to begin, each behind the one before it.
template <class C, class Part>
void run_parts(C& c, Turns& turns, C&, const Part& first) {
  Aside<C>::take_turns(c, &turns);
  Aside<C>::run(c, first.run);
  turns.end();
  Aside<C>::take_turns(c, nullptr);
}
template <class C, class Part, class Next, class... More>
void run_parts(C& c, Turns& turns, C& before, const Part& first, const Next& next, const More&... more) {
  AsideRun<C, Next> begun{{c, turns, before}, next};
  const bool has_turns = turns.take(&AsideRun<C, Next>::run, &begun);
  run_parts(c, turns, begun.aside.own(), first, more...);
  if (!has_turns) AsideRun<C, Next>::run(&begun);
  begun.aside.end(next.keep);
}
}  // namespace detail

template <class C, class... Parts>
void beside(C& c, const Parts&... parts) {
  Turns turns;
  detail::run_parts(c, turns, c, parts...);
}

}  // namespace irgl
