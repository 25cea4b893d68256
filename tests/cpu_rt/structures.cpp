#include "cases.hpp"
#include "counts.hpp"
#include "sort.hpp"
#include "union_find.hpp"

CASE(an_atomic_block_excludes) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  irgl::Locks locks(c, 10);
  int64_t counter[10] = {};
  irgl::for_each(c, irgl::range<int>(0, 20000), [&](irgl::Thread& t, auto&, int i) {
    irgl::Lock held(locks, t, size_t(i % 10));
    counter[i % 10] += 1;
  });
  for (int64_t x : counter) CHECK(x == 2000);
}
CASE(an_atomic_block_with_else_runs_one_of_the_two) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  irgl::Locks locks(c, 1);
  int64_t inside = 0, outside = 0;
  irgl::for_each(c, irgl::range<int>(0, 20000), [&](irgl::Thread& t, auto&, int) {
    irgl::TryLock held(locks, t, 0);
    if (held) inside += 1;
    else irgl::atomic_add(outside, 1);
  });
  CHECK(inside + outside == 20000 && inside > 0);
}
CASE(a_lock_held_by_the_thread_itself_is_not_released_early) {
  irgl::Runtime c(2);
  irgl::Locks locks(c, 1);
  irgl::Lock outer(locks, c.host(), 0);
  { irgl::Lock again(locks, c.host(), 0); }
  irgl::TryLock other(locks, c.thread(1), 0);
  CHECK(!other);
}
CASE(a_lock_taken_again_with_else_is_not_released_early) {
  irgl::Runtime c(2);
  irgl::Locks locks(c, 1);
  irgl::Lock outer(locks, c.host(), 0);
  { irgl::TryLock again(locks, c.host(), 0); CHECK(again); }
  irgl::TryLock other(locks, c.thread(1), 0);
  CHECK(!other);
}
CASE(exclusive_takes_all_elements_or_none) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  constexpr int n = 64;
  irgl::Locks locks(c, n);
  int64_t value[n] = {};
  int64_t done = 0;
  irgl::list<int> failed(c);
  const auto op = [&](irgl::Thread& t, auto&, int i, int64_t& done) {
    const int around[5] = {i % n, (i * 7 + 1) % n, (i * 3 + 5) % n, i % n, (i + 1) % n};
    irgl::Exclusive mine(locks, t);
    mine.add(around, 5);
    if (mine) {
      for (int x : around) value[x] += 1;
      ++done;
    } else {
      failed.push(t, i);
    }
  };
  irgl::for_each(c, irgl::range<int>(0, 20000), irgl::sum(done), op);
  CHECK(done + int64_t(failed.size()) == 20000 && done > 0);
  int64_t sum = 0;
  for (int64_t x : value) sum += x;
  CHECK(sum == 5 * done);
  for (size_t i = 0; i < locks.size(); ++i) CHECK(bool(irgl::TryLock(locks, c.host(), i)));
}
CASE(in_a_conflict_the_higher_thread_fails) {
  irgl::Runtime c(3);
  irgl::Locks locks(c, 4);
  irgl::Exclusive low(locks, c.thread(0)), high(locks, c.thread(2));
  CHECK(low.add(2) && !high.add(2) && !high && low);
}
CASE(a_failed_exclusive_frees_what_it_had_taken) {
  irgl::Runtime c(3);
  irgl::Locks locks(c, 4);
  irgl::Exclusive low(locks, c.thread(0));
  low.add(3);
  irgl::Exclusive high(locks, c.thread(1));
  const int both[2] = {1, 3};
  CHECK(!high.add(both, 2) && bool(irgl::TryLock(locks, c.thread(2), 1)));
}
CASE(a_scratch_set_is_empty_for_the_next_item) {
  irgl::Runtime c(1);
  for (node_t k = 0; k < 3; ++k) {
    auto marks = irgl::scratch_bytemap(c.host(), 100 * size_t(k + 1));
    for (node_t x = 0; x < 100; ++x) CHECK(!marks.contains(x));
    for (node_t x = k; x < 100; x += 2) marks.insert(x);
    marks.erase(k);
    CHECK(!marks.contains(k) && marks.contains(k + 2));
    auto second = irgl::scratch_bytemap(c.host(), 100);
    CHECK(!second.contains(k + 2));
    second.insert(1);
    marks.clear();
    CHECK(!marks.contains(k + 2) && second.contains(1));
  }
}

