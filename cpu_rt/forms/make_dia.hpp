// Makes dia of rows (irgl/forms/dia.py). `table` has a number for each difference of ends, from 1 - n on: how many
// edges have it, and -1 - k once it is known to be diagonal k.
#pragma once
#include <algorithm>
#include <vector>

#include "../in_turns.hpp"

namespace irgl {
namespace dia_ {

inline int64_t places_of(int64_t n, int64_t slant) { return slant < n ? slant + 1 : 2 * n - 1 - slant; }

// Counts for all threads in one table. What comes often is counted here first: on a grid all threads would have the
// same few counters.
class Counter {
 public:
  explicit Counter(edge_t* table) : table_(table), sets_(size_t(1) << bits) {}
  ~Counter() {
    for (const Set& set : sets_) put(set.often), put(set.other);
  }
  void operator()(int64_t slant) {
    Set& set = sets_[uint64_t(slant) * 0x9E3779B97F4A7C15u >> (64 - bits)];
    if (set.often.slant == slant) {
      ++set.often.count;
      return;
    }
    if (set.other.slant != slant) {
      put(set.other);
      set.other = {slant, 0};
    }
    if (++set.other.count > set.often.count) std::swap(set.often, set.other);
  }

 private:
  static constexpr int bits = 8;
  struct One { int64_t slant = -1, count = 0; };
  struct Set { One often, other; };
  void put(const One& one) {
    if (one.slant >= 0) __atomic_fetch_add(&table_[one.slant], edge_t(one.count), __ATOMIC_RELAXED);
  }
  edge_t* table_;
  std::vector<Set> sets_;
};

// The differences that as many edges have as fill half of their places, in ascending order.
inline std::vector<int64_t> candidates(int64_t n, const edge_t* table) {
  constexpr int64_t many = 1 << 16;  // at a time
  std::vector<int64_t> found;
  in_turns((2 * n - 1 + many - 1) / many, [&, n, table](int64_t turn) {
    const int64_t end = std::min(2 * n - 1, (turn + 1) * many);
    for (int64_t s = turn * many; s < end; ++s)
      if (table[s] != 0 && 2 * int64_t(table[s]) >= places_of(n, s)) {
#pragma omp critical(irgl_make_dia)
        found.push_back(s);
      }
  });
  std::sort(found.begin(), found.end());
  return found;
}

// Calls stands(k, v, e) for each edge of nodes from..to-1 on a diagonal of the table, rest(v, e) for the others, in
// their order. Of parallel edges the first one stands.
template <class Stands, class Rest>
IRGL_INLINE void each(int64_t n, int64_t count, int64_t from, int64_t to, const edge_t* row, const node_t* cols,
                      const edge_t* table, Stands&& stands, Rest&& rest) {
  std::vector<int64_t> last(size_t(count), -1);  // the node that had an edge on the diagonal
  for (int64_t v = from; v < to; ++v)
    for (edge_t e = row[v]; e < row[v + 1]; ++e) {
      const int64_t k = count == 0 ? -1 : -1 - int64_t(table[int64_t(cols[e]) - v + (n - 1)]);
      if (k < 0 || last[size_t(k)] == v) {
        rest(v, e);
        continue;
      }
      last[size_t(k)] = v;
      stands(k, v, e);
    }
}

// held: how many edges stand on each of the table's diagonals; rest: how many of each part on none.
inline void hold(int64_t n, int64_t count, int64_t parts, const edge_t* first, const edge_t* row, const node_t* cols,
                 const edge_t* table, int64_t* held, edge_t* rest) {
  in_turns(parts, [=](int64_t p) {
    rest[p] = row[first[p + 1]] - row[first[p]];
    if (count == 0) return;
    std::vector<int64_t> here(static_cast<size_t>(count));
    each(n, count, first[p], first[p + 1], row, cols, table, [&](int64_t k, int64_t, edge_t) { ++here[size_t(k)]; },
         [](int64_t, edge_t) {});
    for (int64_t k = 0; k < count; ++k) {
      if (here[size_t(k)] == 0) continue;
      rest[p] -= edge_t(here[size_t(k)]);
      __atomic_fetch_add(&held[k], here[size_t(k)], __ATOMIC_RELAXED);
    }
  });
}

}  // namespace dia_
}  // namespace irgl

