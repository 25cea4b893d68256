// Call files: read as cuda_rt/process.cuh does, by a unit that touches all that it is given to the last byte.
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <signal.h>
#include <sys/prctl.h>

#include "each.hpp"

#define IRGL_NODE_BITS 32
#define IRGL_EDGE_BITS 32
#define private public
#define main unit_main
#include "cuda_rt/process.cuh"
#undef main
#undef private

static Mapped mapped;

extern "C" int irgl_run(irgl_run_args* a) {
  mapped.use(a->stats, IRGL_STATS, 8), mapped.use(a->fault, IRGL_FAULTS, 8);
  for (int64_t k = 0; k < a->num_graphs; ++k) {
    const irgl_graph& g = a->graphs[k];
    mapped.use(g.row, size_t(g.nodes) + 1, 4);
    if (g.cols != nullptr) mapped.use(g.cols, size_t(g.edges), 4);
    if (g.in_row != nullptr) mapped.use(g.in_row, size_t(g.nodes) + 1, 4);
    if (g.in_cols != nullptr) mapped.use(g.in_cols, size_t(g.edges), 4);
    if (g.in_eid != nullptr) mapped.use(g.in_eid, size_t(g.edges), 4);
  }
  if (a->mesh != nullptr) {
    irgl_mesh& m = *a->mesh;
    mapped.use(m.xy, size_t(m.points), 16), mapped.use(m.corners, size_t(m.triangles), 12);
    mapped.use(m.across, size_t(m.triangles), 12), mapped.use(m.sides, size_t(m.triangles), 12);
    mapped.use(m.ends, size_t(m.segments), 8);
    m = irgl_mesh{};
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  return each(argv, [](const char* path) {
    irgl::CallFile file(path);
    mapped.base = file.base_, mapped.bytes = file.bytes_;
    return file.run();
  });
}
