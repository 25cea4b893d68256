#include "beside.hpp"
#include "cases.hpp"

struct Context : irgl::UnitRuntime {
  using UnitRuntime::UnitRuntime;
  int64_t count = 0;
  void _begin_as(const Context& c) { count = c.count; }
};

template <class F>
static void together(Context& c, F f) {
  c.team.together(c.threads(), [](void* of) { (*static_cast<F*>(of))(); }, &f);
}
template <class F>
static bool soon(F seen) {
  const timespec pause{0, 1000000};
  for (int i = 0; i < 10000 && !seen(); ++i) nanosleep(&pause, nullptr);
  return seen();
}
static constexpr auto nothing = [](Context&, const Context&) {};

CASE(each_part_runs_while_the_others_do) {
  Context c(3);
  together(c, [&] {
    int begun = 0, met = 0;
    auto meet = [&](Context&) {
      irgl::atomic_add(begun, 1);
      if (soon([&] { return irgl::load(begun) == 3; })) irgl::atomic_add(met, 1);
    };
    irgl::beside(c, irgl::part(meet, nothing), irgl::part(meet, nothing), irgl::part(meet, nothing));
    CHECK(met == 3);
  });
}
CASE(the_parts_that_run_share_the_threads_and_the_last_has_all) {
  Context c(4);
  together(c, [&] {
    for (const bool first : {false, true}) {
      bool shared = false, ended = false;
      size_t last = 0;
      auto brief = [&](Context& own) {
        irgl::store(shared, irgl::load(own.share) == 2);
      };
      auto lasting = [&](Context& own) {
        if (soon([&] { return irgl::load(own.share) == 4; })) last = irgl::load(own.share);
        ended = true;
      };
      if (first) irgl::beside(c, irgl::part(lasting, nothing), irgl::part(brief, nothing));
      else irgl::beside(c, irgl::part(brief, nothing), irgl::part(lasting, nothing));
      CHECK(shared && ended && last == 4 && c.share == SIZE_MAX);
    }
  });
}
CASE(a_part_begins_with_the_scalars_and_leaves_its_own) {
  Context c(2);
  c.count = 5;
  together(c, [&] {
    irgl::beside(c, irgl::part([](Context& own) { own.rounds = 3; }, nothing),
                 irgl::part([](Context& own) { own.count += 2, own.rounds = 4; },
                            [](Context& to, const Context& own) { to.count = own.count; }));
  });
  CHECK(c.count == 7 && c.rounds == 7);
}
CASE(loops_of_parts_are_run_by_all_threads_where_they_have_them) {
  Context c(2);
  c.serial_work = 10;
  together(c, [&] {
    int64_t sums[2] = {0, 0};
    auto add = [&sums](int which) {
      return irgl::part([&sums, which](Context& own) {
        for (int round = 0; round < 200; ++round) {
          int64_t sum = 0;
          irgl::for_each(own, irgl::range<int>(0, 5000), irgl::sum(sum), [](irgl::Thread&, auto&, int i, int64_t& s) { s += i; });
          sums[which] += sum;
        }
      }, nothing);
    };
    irgl::beside(c, add(0), add(1));
    CHECK(sums[0] == sums[1] && sums[0] == 200 * (int64_t(5000) * 4999 / 2));
  });
}
CASE(the_first_fault_in_the_order_of_the_text_is_kept) {
  for (const bool both : {false, true}) {
    Context c(2);
    together(c, [&] {
      irgl::beside(c, irgl::part([both](Context& own) { if (both) own.fault(irgl::at(1, 2, 3)); }, nothing),
                   irgl::part([](Context& own) { own.fault(irgl::at(4, 5, 6)); }, nothing));
    });
    CHECK(irgl::Fault(c.faulted()).line == (both ? 1 : 4));
  }
}
CASE(a_fault_ends_the_loops_of_what_stands_behind_it) {
  Context c(3);
  bool ended = false;
  together(c, [&] {
    auto waits = [](Context& own) { soon([&] { return own.halted(); }); };
    irgl::beside(c, irgl::part([](Context& own) { own.fault(irgl::at(1, 2, 3)); }, nothing), irgl::part(waits, nothing),
                 irgl::part([&ended](Context& own) { ended = soon([&] { return own.halted(); }); }, nothing));
  });
  CHECK(ended && irgl::Fault(c.faulted()).line == 1);
}
CASE(a_fault_ends_nothing_of_what_stands_before_it) {
  Context c(2);
  bool went_on = false;
  together(c, [&] {
    int failed = 0;
    irgl::beside(c, irgl::part([&](Context& own) {
                   soon([&] { return irgl::load(failed) == 1; });
                   went_on = !own.halted();
                 }, nothing),
                 irgl::part([&](Context& own) { own.fault(irgl::at(4, 5, 6)), irgl::store(failed, 1); }, nothing));
  });
  CHECK(went_on && irgl::Fault(c.faulted()).line == 4);
}
CASE(what_a_loop_says_of_its_threads_is_not_what_a_part_is_dealt) {
  Context c(4);
  together(c, [&] {
    size_t alone = 0, behind = 0;
    int left = 0;
    irgl::beside(c, irgl::part([&](Context& own) {
                   {
                     const irgl::Knobs knobs(own);
                     own.most_threads = 3;
                     irgl::store(left, 1);
                     soon([&] { return own.most() == 3; });
                     alone = own.most();
                   }
                   behind = own.most();
                 }, nothing),
                 irgl::part([&](Context& own) {
                   soon([&] { return irgl::load(left) == 1; });
                   own.rounds = 1;
                 }, nothing));
    CHECK(alone == 3 && behind == 4);
  });
}
CASE(memory_that_ends_in_any_part_reaches_the_caller) {
  for (const bool first : {false, true}) {
    Context c(2);
    bool told = false, other = false;
    auto large = [](Context&) { irgl::allocate_array<int64_t>(size_t(1) << 62); };
    auto small = [&other](Context&) { other = true; };
    try {
      together(c, [&] {
        if (first) irgl::beside(c, irgl::part(large, nothing), irgl::part(small, nothing));
        else irgl::beside(c, irgl::part(small, nothing), irgl::part(large, nothing));
      });
    } catch (const std::bad_alloc&) {
      told = true;
    }
    CHECK(told && other);
  }
}
CASE(without_helpers_parts_run_one_after_the_other_until_a_fault) {
  Context c(1);
  int ran = 0;
  irgl::beside(c, irgl::part([&](Context&) { ran = 1; }, nothing),
               irgl::part([&](Context& own) { CHECK(ran == 1); ran = 2, own.fault(irgl::at(1, 1, 1)); }, nothing),
               irgl::part([&](Context&) { ran = 3; }, nothing));
  CHECK(ran == 2);
}