// A random undirected simple graph as a Csr with sorted rows.
struct Random : irgl::Csr {
  irgl::Array<edge_t> rows;
  irgl::Array<node_t> columns;
  bool has[60][60] = {};
  explicit Random(int percent) : rows(61), columns(3600) {
    for (int a = 0; a < 60; ++a)
      for (int b = 0; b < a; ++b) has[a][b] = has[b][a] = int(irgl::hash(uint64_t(a * 60 + b)) % 100) < percent * (a % 7 == 0 ? 3 : 1);
    n = 60;
    for (int a = 0; a < 60; ++a) {
      rows[size_t(a)] = m;
      for (int b = 0; b < 60; ++b)
        if (has[a][b]) columns[size_t(m++)] = b;
    }
    rows[60] = m;
    row = in_row = rows.data();
    cols = in_cols = columns.data();
  }
};
CASE(oriented_keeps_each_edge_once_towards_the_higher_degree) {
  const Random g(20);
  irgl::Runtime c(3);
  c.serial_work = 0;
  const irgl::OwnedGraph h = irgl::oriented(c, g);
  CHECK(h.csr.n == 60 && h.csr.m * 2 == g.m);
  for (node_t u = 0; u < 60; ++u) {
    CHECK(h.new_id[size_t(h.old_id[size_t(u)])] == u);
    CHECK(u == 0 || irgl::degree(g.out(), h.old_id[size_t(u - 1)]) >= irgl::degree(g.out(), h.old_id[size_t(u)]));
    for (edge_t e : irgl::edges(h.csr.out(), u)) {
      CHECK(h.csr.cols[e] < u && g.has[h.old_id[size_t(u)]][h.old_id[size_t(h.csr.cols[e])]]);
      CHECK(e == h.csr.row[u] || h.csr.cols[e - 1] < h.csr.cols[e]);
    }
  }
}
CASE(relabel_keeps_every_edge_and_tells_where_it_was) {
  const Random g(20);
  irgl::Runtime c(3);
  c.serial_work = 0;
  const irgl::OwnedGraph h = irgl::relabel(c, g, irgl::degree_order(c, g));
  CHECK(h.csr.m == g.m);
  for (node_t u = 0; u < 60; ++u)
    for (edge_t e : irgl::edges(h.csr.out(), u)) {
      const edge_t old = h.old_edge[size_t(e)];
      const node_t v = h.old_id[size_t(u)];
      CHECK(g.row[v] <= old && old < g.row[v + 1] && irgl::other(g.out(), old) == h.old_id[size_t(h.csr.cols[e])]);
      CHECK(e == h.csr.row[u] || h.csr.cols[e - 1] < h.csr.cols[e]);
    }
}
CASE(transpose_turns_every_edge) {
  const Star g(500);
  irgl::Runtime c(3);
  c.serial_work = 0;
  const irgl::OwnedGraph h = irgl::transpose(c, g);
  CHECK(h.csr.m == g.m && irgl::degree(h.csr.out(), 0) == 500 && irgl::degree(h.csr.out(), 7) == 1);
  for (node_t v = 0; v < g.n; ++v)
    for (edge_t e : irgl::edges(h.csr.out(), v)) {
      const edge_t old = h.old_edge[size_t(e)];
      const node_t source = h.csr.cols[e];
      CHECK(irgl::other(g.out(), old) == v && g.row[source] <= old && old < g.row[source + 1]);
    }
}
CASE(merge_sort_sorts_any_length) {
  for (size_t count = 0; count < 300; ++count) {
    uint64_t data[300], spare[300];
    for (size_t i = 0; i < count; ++i) data[i] = irgl::hash(i + count) % 50;
    irgl::detail::merge_sort(data, spare, count);
    for (size_t i = 1; i < count; ++i) CHECK(data[i - 1] <= data[i]);
  }
}
CASE(sort_sorts_any_length) {
  for (int64_t count = 0; count < 100; ++count) {
    double data[100];
    for (int64_t i = 0; i < count; ++i) data[i] = i % 7 == 5 ? 0.0 / 0.0 : i % 7 == 3 ? -0.0 : double(i * 37 % 19) - 9;
    irgl::sort(data, count);
    for (int64_t i = 1; i < count; ++i) CHECK(!irgl::detail::comes_before(data[i], data[i - 1]));
  }
}
CASE(counts_are_those_of_a_table_whatever_the_order_of_keys) {
  irgl::Runtime c(1);
  for (int64_t kinds : {1, 5, 17, 18, 300, 3000}) {
    irgl::Counts<int64_t> counts(c, -1);
    CHECK(counts.most_frequent() == -1 && counts.get(3) == 0 && counts.size() == 0);
    irgl::Array<int64_t> table(size_t(kinds), true);
    irgl::Array<bool> there(size_t(kinds), true);
    int64_t size = 0, best = -1;
    for (int64_t i = 0; i < 2 * kinds; ++i) {
      const int64_t key = int64_t(irgl::hash(uint64_t(i)) % uint64_t(kinds));
      counts.add(key, i % 5 - 1);
      table[size_t(key)] += i % 5 - 1;
      size += !there[size_t(key)];
      there[size_t(key)] = true;
      CHECK(counts.get(key) == table[size_t(key)] && counts.size() == size);
    }
    size_t place = 0;
    for (int64_t key = 0; key < kinds; ++key)
      if (there[size_t(key)]) {
        CHECK(counts.item_at(place) == key && counts.get(key) == table[size_t(key)]);
        if (best < 0 || table[size_t(key)] > table[size_t(best)]) best = key;
        ++place;
      }
    CHECK(counts.most_frequent() == best && counts.keys().size() == place);
    counts.clear();
    CHECK(counts.size() == 0 && counts.get(best) == 0);
  }
}
CASE(common_neighbours_are_found_in_rows_of_any_length) {
  for (edge_t length : {0, 1, 2, 9, 400}) {  // node 0 has every third node, node 1 every fifth one, twice
    irgl::Array<node_t> columns(size_t(500 + 2 * length));
    edge_t rows[4] = {0, 500, 500 + 2 * length, 500 + 2 * length};
    for (node_t i = 0; i < 500; ++i) columns[size_t(i)] = 3 * i;
    for (node_t i = 0; i < 2 * length; ++i) columns[size_t(500 + i)] = 5 * (i / 2);
    irgl::Csr g;
    g.n = 3, g.m = rows[3], g.row = rows, g.cols = columns.data();
    node_t expected = 0, seen = 0;
    for (const node_t w : irgl::common_nodes(g, 1, 0)) CHECK(w == 15 * seen++);
    while (expected * 15 < 5 * length && expected * 15 < 1500) ++expected;
    CHECK(seen == expected && irgl::common(g, 0, 1) == expected && irgl::common(g, 0, 2) == 0);
    CHECK(irgl::edge_to(g, 0, 30) == 10 && irgl::edge_to(g, 0, 31) == -1 && irgl::edge_to(g, 2, 0) == -1);
    CHECK(irgl::edge_to(g, 1, 0) == (length > 0 ? 500 : -1) && irgl::edge_to(g, 0, 1497) == 499);
  }
}

