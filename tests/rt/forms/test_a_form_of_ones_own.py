"""A form is files found by its name: rows stored backwards, put beside irgl, go through the tests of all forms."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import ROOT

BUILDER = '''"""backwards: rows from the last edge to the first."""

from __future__ import annotations

import numpy as np

from irgl.forms.cut import parts
from irgl.forms.form import Built, Form, Native, Options, Rows


def build(rows: Rows, options: Options, native: Native) -> Built:
    first = parts(rows, max(1, rows.n))
    edge = np.arange(rows.m - 1, -1, -1, dtype=rows.row.dtype)
    return Built((len(first) - 1,), (first, rows.row, rows.cols[::-1].copy()), edge)


def size(rows: Rows, options: Options) -> int:
    return rows.row.nbytes + rows.cols.nbytes + parts(rows, max(1, rows.n)).nbytes


FORM = Form("backwards", "sweep", build, size)
'''
HEADER = """// backwards: rows from the last edge to the first.
#pragma once
#include "cpu_rt/sweep.hpp"

namespace irgl {
namespace forms {
struct backwards : FormData {
  size_t parts = 0;
  const edge_t *first = nullptr, *begin = nullptr;
  const node_t* far = nullptr;
  backwards() = default;
  explicit backwards(const irgl_form& f)
      : FormData(f), parts(size_t(f.numbers[0])), first(static_cast<const edge_t*>(f.arrays[0])),
        begin(static_cast<const edge_t*>(f.arrays[1])), far(static_cast<const node_t*>(f.arrays[2])) {}
};
}  // namespace forms
IRGL_INLINE size_t part_count(const forms::backwards& f) { return f.parts; }
IRGL_INLINE size_t rows_in(const forms::backwards& f, Part p) {
  return size_t(f.first[p.index + 1] - f.first[p.index]);
}
IRGL_INLINE size_t work_of(const forms::backwards& f) {
  return size_t(f.first[f.parts]) + size_t(f.begin[f.first[f.parts]]);
}
template <class Op>
IRGL_INLINE void each_row(const forms::backwards& f, Part p, Op&& op) {
  for (size_t k = 0; k < rows_in(f, p); ++k) op(node_t(f.first[p.index]) + node_t(k), k);
}
template <bool = false, class Op>
IRGL_INLINE void each_edge(const forms::backwards& f, Part p, Op&& op) {
  const edge_t last = f.begin[f.first[f.parts]];
  for (size_t k = rows_in(f, p); k-- > 0;) {
    const edge_t n = f.first[p.index] + edge_t(k);
    for (edge_t e = last - f.begin[n + 1]; e < last - f.begin[n]; ++e) op(node_t(n), k, f.far[e], e);
  }
}
}  // namespace irgl
"""
CUDA_HEADER = """// backwards: rows from the last edge to the first. A lane has a row.
#pragma once
#include "cuda_rt/swept.cuh"

namespace irgl {
namespace forms {
struct backwards : FormData {
  static constexpr bool shared = false;
  size_t count = 0;
  const edge_t* begin = nullptr;
  const node_t* ends = nullptr;
  backwards() = default;
  explicit backwards(const irgl_form& f)
      : FormData(f), count(size_t(f.bytes[1]) / sizeof(edge_t) - 1), begin(static_cast<const edge_t*>(f.arrays[1])),
        ends(static_cast<const node_t*>(f.arrays[2])) {}
  IRGL_DEVICE node_t node(size_t row) const { return node_t(row); }
  struct Lane {
    const backwards& form;
    edge_t at = 0, length = 0, end = 0;
    IRGL_DEVICE Lane(const backwards& f, size_t row) : form(f) {
      if (row < f.count) at = f.begin[f.count] - f.begin[row + 1], length = f.begin[row + 1] - f.begin[row];
      end = at + length;
    }
    IRGL_DEVICE bool next(edge_t& place) { return (place = at) < end && (++at, true); }
    IRGL_DEVICE node_t far(edge_t place) const { return form.ends[place]; }
  };
};
}  // namespace forms
}  // namespace irgl
"""
#: The same as a form of rows, which any loop over a node's edges takes.
ROWS = BUILDER.replace("backwards", "turned").replace('"sweep"', '"rows"')
ROWS_HEADER = """// turned: rows from the last edge to the first.
#pragma once
#include "cuda_rt/row_form.cuh"

namespace irgl {
namespace forms {
struct turned : RowForm {
  using Row = Interval<edge_t>;
  edge_t last = 0;
  const node_t* ends = nullptr;
  turned() = default;
  turned(const irgl_form& f, const Rows& r)
      : RowForm(f, r), last(edge_t(f.bytes[2] / sizeof(node_t))), ends(static_cast<const node_t*>(f.arrays[2])) {}
  IRGL_DEVICE Row row(node_t n) const { return {last - rows.row[n + 1], last - rows.row[n]}; }
  struct Reader {
    IRGL_DEVICE Placed at(const turned& f, const Row& row, size_t k) const { return {row.at(k), f.ends[row.at(k)]}; }
  };
};
}  // namespace forms
}  // namespace irgl
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "backwards.py").write_text(BUILDER)
    (tmp_path / "backwards.hpp").write_text(HEADER)
    (tmp_path / "backwards.cuh").write_text(CUDA_HEADER)
    (tmp_path / "turned.py").write_text(ROWS)
    (tmp_path / "turned.cuh").write_text(ROWS_HEADER)
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "IRGL_FORMS": str(folder), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=ROOT, env=env, check=False)


def test_the_tests_of_all_forms_take_it(folder: Path) -> None:
    done = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/rt/forms", "tests/plans/test_formats.py",
               "-k", "backwards and not own")
    assert done.returncode == 0, done.stdout[-2000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) >= 20


@pytest.mark.parametrize(("name", "tests"), [("backwards", "sweeps"), ("turned", "rows")])
def test_gpus_take_it_as_a_sweep_or_as_rows(folder: Path, name: str, tests: str) -> None:
    done = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/plans/test_{tests}_on_gpus.py",
               "-k", f"{name} and (bitmap or block or fg) and not tb")
    assert done.returncode == 0, done.stdout[-2000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) >= 2


def test_the_command_line_takes_it(folder: Path) -> None:
    done = run(folder, "-m", "irgl", "run", "pr_pull", "--graph", "rmat:8", "--plan", "format=backwards", "--verify")
    assert done.returncode == 0, done.stderr
    assert "format=backwards" in done.stdout
    assert re.search(r"verified +yes", done.stdout)
