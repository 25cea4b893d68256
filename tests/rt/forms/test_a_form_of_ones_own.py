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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "backwards.py").write_text(BUILDER)
    (tmp_path / "backwards.hpp").write_text(HEADER)
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "IRGL_FORMS": str(folder), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=ROOT, env=env, check=False)


def test_the_tests_of_all_forms_take_it(folder: Path) -> None:
    done = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/rt/forms", "tests/plans/test_formats.py",
               "-k", "backwards and not own")
    assert done.returncode == 0, done.stdout[-2000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) >= 20


def test_the_command_line_takes_it(folder: Path) -> None:
    done = run(folder, "-m", "irgl", "run", "pr_pull", "--graph", "rmat:8", "--plan", "format=backwards", "--verify")
    assert done.returncode == 0, done.stderr
    assert "format=backwards" in done.stdout
    assert re.search(r"verified +yes", done.stdout)
