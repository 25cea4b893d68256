// Rounds of Bellman and Ford's search (programs/sssp_bf.irgl) in sequence, in several orders: how many edges each looks
// at. argv: files of row[n+1], dst[m] and weight[m], all int32. round_orders.py makes them, and the table.
#include <cstdint>
#include <cstdio>
#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

std::vector<int32_t> numbers(const char* path) {
  std::FILE* const file = std::fopen(path, "rb");
  std::vector<int32_t> found;
  int32_t one;
  while (file != nullptr && std::fread(&one, sizeof one, 1, file) == 1) found.push_back(one);
  if (file != nullptr) std::fclose(file);
  return found;
}

struct Search {
  const std::vector<int32_t>&row, &dst, &weight;
  size_t n = row.size() - 1;
  std::vector<int64_t> far = std::vector<int64_t>(n, std::numeric_limits<int64_t>::max() / 2), told = far;
  std::vector<char> waits = std::vector<char>(n);
  std::vector<int32_t> now{0}, later;
  int64_t rounds = 0, nodes = 0, edges = 0;

  // Relaxes the edges of a node that has something to tell; push(v): v has come nearer.
  template <class Push>
  bool run(int32_t u, int64_t here, Push push) {
    if (here >= told[u]) return false;
    told[u] = here;
    bool any = false;
    for (int32_t e = row[u]; e < row[u + 1]; ++e)
      if (here + weight[e] < far[dst[e]]) far[dst[e]] = here + weight[e], any = true, push(dst[e]);
    return any;
  }
  void looks(int32_t u) { ++nodes, edges += row[u + 1] - row[u]; }

  // All nodes, one behind the other; fresh: with their newest values, else with those that the round began with.
  void sweep(bool fresh) {
    for (bool any = true; any; ++rounds) {
      const std::vector<int64_t> begun = fresh ? std::vector<int64_t>() : far;
      any = false;
      for (size_t u = 0; u < n; ++u) looks(u), any |= run(u, fresh ? far[u] : begun[u], [](int32_t) {});
    }
  }
  // Those that came nearer, in the order of the nodes; one that does so ahead of the node that runs, in the same round.
  void handed_on() {
    waits[0] = 1;
    for (bool any = true; any; ++rounds) {
      any = false;
      for (size_t u = 0; u < n; ++u)
        if (std::exchange(waits[u], 0)) looks(u), any |= run(u, far[u], [&](int32_t v) { waits[v] = 1; });
    }
  }
  // Those that came nearer in the round before, in an order.
  template <class Order>
  void listed(Order order, bool fresh) {
    for (; !now.empty(); ++rounds, std::swap(now, later), later.clear()) {
      order(now);
      std::vector<int64_t> begun;
      for (const int32_t u : now) waits[u] = 0, begun.push_back(far[u]);
      for (size_t i = 0; i < now.size(); ++i) {
        looks(now[i]);
        run(now[i], fresh ? far[now[i]] : begun[i], [&](int32_t v) {
          if (!std::exchange(waits[v], 1)) later.push_back(v);
        });
      }
    }
  }
};

}  // namespace

int main(int, char** argv) {
  const auto row = numbers(argv[1]), dst = numbers(argv[2]), weight = numbers(argv[3]);
  const auto as_pushed = [](std::vector<int32_t>&) {};
  for (int k = 0; k < 7; ++k) {
    Search s{row, dst, weight};
    s.far[0] = 0;
    switch (k) {
      case 0: s.sweep(true); break;
      case 1: s.sweep(false); break;
      case 2: s.listed(as_pushed, false); break;
      case 3: s.handed_on(); break;
      case 4: s.listed(as_pushed, true); break;
      case 5: s.listed([](auto& now) { std::sort(now.begin(), now.end()); }, true); break;
      case 6: {
        const auto nearer = [&](int32_t a, int32_t b) { return s.far[a] < s.far[b]; };
        s.listed([&](auto& now) { std::sort(now.begin(), now.end(), nearer); }, true);
      }
    }
    std::printf("%lld %lld %lld\n", (long long)s.rounds, (long long)s.nodes, (long long)s.edges);
  }
}
