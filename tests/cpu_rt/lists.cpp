#include "cases.hpp"

namespace {
template <class W>
int64_t total(irgl::Runtime& c, W& wl) {
  int64_t s = 0;
  irgl::for_each(c, wl.items(), irgl::sum(s), [](irgl::Thread&, auto&, node_t x, int64_t& s) { s += x; });
  return s;
}
constexpr int64_t sum_to(int64_t n) { return n * (n - 1) / 2; }
}  // namespace

CASE(a_list_of_first_capacity_one_grows_and_loses_nothing) {
  irgl::Runtime c(4);
  c.worklist_capacity = 1;
  c.serial_work = 0;
  irgl::list<node_t> wl(c);
  irgl::for_each(c, irgl::range<node_t>(0, 50000), [&](irgl::Thread& t, auto&, node_t x) { wl.push(t, x); });
  CHECK(wl.size() == 50000 && total(c, wl) == sum_to(50000) && c.stats.worklist_growths > 0);
}
CASE(a_reservation_larger_than_the_capacity_fits) {
  irgl::Runtime c(1);
  c.worklist_capacity = 1;
  irgl::list<node_t> wl(c);
  node_t* slots = wl.reserve(c.host(), 1000);
  for (int i = 0; i < 1000; ++i) slots[i] = i;
  wl.push(c.host(), 1000);
  CHECK(wl.size() == 1001 && total(c, wl) == sum_to(1001));
}
CASE(swap_clear_and_update_of_lists) {
  irgl::Runtime c(2);
  irgl::list<node_t> a(c), b(c);
  for (int i = 0; i < 10; ++i) a.push(c.host(), i);
  b.push(c.thread(1), 100);
  a.swap(b);
  CHECK(a.size() == 1 && b.size() == 10);
  a.update(b);
  CHECK(total(c, a) == 145 && total(c, b) == 45);
  a.clear();
  CHECK(a.empty() && b.size() == 10);
}
CASE(items_of_a_list_in_many_chunks_come_once) {
  irgl::Runtime c(3);
  c.serial_work = 0;
  c.chunk_work = 1;
  irgl::list<node_t> wl(c);
  for (int i = 0; i < 9000; ++i) wl.push(c.thread(i % 7 == 0 ? 2 : 0), i);
  irgl::Array<int> seen(9000, true);
  irgl::for_each(c, wl.items(), [&](irgl::Thread&, auto&, node_t x) { irgl::atomic_add(seen[size_t(x)], 1); });
  for (int i = 0; i < 9000; ++i) CHECK(seen[size_t(i)] == 1);
}
CASE(a_count_counts) {
  irgl::Runtime c(3);
  c.serial_work = 0;
  irgl::count<node_t> wl(c);
  irgl::for_each(c, irgl::range<node_t>(0, 5000), [&](irgl::Thread& t, auto&, node_t x) { wl.push(t, x); });
  CHECK(wl.size() == 5000);
}

