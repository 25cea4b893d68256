"""Meshes from files, meshes as parameters, stop(), objects of an iteration, and predicates that are exact."""

from __future__ import annotations

import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.agreement import disagreements
from support.meshes import mesh_of, run_on_mesh
from support.random_graphs import from_arcs
from support.random_programs import RandomProgram

from irgl.analysis.check import check
from irgl.cli.main import exit_code
from irgl.frontends.text.load import load_text
from irgl.rt.compile.toolchain import compiler, include_dir
from irgl.rt.graphs.readers.triangle import Points, Triangles
from irgl.rt.meshes.meshes import Mesh, load_mesh, make_mesh, save_mesh, subsegments
from irgl.source import IrglError

SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
NODE = "4 2 0 0\n1 0 0\n2 1 0\n3 1 1\n4 0 1\n"
ELE = "2 3 0\n1 1 2 3\n2 1 3 4\n"
POLY = "0 2 0 1\n1 1\n1 1 3 7\n0\n"
GROW = """import "mesh.irgl";
long found = 0;
Kernel count(Mesh m) { ForAll (t In m.triangles) { found += 1 + m.segment(t, 0) * 100; } }
Program grow(Mesh m, long more = 2) verify nobody(left = m) {
  for (long i = 0; i < more; i++) { m.add_point(2.0 + i, 0.5); }
  m.lay(m.add_triangle(1, m.num_points - 1, 2), 0, 0);
  m.remove(0);
  Invoke count(m);
}
"""


def _files(folder: Path, node: str = NODE, ele: str = ELE, poly: str = POLY) -> tuple[str, str]:
    for suffix, text in (("node", node), ("ele", ele), ("poly", poly)):
        (folder / f"x.{suffix}").write_text(text, encoding="utf-8")
    return str(folder / "x.ele"), str(folder / "x.poly")


def test_segments_are_those_of_the_outline_and_the_boundary(tmp_path: Path) -> None:
    mesh = load_mesh(*_files(tmp_path))
    assert mesh.ends[0].tolist() == [0, 2]
    assert sorted(sorted(e) for e in mesh.ends[1:].tolist()) == [[0, 1], [0, 3], [1, 2], [2, 3]]
    assert mesh.marks is not None
    assert mesh.marks.tolist() == [7, 1, 1, 1, 1]
    assert mesh.across.tolist() == [[-1, -1, 1], [0, -1, -1]]
    assert (mesh.sides >= 0).all()


def test_boundary_alone_where_no_outline_is_given(tmp_path: Path) -> None:
    assert len(load_mesh(_files(tmp_path)[0]).ends) == 4


def test_mesh_reads_back_as_it_was_written(tmp_path: Path) -> None:
    mesh = load_mesh(*_files(tmp_path))
    save_mesh(mesh, str(tmp_path / "y.ele.gz"))
    again = load_mesh(str(tmp_path / "y.ele.gz"), str(tmp_path / "y.poly.gz"))
    for name in ("xy", "corners", "across"):
        np.testing.assert_array_equal(getattr(again, name), getattr(mesh, name))
    assert {tuple(sorted(e)) for e in again.ends.tolist()} == {tuple(sorted(e)) for e in mesh.ends.tolist()}


def test_clockwise_triangles_are_turned_round(tmp_path: Path) -> None:
    assert load_mesh(_files(tmp_path, ele="2 3 0\n1 1 3 2\n2 1 3 4\n")[0]).corners.tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(("change", "message"), [
    ({"ele": "1 3 0\n1 1 2 9\n"}, "triangle 1 names a point that the 4 points lack"),
    ({"ele": "2 3 0\n1 1 2 3\n2 1 2 4\n"}, "triangle 2 overlaps another one at a side that they share"),
    ({"node": NODE.replace("4 0 1", "4 0.5 0.5")}, "the corners of triangle 2 are on one line"),
    ({"node": NODE.replace("4 0 1", "4 inf 1")}, "value 'inf' is not finite"),
    ({"poly": POLY.replace("1 1 3 7", "1 2 4 7")}, "the segment from point 2 to 4 is no side of the mesh"),
    ({"poly": POLY.replace("1 1 3 7", "1 1 9 7")}, "segment 1 names a point that is not there"),
])
def test_mesh_that_is_none_is_told(change: dict[str, str], message: str, tmp_path: Path) -> None:
    with pytest.raises(IrglError, match=message):
        load_mesh(*_files(tmp_path, **change))


