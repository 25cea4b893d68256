// A main for a unit that runs in a process of its own: ./PROGRAM CALL-FILE. The file holds everything that
// irgl_run_args points to; it is mapped into memory, so that results are where the caller (rt/call/process.py) looks
// for them.
//
// The file begins with 64-bit words: magic, repetitions, where their times go (doubles, ms), then the fields of
// irgl_run_args in order but for fuse, stop and devices, those of each graph with its forms, those of the mesh behind a
// word that tells if it is, and the devices: numbers as they are, arrays as their place in the file (0: none), a form's
// behind its bytes. The mesh that the last run leaves goes into CALL-FILE.mesh: how many points, triangles, segments,
// then xy, corners, sides and ends. What the words say is held against the file's size, so that one that is cut off or
// damaged is refused and not read beyond its end; how long a property must be is known to the unit alone.
//
// Without an argument it serves many calls from one start. It says 0 once it has the device (else CUDA's error), and
// answers each line "UNIT CALL-FILE" on stdin with the call's code; UNIT is put into the environment for a text of
// several units (irgl/codegen/cxx/joined.py). After an error of CUDA no further call can be right: start another.
//
// The process ends with its caller: nobody else could use what it computes. So nobody has to tell it to stop, and it
// waits for the GPU without looking up. With IRGL_SECONDS in the environment it ends after so many instead: a tool that
// starts it may do so from a thread that is soon over, which the system takes for the caller's end.
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
#include "own_process.cuh"

