// Main: the frame of a stand-alone program.   ./a.out GRAPH.irglg --name value ... --threads N --repeat K
//
//     int main(int argc, char** argv) try {
//       irgl::Main m(argc, argv);
//       irgl::UnitRuntime c(m.threads()); irgl::GraphFile file(c, m.graph_path());
//       ... bind file.csr and properties (irgl::Array<int32_t> level(n)) ...
//       node_t src = m.node(file, "src", 0);           a file id, or `first`; absent: 0
//       int32_t delta = m.number<int32_t>("delta", 16);       any number or bool of the language
//       m.require("bound");                            exit 2 where a value without default is not given
//       m.check_options();                             an option nobody asked for: exit 2
//       if (!m.repeat([&] { return irgl_run(&args); })) return m.failed(fault, sources);
//       m.scalar("triangles", triangles);              name value
//       m.property("level", n, irgl::Main::below_inf, [&](size_t i) { return level[i]; });    of the finite ones
//       m.counters(stats); return 0;                   times and counters
//     } catch (const std::bad_alloc&) { return irgl::Main::out_of_memory(); }
// A bad value is one line on stderr and exit 2; so is a fault of the program, with its place.
#pragma once
#include "file.hpp"
#include "number_text.hpp"
#include "unit.hpp"

namespace irgl {

class Main {
 public:
  Main(int argc, char** argv, const char* usage = "usage: PROGRAM GRAPH.irglg [--NAME VALUE]...")
      : argc_(argc), argv_(argv), used_(size_t(argc), true) {
    if (argc < 2 || argv[1][0] == '-') fail(usage, "");
    used_[1] = true;
    threads_ = number<int32_t>("threads", 0);
    repeats_ = number<int32_t>("repeat", 1);
    capacity_ = number<int64_t>("worklist-capacity", 0);
    if (threads_ < 0 || threads_ > 1024 || repeats_ < 1 || capacity_ < 0) fail("a number out of range", "");
    times_ = Array<double>(size_t(repeats_), true);
  }
  int threads() const { return threads_; }
  const char* graph_path() const { return argv_[1]; }
  int64_t capacity() const { return capacity_; }

  template <class T>
  T number(const char* name, T fallback) {
    const char* text = value(name);
    if (text == nullptr) return fallback;
    return number_of<T>(text, [name](const char* what) { fail(what, ": --", name); });
  }
  node_t node(const GraphFile& file, const char* name, node_t fallback) {
    const char* text = value(name);
    if (text == nullptr) return fallback;
    if (strcmp(text, "NONE") == 0 && fallback < 0) return -1;
    if (strcmp(text, "first") == 0) return file.csr.n > 0 ? 0 : -1;
    const int64_t v = file.to_node(number<int64_t>(name, 0));
    if (v < 0) fail("no such node: --", name);
    return node_t(v);
  }
  const char* given(const char* name) { return value(name); }  // or null
  const char* text(const char* name) {
    const char* given = value(name);
    if (given == nullptr) fail("a second graph is wanted: --", name);
    return given;
  }
  void require(const char* name) {
    if (value(name) == nullptr) fail("the program needs a value: --", name);
  }
  void check_options() const {
    for (int i = 2; i < argc_; ++i)
      if (!used_[size_t(i)]) fail("unknown option ", argv_[i]);
  }

  template <class F>
  bool repeat(F run) {  // whether all of the runs came to their end
    for (int k = 0; k < repeats_; ++k) {
      const double start = omp_get_wtime();
      if (run() != 0) return false;
      times_[size_t(k)] = (omp_get_wtime() - start) * 1e3;
    }
    return true;
  }
  template <class T>
  void scalar(const char* name, T x) const {
    printf("%s ", name), print(x), printf("\n");
  }
  // Which values count: all; those below INF, the largest of an integer type; those that are not NONE. Infinity and NaN
  // never do.
  enum Counted { all, below_inf, known };
  template <class F>
  void property(const char* name, size_t count, Counted counted, F value) const {
    using T = decltype(value(size_t(0)));
    using Sum = std::conditional_t<std::is_floating_point_v<T>, double, __int128>;
    T low = highest<T>(), high = lowest<T>();
    Sum sum = 0;
    size_t finite = 0;
    for (size_t i = 0; i < count; ++i) {
      const T x = value(i);
      if constexpr (std::is_floating_point_v<T>) {
        if (!(x - x == 0)) continue;
      } else if ((counted == below_inf && x == highest<T>()) || (counted == known && x == T(-1))) {
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
    printf(" sum "), print(sum), printf(" count %zu\n", finite);
  }
  void counters(const int64_t* stats) const {
    printf("ms");
    for (int k = 0; k < repeats_; ++k) printf(" %.3f", times_[size_t(k)]);
    printf("\n");
    const char* names[] = {"invocations", "rounds", "worklist_growths", "parallel_regions", "serial_rounds", "giant_items"};
    for (int k = 0; k < 6; ++k) printf("%s%s %lld", k != 0 ? " " : "", names[k], static_cast<long long>(stats[k]));
    printf("\n");
    if (fflush(stdout) != 0 || ferror(stdout) != 0) fail("can't write to stdout", "");
  }
  static void report_to_stderr() { dup2(2, 1); }  // from here on, of a program that has had stdout to itself
  static int out_of_memory() { return fprintf(stderr, "error: out of memory\n"), 2; }
  struct Stop { int64_t source, line, column; const char* text; };  // a stop() of the program
  // sources: the names of the program's files. stops: all, an empty one behind. Nothing but the error is printed.
  static int failed(const int64_t* fault, const char* const* sources, const Stop* stops = nullptr) {
    if (fault[0] == IRGL_FAULT_MEMORY) return out_of_memory();
    if (fault[0] == IRGL_FAULT_DEVICE) return 2;  // which CUDA has told
    const char* what = fault[0] == IRGL_FAULT_DIVISION ? "division by zero" : fault[0] == IRGL_FAULT_STOP
        ? "the program stopped itself here" : "access through NONE or outside of its bounds";
    for (; fault[0] == IRGL_FAULT_STOP && stops != nullptr && stops->text != nullptr; ++stops)
      if (stops->source == fault[3] && stops->line == fault[1] && stops->column == fault[2]) what = stops->text;
    const long long line = fault[1], column = fault[2] != 0 ? fault[2] : 1;
    fprintf(stderr, "%s:%lld:%lld: error: %s\n", sources[fault[3]], line, column, what);
    return 2;
  }
  [[noreturn]] static void fail(const char* what, const char* which, const char* name = "") {
    fprintf(stderr, "error: %s%s%s\n", what, which, name);
    exit(2);
  }

 private:
  template <class T>
  static void print(T x) {
    if constexpr (std::is_floating_point_v<T>) {
      printf(sizeof(T) == 4 ? "%.9g" : "%.17g", double(x));
    } else if constexpr (std::is_same_v<T, bool>) {
      printf("%s", x ? "true" : "false");
    } else {  // up to 128 bits, which printf does not know
      char digits[48];
      int at = 48;
      bool negative = false;
      if constexpr (T(-1) < T(1)) negative = x < T(0);  // of a signed type
      unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(x) : static_cast<unsigned __int128>(x);
      do digits[--at] = char('0' + int(rest % 10)); while ((rest /= 10) != 0);
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
  int argc_;
  char** argv_;
  Array<bool> used_;
  Array<double> times_;
  int threads_ = 0, repeats_ = 1;
  int64_t capacity_ = 0;
};

}  // namespace irgl
