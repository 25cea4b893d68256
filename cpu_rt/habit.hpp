// Habit: whether a loop of some work goes faster alone than shared, by how long it took before.
//
//     Habit& habit = habits.of(&site);          one per loop of the program's text
//     const bool alone = habit.alone(scale);    scale: the loop's work in sixteenths of what is not worth sharing
//     habit.note(alone, scale, ns);
// The instance of an operator for one thread has no atomics and no locks, and what it touches stays in one cache: so two
// threads may need longer than one. And where each edge waits for memory even little work is worth sharing. Loops of
// about a size are shared for a few turns, then run alone for a few, and go on in the way that was faster; now and then
// the other is tried again. The first turns of a trial do not count: they find in one cache what the other way has left
// in another. What takes long when shared stays so: there a trial would cost more than it could bring.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace irgl {

class Habit {
 public:
  static constexpr size_t parts = 16;
  bool alone(size_t scale) {
    Seen& seen = seen_[size_of(scale)];
    if (seen.shared.ns * double(scale) > 50000 * seen.shared.scale) return false;
    if (seen.turn++ == seen.until) choose(seen);
    return seen.is_alone;
  }
  void note(bool alone, size_t scale, int64_t ns) {
    Seen& seen = seen_[size_of(scale)];
    Took& took = alone ? seen.alone : seen.shared;
    if (seen.turn <= unsettled) return;
    if (took.scale > 1000 * parts) took.scale /= 2, took.ns /= 2;
    took.scale += double(scale), took.ns += double(ns);
  }

 private:
  static constexpr unsigned trial = 6, unsettled = 2, kept = 384;  // turns: of a trial, that do not count, until the next
  static constexpr int sizes = 4;
  struct Took { double scale = 0, ns = 0; };
  struct Seen {
    Took alone, shared;
    unsigned turn = 0, until = trial;
    bool is_alone = false, trying = true;
  };
  static int size_of(size_t scale) { return scale < 4 ? 0 : scale < 16 ? 1 : scale < 64 ? 2 : 3; }
  static void choose(Seen& seen) {
    const double alone = seen.alone.ns * seen.shared.scale, shared = seen.shared.ns * seen.alone.scale;
    const bool settles = seen.trying && seen.alone.scale != 0;
    seen.is_alone = settles ? alone < 0.9 * shared : !seen.is_alone;
    seen.trying = !settles;
    seen.until = settles ? kept : trial;
    seen.turn = 1;
    if (!settles) (seen.is_alone ? seen.alone : seen.shared) = {};
  }
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