@pytest.mark.parametrize("target", ["cpu", "ref"])
def test_mesh_of_a_program_comes_back_changed(target: str, tmp_path: Path) -> None:
    (tmp_path / "grow.irgl").write_text(GROW, encoding="utf-8")
    given = mesh_of(SQUARE, [(0, 1, 2), (0, 2, 3)], [(0, 2)])
    ran = run_on_mesh(tmp_path / "grow.irgl", given, target=target, more=3)
    assert ran.mesh.xy.tolist() == [*map(list, SQUARE), [2, 0.5], [3, 0.5], [4, 0.5]]
    assert ran.mesh.corners.tolist() == [[0, 2, 3], [1, 6, 2]]
    assert ran.mesh.sides[1].tolist() == [0, -1, -1]
    assert ran.mesh.sides[0].tolist() == given.sides[1].tolist()
    assert subsegments(ran.mesh)[0].tolist()[0] == [0, 2]
    assert len(given.corners) == 2


def test_every_repetition_starts_from_the_mesh_that_was_given(tmp_path: Path,
                                                              capsys: pytest.CaptureFixture[str]) -> None:
    ele, _ = _files(tmp_path)
    (tmp_path / "grow.irgl").write_text(GROW, encoding="utf-8")
    assert exit_code(["run", str(tmp_path / "grow.irgl"), "--mesh", ele, "--repeat", "3"]) == 0
    assert "now 6 points, 2 triangles" in capsys.readouterr().out