template <class W>
static void dense_kind() {
  irgl::Runtime c(3);
  c.serial_work = 0;
  W wl(c, 1000), other(c, 1000);
  CHECK(wl.empty());
  irgl::for_each(c, irgl::range<node_t>(0, 20000), [&](irgl::Thread& t, auto&, node_t x) { wl.push(t, node_t(x % 500 * 2)); });
  CHECK(wl.size() == 500 && !wl.empty() && total(c, wl) == 2 * sum_to(500));
  CHECK(wl.contains(998) && !wl.contains(999));
  wl.push(c.host(), 999);
  other.push(c.host(), 1);
  other.update(wl);
  CHECK(other.size() == 502 && wl.size() == 501);
  wl.swap(other);
  CHECK(wl.size() == 502);
  wl.clear();
  CHECK(wl.empty() && wl.size() == 0 && other.size() == 501);
}
CASE(bitmap_holds_each_item_once) { dense_kind<irgl::bitmap<node_t>>(); }
CASE(bytemap_holds_each_item_once) { dense_kind<irgl::bytemap<node_t>>(); }
CASE(set_holds_each_item_once) { dense_kind<irgl::set<node_t>>(); }
CASE(set_of_bits_holds_each_item_once) { dense_kind<irgl::set<node_t, irgl::by_bit>>(); }
CASE(set_of_rounds_holds_each_item_once) { dense_kind<irgl::set<node_t, irgl::by_round>>(); }
CASE(a_set_of_rounds_forgets_its_items_when_all_numbers_have_been_used) {
  irgl::Runtime c(2);
  irgl::set<node_t, irgl::by_round_of<uint8_t>> wl(c, 100);
  wl.push(c.host(), 7);
  for (int k = 0; k < 600; ++k) {
    wl.clear();
    CHECK(!wl.contains(7) && !wl.contains(8));
  }
  CHECK(wl.claim(c.host(), 7) && !wl.claim(c.host(), 7) && wl.size() == 1);
}
template <class W>
static void last_item() {  // words are of 64
  irgl::Runtime c(1);
  for (node_t universe = 1; universe <= 130; ++universe) {
    W wl(c, size_t(universe));
    wl.push(c.host(), universe - 1);
    CHECK(wl.contains(universe - 1) && wl.size() == 1 && total(c, wl) == universe - 1);
  }
}
CASE(a_bitmap_keeps_the_last_item_of_any_universe) { last_item<irgl::bitmap<node_t>>(); }
CASE(a_bytemap_keeps_the_last_item_of_any_universe) { last_item<irgl::bytemap<node_t>>(); }
template <class W>
void size_inside_a_loop() {
  irgl::Runtime c(4);
  c.serial_work = 0;
  c.chunk_work = 1;
  W wl(c, 5000);
  for (node_t x = 0; x < 5000; x += 3) wl.push(c.host(), x);
  irgl::Array<int> right(200, true);
  irgl::for_each(c, irgl::range<size_t>(0, 200), [&](irgl::Thread&, auto&, size_t i) {
    irgl::atomic_add(right[i], wl.size() == 1667);
  });
  for (size_t i = 0; i < 200; ++i) CHECK(right[i] == 1);
}
CASE(iterations_of_a_parallel_loop_may_ask_how_large_a_bitmap_is) { size_inside_a_loop<irgl::bitmap<node_t>>(); }
CASE(iterations_of_a_parallel_loop_may_ask_how_large_a_bytemap_is) { size_inside_a_loop<irgl::bytemap<node_t>>(); }
CASE(iterations_of_a_parallel_loop_may_ask_how_large_a_set_is) { size_inside_a_loop<irgl::set<node_t>>(); }
CASE(a_bitmap_is_visited_in_order) {
  irgl::Runtime c(1);
  irgl::bitmap<node_t> wl(c, 300);
  for (node_t x : {299, 0, 64, 63, 128}) wl.push(c.host(), x);
  node_t last = -1;
  int seen = 0;
  irgl::for_each(c, wl.items(), [&](irgl::Thread&, auto&, node_t x) { CHECK(x > last); last = x; ++seen; });
  CHECK(seen == 5);
}
CASE(owned_pushes_of_a_dense_loop_are_all_kept) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  c.chunk_work = 1;
  irgl::bitmap<node_t> wl(c, 100000);
  irgl::for_each(c, irgl::range<node_t>(0, 100000), [&](irgl::Thread& t, auto&, node_t x) { if (x % 3 == 0) wl.push_own(t, x); });
  CHECK(wl.size() == 33334);
}
template <class W>
void sparse_and_dense() {
  irgl::Runtime c(2);
  c.serial_work = 0;
  for (int many : {100, 5000}) {
    W wl(c, 20000);
    for (int k = 0; k < 2; ++k) {
      int64_t fresh = 0;
      irgl::for_each(c, irgl::range<node_t>(0, node_t(many) * 3), irgl::sum(fresh), [&](irgl::Thread& t, auto&, node_t x, int64_t& n) { n += wl.claim(t, x % node_t(many)); });
      CHECK(fresh == many && wl.size() == size_t(many) && total(c, wl) == sum_to(many));
      wl.clear();
      CHECK(wl.empty() && !wl.contains(0));
    }
  }
}
CASE(a_set_yields_each_item_once_sparse_and_dense) { sparse_and_dense<irgl::set<node_t>>(); }
CASE(a_set_of_bits_yields_each_item_once_sparse_and_dense) { sparse_and_dense<irgl::set<node_t, irgl::by_bit>>(); }
CASE(a_set_of_rounds_yields_each_item_once_sparse_and_dense) { sparse_and_dense<irgl::set<node_t, irgl::by_round>>(); }
CASE(a_list_gives_its_layers_back_newest_first) {
  irgl::Runtime c(2);
  c.serial_work = 0;
  irgl::list<node_t> kept(c), level(c);
  for (node_t k = 0; k < 100; ++k) {
    level.clear();
    irgl::for_each(c, irgl::range<node_t>(0, k * 50), [&](irgl::Thread& t, auto&, node_t x) { level.push(t, x); });
    kept.stack(level);
  }
  kept.push(c.host(), 7);
  kept.unstack(level);
  CHECK(level.size() == 99 * 50 + 1 && total(c, level) == sum_to(99 * 50) + 7);
  for (node_t k = 99; k-- > 0;) {
    kept.unstack(level);
    CHECK(level.size() == size_t(k) * 50 && total(c, level) == sum_to(k * 50));
  }
  CHECK(kept.empty());
}
CASE(a_list_without_layers_gives_all_it_has) {
  irgl::Runtime c(2);
  irgl::list<node_t> kept(c), level(c);
  kept.stack(level);
  kept.push(c.host(), 3);
  kept.clear();
  for (node_t x : {1, 2}) kept.push(c.host(), x);
  level.swap(kept);
  level.unstack(kept);
  CHECK(level.empty() && total(c, kept) == 3);
}
CASE(lists_by_number_keep_what_they_got) {
  irgl::Runtime c(2);
  irgl::ListArray<irgl::list<node_t>> levels(c);
  irgl::list<node_t>& first = levels[0];
  for (node_t k = 0; k < 3000; ++k) levels[size_t(k)].push(c.host(), k);
  first.push(c.host(), 5);
  CHECK(levels[0].size() == 2 && total(c, levels[2999]) == 2999);
  levels.clear();
  CHECK(levels[2999].empty());
}

