"""The paper's algorithms as printed, and the programs of programs/falcon, find known answers on every target."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import dijkstra
from support.falcon import BFS, FAR, PRINTED, SSSP_EDGES, SSSP_POINTS
from support.nvcc import DEFAULT, complaints
from support.places import PROGRAMS, SharedGraph

import irgl
from irgl.ast.dump import dump
from irgl.cli.main import exit_code
from irgl.frontends.load import load, source_of
from irgl.plan import Plan
from irgl.rt.call.reference import remedy
from irgl.rt.manifests.program import open_program

FOLDER = PROGRAMS / "falcon"
#: What the programs of programs/falcon are given behind `--`: KARATE has no two edges that join the same two points.
KARATE = str(PROGRAMS / "data" / "karate.mtx")
GIVEN: dict[str, tuple[str, ...]] = {
    "sssp": ("rmat:5", "3"), "sssp_free": ("rmat:5,weights=int", "3"),
    "sssp_lists": ("rmat:5,weights=int", "3"), "bfs": ("rmat:5", "3"), "pr": ("rmat:5",),
    "cc": ("rmat:5",), "cc_set": ("rmat:5",), "mst": ("rmat:5,weights=int",), "matching": ("rmat:5",),
    "mis": ("rmat:5",), "tc": (KARATE,), "kcore": (KARATE,),
}
#: A mistake in each: a text of it, and what stands in its place.
PLANTED = {
    "sssp": ("roads.getweight(p, q)", "roads.getweight(p, q) + 1"), "bfs": ("now + 1;", "now + 2;"),
    "pr": ("round < 20", "round < 19"), "sssp_lists": ("if (nearer) later", "if (nearer && p.length < 9) later"),
    "cc": ("(p.least == p.number)", "(p.least != p.number)"), "cc_set": ("if (p.chief == p)", "if (p.chief != p)"),
    "mst": ("e.weight == there.least", "e.weight <= there.least + 99"),
    "matching": ("!e.src.taken && !e.dst", "!e.dst"),
    "mis": ("q.state == 0 &&", "q.state == 1 &&"), "tc": ("(before(q, r))", "(r != p)"),
    "kcore": ("p.links < k)", "p.links < k - 1)"), "sssp_free": ("getweight(p, q)", "getweight(p, q) + 1"),
}
#: Values that are known of real graphs, and under which arguments the verifier finds a program right.
ROADS = ("road/rome99.gr.gz", "road/USA-road-d.NY.gr.gz")
KNOWN = [
    *[("mst", ROADS[0], {"total": 1186386, "many": 3352}), ("mst", ROADS[1], {"total": 261159288, "many": 264345})],
    *[(name, road, {"parts": 1}) for name in ("cc", "cc_set") for road in ROADS],
    *[(name, "matrix/ak2010.mtx.xz", {"parts": 50}) for name in ("cc", "cc_set")],
    *[(name, road, {}) for name in ("matching", "mis", "sssp_lists", "sssp_free") for road in ROADS],
    ("tc", "road/luxembourg_osm.mtx.xz", {"triangles": 68}), ("tc", "social/CA-GrQc.txt.gz", {"triangles": 48260}),
    ("kcore", "road/luxembourg_osm.mtx.xz", {"deepest": 2}), ("kcore", "social/CA-GrQc.txt.gz", {"deepest": 43}),
]


@cache
def weighted() -> Any:
    """A directed graph of 60 nodes of which not all are reached."""
    rng = np.random.default_rng(3)
    return sparse.random_array((60, 60), density=0.03, rng=rng, data_sampler=lambda size: rng.integers(1, 30, size))


def written(folder: Path, text: str, name: str = "x.fal") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
@pytest.mark.parametrize("name", PRINTED)
def test_a_printed_algorithm_finds_what_scipy_finds(name: str, target: str, tmp_path: Path) -> None:
    found = irgl.compile(written(tmp_path, PRINTED[name]), target=target)(sparse.csr_array(weighted()))
    wanted = dijkstra(sparse.csr_array(weighted()), indices=0, unweighted=name == "bfs")
    assert found["dist"].tolist() == [FAR if np.isinf(w) else int(w) for w in wanted]


@pytest.mark.parametrize("text", [SSSP_POINTS, SSSP_EDGES], ids=["points", "edges"])
@pytest.mark.parametrize(("file", "total"), [("rome99.gr.gz", 116006476), ("USA-road-d.NY.gr.gz", 186686642878)])
def test_distances_come_to_the_known_sum(file: str, total: int, text: str, tmp_path: Path,
                                         shared_graph: SharedGraph) -> None:
    found = irgl.compile(written(tmp_path, text), target="cpu")(str(shared_graph(f"road/{file}")))
    assert int(found["dist"].astype(np.int64).sum()) == total


@pytest.mark.parametrize("rounds", ["drive=topology", "drive=data", "drive=data offer.loop1.sync=off"])
@pytest.mark.parametrize("basis", ["vertex", "edge"])
@pytest.mark.parametrize("target", ["cpu", "simt"])
def test_one_program_finds_the_known_sum_in_every_style(target: str, basis: str, rounds: str) -> None:
    made = irgl.compile(FOLDER / "sssp_free.fal", target=target, plan=f"basis={basis} {rounds}")
    found = made(str(PROGRAMS / "data" / "rome99.gr.gz"), argv2=0)
    assert int(found["length"].sum()) == 116006476


@pytest.mark.parametrize(("weight", "said"), [(912915757, None), (912915758, (
    "an edge of the graph weighs more than 912,915,757: MAX_INT and its weight would wrap around"))])
@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
def test_an_edge_so_heavy_that_it_could_wrap_is_an_error(target: str, weight: int, said: str | None, tmp_path: Path,
                                                         capsys: pytest.CaptureFixture[str]) -> None:
    graph = written(tmp_path, f"p sp 3 2\na 1 2 {weight}\na 2 3 1\n", "heavy.gr")
    program = written(tmp_path, SSSP_POINTS)
    status = exit_code(["run", str(program), "--graph", str(graph), "--target", target])
    told = capsys.readouterr().err
    assert (status, f"{program}:9:5: error: {said}" in told) == ((0, False) if said is None else (2, True))


@pytest.mark.parametrize("text", [
    SSSP_POINTS.replace("MAX_INT", "99"), SSSP_POINTS.replace("MAX_INT", "MAX_INT / 2"),
    SSSP_POINTS.replace("(dist, int)", "(dist, double)"), (FOLDER / "mst.fal").read_text(encoding="utf-8"),
], ids=["99", "half", "double", "no sum"])
def test_edges_may_be_heavy_where_no_sum_can_wrap(text: str) -> None:
    assert "stop(" not in dump(load(source_of("x.fal", text)))


def test_a_weight_that_a_variable_holds_is_one() -> None:
    assert "stop(" in dump(load(source_of("x.fal", SSSP_EDGES.replace(
        "MIN(t.dist, p.dist + e.weight", "int w = e.weight; MIN(t.dist, p.dist + w"))))


def test_levels_come_to_the_known_depth(tmp_path: Path, shared_graph: SharedGraph) -> None:
    found = irgl.compile(written(tmp_path, BFS), target="cpu")(str(shared_graph("road/USA-road-d.NY.gr.gz")))
    assert (len(found["dist"]), int(found["dist"].max())) == (264346, 619)


@pytest.mark.parametrize("name", PRINTED)
def test_the_dumped_program_parses_and_finds_the_same(name: str, tmp_path: Path) -> None:
    text = dump(load(source_of("x.fal", PRINTED[name])))
    again = irgl.compile(written(tmp_path, text, "x.irgl"), target="ref")(sparse.csr_array(weighted()))
    once = irgl.compile(written(tmp_path, PRINTED[name]), target="ref")(sparse.csr_array(weighted()))
    assert again["dist"].tolist() == once["dist"].tolist()


def run(file: Path, *words: str) -> int:
    return exit_code(["run", str(file), "--verify", *words, "--", *GIVEN[file.stem]])


def test_each_shipped_program_is_given_a_mistake() -> None:
    assert {path.stem for path in FOLDER.glob("*.fal")} == set(GIVEN) == set(PLANTED)


@pytest.mark.parametrize("target", ["ref", "cpu", "simt"])
@pytest.mark.parametrize("name", GIVEN)
def test_the_verifier_of_a_shipped_program_finds_it_right(name: str, target: str,
                                                          capsys: pytest.CaptureFixture[str]) -> None:
    assert run(FOLDER / f"{name}.fal", "--target", target) == 0
    assert ["verified", "yes"] in [line.split() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("name", PLANTED)
def test_the_verifier_of_a_shipped_program_finds_a_mistake(name: str, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    text = (FOLDER / f"{name}.fal").read_text(encoding="utf-8")
    old, new = PLANTED[name]
    assert old in text
    (tmp_path / "verifiers").symlink_to(PROGRAMS / "verifiers")
    assert run(written(tmp_path, text.replace(old, new), f"{name}.fal"), "--target", "ref") == 1
    assert "wrong answer: " in capsys.readouterr().err


@pytest.mark.parametrize(("name", "graph", "values"), KNOWN, ids=lambda part: part if isinstance(part, str) else "")
def test_a_shipped_program_finds_what_is_known_of_real_graphs(name: str, graph: str, values: dict[str, int],
                                                              shared_graph: SharedGraph,
                                                              capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(shared_graph(graph)), *GIVEN[name][1:]]
    assert exit_code(["run", str(FOLDER / f"{name}.fal"), "--verify", "--", *words]) == 0
    said = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert said["verified"] == "yes"
    assert {word: int(said[word].replace(",", "")) for word in values} == values


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", ["cc_set", "mst", "matching", "sssp_lists", "mis"])
def test_any_number_of_threads_finds_a_right_answer(name: str, threads: int,
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    assert run(FOLDER / f"{name}.fal", "--threads", str(threads), "--plan", "grain=1 serial=0") == 0
    assert ["verified", "yes"] in [line.split() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc in PATH")
def test_nvcc_takes_every_shipped_program_without_a_warning(tmp_path: Path) -> None:
    assert complaints(sorted(FOLDER.glob("*.fal")), [DEFAULT], tmp_path, (75, 90, 120)) == []


def test_a_point_that_is_not_there_is_told_in_falcon_s_words() -> None:
    with pytest.raises(irgl.IrglError) as caught:
        irgl.compile(FOLDER / "sssp.fal", target="cpu")(sparse.csr_array(weighted()), argv2=60)
    assert "sssp.fal:27:5: error: " in str(caught.value)
    assert caught.value.hint == \
        "points go from 0 to graph.npoints - 1, and a Point or edge that is not there has no properties"


def test_a_program_without_a_verifier_is_told_how_it_gets_one(tmp_path: Path) -> None:
    manifest = open_program(written(tmp_path, BFS), Plan())
    assert remedy(manifest) == "write a verifier, and name it in a comment: // irgl: verify NAME(role = value, ...)"
