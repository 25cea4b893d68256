// Habit: whether a loop of some work goes faster alone than shared, by how long it took before.
//
//     Habit& habit = habits.of(&site);          one per loop of the program's text
//     const bool alone = habit.alone(scale);    scale: the loop's work in quarters of what is not worth sharing
//     habit.note(alone, scale, ns);
// The instance of an operator for one thread has no atomics and no locks, and what it touches stays in one cache: so two
// threads may need longer than one. And where each edge waits for memory even little work is worth sharing. Loops of
// about a size are shared and run alone in turns, until one way is clearly faster; now and then the other is tried again,
// if it was not much slower. What takes long when shared stays so: there a trial would cost more than it could bring.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace irgl {

class Habit {
 public:
  static constexpr size_t parts = 4;
  bool alone(size_t scale) {
    Seen& seen = seen_[size_of(scale)];
    const unsigned turn = seen.turns++;
    if (turn == 0 || seen.shared.ns * double(scale) > 50000 * seen.shared.scale) return false;
    if (turn == 1) return true;
    const double alone = seen.alone.ns * seen.shared.scale, shared = seen.shared.ns * seen.alone.scale;
    const bool close = alone < 1.5 * shared && shared < 1.5 * alone;
    if (turn < trials && close) return turn % 2 != 0;
    if (turn >= 8 * trials && close) seen.turns = trials - 2;  // once more
    return alone < 0.9 * shared;
  }
  void note(bool alone, size_t scale, int64_t ns) {
    Took& took = alone ? seen_[size_of(scale)].alone : seen_[size_of(scale)].shared;
    if (took.scale > 1000 * parts) took.scale /= 2, took.ns /= 2;
    took.scale += double(scale), took.ns += double(ns);
  }

 private:
  static constexpr int sizes = 4;
  static constexpr unsigned trials = 6;
  struct Took { double scale = 0, ns = 0; };
  struct Seen {
    Took alone, shared;
    unsigned turns = 0;
  };
  static int size_of(size_t scale) { return scale < parts ? 0 : scale < 3 * parts ? 1 : scale < 10 * parts ? 2 : 3; }
  Seen seen_[sizes];
};

class Habits {
 public:
  Habit& of(const void* site) {
    for (int i = 0; i < kept; ++i) {
      if (sites_[i] == nullptr) sites_[i] = site;
      if (sites_[i] == site) return all_[i];
    }
    return all_[kept - 1];  // more loops than most programs have: some share theirs
  }

 private:
  static constexpr int kept = 16;
  const void* sites_[kept] = {};
  Habit all_[kept];
};

}  // namespace irgl