static void bucket_order(size_t fuse, int64_t step, int64_t start) {
  irgl::Runtime c(1);
  c.fuse_limit = fuse;
  irgl::buckets<node_t> wl(c);
  for (node_t x = 0; x < 50; ++x) wl.push(c.host(), x, start + (x * 7 % 50) * step);
  int64_t last = irgl::lowest<int64_t>();
  int seen = 0;
  while (wl.advance()) {
    CHECK(wl.priority() >= last);
    last = wl.priority();
    irgl::for_each(c, wl.items(), [&](irgl::Thread& t, auto&, node_t x) {
      ++seen;
      const int64_t wanted = start + (x % 50 * 7 % 50) * step;
      CHECK(wl.priority() == (x < 50 ? wanted : wanted + 1) || x >= 100);
      if (x < 50) wl.push(t, x + 50, wl.priority() + 1);
      else if (x < 100) wl.push(t, x + 50, wl.priority() - 5);  // below the running one: counts as the running one
    });
  }
  CHECK(seen == 150 && last == start + 49 * step + 1);
}
CASE(buckets_run_in_order_of_priority) { bucket_order(1000, 1, 0); }
CASE(buckets_without_fusion_run_the_same) { bucket_order(0, 1, 0); }
CASE(buckets_far_apart_need_no_space_between) { bucket_order(1000, int64_t(1) << 40, -(int64_t(1) << 44)); }
CASE(a_bucket_that_feeds_itself_ends) {
  irgl::Runtime c(3);
  c.fuse_limit = 20;
  c.serial_work = 0;
  irgl::buckets<node_t> wl(c);
  for (node_t x = 0; x < 1000; ++x) wl.push(c.host(), 10, 3);
  int64_t seen = 0;
  while (wl.advance())
    irgl::for_each(c, wl.items(), irgl::sum(seen), [&](irgl::Thread& t, auto&, node_t x, int64_t& n) { ++n; if (x > 0) wl.push(t, x - 1, 3); });
  CHECK(seen == 11000);
}

