#include "beside.hpp"
#include "cases.hpp"

struct Scalars { int64_t count = 0; };
struct Context : irgl::UnitRuntime, Scalars {
  using UnitRuntime::UnitRuntime;
  using _Own = Scalars;
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
        irgl::store(shared, irgl::load(own.most_threads) == 2);
      };
      auto lasting = [&](Context& own) {
        if (soon([&] { return irgl::load(own.most_threads) == 4; })) last = irgl::load(own.most_threads);
        ended = true;
      };
      if (first) irgl::beside(c, irgl::part(lasting, nothing), irgl::part(brief, nothing));
      else irgl::beside(c, irgl::part(brief, nothing), irgl::part(lasting, nothing));
      CHECK(shared && ended && last == 4 && c.most_threads == SIZE_MAX);
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
