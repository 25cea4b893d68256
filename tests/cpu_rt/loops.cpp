#include "cases.hpp"

CASE(every_item_is_visited_once) {
  for (int threads = 1; threads <= 4; ++threads)
    for (int count : {0, 1, 63, 64, 65, 5000, 100001}) {
      irgl::Runtime c(threads);
      c.serial_work = 10;
      irgl::Array<int> seen(size_t(count) + 1, true);
      irgl::for_each(c, irgl::range<int>(3, 3 + count), [&](irgl::Thread&, auto&, int i) { irgl::atomic_add(seen[size_t(i - 3)], 1); });
      for (int i = 0; i < count; ++i) CHECK(seen[size_t(i)] == 1);
    }
}
CASE(what_is_taken_from_others_is_visited_once) {
  for (int round = 0; round < 50; ++round) {
    irgl::Runtime c(4);
    c.serial_work = 0;
    c.chunk_work = 64;
    irgl::Array<int> seen(20000, true);
    irgl::for_each(c, irgl::range<int>(0, 20000), [&](irgl::Thread& t, auto&, int i) {
      for (volatile int k = 0; k < (t.id == round % 4 ? 200 : 1);) k = k + 1;  // one thread is slow
      irgl::atomic_add(seen[size_t(i)], 1);
    });
    for (int i = 0; i < 20000; ++i) CHECK(seen[size_t(i)] == 1);
  }
}
CASE(a_share_is_taken_from_both_ends_until_none_is_left) {
  irgl::Share share;
  share.set(3, 6);
  size_t chunk = 0;
  CHECK(share.last(chunk) && chunk == 5);
  CHECK(share.first(chunk) && chunk == 3);
  CHECK(share.last(chunk) && chunk == 4);
  CHECK(!share.first(chunk) && !share.last(chunk));
}
CASE(both_who_come_for_the_last_chunk_do_not_get_it) {
  for (int round = 0; round < 2000; ++round) {
    irgl::Share share;
    share.set(0, 40);
    int taken[40] = {};
#pragma omp parallel num_threads(3)
    for (size_t chunk; omp_get_thread_num() == 0 ? share.first(chunk) : share.last(chunk);) irgl::atomic_add(taken[chunk], 1);
    for (int times : taken) CHECK(times == 1);
  }
}
CASE(threads_begin_with_the_items_that_they_pushed) {
  irgl::Runtime c(2);
  c.serial_work = 0;  // nobody goes on before both have their first chunk
  irgl::list<int> wl(c);
  for (int i = 0; i < 1000; ++i) wl.push(c.thread(i < 700 ? 0 : 1), i);
  int first[2] = {-1, -1};
  irgl::for_each(c, wl.items(), [&](irgl::Thread& t, auto&, int i) {
    if (first[t.id] < 0) first[t.id] = i;
  });
  CHECK(first[0] == 0 && first[1] > 700 - 64 && first[1] < 700 + 64);  // a chunk holds about 64
}
CASE(what_one_thread_has_pushed_nearly_all_of_is_dealt_evenly) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  irgl::list<int> wl(c);
  for (int i = 0; i < 4000; ++i) wl.push(c.thread(0), i);
  wl.push(c.thread(3), 4000);
  int first[4] = {-1, -1, -1, -1};
  irgl::for_each(c, wl.items(), [&](irgl::Thread& t, auto&, int i) {
    if (first[t.id] < 0) first[t.id] = i;
  });
  for (int i = 0; i < 4; ++i) CHECK(first[i] >= 900 * i && first[i] <= 1100 * i);
}
CASE(weighted_chunks_cover_every_node_once) {
  const Star g(3000);
  irgl::Runtime c(3);
  c.serial_work = 0;
  c.chunk_work = 50;
  irgl::Array<int> seen(size_t(g.n), true);
  irgl::for_each(c, irgl::by_degree(g.out(), irgl::nodes(g, 1, g.n)), [&](irgl::Thread&, auto&, node_t v) { irgl::atomic_add(seen[size_t(v)], 1); });
  for (node_t v = 0; v < g.n; ++v) CHECK(seen[size_t(v)] == (v > 0));
}
CASE(what_is_asked_for_ahead_of_a_list_is_in_it) {
  const int items[] = {7, 3, 9};
  for (size_t count = 0; count <= 3; ++count) {
    int run = 0;
    irgl::detail::run_ahead(items, items + count, [&](int x) { CHECK(x == items[run++]); }, [&](int far, int near) {
      CHECK(far == items[count - 1] && near == items[count - 1]);
    });
    CHECK(run == int(count));
  }
}
CASE(chunks_begin_at_whole_words_of_ids) {
  const Star g(3000);
  const auto plain = irgl::range<node_t>(10, 3000);
  const auto weighted = irgl::by_degree(g.out(), irgl::nodes(g, 10, 3000));
  for (size_t k = 1; k < 40; ++k) {
    CHECK(plain.cut(40, k) == 0 || (10 + plain.cut(40, k)) % 64 == 0);
    CHECK(weighted.cut(40, k) == 0 || (10 + weighted.cut(40, k)) % 64 == 0);
    CHECK(weighted.cut(40, k - 1) <= weighted.cut(40, k));
  }
  CHECK(weighted.cut(40, 40) == 2990);
}
CASE(a_small_loop_wakes_no_thread) {
  irgl::Runtime c(2);
  int calls = 0;
  irgl::for_each(c, irgl::range<int>(0, 100), [&](irgl::Thread& t, auto&, int) { calls += t.id == 0; });
  CHECK(calls == 100 && c.stats.parallel_loops == 0 && c.stats.serial_loops == 1);
}
CASE(reducers_combine_with_what_the_target_held) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  int64_t total = 7;
  int least = 50, most = 5000;
  bool any = false, all = true;
  irgl::for_each(c, irgl::range<int>(100, 4100), irgl::sum(total), irgl::min_of(least), irgl::max_of(most), irgl::any(any), irgl::all(all),
                 [](irgl::Thread&, auto&, int i, int64_t& s, int& lo, int& hi, bool& some, bool& every) {
                   s += i;
                   irgl::plain_min(lo, i);
                   irgl::plain_max(hi, i);
                   some |= i == 777;
                   every &= i != 778;
                 });
  CHECK(total == 7 + 4000 * (100 + 4099) / 2 && least == 50 && most == 5000 && any && !all);
}
CASE(over_no_items_any_is_false_and_all_is_true) {
  irgl::Runtime c(2);
  bool any = false, all = true;
  irgl::for_each(c, irgl::range<int>(5, 5), irgl::any(any), irgl::all(all), [](irgl::Thread&, auto&, int, bool& x, bool& y) { x = true, y = false; });
  CHECK(!any && all);
}
CASE(float_sum_of_a_nested_loop_adds_every_term_once) {
  for (node_t leaves : {0, 1, 63, 64, 65, 66, 67, 68, 1000}) {
    const Star g(leaves);
    irgl::Runtime c(1);
    double total = 0;
    irgl::for_each(c, irgl::nodes(g, 0, 1), irgl::sum(total), [&](irgl::Thread& t, auto& inner, node_t n, double& total) {
      double s = 0.5;
      inner.for_each(t, irgl::edges(g.out(), n), irgl::sum(s), [&](irgl::Thread&, auto&, edge_t e, double& s) { s += irgl::other(g.out(), e); });
      total += s;
    });
    CHECK(total == 0.5 + leaves * (leaves + 1) / 2.0);
  }
}

