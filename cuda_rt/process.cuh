// A main for a unit that runs in a process of its own: ./PROGRAM CALL-FILE. The file holds everything that
// irgl_run_args points to; it is mapped into memory, so that results are where the caller (irgl/rt/process.py) looks
// for them.
//
// The file begins with 64-bit words: magic, repetitions, where their times go (doubles, ms), then the fields of
// irgl_run_args in order, and those of each graph: numbers as they are, arrays as their place in the file (0: none).
// The process ends with its caller: nobody else could use what it computes.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../cpu_rt/abi.hpp"

namespace irgl {

class CallFile {
 public:
  explicit CallFile(const char* path) {
    const int file = open(path, O_RDWR);
    struct stat size;
    if (file < 0 || fstat(file, &size) != 0) fail(path);
    base_ = static_cast<char*>(mmap(nullptr, size_t(size.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    if (base_ == MAP_FAILED) fail(path);
    word_ = reinterpret_cast<int64_t*>(base_);
    if (next() != magic) fail(path);
  }

  int run() {
    const int64_t repeat = next();
    double* times = at<double>(next());
    irgl_run_args args{};
    args.num_graphs = next();
    args.params = pointers();
    args.globals = pointers();
    args.threads = next(), args.worklist_capacity = next();
    args.serial = next(), args.grain = next(), args.giant = next(), args.seed = next();
    args.stats = at<int64_t>(next()), args.fault = at<int64_t>(next()), args.stop = at<int32_t>(next());
    args.graphs = static_cast<irgl_graph*>(calloc(size_t(args.num_graphs) + 1, sizeof(irgl_graph)));
    for (int64_t k = 0; k < args.num_graphs; ++k) {
      irgl_graph& g = args.graphs[k];
      g.nodes = next(), g.edges = next();
      g.row = at<char>(next()), g.cols = at<char>(next());
      g.in_row = at<char>(next()), g.in_cols = at<char>(next()), g.in_eid = at<char>(next());
      g.flags = next();
      g.properties = pointers();
    }
    int code = 0;
    for (int64_t k = 0; k < repeat && code == 0; ++k) {
      memset(args.stats, 0, IRGL_STATS * sizeof(int64_t));
      memset(args.fault, 0, IRGL_FAULTS * sizeof(int64_t));
      const double begin = now();
      code = irgl_run(&args);
      const double device = double(args.stats[IRGL_STAT_RUN_NS]) * 1e-6;
      times[k] = device > 0 ? device : now() - begin;
    }
    return code;
  }

 private:
  static constexpr int64_t magic = 0x4c4c41436c677269;  // "irglCALL"

  int64_t next() { return *word_++; }
  template <class T>
  T* at(int64_t place) { return place == 0 ? nullptr : reinterpret_cast<T*>(base_ + place); }
  void** pointers() {
    const int64_t count = next();
    void** found = static_cast<void**>(calloc(size_t(count) + 1, sizeof(void*)));
    for (int64_t k = 0; k < count; ++k) found[k] = at<char>(next());
    return found;
  }
  static double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
  }
  [[noreturn]] static void fail(const char* path) {
    fprintf(stderr, "error: %s is no call file\n", path);
    exit(2);
  }

  char* base_;
  int64_t* word_;
};

}  // namespace irgl

int main(int argc, char** argv) {
  if (argc != 2) return fprintf(stderr, "usage: %s CALL-FILE\n", argv[0]), 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return irgl::CallFile(argv[1]).run();
}
