// What two rows have in common, counted by whole warps: as common.cuh, of which one thread searches alone.
//
//     irgl::Asked asked;                 every lane has one, which asks of nothing yet
//     asked.ask(g, n, m, below)          of a lane that wants to know
//     asked.meet(g)                      all lanes: asked.found is what common(g, n, m, below) is, of those that asked
// The elements of the lanes' shorter rows lie in a row of their own, which the lanes take 32 at a time, whosever they
// are: each searches its element in the longer row by halves. So lanes whose rows are short wait for nobody, and what
// neighbouring lanes load lies close together. O(a log b) steps for each lane's rows of a and b edges, shared by 32.
#pragma once
#include "collective.cuh"
#include "common.cuh"

namespace irgl {

struct Asked {
  edge_t row = 0, size = 0, long_row = 0, long_size = 0;
  int32_t found = 0;
  bool asks = false;

  IRGL_DEVICE void ask(const Csr& g, node_t n, node_t m, node_t below = highest<node_t>()) {
    asks = true;
    row = g.row[n], size = degree(g.out(), n);
    long_row = g.row[m], long_size = degree(g.out(), m);
    if (size > long_size) {
      const edge_t r = row, s = size;
      row = long_row, size = long_size;
      long_row = r, long_size = s;
    }
    const node_t* const first = g.cols + row;
    if (below != highest<node_t>()) size = edge_t(Binary::from(first, first + size, below) - first);
  }
  IRGL_DEVICE void meet(const Csr& g) {
    using U = std::make_unsigned_t<edge_t>;  // enough for where an element is in its row
    const Place place = warp_place(counter_t(size));
    for (counter_t done = 0; done < place.total; done += warp_size) {
      const unsigned first = taken_before(place.before, done), last = taken_before(place.before + size_t(size), done);
      const unsigned owner = warp_find(first, lane_id());
      const edge_t its = edge_t(U(done) + lane_id() - shuffle(U(place.before), owner)), at = shuffle(row, owner) + its;
      const node_t* const in = g.cols + shuffle(long_row, owner);
      const node_t* const end = in + shuffle(long_size, owner);
      bool is_common = false;
      if (done + lane_id() < place.total && (its == 0 || g.cols[at - 1] != g.cols[at])) {  // each node once
        const node_t* const p = Binary::from(in, end, g.cols[at]);
        is_common = p != end && *p == g.cols[at];
      }
      const unsigned votes = __ballot_sync(all_lanes, is_common);
      found += __popc(votes & (first_lanes(last) & ~first_lanes(first)));
    }
  }

 private:
  // Of 32 elements from `done` on, how many come before the element `k`.
  IRGL_DEVICE static unsigned taken_before(counter_t k, counter_t done) {
    return k <= done ? 0 : k - done < warp_size ? unsigned(k - done) : warp_size;
  }
  IRGL_DEVICE static unsigned first_lanes(unsigned count) { return count < warp_size ? (1u << count) - 1 : all_lanes; }
};

}  // namespace irgl
