"""Statements of whole vectors: value by value on every target, as NumPy has them; parameters of a shape; constants."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import irgl
from irgl.driver import compile as compile_text
from irgl.source import IrglError

ARCS = [(0, 1, 3), (0, 2, 1), (1, 2, 7), (2, 0, 2), (3, 1, 5), (3, 2, 4), (4, 4, 1), (1, 0, 6)]
N, K = 5, 3
TEXT = """
const int K = 3;
import "array.irgl";
graph Graph { node double h[K]; node double out[K] = 0; node double low[K] = INF; node double norm = 0;
  edge int w; }
double total = 0;
double both(double w[K], int k) { double twice[K] = 0; twice += w; twice *= 2; return twice[k]; }
Kernel begin(Graph g) { ForAll (n In g.nodes) { For (k In range(K)) { n.h[k] = (n.id * 7 + k * 3) % 11 - 4; } } }
Kernel gather(Graph g, double m[2][K], double bias[K]) {
  ForAll (n In g.nodes) {
    double sum[K] = 0.25;
    double top[K] = -INF;
    int many[K];
    ForAll (e In n.in_edges) { sum += e.src.h * e.w; top max= abs(e.src.h); many += 1; }
    auto mixed = sum + max(top, 0.0) - bias;
    For (c In range(2)) { mixed += m[c] * n.h[c]; mixed[0] -= m[c][1]; }
    n.out = n.degree > 1 ? mixed / (1 + n.degree) : -mixed;
    n.norm = dot(n.out, n.h) + sum(n.h * n.h) + many[2];
    if (sum(n.out) > 1 && n.norm > K) { total += both(bias, 2); }
  }
}
Kernel give(Graph g) {
  ForAll (n In g.nodes) { ForAll (e In n.edges) { e.dst.out += n.h * e.w; e.dst.low min= n.h; } }
}
Program main(weighted Graph g, double m[2][K], double bias[K]) {
  Invoke begin(g); Invoke gather(g, m, bias); Invoke give(g);
}
"""
M = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]])
BIAS = np.array([0.5, 1.5, -0.75])


def expected() -> dict[str, Any]:
    h = np.array([[(n * 7 + k * 3) % 11 - 4 for k in range(K)] for n in range(N)], float)
    out, low, norm, total = np.zeros((N, K)), np.full((N, K), np.inf), np.zeros(N), 0.0
    for n in range(N):
        into = [(s, w) for s, d, w in ARCS if d == n]
        degree = sum(s == n for s, _, _ in ARCS)
        gathered = 0.25 + sum((h[s] * w for s, w in into), np.zeros(K))
        top = np.max([np.abs(h[s]) for s, _ in into], axis=0) if into else np.full(K, -np.inf)
        mixed = gathered + np.maximum(top, 0) - BIAS
        for c in range(2):
            mixed = mixed + M[c] * h[n][c]
            mixed[0] -= M[c][1]
        out[n] = mixed / (1 + degree) if degree > 1 else -mixed
        norm[n] = out[n] @ h[n] + h[n] @ h[n] + len(into)
        total += 2 * BIAS[2] if out[n].sum() > 1 and norm[n] > K else 0
    for s, d, w in ARCS:
        out[d] += h[s] * w
        low[d] = np.minimum(low[d], h[s])
    return {"out": out, "low": low, "norm": norm, "total": total}


def run(target: str, plan: str | None = None, text: str = TEXT, path: str = "vectors.irgl", **given: Any) -> Any:
    sources, targets, weights = np.array(ARCS).T
    graph = sp.csr_array((weights, (sources, targets)), shape=(N, N))
    return irgl.compile(path, target=target, plan=plan, text=text)(graph, **given)


@pytest.mark.parametrize(("target", "plan"), [
    ("ref", None), ("cpu", None), ("cpu", "none direction=pull"), ("cpu", "lanes=8"),
    ("cpu", "prefetch=8 serial=0 grain=64"), ("simt", None), ("simt", "np=fg"), ("simt", "np=wp outline=off"),
])
def test_every_statement_of_vectors_is_numpys(target: str, plan: str | None) -> None:
    found = run(target, plan, m=M, bias=BIAS)
    for name, values in expected().items():
        np.testing.assert_allclose(getattr(found, name), values, rtol=1e-12, err_msg=name)


REFUSED = [
    ({"m": M, "bias": BIAS[:2]}, "`bias` has the shape (2,): the program takes (3,)"),
    ({"m": M.T, "bias": BIAS}, "`m` has the shape (3, 2): the program takes (2, 3)"),
    ({"m": M[0], "bias": BIAS}, "`m` has the shape (3,): the program takes (2, 3)"),
    ({"m": M.reshape(-1), "bias": BIAS}, "`m` has the shape (6,): the program takes (2, 3)"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_a_parameter_of_another_shape_is_refused_with_both_shapes(given: dict[str, Any], message: str) -> None:
    with pytest.raises(IrglError) as caught:
        run("cpu", **given)
    assert caught.value.message == message


def test_rows_are_what_they_are_however_they_lie_in_memory() -> None:
    assert run("cpu", m=np.asfortranarray(M), bias=BIAS).total == run("cpu", m=M, bias=BIAS).total


WIDE = """
const int K = 2;
graph Graph { node int x[K] = 1; }
long most = K;
Kernel add(Graph g) { ForAll (n In g.nodes) { n.x += K; } }
Program main(Graph g) { Invoke add(g); }
"""


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_a_constant_has_another_value_where_the_programs_name_says_so(target: str) -> None:
    found = run(target, text=WIDE, path="wide.irgl:K=5")
    assert (found.x.tolist(), found.most) == ([[6] * 5] * N, 5)


@pytest.mark.parametrize(("given", "message", "hint"), [
    ("J=5", "the program has no constant 'J'", "it has K"),
    ("K=-1", "constant 'K' can't be '-1'", "it is a whole number from 0 to 2147483647"),
    ("K=2147483648", "constant 'K' can't be '2147483648'", "it is a whole number from 0 to 2147483647"),
    ("K=two", "constant 'K' can't be 'two'", "it is a whole number from 0 to 2147483647"),
    ("K=1,K=2", "constant 'K' is given twice", "give one value"),
    ("K=1025", "a property of 1025 values", "a node has from 1 to 1024"),
])
def test_another_value_that_no_constant_can_have_is_refused(given: str, message: str, hint: str) -> None:
    with pytest.raises(IrglError) as caught:
        run("cpu", text=WIDE, path=f"wide.irgl:{given}")
    assert (caught.value.message, caught.value.hint) == (message, hint)


NAN = """
graph Graph { node float x[2] = 1; node float top[2] = 0; }
Kernel spoil(Graph g) { ForAll (n In g.nodes) { n.x[1] = (float)log(-1.0); n.x *= 2; n.top = n.x + 1; } }
Program main(Graph g) { Invoke spoil(g); }
"""


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_nan_stays_nan_and_spoils_no_other_value(target: str) -> None:
    found = run(target, text=NAN)
    assert found.top[:, 0].tolist() == [3] * N
    assert np.isnan(found.top[:, 1]).all()


OUTSIDE = """
graph Graph { node int x = 0; }
Kernel at(Graph g, int k) {
  ForAll (n In g.nodes) {
    int row[4] = 1;
    n.x = row[k];
  }
}
Program main(Graph g, int k = 0) { Invoke at(g, k); }
"""


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
@pytest.mark.parametrize("k", [4, -1])
def test_a_value_that_a_variable_lacks_stops_the_program_at_its_line(target: str, k: int) -> None:
    with pytest.raises(IrglError) as caught:
        run(target, text=OUTSIDE, k=k)
    assert caught.value.span is not None
    assert caught.value.span.line == 6


SPMM = """
const int K = 16;
graph Graph { input node float h[K]; node float out[K] = 0; }
Kernel pull(Graph g) {
  ForAll (n In g.nodes) {
    float sum[K] = 0;
    ForAll (e In n.in_edges) { sum += e.src.h; }
    n.out = sum;
  }
}
Program main(Graph g) { Invoke pull(g); }
"""


def test_a_sum_of_rows_takes_no_atomic() -> None:
    text = compile_text("spmm.irgl", text=SPMM).text
    assert not re.search("atomic|reduce_|omp critical", text)


@pytest.mark.parametrize("k", [1, 3, 16, 17, 64])
def test_rows_of_any_length_are_summed_as_scipy_does(k: int) -> None:
    matrix = sp.random_array((300, 300), density=0.05, rng=np.random.default_rng(5), format="csr")
    matrix.data[:] = 1
    h = np.random.default_rng(6).random((300, k), np.float32)
    found = irgl.compile(f"spmm.irgl:K={k}", text=SPMM)(matrix, h=h)
    np.testing.assert_allclose(found.out, matrix.T.astype(np.float64) @ h, rtol=1e-5)


KINDS = """
graph Graph { node int big[2] = 2000000000; node float x[2] = 1.5; node double r[2] = 0; node long t = 0;
  node double u = 0; node uint32 w[2] = 0; node int q = 3; node float bias = 2; node float y[2] = 0;
  node int d = 0; node int p[2] = 0; }
