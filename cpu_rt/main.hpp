// Main: the frame of a stand-alone program.   ./a.out GRAPH.irglg --name value ... --threads N --repeat K
//
//     int main(int argc, char** argv) {
//       irgl::Main m(argc, argv);
//       Context c(m.threads());
//       m.limits(c);                                   --worklist-capacity N
//       irgl::GraphFile file(c, m.graph_path());
//       ... bind file.csr and properties (irgl::Array<int32_t> level(n)) to the Graph view ...
//       node_t src = m.node(file, "src");              a file id; absent: the first node with an edge, else node 0
//       int32_t delta = m.integer("delta", 16);        also m.real, m.flag
//       m.check_options();                             an option nobody asked for: exit 2
//       m.repeat([&] { entry(c, g, src, delta); });    timed, --repeat times
//       m.scalar("triangles", c.triangles);            name value
//       m.property("level", level.data(), n);          name: min max sum count over the finite values
//       return m.finish(c);                            times and counters; 3 when a fault was met, else 0
//     }
// A bad value is one line on stderr and exit 2.
#pragma once
#include "abi.hpp"
#include "file.hpp"

namespace irgl {

class Main {
 public:
  Main(int argc, char** argv) : argc_(argc), argv_(argv), used_(size_t(argc), true) {
    if (argc < 2 || argv[1][0] == '-') fail("usage: PROGRAM GRAPH.irglg [--NAME VALUE]...", "");
    used_[1] = true;
    threads_ = int(integer("threads", 0));
    repeats_ = int(integer("repeat", 1));
    capacity_ = integer("worklist-capacity", 0);
    if (threads_ < 0 || threads_ > 4096 || repeats_ < 1 || capacity_ < 0) fail("a number out of range", "");
    times_ = Array<double>(size_t(repeats_), true);
  }
  int threads() const { return threads_; }
  const char* graph_path() const { return argv_[1]; }
  void limits(Runtime& c) const { c.worklist_capacity = size_t(capacity_); }

  int64_t integer(const char* name, int64_t fallback) {
    const char* text = value(name);
    if (text == nullptr) return fallback;
    char* end = nullptr;
    const long long x = strtoll(text, &end, 10);
    if (end == text || *end != 0) fail("not a whole number: --", name);
    return x;
  }
  double real(const char* name, double fallback) {
    const char* text = value(name);
    if (text == nullptr) return fallback;
    char* end = nullptr;
    const double x = strtod(text, &end);
    if (end == text || *end != 0) fail("not a number: --", name);
    return x;
  }
  bool flag(const char* name, bool fallback) { return integer(name, fallback ? 1 : 0) != 0; }
  node_t node(const GraphFile& file, const char* name) {
    if (value(name) != nullptr) {
      const int64_t v = file.to_node(integer(name, 0));
      if (v < 0) fail("no such node: --", name);
      return node_t(v);
    }
    for (node_t v = 0; v < file.csr.n; ++v)
      if (file.csr.degree(v) > 0) return v;
    return 0;
  }
  void check_options() const {
    for (int i = 2; i < argc_; ++i)
      if (!used_[size_t(i)]) fail("unknown option ", argv_[i]);
  }

  template <class F>
  void repeat(F run) {
    for (int k = 0; k < repeats_; ++k) {
      const double start = omp_get_wtime();
      run();
      times_[size_t(k)] = (omp_get_wtime() - start) * 1e3;
    }
  }
  template <class T>
  void scalar(const char* name, T x) const {
    printf("%s ", name);
    print(x);
    printf("\n");
  }
  // The declared INF of an integer property (its type's largest value) and an infinite or NaN float are not finite.
  template <class T>
  void property(const char* name, const T* data, size_t count) const {
    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, __int128>;
    T low = highest<T>(), high = lowest<T>();
    Sum sum = 0;
    size_t finite = 0;
    for (size_t i = 0; i < count; ++i) {
      const T x = data[i];
      if constexpr (std::is_floating_point_v<T>) {
        if (!(x - x == 0)) continue;
      } else if (!std::is_same_v<T, bool> && x == highest<T>()) {
        continue;
      }
      if (finite == 0 || x < low) low = x;
      if (finite == 0 || high < x) high = x;
      sum += Sum(x);
      ++finite;
    }
    printf("%s: min ", name);
    if (finite != 0) print(low), printf(" max "), print(high);
    else printf("- max -");
    printf(" sum ");
    print(sum);
    printf(" count %zu\n", finite);
  }
  const char* text(const char* name) {
    const char* given = value(name);
    if (given == nullptr) fail("a second graph is wanted: --", name);
    return given;
  }
  int64_t capacity() const { return capacity_; }
  int finish(const int64_t* stats, const int64_t* fault) const {  // of a generated unit, by the counters of abi.hpp
    printf("ms");
    for (int k = 0; k < repeats_; ++k) printf(" %.3f", times_[size_t(k)]);
    printf("\n");
    const char* names[] = {"loops", "rounds", "worklist_growths", "parallel_loops", "serial_loops", "giants"};
    for (int k = 0; k < 6; ++k) printf("%s%s %lld", k != 0 ? " " : "", names[k], static_cast<long long>(stats[k]));
    printf("\n");
    if (fault[0] == 0) return 0;
    const char* what = fault[0] == IRGL_FAULT_DIVISION ? "division by zero" : "no such node or edge";
    fprintf(stderr, "error: line %lld: %s\n", static_cast<long long>(fault[1]), what);
    return 2;
  }
  int finish(const Runtime& c) const {
    printf("ms");
    for (int k = 0; k < repeats_; ++k) printf(" %.3f", times_[size_t(k)]);
    printf("\nparallel_loops %lld serial_loops %lld giants %lld fused %lld worklist_growths %lld\n",
           static_cast<long long>(c.stats.parallel_loops), static_cast<long long>(c.stats.serial_loops),
           static_cast<long long>(c.stats.giants), static_cast<long long>(c.stats.fused),
           static_cast<long long>(c.stats.worklist_growths));
    if (c.faulted() == 0) return 0;
    fprintf(stderr, "error: line %d: division by zero\n", c.faulted());
    return 3;
  }

 private:
  template <class T>
  static void print(T x) {
    if constexpr (std::is_floating_point_v<T>) {
      printf("%.9g", double(x));
    } else if constexpr (std::is_same_v<T, bool>) {
      printf("%s", x ? "true" : "false");
    } else {
      char digits[48];
      int at = 48;
      const bool negative = x < T(0);
      unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(x) : static_cast<unsigned __int128>(x);
      do digits[--at] = char('0' + int(rest % 10));
      while ((rest /= 10) != 0);
      printf("%s%.*s", negative ? "-" : "", 48 - at, digits + at);
    }
  }
  const char* value(const char* name) {
    for (int i = 2; i < argc_; ++i) {
      if (argv_[i][0] != '-' || argv_[i][1] != '-' || strcmp(argv_[i] + 2, name) != 0) continue;
      used_[size_t(i)] = true;
      if (i + 1 == argc_) fail("a value is missing after --", name);
      used_[size_t(i) + 1] = true;
      return argv_[i + 1];
    }
    return nullptr;
  }
  [[noreturn]] static void fail(const char* what, const char* which) {
    fprintf(stderr, "error: %s%s\n", what, which);
    exit(2);
  }

  int argc_;
  char** argv_;
  Array<bool> used_;
  Array<double> times_;
  int threads_ = 0, repeats_ = 1;
  int64_t capacity_ = 0;
};

}  // namespace irgl