@pytest.mark.parametrize(("args", "message"), [
    ([], "no mesh is given"),
    (["--mesh", "x.ele", "--graph", "rmat:3"], "is given no graph"),
    (["--mesh", "x.npz"], "a mesh is a .ele file"),
    (["--mesh", "x.ele", "--out", "y.npz"], "a mesh is a .ele file"),
    (["--mesh", "missing.ele"], "no such file"),
])
def test_command_line_without_a_mesh_is_told(args: list[str], message: str, tmp_path: Path,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "grow.irgl").write_text(GROW, encoding="utf-8")
    assert exit_code(["run", str(tmp_path / "grow.irgl"), *args]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(("text", "message"), [
    ("Program p(Mesh m, Mesh n) { }", "a second mesh"),
    ("Program p(Mesh m = 3) { }", "a mesh has no default"),
    ("Program p(simple Mesh m) { }", "'simple' says something of a graph"),
    ("Program p(Mesh m, node n) { }", "parameter 'n' is a node of no graph"),
    ("Kernel k(Mesh m) { ForAll (t In m.triangles) { stop(\"here\"); } } Program p(Mesh m) { Invoke k(m); }",
     "'stop' belongs to the Program"),
    ("Program p(Mesh m) { stop(3); }", "stop is a statement of its own"),
    ("Program p(Mesh m) { long x = stop(\"so\"); }", "stop is a statement of its own"),
])
def test_what_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(IrglError, match=message):
        check(load_text('import "mesh.irgl"; ' + text, "p.irgl"))


@pytest.mark.parametrize("target", ["cpu", "ref"])
def test_stop_tells_its_reason_and_its_place(target: str, tmp_path: Path) -> None:
    text = 'import "mesh.irgl";\nProgram p(Mesh m) {\n  while (true) {\n    stop("no, not so");\n  }\n}\n'
    (tmp_path / "p.irgl").write_text(text, encoding="utf-8")
    with pytest.raises(IrglError, match=r"p\.irgl:4:5: error: no, not so"):
        run_on_mesh(tmp_path / "p.irgl", mesh_of([], []), target=target)


def test_objects_of_an_iteration_start_empty_in_each() -> None:
    text = """import "append_only_list.irgl"; import "array.irgl"; int a = 0; int b = 0;
      graph Graph { node int p = 0; edge int w; }
      long last(AppendOnlyList<long> l) { return l.size > 0 ? l[l.size - 1] : 0; }
      Kernel k(Graph g) { ForAll (n In g.nodes) {
        AppendOnlyList<long> seen; array<int> weights;
        For (e In n.edges) { seen.append(e.dst.id + 1); weights.append(e.w); }
        a += (int)seen.size; n.p = (int)last(seen);
        For (w In weights.items) { b += w; } } }
      Program p(Graph g) { Invoke k(g); }"""
    graph = from_arcs(40, [(n, (n * 7 + k) % 40, n % 5 + 1) for n in range(40) for k in range(n % 4)])
    assert disagreements([RandomProgram(text, graph, {})]) == []


def _cases() -> list[list[float]]:
    """Eight coordinates each: any, small integers, a few ulps apart, of far sizes, and nearly on a circle."""
    rng = np.random.default_rng(1)
    turn = rng.uniform(0, 7, (400, 4))
    circle = np.stack([np.cos(turn) + 1000, np.sin(turn) - 1000], 2).reshape(-1, 8)
    far = rng.choice([1e-9, 1.0, 1e7], (400, 8)) * rng.integers(-4, 5, (400, 8)) / 3
    near = 0.5 + rng.integers(-3, 4, (400, 8)) * 2.0**-53
    parts = [rng.uniform(-1, 1, (400, 8)), rng.integers(-3, 4, (400, 8)), near, far, circle]
    found: list[list[float]] = np.concatenate(parts).astype(float).tolist()
    return found


def test_predicates_are_exact(tmp_path: Path) -> None:
    (tmp_path / "signs.cpp").write_text("""#include "cpu_rt/predicates.hpp"
#include <stdio.h>
int main() {
  double v[8];
  while (scanf("%la %la %la %la %la %la %la %la", v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7) == 8)
    printf("%d %d\\n", irgl::orient2d(v[0], v[1], v[2], v[3], v[4], v[5]),
           irgl::incircle(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]));
}
""", encoding="utf-8")
    program = tmp_path / "signs"
    subprocess.run([*compiler(), "-O2", "-std=c++17", "-ffp-contract=off", f"-I{include_dir()}",
                    str(tmp_path / "signs.cpp"), "-o", str(program)], check=True)
    cases = _cases()
    given = "\n".join(" ".join(x.hex() for x in v) for v in cases)
    said = subprocess.run([str(program)], input=given, capture_output=True, text=True, check=True).stdout
    expected = [_exact(v) for v in cases]
    assert [tuple(map(int, line.split())) for line in said.splitlines()] == expected
    assert {sign for signs in expected for sign in signs} == {-1, 0, 1}


def _exact(v: list[float]) -> tuple[int, int]:
    a, b, c, d = ((Fraction(x), Fraction(y)) for x, y in zip(v[::2], v[1::2], strict=True))
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    rows: Any = [(p[0] - d[0], p[1] - d[1], (p[0] - d[0]) ** 2 + (p[1] - d[1]) ** 2) for p in (a, b, c)]
    (p, q, r), (s, t, u), (x, y, z) = rows
    inside = p * (t * z - u * y) - q * (s * z - u * x) + r * (s * y - t * x)
    return (turn > 0) - (turn < 0), (inside > 0) - (inside < 0)


def test_predicates_of_points_that_are_nowhere_are_zero(tmp_path: Path) -> None:
    text = """import "mesh.irgl"; int s = 0;
      Program p(Mesh m) { s = m.orient2d(0, 1, 0.0, INF) + m.incircle(0, INF, 1); }"""
    (tmp_path / "p.irgl").write_text(text, encoding="utf-8")
    mesh: Mesh = mesh_of(SQUARE, [(0, 1, 2)])
    found = {run_on_mesh(tmp_path / "p.irgl", mesh, target=t).result.scalars["s"] for t in ("cpu", "ref")}
    assert found == {0}


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_what_a_run_left_is_a_mesh_for_the_next_one(target: str) -> None:
    left = run_on_mesh("dmr", mesh_of(SQUARE, [(0, 1, 2), (0, 2, 3)]), target=target, angle=30.0)
    again = run_on_mesh("dmr", left.mesh, target=target, angle=33.0)
    assert again.wrong() is None


FAR = NODE.replace("3 1 1", "3 1e80 1")


@pytest.mark.parametrize(("node", "poly", "said"), [
    (FAR, POLY, "triangle 1 is too large or too small for exact arithmetic"),
    ("4 2 0 0\n1 -1e308 0\n2 1e308 0\n3 1e308 1e308\n4 0 1e308\n", POLY, "triangle 1 is too large or too small"),
    ("4 2 0 0\n1 0 0\n2 1e-90 0\n3 1e-90 1e-90\n4 0 1e-90\n", POLY, "triangle 1 is too large or too small"),
    (NODE, NODE.replace("3 1 1", "3 1 2") + "1 0\n1 1 3\n0\n", "point 3 is not where the mesh has it"),
    (NODE, NODE.replace("4 2", "5 2") + "5 9 9\n1 0\n1 1 3\n0\n", "point 5 is not where the mesh has it"),
])
@pytest.mark.filterwarnings("error")
def test_a_mesh_that_cannot_be_worked_on_is_refused(node: str, poly: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(IrglError, match=said):
        load_mesh(*_files(tmp_path, node, poly=poly))


def test_an_outline_may_have_the_points_of_its_mesh(tmp_path: Path) -> None:
    assert load_mesh(*_files(tmp_path, poly=NODE + "1 0\n1 1 3\n0\n")).ends[0].tolist() == [0, 2]


@pytest.mark.parametrize("corner", [-1, 4, 2**32])
def test_triangles_of_arrays_name_points_that_are_there(corner: int) -> None:
    points = Points(np.array(SQUARE, float), np.empty((4, 0)), None, 0)
    triangles = Triangles(np.array([[0, 1, corner]]), np.empty((1, 0)), 0)
    with pytest.raises(IrglError, match="triangle 0 names a point that the 4 points lack"):
        make_mesh(points, triangles, None)
