// How long a word takes from one thread to another and back, ns: the least of twenty tries, of as many as begin in a
// second: two threads on one core wait for its scheduler each time.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

alignas(64) static std::atomic<int> word{0};

static void hand(int seen, int next) {
  while (word.load(std::memory_order_acquire) != seen) {}
  word.store(next, std::memory_order_release);
}

int main() {
  constexpr int turns = 5000;
  double least = 1e30;
  const auto first = std::chrono::steady_clock::now();
  for (int k = 0; k < 20 && std::chrono::steady_clock::now() - first < std::chrono::seconds(1); ++k) {
    word = 0;
    std::thread other([] {
      for (int i = 0; i < turns; ++i) hand(2 * i + 1, 2 * i + 2);
    });
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < turns; ++i) hand(2 * i, 2 * i + 1);
    other.join();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    least = std::min(least, took.count() / turns);
  }
  std::printf("%.0f\n", least);
}
