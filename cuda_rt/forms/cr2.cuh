// cr2: pieces of 1 to 32 edges, inside clusters by short ids, across by ids of nodes (irgl/forms/cr2.py). As rows: the
// pieces of a node are as many of 32 as there are, and one for each bit of the rest, so that an edge's piece is known.
// As a sweep: the pieces of a part's nodes, the longest first. So each has lanes of one warp, which add up its sum.
#pragma once
#include "../row_form.cuh"
#include "../swept.cuh"

namespace irgl {
namespace forms {

struct cr2 : RowForm {
  static constexpr bool shared = true;
  static constexpr int lengths = 6;
  static constexpr edge_t longest = 32;
  int bits = 16;
  edge_t inside = 0;
  edge_t clusters = 0;
  node_t part_size = 1;
  const void *near_here = nullptr, *far_here = nullptr;
  const node_t *near_across = nullptr, *far_across = nullptr;
  const edge_t *starts = nullptr, *begins = nullptr;  // of the table
  const edge_t* pointed = nullptr;  // of each node, or else of each part
  const uint32_t* pointers = nullptr;
  cr2() = default;
  cr2(const irgl_form& f, const Rows& r)
      : RowForm(f, r), bits(int(f.numbers[0])), inside(edge_t(f.numbers[3])), clusters(edge_t(f.numbers[1])),
        part_size(node_t(f.numbers[2])), near_here(f.arrays[0]), far_here(f.arrays[1]),
        near_across(static_cast<const node_t*>(f.arrays[2])), far_across(static_cast<const node_t*>(f.arrays[3])),
        starts(static_cast<const edge_t*>(f.arrays[4])), begins(starts + lengths * (clusters + 1)),
        pointed(begins + 4 * (lengths + 1)), pointers(static_cast<const uint32_t*>(f.arrays[5])) {}

  IRGL_DEVICE node_t local(const void* ids, edge_t at) const {
    return bits == 8 ? node_t(static_cast<const uint8_t*>(ids)[at]) : node_t(static_cast<const uint16_t*>(ids)[at]);
  }
  IRGL_DEVICE edge_t piece(bool across, int d) const { return begins[across * 2 * (lengths + 1) + d]; }
  IRGL_DEVICE edge_t place(bool across, int d) const { return begins[(across * 2 + 1) * (lengths + 1) + d]; }
  IRGL_DEVICE edge_t start(int d, node_t cluster) const { return starts[d * (clusters + 1) + edge_t(cluster)]; }

  struct Row {
    node_t near = 0;
    edge_t count = 0, here = 0, first = 0;  // edges; those inside; the first pointer
    IRGL_DEVICE size_t size() const { return size_t(count); }
  };
  // Edges inside are counted by their pieces, whose lengths fall: all are of 32 but for five at the end.
  IRGL_DEVICE Row row(node_t n) const {
    const edge_t first = pointed[n];
    edge_t lo = first, hi = pointed[n + 1];
    while (lo < hi) {
      const edge_t middle = lo + (hi - lo) / 2;
      if (pointers[middle] >> 31 == 0) lo = middle + 1;
      else hi = middle;
    }
    edge_t here = 0;
    for (; lo > first; --lo) {
      const unsigned d = pointers[lo - 1] >> 28 & 7;
      if (d == lengths - 1) break;
      here += edge_t(1) << d;
    }
    return {n, degree(rows, n), here + (lo - first) * longest, first};
  }

  struct Reader {  // remembers the piece that it is in
    size_t begin = 0, length = 0;  // its first edge among the row's, how many it has
    edge_t from = 0;               // its first edge among those of the kind
    IRGL_DEVICE Placed at(const cr2& f, const Row& row, size_t k) {
      if (k - begin >= length) find(f, row, edge_t(k));
      const edge_t at = from + edge_t(k - begin);
      if (edge_t(k) >= row.here) return {f.inside + at, f.far_across[at]};
      return {at, node_t((row.near >> f.bits) << f.bits | f.local(f.far_here, at))};
    }

   private:
    IRGL_DEVICE void find(const cr2& f, const Row& row, edge_t k) {
      const bool across = k >= row.here;
      edge_t pointer = row.first, count = row.here, i = k;
      if (across) pointer += pieces(row.here), count = row.count - row.here, i = k - row.here;
      int d = lengths - 1;
      pointer += i / longest;
      if (i / longest == count / longest) {  // of what is left: where i and the count part, the count has a bit
        d = 31 - __clz(int(i ^ count) & (longest - 1));
        pointer += __popc(unsigned(count & (longest - 1)) >> (d + 1));
      }
      const uint32_t told = f.pointers[pointer];
      edge_t number = edge_t(told & ((1u << 28) - 1));
      if (!across) number += f.start(d, row.near >> f.bits);
      length = size_t(1) << d;
      begin = size_t(k) - (size_t(i) & (length - 1));
      from = f.place(across, d) + (number << d);
    }
    static IRGL_DEVICE edge_t pieces(edge_t count) {
      return count / longest + __popc(unsigned(count & (longest - 1)));
    }
  };

  IRGL_DEVICE node_t node(size_t row) const { return node_t(row); }
  IRGL_DEVICE Interval<edge_t> numbers(size_t part) const {
    const node_t first = node_t(part) * part_size, left = rows.n - first;
    return {0, rows.row[first + (left < part_size ? left : part_size)] - rows.row[first]};
  }

  struct Part {  // remembers of which kind and length the pieces are that it is in, and the number behind theirs
    const cr2& form;
    const edge_t part;
    int group = -1;
    edge_t end = 0;
    edge_t edges = 0, bases = 0;  // what makes of a number the place of an edge of the kind, and, by pieces, of a base
    IRGL_DEVICE Part(const cr2& f, size_t of) : form(f), part(edge_t(of)) {}
    IRGL_DEVICE Met at(size_t number) {
      while (edge_t(number) >= end) next();
      const edge_t at = edges + edge_t(number), base = bases + (edge_t(number) >> d());
      if (across()) return {unsigned(form.near_across[base] - first()), form.far_across[at], form.inside + at};
      const node_t near = near_of(base);
      return {unsigned(near - first()), node_t((near >> form.bits) << form.bits | form.local(form.far_here, at)), at};
    }

   private:
    IRGL_DEVICE int d() const { return lengths - 1 - group / 2; }
    IRGL_DEVICE bool across() const { return group % 2 != 0; }
    IRGL_DEVICE node_t first() const { return node_t(part) * form.part_size; }
    // A part of more nodes than a cluster has may have several of one short id.
    IRGL_DEVICE node_t near_of(edge_t base) const {
      const node_t size = node_t(1) << form.bits;
      node_t near = first() + ((form.local(form.near_here, base) - first()) & (size - 1));
      if (form.part_size > size)
        while (base - form.piece(false, d()) >= form.start(d(), (near >> form.bits) + 1)) near += size;
      return near;
    }
    IRGL_DEVICE void next() {  // the numbers of a length's first edges are multiples of it
      ++group;
      const edge_t* const pieces = form.pointed + 2 * lengths * part + across() * lengths + d();
      const edge_t from = pieces[0], to = pieces[2 * lengths];
      edges = form.place(across(), d()) + (from << d()) - end;
      bases = form.piece(across(), d()) + from - (end >> d());
      end += (to - from) << d();
    }
  };
};

}  // namespace forms
}  // namespace irgl
