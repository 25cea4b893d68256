#include "cases.hpp"

struct Cut {  // who ran which item of a loop: how many threads did, and how often one item was another's than the last
  int threads = 0, changes = 0;
};

static Cut cut(irgl::Runtime& c, int items = 4096) {
  irgl::Array<int> by(size_t(items), true);
  irgl::for_each(c, irgl::range<int>(0, items), [&](irgl::Thread& t, auto&, int i) { by[size_t(i)] = t.id + 1; });
  Cut found;
  bool seen[5] = {};
  for (int i = 0; i < items; ++i) {
    CHECK(by[size_t(i)] >= 1 && by[size_t(i)] <= 4);
    found.threads += !seen[by[size_t(i)]];
    seen[by[size_t(i)]] = true;
    found.changes += i > 0 && by[size_t(i)] != by[size_t(i - 1)];
  }
  return found;
}

CASE(no_more_threads_run_a_loop_than_may) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  CHECK(cut(c).threads == 4);  // with serial=off every thread has a part
  for (size_t most = 1; most < 4; ++most) {
    const irgl::Knobs own(c);
    c.most_threads = most;
    CHECK(cut(c).threads <= int(most));
    if (most > 1) CHECK(cut(c).threads == int(most));
  }
  CHECK(cut(c).threads == 4);
}
CASE(equal_parts_are_as_many_as_threads) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  c.chunk_work = 16;
  c.evenly = true;
  CHECK(cut(c).changes == 3);
  const irgl::Knobs own(c);
  c.most_threads = 2;
  CHECK(cut(c).changes == 1);
}
CASE(behind_a_block_the_knobs_are_as_they_were) {
  irgl::Runtime c(2);
  try {
    const irgl::Knobs own(c);
    c.chunk_work = 1, c.serial_work = 2, c.giant = 3, c.most_threads = 4, c.evenly = true;
    throw 1;
  } catch (int) {
  }
  CHECK(c.chunk_work == 4096 && c.serial_work == 2048 && c.giant == 32768 && c.most_threads == SIZE_MAX && !c.evenly);
}