static void respawns(size_t fuse, int threads) {
  irgl::Runtime c(threads);
  c.fuse_limit = fuse;
  c.serial_work = 0;
  irgl::Pipe<irgl::list<node_t>> wl(c);
  for (node_t x = 1; x <= 2000; ++x) wl.in.push(c.host(), 9);
  int64_t runs = 0;
  do irgl::for_each(c, wl.items(), irgl::sum(runs), [&](irgl::Thread& t, auto&, node_t x, int64_t& n) {
    ++n;
    if (x == 0) wl.push(t, 1);
    else if (x % 2 == 0) wl.respawn(t, x - 1);
    else wl.retry(t, x - 1);
  });
  while (wl.more());
  wl.advance();
  CHECK(runs == 20000 && wl.size() == 2000);
}
CASE(respawned_items_run_in_the_same_invocation) { respawns(1000, 3); }
CASE(more_respawned_items_than_are_fused_are_shared) { respawns(5, 3); }
CASE(respawn_without_fusion) { respawns(0, 1); }
CASE(respawned_items_that_are_left_over_and_retried_ones_make_one_round) {
  irgl::Runtime c(1);
  c.fuse_limit = 0;
  irgl::Pipe<irgl::list<node_t>> wl(c);
  for (node_t x = 0; x < 100; ++x) wl.in.push(c.host(), x);
  int runs[100] = {}, rounds = 0;
  do irgl::for_each(c, wl.items(), [&](irgl::Thread& t, auto&, node_t x) {
    if (runs[x]++ == 0) x % 2 == 0 ? wl.retry(t, x) : wl.respawn(t, x);
  });
  while (++rounds, wl.more());
  CHECK(rounds == 2);
  for (int n : runs) CHECK(n == 2);
}
CASE(a_pipe_of_sets_may_retry) {
  irgl::Runtime c(2);
  irgl::Pipe<irgl::set<node_t>> wl(c, 100);
  for (node_t x = 0; x < 100; ++x) wl.in.push(c.host(), x);
  int64_t runs = 0;
  do irgl::for_each(c, wl.items(), irgl::sum(runs), [&](irgl::Thread& t, auto&, node_t x, int64_t& n) {
    ++n;
    if (x > 0) wl.retry(t, x / 2);
  });
  while (wl.more());
  CHECK(runs == 100 + 50 + 25 + 13 + 7 + 4 + 2 + 1);  // each round holds each item once
}
CASE(a_loop_over_nodes_may_respawn) {
  irgl::Runtime c(2);
  irgl::Retries<node_t> again(c);
  int64_t runs = 0;
  auto op = [&](irgl::Thread& t, auto&, node_t x, int64_t& n) { ++n; if (x > 0) again.respawn(t, x / 2); };
  irgl::for_each(c, again.with(irgl::range<node_t>(0, 8)), irgl::sum(runs), op);
  while (again.more()) irgl::for_each(c, again.items(), irgl::sum(runs), op);
  CHECK(runs == 1 + 2 + 3 + 3 + 4 * 4);
}