// One operator, whose items include a giant one: the sum over its edges, a location of its own, and pushes.
static void giant_node(size_t limit, int64_t giants) {
  const Star g(5000);
  irgl::Runtime c(3);
  c.serial_work = 0;
  c.giant = limit;
  irgl::Array<int64_t> own(size_t(g.n), true), reduced(size_t(g.n), true);
  irgl::list<node_t> pushed(c);
  int64_t total = 0;
  int64_t* const owned = own.data();
  int64_t* const sums = reduced.data();
  const irgl::Csr view = g.view();
  irgl::for_each(c, irgl::by_degree(view.out(), irgl::nodes(view)), irgl::sum(total), [=, &pushed](irgl::Thread& t, auto& inner, node_t n, int64_t& total) {
    int64_t mine = 0;
    inner.for_each(t, irgl::edges(view.out(), n), irgl::sum(mine), [&](irgl::Thread& t, auto&, edge_t e, int64_t& mine) {
      irgl::reduce_add<IRGL_SHARED(inner)>(owned[n], view.cols[e]);
      mine += view.cols[e];
      pushed.push(t, view.cols[e]);
    });
    sums[n] = mine;
    total += mine;
  });
  for (node_t v = 1; v < g.n; ++v) CHECK(own[size_t(v)] == 0 && reduced[size_t(v)] == 0);
  CHECK(own[0] == 5000 * 5001 / 2 && reduced[0] == own[0] && total == own[0]);
  CHECK(pushed.size() == size_t(g.m) && c.stats.giants == giants);
}
CASE(a_giant_node_is_run_by_all_threads) { giant_node(1000, 1); }
CASE(a_node_below_the_limit_is_not_a_giant) { giant_node(5000, 0); }
CASE(more_giants_than_are_kept_aside_all_run) {
  const Star g(2000);
  irgl::Runtime c(2);
  c.serial_work = 0;
  c.giant = 0;
  int64_t edges = 0;
  const irgl::Csr view = g.view();
  irgl::for_each(c, irgl::by_degree(view.out(), irgl::nodes(view)), irgl::sum(edges), [=](irgl::Thread& t, auto& inner, node_t n, int64_t& edges) {
    inner.for_each(t, irgl::edges(view.out(), n), irgl::sum(edges), [](irgl::Thread&, auto&, edge_t, int64_t& edges) { ++edges; });
  });
  CHECK(edges == g.m && c.stats.giants == 256);
}
CASE(a_sequential_for_breaks) {
  const Star g(10);
  int seen = 0;
  for (edge_t e : irgl::edges(g.out(), 0)) {
    if (irgl::other(g.out(), e) == 4) break;
    ++seen;
  }
  CHECK(seen == 3 && irgl::edges(g.out(), 0, 2, 5).size() == 3 && irgl::edges(g.out(), 1, 2, 9).size() == 0);
}
CASE(one_thread_runs_on_the_host) {
  irgl::Runtime c(1);
  c.serial_work = 0;
  int64_t s = 0;
  irgl::for_each(c, irgl::range<int>(0, 100000), irgl::sum(s), [](irgl::Thread& t, auto&, int i, int64_t& s) { s += i + t.id; });
  CHECK(s == int64_t(99999) * 50000 && c.stats.parallel_loops == 0);
}
CASE(ahead_tells_of_the_edge_so_many_places_further_on_and_of_none_beyond_the_last) {
  const Star g(100);
  irgl::Runtime c(2);
  for (node_t v = 0; v < g.n; ++v) {
    edge_t at = g.row[v], told = 0;
    const auto range = irgl::ahead<5>(g, irgl::edges(g.out(), v), [&](edge_t e) { told += e == at + 5 && e < g.m ? 1 : 1000; });
    irgl::SerialInner inner;
    inner.for_each(c.host(), range, [&](irgl::Thread&, auto&, edge_t e) { CHECK(e == at); ++at; });
    const edge_t most = g.m - 5 - g.row[v];
    CHECK(at == g.row[v + 1] && told == (most < 0 ? 0 : most < irgl::degree(g.out(), v) ? most : irgl::degree(g.out(), v)));
  }
}
CASE(ahead_keeps_the_edges_of_a_sum_in_four_chains_and_of_a_giant) {
  const Star g(5000);
  irgl::Runtime c(3);
  c.serial_work = 0;
  c.giant = 1000;
  double sum = 0;
  int64_t beyond = 0;
  irgl::for_each(c, irgl::by_degree(g.out(), irgl::nodes(g)), irgl::sum(sum), [&](irgl::Thread& t, auto& inner, node_t v, double& sum) {
    const auto soon = [&](edge_t e) { irgl::atomic_add(beyond, e >= g.m || e < 8); };
    inner.for_each(t, irgl::ahead<8>(g, irgl::edges(g.out(), v), soon), irgl::sum(sum), [&](irgl::Thread&, auto&, edge_t e, double& sum) { sum += e; });
  });
  CHECK(sum == double(g.m) * (g.m - 1) / 2 && beyond == 0 && c.stats.giants == 1);
}
CASE(first_edges_are_asked_for_of_no_node_beyond_the_last) {
  for (int leaves : {0, 1, 7, 9, 17, 200}) {  // rows of one edge, behind one of many
    const Star g(leaves);
    irgl::Runtime c(2);
    irgl::Array<int> seen(size_t(g.n), true), there(size_t(g.n), true);
    irgl::detail::FirstEdges<3, irgl::Interval<node_t>, int> range(irgl::nodes(g), g.out(), there.data());
    range.visit(0, range.size(), [&](node_t n) { ++seen[size_t(n)]; });
    for (node_t n = 0; n < g.n; ++n) CHECK(seen[size_t(n)] == 1);
  }
}
CASE(nodes_of_many_edges_that_are_asked_for_are_visited_once) {
  const node_t n = 100, each = 9;
  irgl::Array<edge_t> row(size_t(n) + 1);
  irgl::Array<node_t> cols(size_t(n * each));
  for (node_t v = 0; v <= n; ++v) row[size_t(v)] = v * each;
  for (edge_t e = 0; e < n * each; ++e) cols[size_t(e)] = node_t(e * 7 % n);
  irgl::Csr g;
  g.n = n, g.m = n * each, g.row = row.data(), g.cols = cols.data();
  irgl::Array<int> there(size_t(n), true);
  long sum = 0;
  auto range = irgl::first_edges<2>(g.out(), irgl::nodes(g), there.data());
  range.visit(3, 100, [&](node_t v) { sum += v; });
  CHECK(sum == 99 * 100 / 2 - 3);
}