uint32 one(int k) { return 1u; }
Kernel kinds(Graph g) { ForAll (n In g.nodes) {
  int i = n.q;
  long z[3] = (long)(i);
  n.t = z[1];
  n.u = sum(n.big * one(1));
  auto half = 0.5;
  auto a = n.big * half;
  n.r = a;
  auto b = n.big * dot(n.x, n.x);
  n.y = b;
  auto c = n.big * g.num_nodes;
  n.t += c[0];
  auto d = pow(n.x, 2);
  n.r += d;
  n.u += sum(n.big * half) + dot(n.big * half, n.x);
  auto e = hash(n.id) * (n.big * 0 + 1);
  n.w = e;
} }
Kernel beside(Graph g) { ForAll (n In g.nodes) {
  float s[2] = n.bias;
  n.y += s * 2.0f;
  ForAll (f In n.edges) { f.dst.d += 1; }
} }
Kernel under(Graph g) { ForAll (n In g.nodes) { if (n.q > 1) {
  int s[2] = n.q;
  n.p += s;
  ForAll (f In n.edges) { f.dst.d += 1; }
} } }
Program main(Graph g) { Invoke kinds(g); Invoke beside(g); Invoke under(g); }
"""


@pytest.mark.parametrize(("target", "plan"), [
    ("ref", None), ("cpu", None), ("simt", "vec=thread"), ("simt", "vec=lanes"), ("simt", "np=fg vec=thread")])
def test_numbers_are_of_the_type_that_cs_conversions_give_them(target: str, plan: str | None) -> None:
    found = run(target, plan, text=KINDS)
    assert found.t.tolist() == [3 + 2 * 10**9 * N] * N
    assert found.u.tolist() == [4 * 10**9 + 2 * 10**9 + 3 * 10**9] * N
    assert found.r.tolist() == [[10**9 + 2.25] * 2] * N
    assert found.y.tolist() == [[float(np.float32(2e9) * np.float32(4.5) + np.float32(4))] * 2] * N
    assert found.p.tolist() == [[3] * 2] * N
    assert found.w[:, 0].tolist() == found.w[:, 1].tolist()
    assert len(set(found.w[:, 0].tolist())) == N


ROWS = """
graph Graph { node int x = 0; }
Kernel at(Graph g, int w[2][3], int r, int c) {
  ForAll (n In g.nodes) {
    n.x = w[r][c];
  }
}
Program main(Graph g, int w[2][3] = 7, int r = 0, int c = 0) { Invoke at(g, w, r, c); }
"""


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
@pytest.mark.parametrize(("r", "c"), [(0, 3), (2, 0), (-1, 4), (1, -1)])
def test_a_value_that_a_row_lacks_stops_the_program_wherever_the_array_goes_on(target: str, r: int, c: int) -> None:
    assert run(target, text=ROWS, r=1, c=2).x.tolist() == [7] * N
    with pytest.raises(IrglError) as caught:
        run(target, text=ROWS, r=r, c=c)
    assert caught.value.span is not None
    assert caught.value.span.line == 5


COUNTED = """
graph Graph { node int x = 0; node int calls = 0; }
int row(Graph g, node n) { n.calls += 1; return 1; }
Kernel at(Graph g, int w[2][3]) { ForAll (n In g.nodes) { n.x = VALUE; } }
Program main(Graph g, int w[2][3] = 7) { Invoke at(g, w); }
"""


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_a_helper_that_names_the_row_is_called_once(target: str) -> None:
    found = run(target, text=COUNTED.replace("VALUE", "w[row(g, n)][row(g, n) + 1]"))
    assert found.x.tolist() == [7] * N
    assert found.calls.tolist() == [2] * N


def test_a_helper_that_names_the_row_where_it_may_not_be_called_is_refused() -> None:
    with pytest.raises(IrglError, match="'w' may not be asked here, and a call says which of its values"):
        compile_text("counted.irgl", text=COUNTED.replace("VALUE", "n.degree > 2 ? w[row(g, n)][2] : 0"))


PYTHON = '''
import irgl
from irgl import node

K = irgl.constant(2)
HALF = 3

@irgl.graph
class Graph:
    x: node[irgl.float32, K] = 1
    y: node[irgl.float32, HALF] = 0

@irgl.kernel
def scale(g: Graph, w: irgl.vector[irgl.float32, HALF, K], b: irgl.vector[irgl.float32, HALF]):
    for n in g.nodes:
        top: irgl.vector[irgl.float32, HALF] = -1
        for k in irgl.serial(range(HALF)):
            top[k] = irgl.dot(w[k], n.x)
        n.y = max(top, b) + sum(n.x)

@irgl.program
def main(g: Graph, w: irgl.vector[irgl.float32, HALF, K], b: irgl.vector[irgl.float32, HALF] = 5):
    scale(g, w, b)
'''


@pytest.mark.parametrize(("path", "k"), [("scaled.py", 2), ("scaled.py:K=4", 4), ("scaled.py:main:K=1", 1)])
def test_the_notation_in_python_means_the_same(path: str, k: int) -> None:
    w = np.arange(3 * k, dtype=np.float32).reshape(3, k)
    wanted = np.maximum(w.sum(axis=1), 5) + k
    assert run("cpu", text=PYTHON, path=path, w=w).y.tolist() == [wanted.tolist()] * N


def test_a_program_in_memory_has_vectors_and_constants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scaled_in_memory.py").write_text(PYTHON)
    monkeypatch.syspath_prepend(str(tmp_path))
    program = importlib.import_module("scaled_in_memory").main
    found = program(sp.csr_array((N, N), dtype=np.float32), w=np.ones((3, 2)))
    assert found.y.tolist() == [[7.0] * 3] * N


def test_another_value_of_what_is_no_constant_in_python_is_refused_in_its_words() -> None:
    with pytest.raises(IrglError) as caught:
        run("cpu", text=PYTHON.replace("irgl.constant(2)", "2"), path="scaled.py:K=4", w=np.ones((3, 2)))
    assert caught.value.hint == "one is declared by: K = irgl.constant(16)"


@pytest.mark.parametrize("given", [{"b": 1.0}, {"b": [[1], [2, 3]]}])
def test_what_is_no_array_is_refused_with_the_shape(given: dict[str, Any]) -> None:
    with pytest.raises(IrglError, match=r"\(3,\)"):
        run("cpu", text=PYTHON, path="scaled.py", w=np.ones((3, 2)), **given)


def test_a_name_in_another_file_is_not_a_constants() -> None:
    text = re.sub(r"\bK\b", "item", WIDE).replace("const int item = 2;", 'const int item = 3;\nimport "array.irgl";')
    assert run("cpu", text=text).x.tolist() == [[4] * 3] * N