namespace {
template <class T>
using small_queue = irgl::queue<T, 3>;

// All threads push, and the items come once each, whatever the first capacity.
void filled_queue(size_t capacity, size_t universe) {
  irgl::Runtime c(4);
  c.worklist_capacity = capacity;
  c.serial_work = 0;
  c.chunk_work = 1;
  small_queue<node_t> wl(c, universe);
  for (int round = 0; round < 2; ++round) {
    irgl::for_each(c, irgl::range<node_t>(0, 50000), [&](irgl::Thread& t, auto&, node_t x) { wl.push(t, x); });
    irgl::Array<int> seen(50000, true);
    irgl::for_each(c, wl.items(), [&](irgl::Thread&, auto&, node_t x) { irgl::atomic_add(seen[size_t(x)], 1); });
    for (int i = 0; i < 50000; ++i) CHECK(seen[size_t(i)] == 1);
    CHECK(wl.size() == 50000 && !wl.empty());
    CHECK(c.stats.worklist_growths == 0 || capacity == 1);
    wl.clear();
    CHECK(wl.size() == 0 && wl.empty());
  }
}
}  // namespace
CASE(a_queue_of_first_capacity_one_grows_and_loses_nothing) { filled_queue(1, 0); }
CASE(a_queue_with_room_for_its_universe_does_not_grow) { filled_queue(0, 50000); }
CASE(a_queue_grows_once_for_all_that_found_no_room) {
  irgl::Runtime c(1);
  c.worklist_capacity = 10;
  small_queue<node_t> wl(c);
  for (int i = 0; i < 10; ++i) wl.push(c.host(), i);
  CHECK(wl.size() == 10 && c.stats.worklist_growths == 0);
  for (int i = 10; i < 20; ++i) wl.push(c.host(), i);
  CHECK(wl.size() == 20 && total(c, wl) == sum_to(20) && c.stats.worklist_growths == 1);
}
CASE(swap_clear_and_update_of_queues) {
  irgl::Runtime c(2);
  small_queue<node_t> a(c), b(c);
  for (int i = 0; i < 10; ++i) a.push(c.host(), i);
  b.push(c.thread(1), 100);
  a.swap(b);
  CHECK(a.size() == 1 && b.size() == 10);
  a.update(b);
  CHECK(total(c, a) == 145 && total(c, b) == 45);
  a.clear();
  CHECK(a.empty() && b.size() == 10);
  a.push(c.thread(1), 7);
  a.clear();
  CHECK(a.empty());
}
CASE(items_that_wait_are_found_by_all_iterations_that_ask_at_once) {
  for (int round = 0; round < 200; ++round) {
    irgl::Runtime c(4);
    c.worklist_capacity = round % 2 == 0 ? 1 : 0;
    c.serial_work = 0;
    c.chunk_work = 1;
    small_queue<node_t> wl(c);
    for (int i = 0; i < 20 + round % 3; ++i) wl.push(c.thread(i % 4), 1);
    int64_t wrong = 0;
    irgl::for_each(c, irgl::costly(irgl::range<int>(0, 64), 100), irgl::sum(wrong), [&](irgl::Thread&, auto&, int, int64_t& wrong) {
      size_t found = 0;
      const auto items = wl.items();
      items.visit(0, items.size(), [&](node_t x) { found += size_t(x); });
      wrong += found != size_t(20 + round % 3) || wl.size() != found;
    });
    CHECK(wrong == 0);
  }
}
CASE(a_queue_gives_its_layers_back_newest_first) {
  irgl::Runtime c(3);
  c.serial_work = 0;
  c.worklist_capacity = 1;
  small_queue<node_t> kept(c), layer(c);
  for (node_t size : {5, 0, 4000}) {
    layer.clear();
    irgl::for_each(c, irgl::range<node_t>(0, size), [&](irgl::Thread& t, auto&, node_t x) { layer.push(t, x); });
    kept.stack(layer);
    CHECK(layer.size() == size_t(size));
  }
  kept.push(c.thread(2), 4000);  // of the newest layer
  for (node_t size : {4001, 0, 5, 0, 0}) {
    kept.unstack(layer);
    CHECK(layer.size() == size_t(size) && total(c, layer) == sum_to(size));
  }
  CHECK(kept.empty());
}
CASE(a_pipe_of_queues_may_retry_and_respawn) {
  irgl::Runtime c(3);
  c.serial_work = 0;
  irgl::Array<int> runs(1000, true);
  irgl::Pipe<small_queue<node_t>> wl(c, 1000);
  for (node_t x = 0; x < 1000; ++x) wl.in.push(c.host(), x);
  int rounds = 0;
  while (!wl.empty()) {
    do irgl::for_each(c, wl.items(), [&](irgl::Thread& t, auto&, node_t x) {
      const int seen = irgl::atomic_add(runs[size_t(x)], 1).old;
      if (seen == 0) wl.retry(t, x);
      if (seen == 1) wl.respawn(t, x);
      if (seen == 2 && x % 2 == 0) wl.push(t, x);
    });
    while (wl.more());
    wl.advance();
    ++rounds;
  }
  for (int x = 0; x < 1000; ++x) CHECK(runs[size_t(x)] == (x % 2 == 0 ? 4 : 3));
  CHECK(rounds == 2);
}

