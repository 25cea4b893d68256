// Sections on devices of their own: each takes along what it uses of the Program's graphs, and brings back what it has
// written there.
//
//     irgl::sections(c, irgl::moving_part([&](Context& c) {
//       [&](Graph g) { ...; }(irgl::here(c, g, [](auto& to, Graph& g) { to.rows(g); to.writes(g.x, size_t(g.n)); }));
//     }, keep), irgl::part(...), ...);
//
// The parts that move are dealt out to the devices of the run, in the order of the text, the first one stays; so do
// others than these. An array comes to a device once, and again only where the Program has changed it since.
#pragma once
#include "beside.cuh"

namespace irgl {

// What a section takes of a graph to the device of its context.
template <class C>
class Moving {
 public:
  explicit Moving(C& there) : there_(there), whole_(*there.whole_) {}
  template <class G>
  void rows(G& g) {
    const size_t n = size_t(g.n), m = size_t(g.m);
    take(g.row, n + 1), take(g.cols, m), take(g.in_row, n + 1), take(g.in_cols, m), take(g.in_eid, m);
  }
  template <class T>
  void reads(T*& array, size_t count) {
    take(array, count);
    there_.lend(array, count);
  }
  template <class T>
  void writes(T*& array, size_t count) {
    T* const home = array;
    reads(array, count);
    if (array != nullptr) there_.written_.add({home, array, (count * sizeof(T) + 3) / 4 * 4});
  }
  void knows(const Csr& there, const Csr& home) {
    const HostCsr host = whole_.host(home);
    there_.graphs_.add({there.n, there.m, {&there_, there.row, host.row.host}, {&there_, there.cols, host.cols.host},
                        {&there_, there.in_row, host.in_row.host}, {&there_, there.in_cols, host.in_cols.host},
                        {&there_, there.in_eid, host.in_eid.host}});
  }

 private:
  template <class T>
  void take(T*& array, size_t count) {
    if (array == nullptr || there_.failed()) return;
    const size_t bytes = (count * sizeof(T) + 3) / 4 * 4;
    Elsewhere::Copy* copy = whole_.elsewhere_->find(array, there_.device_);
    if (copy == nullptr) {
      void* data = nullptr;
      if (!there_.check(cudaMalloc(&data, (bytes + there_.spare + 15) / 8 * 8))) return;
      copy = &whole_.elsewhere_->add({array, there_.device_, data, {}, false});
      there_.check(cudaEventCreateWithFlags(&copy->made, cudaEventDisableTiming));
    }
    if (!copy->fresh && bytes != 0) {
      there_.check(cudaMemcpyPeerAsync(copy->data, there_.device_, array, whole_.device_, bytes, there_.stream_));
      ++there_.transfers_, there_.transfer_bytes_ += int64_t(bytes);
      there_.check(cudaEventRecord(copy->made, there_.stream_));
    } else {
      there_.check(cudaStreamWaitEvent(there_.stream_, copy->made, 0));
    }
    copy->fresh = true;
    array = static_cast<T*>(copy->data);
  }

  C &there_, &whole_;
};

// A graph as the device of a context has it; `take` says what of it.
template <class C, class G, class F>
G here(C& c, const G& g, F take) {
  G found = g;
  if (c.is_away()) {
    Moving<C> to(c);
    take(to, found);
    to.knows(found, g);
  }
  return found;
}

template <class C, class... Parts>
void sections(C& c, const Parts&... parts) {
  if (c.halted()) return;
  Turns turns;
  detail::run_parts(c, turns, c, 0, parts...);
}

}  // namespace irgl
