"""C++ builds and generates the graphs that NumPy does: the same arrays of the same types, the same words of changes."""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from irgl.rt.compile import native
from irgl.rt.graphs.build_csr import Arcs, build
from irgl.rt.graphs.generator_options import Stream
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.native import functions, random, rows
from irgl.rt.graphs.prepare import Requirements, prepare

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
KINDS = [None, np.int32, np.int64, np.float32, np.float64]
SHAPES = ["any", "up", "both", "sorted", "few nodes", "no arcs"]


def arcs_of(shape: str, kind: Any, seed: int, wide: bool = False) -> Arcs:
    """A list of arcs with self-loops, parallel arcs and few different weights."""
    rng = np.random.default_rng(seed)
    nodes, count = (3, 60) if shape == "few nodes" else (40, 0 if shape == "no arcs" else 300)
    src, dst = rng.integers(0, nodes, count), rng.integers(0, nodes, count)
    if shape == "up":
        src, dst = np.minimum(src, dst), np.maximum(src, dst)
    halves = 1 if kind is None or np.dtype(kind).kind == "i" else 2
    weight = None if kind is None else (rng.integers(-2, 3, count) / halves).astype(kind)
    if shape == "both":
        src, dst = np.concatenate([src, dst]), np.concatenate([dst, src])
        weight = None if weight is None else np.concatenate([weight, weight])
    if shape == "sorted":
        src = np.sort(src)
    ids = np.int64 if wide else np.int32
    return Arcs(nodes, src.astype(ids), dst.astype(ids), weight)


def same(found: Graph, wanted: Graph) -> None:
    for name in ("row", "dst", "weight"):
        one, other = getattr(found, name), getattr(wanted, name)
        assert (one is None) == (other is None), name
        if one is not None:
            assert one.dtype == other.dtype and one.tolist() == other.tolist(), name
    for name in ("directed", "sorted", "simple", "changed"):
        assert getattr(found, name) == getattr(wanted, name), name
    assert (found._transpose is None) == (wanted._transpose is None)
    if found._transpose is not None and wanted._transpose is not None:
        for one, other in zip(found._transpose, wanted._transpose, strict=True):
            assert one.dtype == other.dtype and one.tolist() == other.tolist()


@pytest.fixture
def both_ways(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], Graph]], None]]:
    def check(make: Callable[[], Graph]) -> None:
        monkeypatch.setattr(functions, "LEAST_ARCS", 2**60)
        wanted = make()
        monkeypatch.setattr(functions, "LEAST_ARCS", 0)
        same(make(), wanted)

    return check


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mirrored", [False, True])
def test_rows(shape: str, kind: Any, mirrored: bool, both_ways: Any) -> None:
    for seed in range(4):
        arcs = replace(arcs_of(shape, kind, seed), mirrored=mirrored)
        both_ways(lambda given=arcs: build(given, "x"))


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("index_bits", [32, 64])
def test_rows_of_other_widths(wide: bool, index_bits: int, both_ways: Any) -> None:
    arcs = replace(arcs_of("any", np.int32, 1, wide), mirrored=True)
    both_ways(lambda: build(arcs, "x", index_bits))


NEEDS = [Requirements(weighted="same", in_edge=True), Requirements(directed=False, weighted="same", in_edge=True),
         Requirements(directed=False, transpose=True, sorted=True), Requirements(sorted=True, weighted="same"),
         Requirements(simple=True, weighted="same", in_edge=True),
         Requirements(simple=True, directed=False, weighted="same"),
         Requirements(simple=True, directed=False, in_edge=True)]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("need", range(len(NEEDS)))
def test_what_programs_ask_for(need: int, shape: str, kind: Any, both_ways: Any) -> None:
    wanted = NEEDS[need]
    weighted = None if kind is None or wanted.weighted is None else np.dtype(kind).name
    for mirrored in (False, True):
        graph = build(replace(arcs_of(shape, kind, 7), mirrored=mirrored), "x", 64 if need == 3 else 32)
        both_ways(lambda g=graph: prepare(g, replace(wanted, weighted=weighted)))


@pytest.mark.parametrize(
    "spec",
    ["kron:10", "kron:0", "kron:9,degree=0", "kron:11,seed=9,weights=int", "rmat:11,permute=no,a=0.3,b=0.3,c=0.4",
     "rmat:9,a=0,b=0,c=1", "rmat:8,a=1,b=0,c=0", "uniform:11,weights=float,min=-3", "uniform:10,weights=int,max=9",
     "r4:11,weights=int,min=0,max=2147483647", "grid:30x20,weights=int"],
)  # fmt: skip
def test_generated_graphs(spec: str, both_ways: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "STRETCH", 3001)
    both_ways(lambda: load(spec, use_cache=False))


@pytest.mark.parametrize("name", ["unit", "below", "recursive"])
def test_what_is_drawn_later_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for least in (2**60, 0):
        monkeypatch.setattr(functions, "LEAST_ARCS", least)
        stream = Stream(5)
        ask = {"unit": lambda s: s.unit(1000), "below": lambda s: s.below(77, 1001),
               "recursive": lambda s: s.recursive(7, 100, (0.5, 0.7, 0.9), False)}[name]
        ask(stream)
        found.append(stream.permutation(50).tolist())
    assert found[0] == found[1]


def test_an_end_that_is_no_node_is_not_written_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "LEAST_ARCS", 0)
    for src, dst in (([0, 5], [1, 1]), ([0, 1], [1, -1]), ([1, 0], [1, 9])):
        with pytest.raises((IndexError, ValueError)):
            build(Arcs(2, np.array(src), np.array(dst), mirrored=True), "x")


def test_without_a_compiler_numpy_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = build(replace(arcs_of("any", None, 0), mirrored=True), "x")
    monkeypatch.setattr(functions, "LEAST_ARCS", 0)
    monkeypatch.setenv("CXX", "/nowhere/g++")
    native._library.cache_clear()
    assert rows.ascend(wanted.row, wanted.dst) is None
    same(build(replace(arcs_of("any", None, 0), mirrored=True), "x"), wanted)


@pytest.fixture
def five_threads() -> Iterator[None]:
    library = ctypes.CDLL("libgomp.so.1")
    before = library.omp_get_max_threads()
    library.omp_set_num_threads(5)
    yield
    library.omp_set_num_threads(before)


@pytest.mark.usefixtures("five_threads")
@pytest.mark.parametrize("need", [NEEDS[-1], Requirements(weighted="int32", in_edge=True)])
@pytest.mark.parametrize("spec", ["rmat:12,weights=int,max=3", "kron:12,weights=int,max=3", "uniform:11,degree=60"])
def test_many_threads_give_the_same(spec: str, need: Requirements, both_ways: Any) -> None:
    both_ways(lambda: prepare(load(spec, use_cache=False), need))


def test_rows_are_made_by_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "LEAST_ARCS", 0)
    arcs = arcs_of("any", np.int32, 0)
    graph = build(arcs, "x")
    made = (rows.made(40, arcs.src, arcs.dst, arcs.weight, mirrored=True), rows.transposed(graph.row, graph.dst),
            rows.simplified(graph.row, graph.dst, graph.weight), rows.in_order(graph.row, graph.dst, None))
    assert not [m for m in made if m is None]