// Ranked items.
CASE(ranks_keep_the_order_of_numbers) {
  const double reals[] = {-irgl::highest<double>(), -1e300, -1.5, -1e-310, 0.0, 1e-310, 1.0, 1.5, irgl::highest<double>()};
  for (size_t i = 1; i < sizeof(reals) / sizeof(*reals); ++i) {
    CHECK(irgl::rank_least(reals[i - 1]) < irgl::rank_least(reals[i]));
    CHECK(irgl::rank_most(reals[i - 1]) > irgl::rank_most(reals[i]));
  }
  const int64_t whole[] = {irgl::lowest<int64_t>(), -7, 0, 7, irgl::highest<int64_t>()};
  for (size_t i = 1; i < 5; ++i) CHECK(irgl::rank_least(whole[i - 1]) < irgl::rank_least(whole[i]));
  CHECK(irgl::rank_least(int32_t(-1)) < irgl::rank_least(int32_t(0)));
  CHECK(irgl::rank_least(uint32_t(1)) < irgl::rank_least(uint32_t(0x80000000u)));
}
CASE(a_ranked_queue_gives_the_least_first_while_others_come) {
  irgl::Runtime c(1);
  irgl::Array<irgl::Ranked<int>> one(1, true);
  irgl::Ranked<int>& q = one[0];
  size_t taken = 0, pushed = 0;
  auto push = [&](uint64_t rank) { q.push(c, int(pushed++), rank); };
  for (uint64_t i = 0; i < 500; ++i) push(irgl::hash(i) >> (i % 60));
  for (uint64_t last = 0; q.size() != 0; ++taken) {
    if (q.now().size == 0) q.next(c);
    const auto e = q.take();
    CHECK(e.rank >= last && e.rank == q.last());
    last = e.rank;
    if (pushed < 2000) push(last + (irgl::hash(pushed) >> 50)), push(last);
  }
  CHECK(taken == pushed && !q.misled());
  q.release();
}
CASE(a_ranked_queue_tells_when_its_order_misleads) {
  irgl::Runtime c(1);
  irgl::Array<irgl::Ranked<int>> one(1, true);
  irgl::Ranked<int>& q = one[0];
  q.push(c, 0, 1000000);
  for (uint64_t rank = 1000000; !q.misled(); --rank) {
    CHECK(rank > 999000);
    if (q.now().size == 0) q.next(c);
    q.take();
    q.push(c, 0, rank - 1);  // ever better than what has just been taken
  }
  q.release();
}
CASE(a_loop_of_one_thread_is_told_so) {
  for (size_t serial : {size_t(0), size_t(1) << 40}) {
    irgl::Runtime c(3);
    c.serial_work = serial;
    int64_t alone = 0, items = 0;
    irgl::for_each_alone_apart(c, irgl::range<int64_t>(0, 1000), irgl::sum(alone), irgl::sum(items),
                               [](irgl::Thread&, auto& inner, int64_t, int64_t& a, int64_t& n) { a += !IRGL_RACED(inner), ++n; });
    CHECK(items == 1000 && alone == (serial == 0 ? 0 : 1000));
  }
}
CASE(sources_are_looked_up_once_many_were_asked_for) {
  const Star g(100);
  irgl::Runtime c(2);
  irgl::Sources sources;
  CHECK(sources.of(c, g, 1) == nullptr);
  const node_t* table = sources.of(c, g, size_t(g.m));
  for (node_t n = 0; n < g.n; ++n)
    for (edge_t e : irgl::edges(g.out(), n)) CHECK(table[e] == n);
  CHECK(sources.of(c, g, 1) == table);
}