CASE(marks_of_a_row_are_not_those_of_the_next_graph_s_that_lies_there) {
  irgl::Runtime c(1);
  const edge_t row[] = {0, 3, 6, 8};
  node_t cols[] = {0, 1, 2, 1, 2, 4, 0, 1};
  irgl::Csr g;
  g.n = 5, g.m = 8, g.row = row, g.cols = cols;
  CHECK((irgl::common<irgl::Hash>(c.host(), g, 0, 1) == 2));
  CHECK((irgl::common<irgl::Hash>(c.host(), g, 0, 2) == 2));
  c.forget_rows();
  cols[0] = 2, cols[1] = 3, cols[2] = 4;
  CHECK((irgl::common<irgl::Hash>(c.host(), g, 0, 1) == 2));
  CHECK((irgl::common<irgl::Hash>(c.host(), g, 0, 2) == 0));
  const Star star(3);
  CHECK(c.host().near.begin == cols);
  const irgl::OwnedGraph h = irgl::oriented(c, star);
  CHECK(c.host().near.begin == nullptr);
}
CASE(the_row_that_is_asked_of_again_is_marked_whichever_comes_first) {
  irgl::Runtime c(1);
  Star star(40);
  irgl::Csr g = star;
  g.n += 1;  // node 41, which has the first forty others
  irgl::Array<edge_t> row(size_t(g.n) + 1);
  irgl::Array<node_t> cols(size_t(g.m) + 40);
  for (node_t v = 0; v < g.n; ++v) row[size_t(v)] = star.rows[size_t(v)];
  for (edge_t e = 0; e < g.m; ++e) cols[size_t(e)] = star.columns[size_t(e)];
  for (node_t v = 0; v < 40; ++v) cols[size_t(g.m + v)] = v;
  row[size_t(g.n)] = g.m + 40;
  g.m += 40, g.row = row.data(), g.cols = cols.data();
  irgl::Thread& t = c.host();
  CHECK(irgl::common(t, g, 1, 41) == 1 && t.near.begin == nullptr);
  CHECK(irgl::common(t, g, 2, 41) == 1 && t.near.begin == g.cols + g.row[41]);
  CHECK(irgl::common(t, g, 41, 0) == 39 && t.near.begin == g.cols + g.row[41]);
  CHECK((irgl::common<irgl::Hash>(t, g, 41, 0, 12) == 11));
  CHECK(irgl::common(t, g, 3, 0) == 0 && t.near.begin == g.cols + g.row[0]);
}
CASE(every_way_finds_what_two_rows_share) {
  irgl::Runtime c(1);
  uint64_t draw = 3;
  for (int turn = 0; turn < 300; ++turn) {
    node_t cols[160];
    edge_t row[3] = {};
    bool in[2][40] = {};
    for (int k = 0; k < 2; ++k) {
      draw = draw * 6364136223846793005u + 1;
      const edge_t many = edge_t((draw >> 33) % (turn % 2 == k ? 80 : 6));
      for (edge_t i = 0; i < many; ++i) {
        draw = draw * 6364136223846793005u + 1;
        cols[row[k] + i] = node_t((draw >> 33) % 40);
        in[k][cols[row[k] + i]] = true;
      }
      row[k + 1] = row[k] + many;
      node_t spare[80];
      irgl::detail::merge_sort(cols + row[k], spare, size_t(many));
    }
    irgl::Csr g;
    g.n = 2, g.m = row[2], g.row = row, g.cols = cols;
    for (node_t below : {node_t(-1), node_t(0), node_t(17), node_t(40)}) {
      int right = 0, seen = 0;
      for (node_t x = 0; x < 40; ++x) right += in[0][x] && in[1][x] && x < below;
      CHECK(irgl::common(g, 0, 1, below) == right && irgl::common(g, 1, 0, below) == right);
      CHECK(irgl::common<irgl::Merge>(g, 0, 1, below) == right);
      CHECK(irgl::common<irgl::Gallop>(g, 0, 1, below) == right);
      CHECK(irgl::common<irgl::Binary>(g, 0, 1, below) == right);
      for (node_t x : irgl::common_nodes<irgl::Merge>(g, 0, 1, below)) seen += in[0][x] && in[1][x] && x < below;
      CHECK(seen == right);
    }
  }
}

