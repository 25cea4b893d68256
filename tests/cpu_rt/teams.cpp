#include "cases.hpp"

template <class F>
static void together(irgl::Runtime& c, F f) {
  c.team.together(c.threads(), [](void* of) { (*static_cast<F*>(of))(); }, &f);
}

static void pause_until_helpers_sleep(irgl::Runtime& c) {
  const timespec pause{0, 1000000};
  for (int i = 0; i < 10000 && c.team.awake(); ++i) nanosleep(&pause, nullptr);
}

CASE(loops_of_one_run_share_its_threads) {
  irgl::Runtime c(4);
  c.serial_work = 10;
  irgl::Array<int64_t> seen(5000, true);
  together(c, [&] {
    for (int round = 0; round < 300; ++round)
      irgl::for_each(c, irgl::range<int>(0, 5000), [&](irgl::Thread&, auto&, int i) { ++seen[size_t(i)]; });
  });
  for (int i = 0; i < 5000; ++i) CHECK(seen[size_t(i)] == 300);
  CHECK(!c.team.open());
}
CASE(what_a_loop_wrote_is_there_when_it_ends) {
  irgl::Runtime c(4);
  c.serial_work = 10;
  together(c, [&] {
    for (int round = 0; round < 300; ++round) {
      int64_t sum = 0;
      irgl::for_each(c, irgl::range<int>(0, 5000), irgl::sum(sum), [](irgl::Thread&, auto&, int i, int64_t& s) { s += i; });
      CHECK(sum == int64_t(5000) * 4999 / 2);
    }
  });
}
CASE(with_serial_off_every_thread_has_a_part) {
  irgl::Runtime c(4);
  c.serial_work = 0;
  for (int round = 0; round < 20; ++round) {
    int parts[4] = {};
    auto loop = [&] {  // of so many items that no thread's first chunk is empty
      irgl::for_each(c, irgl::range<int>(0, 64 * 256), [&](irgl::Thread& t, auto&, int) { ++parts[t.id]; });
    };
    if (round % 2 == 0) loop();
    else together(c, loop);
    for (int part : parts) CHECK(part > 0);
  }
}
CASE(helpers_that_sleep_are_called_for_much_work) {
  irgl::Runtime c(4);
  c.serial_work = 10;
  together(c, [&] {
    for (int round = 0; round < 5; ++round) {
      pause_until_helpers_sleep(c);
      CHECK(!c.team.awake());
      const timespec pause{0, 1000000};
      bool helped = false;
      irgl::for_each(c, irgl::range<int>(0, 40000), [&](irgl::Thread& t, auto&, int) {
        for (int wait = 0; t.id == 0 && wait < 10000 && !irgl::load(helped); ++wait) nanosleep(&pause, nullptr);
        if (t.id != 0) irgl::store(helped, true);
      });
      CHECK(helped);
    }
  });
}
CASE(small_loops_let_helpers_sleep_until_there_were_many) {
  irgl::Runtime c(2);
  c.serial_work = 3000;
  together(c, [&] {
    pause_until_helpers_sleep(c);
    for (int round = 0; round < 7; ++round)
      irgl::for_each(c, irgl::range<int>(0, 6300), [](irgl::Thread&, auto&, int) {});
    CHECK(c.stats.parallel_loops == 0 && c.stats.serial_loops == 7);
    irgl::for_each(c, irgl::range<int>(0, 6300), [](irgl::Thread&, auto&, int) {});
    CHECK(c.stats.parallel_loops == 1);
  });
}
CASE(helpers_sleep_until_there_was_more_than_waking_them_costs_whatever_a_small_loop_is) {
  irgl::Runtime c(2);
  c.serial_work = 100;
  CHECK(!c.worth_waking(32768) && c.worth_waking(32769) && !c.worth_helpers(8192) && c.worth_helpers(8193));
}
CASE(loops_of_little_work_are_shared_in_large_graphs_alone) {
  for (const bool large : {false, true}) {
    irgl::Runtime c(2);
    c.serial_work = 1000;
    c.large = large;
    together(c, [&] {  // helpers are awake at its start, but where the system lets them sleep before the host begins
      for (const int items : {62, 63, 1000}) irgl::for_each(c, irgl::range<int>(0, items), [](irgl::Thread&, auto&, int) {});
      CHECK(c.stats.serial_loops >= (large ? 1 : 3) && (large || c.stats.parallel_loops == 0));
    });
  }
  irgl::Runtime c(2);
  c.serial_work = 1000;
  c.large = true;
  CHECK(c.least_shared() == 62);
}
CASE(memory_that_ends_within_a_run_reaches_its_caller) {
  irgl::Runtime c(2);
  bool told = false, after = false;
  try {
    together(c, [&] {
      irgl::allocate_array<int64_t>(size_t(1) << 62);
      after = true;
    });
  } catch (const std::bad_alloc&) {
    told = true;
  }
  CHECK(told && !after && !c.team.open());
}
CASE(memory_that_ends_in_a_helper_reaches_the_caller) {
  irgl::Runtime c(3);
  c.serial_work = 0;
  for (int round = 0; round < 10; ++round) {
    bool told = false;
    try {
      together(c, [&] {
        irgl::for_each(c, irgl::range<int>(0, 64 * 300), [](irgl::Thread& t, auto&, int) {
          if (t.id == 2) throw std::bad_alloc();
        });
      });
    } catch (const std::bad_alloc&) {
      told = true;
    }
    CHECK(told);
  }
}

// A loop that takes so long alone, and so long shared, run `turns` times: how often it was run alone.
static int alone_of(irgl::Habit& habit, int turns, int64_t alone, int64_t shared, size_t scale = 2) {
  int count = 0;
  for (int i = 0; i < turns; ++i) {
    const bool by_one = habit.alone(scale);
    habit.note(by_one, scale, by_one ? alone : shared);
    count += by_one;
  }
  return count;
}
CASE(a_habit_is_the_faster_way) {
  irgl::Habit alone, shared;
  CHECK(alone_of(alone, 40, 1000, 9000) == 34);
  CHECK(alone_of(shared, 40, 9000, 1000) == 6);
}
CASE(what_a_way_takes_at_first_says_nothing_of_it) {
  irgl::Habit habit;
  CHECK(alone_of(habit, 2, 5000, 40000) == 0);
  CHECK(alone_of(habit, 38, 5000, 1000) == 6);
}
CASE(a_habit_is_changed_when_the_other_way_becomes_faster) {
  irgl::Habit habit;
  CHECK(alone_of(habit, 100, 8000, 10000) > 80);
  CHECK(alone_of(habit, 5000, 20000, 10000) < 1000);
}
CASE(what_takes_long_is_shared_without_a_trial) {
  irgl::Habit habit;
  CHECK(alone_of(habit, 100, 1000000, 900000) == 0);
}
CASE(loops_of_other_sizes_have_habits_of_their_own) {
  irgl::Habit habit;
  alone_of(habit, 40, 1000, 9000, 2);
  CHECK(!habit.alone(5) && !habit.alone(100));
}
CASE(more_loops_than_habits_are_kept_share_one) {
  irgl::Habits habits;
  char sites[40];
  for (char& site : sites) CHECK(&habits.of(&site) == &habits.of(&site));
  CHECK(&habits.of(&sites[0]) != &habits.of(&sites[1]) && &habits.of(&sites[38]) == &habits.of(&sites[39]));
}
