"""What a form holds is the graph: every edge once, with its ends, its weight and its number, in both directions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from irgl.forms.find import names
from irgl.plan import Plan
from irgl.rt.call.bind import bind
from irgl.rt.call.run import Options, run
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.loading import requirements
from irgl.rt.graphs.prepare import prepare
from irgl.rt.manifests.program import open_program

PROGRAM = """graph Graph {
  node node self = NONE;
  edge TYPE w; edge TYPE load = 0; edge int seen = 0;
  edge node near = NONE; edge node far = NONE; edge node met = NONE; }
Kernel know(Graph g) { ForAll (n In g.nodes) { n.self = n; } }
Kernel tell(Graph g) {
  ForAll (n In g.nodes) {
    ForAll (e In n.EDGES) {
      e.near = n;
      e.far = e.END;
      e.met = e.END.self;
      e.load = e.w;
      e.seen += 1;
    }
  }
}
Program edges(weighted transpose Graph g) { Invoke know(g); Invoke tell(g); }
"""
#: What forms leave open, each word of it at least once.
OPEN = {
    "coo": ("", "segments=7n", "segments=1000n"),
    "blocks": ("tile=13 inside=column", "tile=16 inside=row", "tile=14 inside=runs"),
    "shards": ("tile=16", "tile=13"),
    "split": ("split=32", "split=4 serial=off grain=1 giant=4"),
    "cr2": ("cluster=16", "cluster=8 serial=off grain=1 giant=1", "cluster=8 expand=off"),
    "ell": ("width=auto", "width=3 serial=off grain=1 giant=1"),
    "delta": ("", "serial=off grain=1 giant=1"),
    "sell": ("chunk=16 sigma=256", "chunk=32 sigma=1", "chunk=16 sigma=40"),
}
PLANS = [f"format={name} {rest}".strip() for name in names()
         for rest in OPEN.get(name, ("",))]
ENDS = st.integers(0, 40).flatmap(lambda n: st.tuples(st.just(n), st.lists(
    st.tuples(st.integers(0, max(0, n - 1)), st.integers(0, max(0, n - 1))), max_size=150 if n else 0)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("edges")


def told(folder: Path, graph: Graph, plan: str, of: str, edges: str, threads: int) -> dict[str, Any]:
    file = folder / f"{of}_{edges}.irgl"
    if not file.exists():
        end = "src" if edges == "in_edges" else "dst"
        file.write_text(PROGRAM.replace("TYPE", of).replace("EDGES", edges).replace("END", end))
    chosen = Plan.parse(plan)
    manifest = open_program(file, chosen)
    graphs = {"g": prepare(graph, requirements(manifest.graphs[0]))}
    result = run(manifest, graphs, bind(manifest, graphs, {}), chosen, Options(threads=threads)).result
    return {name: values.array for name, values in result.properties.items()}


def graph_of(n: int, ends: list[tuple[int, int]], bits: int, weights: str) -> Graph:
    pairs = np.array(sorted(ends), np.int64).reshape(-1, 2)
    row = np.searchsorted(pairs[:, 0], np.arange(n + 1))
    width = np.int32 if bits == 32 else np.int64
    return Graph(row.astype(width), pairs[:, 1].astype(width), (np.arange(len(pairs)) * 3 % 7).astype(weights))


def check(folder: Path, graph: Graph, plan: str, of: str, threads: int = 2) -> None:
    for edges in ("edges", "in_edges"):
        found = told(folder, graph, plan, of, edges, threads)
        near, far = graph.sources(), graph.dst
        if edges == "in_edges":
            near, far = far, near
        assert found["near"].tolist() == near.tolist()
        assert found["far"].tolist() == far.tolist()
        assert found["met"].tolist() == far.tolist()
        assert found["load"].tolist() == graph.weight.tolist()  # type: ignore[union-attr]
        assert found["seen"].tolist() == [1] * graph.num_edges


@pytest.mark.parametrize("plan", PLANS)
@settings(max_examples=25, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(ENDS)
def test_every_edge_is_there_once(folder: Path, plan: str, drawn: tuple[int, list[tuple[int, int]]]) -> None:
    check(folder, graph_of(*drawn, 32, "int32"), plan, "int")


@pytest.mark.parametrize("plan", PLANS)
def test_ids_of_64_bits_are_no_trouble(folder: Path, plan: str) -> None:
    check(folder, graph_of(9, [(i * 7 % 9, i * 5 % 9) for i in range(30)], 64, "int32"), plan, "int")


@pytest.mark.parametrize(("of", "weights"), [("long", "int64"), ("float", "float32"), ("double", "float64")])
@pytest.mark.parametrize("plan", PLANS[:: max(1, len(PLANS) // 4)])
def test_weights_of_any_type_lie_beside_a_form(folder: Path, plan: str, of: str, weights: str) -> None:
    check(folder, graph_of(9, [(i * 7 % 9, i * 5 % 9) for i in range(30)], 32, weights), plan, of)


@pytest.mark.parametrize("nodes", [65535, 65536, 65537, 131072])
@pytest.mark.parametrize("plan", PLANS)
def test_a_number_of_nodes_near_the_bounds_of_tiles_is_no_trouble(folder: Path, plan: str, nodes: int) -> None:
    draw = np.random.default_rng(nodes)
    some = draw.integers(0, nodes, (4000, 2))
    some[:50] = nodes - 1 - some[:50] % 3  # at the very end
    check(folder, graph_of(nodes, [(int(a), int(b)) for a, b in some], 32, "int32"), plan, "int")


@pytest.mark.parametrize("plan", PLANS)
def test_a_node_of_very_many_edges_is_no_trouble(folder: Path, plan: str) -> None:
    star = [(3, v) for v in range(70_000)] + [(v, 3) for v in range(0, 70_000, 2)]
    check(folder, graph_of(70_000, star, 32, "int32"), plan, "int")


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", ["delta", "ef"])
def test_many_long_rows_side_by_side_are_no_trouble(folder: Path, name: str, bits: int) -> None:
    lengths = [*(191 + v % 4 for v in range(70)), 1000, 0, 2000, *[1] * 60, 3000, 0]
    far = [(v, (v * 31 + k * k) % len(lengths)) for v, count in enumerate(lengths) for k in range(count)]
    check(folder, graph_of(len(lengths), far, bits, "int32"), f"format={name}", "int")


@pytest.mark.parametrize("order", ["degree", "rcm"])
@pytest.mark.parametrize("plan", PLANS)
def test_an_order_of_the_nodes_is_no_trouble(folder: Path, plan: str, order: str) -> None:
    graph = graph_of(30, [(i * 7 % 29, i * i % 30) for i in range(90)], 32, "int32")
    check(folder, graph, f"{plan} order={order}", "int")