namespace irgl {

class CallFile {
 public:
  explicit CallFile(const char* path) : path_(path) {
    const int file = open(path, O_RDWR);
    struct stat size;
    if (file < 0 || fstat(file, &size) != 0 || size.st_size < 8) fail(path);
    base_ = static_cast<char*>(mmap(nullptr, size_t(size.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    if (base_ == MAP_FAILED) fail(path);
    bytes_ = size_t(size.st_size);
    word_ = reinterpret_cast<int64_t*>(base_);
    if (next() != magic) fail(path);
  }
  CallFile(const CallFile&) = delete;
  CallFile& operator=(const CallFile&) = delete;
  ~CallFile() { munmap(base_, bytes_); }

  int run() {
    const int64_t repeat = count();
    double* times = at<double>(next(), repeat, 8);
    irgl_run_args args{};
    args.num_graphs = count();
    args.params = pointers();
    args.globals = pointers();
    args.threads = next(), args.worklist_capacity = next();
    args.serial = next(), args.grain = next(), args.giant = next(), args.seed = next();
    args.stats = at<int64_t>(next(), IRGL_STATS, 8), args.fault = at<int64_t>(next(), IRGL_FAULTS, 8);
    args.graphs = static_cast<irgl_graph*>(calloc(size_t(args.num_graphs) + 1, sizeof(irgl_graph)));
    for (int64_t k = 0; k < args.num_graphs; ++k) {
      irgl_graph& g = args.graphs[k];
      g.nodes = count(), g.edges = next();  // whose far ends are in no file that needs none
      if (g.edges < 0 || (IRGL_EDGE_BITS == 32 && g.edges > INT32_MAX)) fail(path_);
      g.row = at<char>(next(), g.nodes + 1, IRGL_EDGE_BITS / 8);
      g.cols = at<char>(next(), g.edges, IRGL_NODE_BITS / 8, true);
      g.in_row = at<char>(next(), g.nodes + 1, IRGL_EDGE_BITS / 8, true);
      g.in_cols = at<char>(next(), g.edges, IRGL_NODE_BITS / 8, true);
      g.in_eid = at<char>(next(), g.edges, IRGL_EDGE_BITS / 8, true);
      g.flags = next();
      if ((g.flags & IRGL_GRAPH_ON_DEVICE) != 0) fail(path_);  // nothing in a file is
      g.properties = pointers();
      g.num_forms = count();
      irgl_form* const forms = static_cast<irgl_form*>(calloc(size_t(g.num_forms) + 1, sizeof(irgl_form)));
      g.forms = forms;
      for (int64_t f = 0; f < g.num_forms; ++f) {
        for (int64_t& number : forms[f].numbers) number = next();
        for (int i = 0; i < IRGL_FORM_ARRAYS; ++i)
          forms[f].bytes[i] = count(), forms[f].arrays[i] = at<char>(next(), forms[f].bytes[i], 1);
      }
    }
    const bool meshed = next() != 0;
    const irgl_mesh given = meshed ? mesh() : irgl_mesh{};
    args.devices = next();
    irgl_mesh left{};
    if (meshed) args.mesh = &left, args.allocate = [](int64_t bytes) { return malloc(size_t(bytes) + 1); };
    int code = 0;
    for (int64_t k = 0; k < repeat && code == 0; ++k) {
      left = given;
      memset(args.stats, 0, IRGL_STATS * sizeof(int64_t));
      memset(args.fault, 0, IRGL_FAULTS * sizeof(int64_t));
      const double begin = now();
      code = irgl_run(&args);
      const double device = double(args.stats[IRGL_STAT_RUN_NS]) * 1e-6;
      times[k] = device > 0 ? device : now() - begin;
      if (meshed && code == 0) keep(left);
    }
    return code;
  }

 private:
  static constexpr int64_t magic = 0x4c4c41436c677269;  // "irglCALL"

  int64_t next() {
    if (size_t(reinterpret_cast<char*>(word_ + 1) - base_) > bytes_) fail(path_);
    return *word_++;
  }
  // How many there are of something that has at least a byte of the file.
  int64_t count() {
    const int64_t found = next();
    if (found < 0 || size_t(found) > bytes_) fail(path_);
    return found;
  }
  // Where an array of so many bytes lies. One of no bytes has no place, and one that is not needed may have none.
  template <class T>
  T* at(int64_t place, int64_t many, int64_t size, bool may_lack = false) {
    if (place == 0 && (may_lack || many == 0)) return nullptr;
    const size_t begin = size_t(place);
    if (place <= 0 || begin % 64 != 0 || begin > bytes_ || size_t(many) > (bytes_ - begin) / size_t(size)) fail(path_);
    return reinterpret_cast<T*>(base_ + place);
  }
  void** pointers() {
    const int64_t many = count();
    void** found = static_cast<void**>(calloc(size_t(many) + 1, sizeof(void*)));
    for (int64_t k = 0; k < many; ++k) found[k] = at<char>(next(), 1, 1, true);
    return found;
  }
  irgl_mesh mesh() {
    irgl_mesh m{};
    m.points = count(), m.triangles = count(), m.segments = count();
    m.xy = at<double>(next(), m.points, 16);
    m.corners = at<int32_t>(next(), m.triangles, 12), m.across = at<int32_t>(next(), m.triangles, 12);
    m.sides = at<int32_t>(next(), m.triangles, 12), m.ends = at<int32_t>(next(), m.segments, 8);
    return m;
  }
  void keep(const irgl_mesh& m) {
    char* name = static_cast<char*>(malloc(strlen(path_) + sizeof ".mesh"));
    strcpy(name, path_);
    strcat(name, ".mesh");
    FILE* file = fopen(name, "wb");
    free(name);
    if (file == nullptr) fail(path_);
    const int64_t counts[] = {m.points, m.triangles, m.segments};
    bool kept = fwrite(counts, sizeof counts, 1, file) == 1;
    const auto part = [&](const void* data, size_t bytes) {
      kept = kept && (bytes == 0 || fwrite(data, bytes, 1, file) == 1);
      free(const_cast<void*>(data));
    };
    part(m.xy, size_t(m.points) * 2 * sizeof(double));
    part(m.corners, size_t(m.triangles) * 3 * sizeof(int32_t));
    part(m.sides, size_t(m.triangles) * 3 * sizeof(int32_t));
    part(m.ends, size_t(m.segments) * 2 * sizeof(int32_t));
    if (fclose(file) != 0 || !kept) fprintf(stderr, "error: %s.mesh can't be written\n", path_), exit(2);
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

  const char* path_;
  char* base_;
  size_t bytes_;
  int64_t* word_;
};

inline int serve() {
  const int answers = dup(1);
  dup2(2, 1);  // what a program prints is no answer
  const cudaError_t error = cudaFree(nullptr);
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
  dprintf(answers, "%d\n", int(error));
  static char line[8192];
  while (fgets(line, sizeof line, stdin) != nullptr) {
    line[strcspn(line, "\n")] = 0;
    char* file = strchr(line, ' ');
    if (file == nullptr) return 2;
    *file++ = 0;
    setenv("UNIT", line, 1);
    dprintf(answers, "%d\n", CallFile(file).run());
  }
  return 0;
}

}  // namespace irgl

int main(int argc, char** argv) {
  if (argc > 2) return fprintf(stderr, "usage: %s [CALL-FILE]\n", argv[0]), 2;
  if (const char* const seconds = getenv("IRGL_SECONDS")) alarm(unsigned(atoi(seconds)));
  else prctl(PR_SET_PDEATHSIG, SIGKILL);
  irgl::own_process();
  return argc == 2 ? irgl::CallFile(argv[1]).run() : irgl::serve();
}