// Finds the diagonals, and how many there are. slant: each one's difference of ends, counted from 1 - n; held: how many
// edges stand on it; rest: how many edges of each part stand on none. table: 2n - 1 zeros.
extern "C" int64_t irgl_find_dia(int64_t n, int64_t parts, const irgl::edge_t* first, const irgl::edge_t* row,
                                 const irgl::node_t* cols, irgl::edge_t* table, int64_t* slant, int64_t* held,
                                 irgl::edge_t* rest) {
  using namespace irgl;
  int64_t next = 0;
#pragma omp parallel
  {
    dia_::Counter counter(table);
    for (int64_t p; (p = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < parts;)
      for (edge_t v = first[p]; v < first[p + 1]; ++v)
        for (edge_t e = row[v]; e < row[v + 1]; ++e) counter(int64_t(cols[e]) - v + (n - 1));
  }
  std::vector<int64_t> found = n == 0 ? std::vector<int64_t>() : dia_::candidates(n, table);
  for (bool all = false; !all;) {  // and once more without those that parallel edges alone have filled by half
    const int64_t count = int64_t(found.size());
    for (int64_t k = 0; k < count; ++k) table[found[size_t(k)]] = edge_t(-1 - k);
    std::fill(held, held + count, 0);
    dia_::hold(n, count, parts, first, row, cols, table, held, rest);
    std::vector<int64_t> kept;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t s = found[size_t(k)];
      if (2 * held[k] >= dia_::places_of(n, s)) kept.push_back(s);
      else table[s] = 0;
    }
    all = kept.size() == found.size();
    found = kept;
  }
  std::copy(found.begin(), found.end(), slant);
  return int64_t(found.size());
}

// Fills the places of `count` diagonals and of the rest. slant as found; bits: of each its first word, -1: it is full;
// place: its first place, and behind the last where those of the rest begin; begin: of each part its first edge of the
// rest. words: zeros. edge: may be null.
extern "C" void irgl_make_dia(int64_t n, int64_t count, int64_t parts, const irgl::edge_t* first,
                              const irgl::edge_t* row, const irgl::node_t* cols, const irgl::edge_t* table,
                              const int64_t* slant, const int64_t* bits, const int64_t* place,
                              const irgl::edge_t* begin, uint64_t* words, irgl::node_t* near, irgl::node_t* far,
                              irgl::edge_t* edge) {
  using namespace irgl;
  struct Word { int64_t index = -1; uint64_t bits = 0; };
  in_turns(parts, [=](int64_t p) {
    std::vector<Word> open(static_cast<size_t>(count));  // of each diagonal the word that is being filled
    std::vector<int64_t> low(static_cast<size_t>(count));
    for (int64_t k = 0; k < count; ++k) {
      low[size_t(k)] = std::max<int64_t>(0, n - 1 - slant[k]);
      const int64_t places = place[k + 1] - place[k];
      const int64_t from = std::clamp<int64_t>(first[p] - low[size_t(k)], 0, places);
      const int64_t to = std::clamp<int64_t>(first[p + 1] - low[size_t(k)], 0, places);
      if (edge != nullptr && bits[k] >= 0) std::fill(edge + place[k] + from, edge + place[k] + to, edge_t(-1));
    }
    const auto put = [=](const Word& word) {  // parts share words
      if (word.bits != 0) __atomic_fetch_or(&words[word.index], word.bits, __ATOMIC_RELAXED);
    };
    edge_t at = begin[p];
    dia_::each(n, count, first[p], first[p + 1], row, cols, table,
               [&](int64_t k, int64_t v, edge_t e) {
                 const int64_t i = v - low[size_t(k)];
                 if (edge != nullptr) edge[place[k] + i] = e;
                 if (bits[k] < 0) return;
                 Word& word = open[size_t(k)];
                 if (word.index != bits[k] + (i >> 6)) put(word), word = {bits[k] + (i >> 6), 0};
                 word.bits |= uint64_t(1) << (i & 63);
               },
               [&](int64_t v, edge_t e) {
                 near[at] = node_t(v), far[at] = cols[e];
                 if (edge != nullptr) edge[place[count] + at] = e;
                 ++at;
               });
    for (const Word& word : open) put(word);
  });
}
