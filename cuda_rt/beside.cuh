// Parts of a Program that have nothing to do with each other, side by side: each in a stream of its own, so that the
// device runs kernels of one where those of another leave it room. The host's side of them takes turns (turns.cuh).
//
//     irgl::beside(c, irgl::part([&](Context& c) {...}, [](Context& c, Context& own) { c.write().n = own.read().n; }),
//                     irgl::part(...), ...);
// The second says what the first has left of the program's scalars: each part but the first has a context of its own,
// with counters, memory and a fault of its own, the scalars as they were, and everybody's arrays. The first fault in
// the order of the text is the one that is told, and ends what stands behind it. A part that moves may run on another
// device, with copies of the arrays that it uses (devices.cuh).
#pragma once
#include "context.cuh"

namespace irgl {

template <class Run, class Keep, bool moves_away>
struct ProgramPart {
  static constexpr bool moves = moves_away;
  Run run;
  Keep keep;
};
template <class Run, class Keep>
ProgramPart<Run, Keep, false> part(Run run, Keep keep) { return {run, keep}; }
template <class Run, class Keep>
ProgramPart<Run, Keep, true> moving_part(Run run, Keep keep) { return {run, keep}; }

// The context of a part that stands behind another one.
template <class C>
class Aside {
 public:
  Aside(C& whole, Turns& turns, C& before, int device)
      : own_(whole.args_, device), whole_(whole), before_(before) {
    own_.spare = whole.spare;
    if (own_.device_ != whole.device_) own_.whole_ = &whole;
    else share();
    if (whole.shares_ != nullptr) own_.open_shares();
    own_.write() = whole.read();
    follow(whole, own_);
    whole.enter();
    own_.before_ = &before;
    own_.turns_ = &turns;
  }
  C& own() { return own_; }
  template <class Keep>
  void end(const Keep& keep) {
    own_.turns_ = nullptr;
    own_.enter();
    own_.read();
    if (own_.is_away()) bring_back();
    whole_.enter();
    keep(whole_, own_);
    follow(own_, whole_);
    own_.enter();
    own_.end_own();
    whole_.enter();
    before_.take_in(own_);
  }
  // The k-th device of the run, from 0, and again the first behind the last.
  static int device(const C& c, int k) {
    uint64_t left = uint64_t(c.args_->devices);
    if (left == 0) return c.device_;
    for (k %= __builtin_popcountll(left); k != 0; --k) left &= left - 1;
    return __builtin_ctzll(left);
  }
  template <class Run>
  static void run(C& c, const Run& part) {
    c.enter();
    if (!c.halted()) part(c);
    c.refresh(c.pages_[0]);  // its fault, which ends those behind it
  }
  static void give_turns(C& whole, Turns* turns) { whole.turns_ = turns; }

 private:
  void share() {
    own_.share_properties(whole_);
    own_.share_vast(whole_);
    for (HostCsr& known : whole_.graphs_) {
      HostCsr& g = own_.graphs_.add(known);
      g.row.c = g.cols.c = g.in_row.c = g.in_cols.c = g.in_eid.c = &own_;
    }
  }
  // What it has written on another device.
  void bring_back() {
    for (auto& w : own_.written_) {
      if (own_.failed()) break;
      own_.check(cudaMemcpyPeerAsync(w.home, whole_.device_, w.here, own_.device_, w.bytes, own_.stream_));
      ++own_.transfers_, own_.transfer_bytes_ += int64_t(w.bytes);
      whole_.wrote(w.home);
      whole_.elsewhere_->find(w.home, own_.device_)->fresh = true;
    }
    own_.end_properties();
    own_.end_vast();
  }
  // What the stream of the second is given from now on waits for what that of the first has been given.
  void follow(C& first, C& then) {
    cudaEvent_t there{};
    first.enter();
    if (own_.failed() || !own_.check(cudaEventCreateWithFlags(&there, cudaEventDisableTiming))) return;
    own_.check(cudaEventRecord(there, first.stream_));
    then.enter();
    own_.check(cudaStreamWaitEvent(then.stream_, there, 0));
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

// The first part, beside those that have begun and those that are to begin, each behind the one before it. moved: how
// many of them move, -1: they are not dealt out to devices.
template <class C, class Part>
void run_parts(C& c, Turns& turns, C&, int, const Part& first) {
  Aside<C>::give_turns(c, &turns);
  Aside<C>::run(c, first.run);
  turns.end();
  Aside<C>::give_turns(c, nullptr);
  c.enter();
}
template <class C, class Part, class Next, class... More>
void run_parts(C& c, Turns& turns, C& before, int moved, const Part& first, const Next& next, const More&... more) {
  const bool moves = Next::moves && moved >= 0;
  AsideRun<C, Next> begun{{c, turns, before, Aside<C>::device(c, moves ? moved + 1 : 0)}, next};
  const bool has_turns = turns.take(&AsideRun<C, Next>::run, &begun);
  run_parts(c, turns, begun.aside.own(), moved + int(moves), first, more...);
  if (!has_turns) AsideRun<C, Next>::run(&begun);
  begun.aside.end(next.keep);
}
}  // namespace detail

template <class C, class... Parts>
void beside(C& c, const Parts&... parts) {
  if (c.halted()) return;
  Turns turns;
  detail::run_parts(c, turns, c, -1, parts...);
}

}  // namespace irgl