CASE(sets_only_ever_become_one_while_many_threads_unite_and_ask) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  constexpr int64_t count = 4000;
  for (int round = 0; round < 20; ++round) {
    irgl::union_find sets(c);
    sets.resize(count);
    int64_t joined = 0, wrong = 0;
    irgl::for_each(c, irgl::range<int>(0, 20000), [&](irgl::Thread& t, auto&, int i) {
      const uint64_t mixed = uint64_t(i + 20000 * round + 1) * 0x9e3779b97f4a7c15u;
      const int64_t a = int64_t(mixed >> 40) % count, b = int64_t(mixed >> 16 & 0xffffff) % count;
      const bool before = sets.same(a, b);
      const int64_t root = sets.find(a);
      const bool now = i % 3 != 0 && sets.unite(t, a, b);
      if (now) irgl::atomic_add(joined, 1);
      const bool lost = (before || i % 3 != 0) && !sets.same(a, b);
      if (lost || (before && now) || root > a || sets.find(a) > root) irgl::atomic_add(wrong, 1);
    });
    int64_t roots = 0;
    for (int64_t a = 0; a < count; ++a) roots += sets.find(a) == a;
    CHECK(wrong == 0 && roots + joined == count);
  }
}

int main(int argc, char** argv) {
  for (Case* one = Case::first(); one != nullptr; one = one->next) {
    if (argc < 2) puts(one->name);
    else if (strcmp(one->name, argv[1]) == 0) return one->run(), 0;
  }
  return argc < 2 ? 0 : 2;
}
