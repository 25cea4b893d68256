// Graph files, as stand-alone programs map them (cpu_rt/file.hpp): all that was accepted is walked.
#include "each.hpp"

#define private public
#include "cpu_rt/file.hpp"
#undef private

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  return each(argv, [](const char* path) {
    irgl::Runtime c(1);
    irgl::GraphFile file(c, path);
    Mapped mapped{file.base_, file.bytes_};
    const size_t n = size_t(file.csr.n), m = size_t(file.csr.m);
    mapped.use(file.csr.row, n + 1, sizeof(irgl::edge_t)), mapped.use(file.csr.cols, m, sizeof(irgl::node_t));
    if (file.csr.in_row != nullptr) mapped.use(file.csr.in_row, n + 1, sizeof(irgl::edge_t));
    if (file.csr.in_cols != nullptr) mapped.use(file.csr.in_cols, m, sizeof(irgl::node_t));
    if (file.csr.in_eid != nullptr) mapped.use(file.csr.in_eid, m, sizeof(irgl::edge_t));
    if (file.ids_ != nullptr) mapped.use(file.ids_, n, 8);
    for (size_t v = 0; v < n; ++v)
      for (irgl::edge_t e = file.csr.row[v]; e < file.csr.row[v + 1]; ++e)
        if (size_t(e) >= m || size_t(file.csr.cols[e]) >= n) return 99;
    file.average_weight(c);
    file.weights<int64_t>(c);
    file.need_transpose(c);
    file.need_in_edge(c, true);
    return 0;
  });
}
