"""The figures of a graph, its class, and what rules say of them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from support.places import ROOT, SHARED_GRAPHS

from irgl.rt.forms import figures
from irgl.rt.forms.figures import sizes
from irgl.rt.graphs.build_csr import Arcs, build
from irgl.rt.graphs.graph import Graph
from irgl.rt.graphs.load import load
from irgl.rt.graphs.prepare import Requirements, prepare
from irgl.source import IrglError
from irgl.tune.inputs.digest import graphs_digest, input_digest
from irgl.tune.inputs.features import CLASSES, MEANING, Features, at_once, distance, of
from irgl.tune.inputs.rules import FIGURES, Rule, first_that_holds

SHARED = SHARED_GRAPHS

#: What people call these graphs, and what they are like.
REAL = {
    "road/USA-road-d.NY.gr.gz": "road",
    "road/luxembourg_osm.mtx.xz": "road",
    "road/rome99.gr.gz": "road",
    "mesh-graph/4elt.graph.gz": "mesh",
    "mesh-graph/delaunay_n16.mtx.xz": "mesh",
    "mesh-graph/wave.graph.xz": "mesh",
    "matrix/jagmesh7.mtx": "mesh",
    "social/as-caida20071105.und.txt.gz": "skewed",
    "social/email-Enron.txt.xz": "skewed",
    "social/facebook_combined.txt.gz": "skewed",
    "social/cit-HepPh.txt.xz": "skewed",
    "social/p2p-Gnutella31.txt.gz": "skewed",
    "social/CA-GrQc.txt.gz": "skewed",
    "social/soc-Epinions1.txt.xz": "skewed",
    "social/wiki-Vote.txt.gz": "skewed",
    "social/web-NotreDame.txt.xz": "skewed",
}
MADE = {
    "rmat:12": "skewed", "rmat:15": "skewed", "kron:12": "skewed", "star:5000": "skewed",
    "uniform:12": "random", "uniform:scale=14,degree=4": "random",
    "grid:64x64": "mesh", "grid:1000x20": "mesh", "path:5000": "road", "complete:100": "mesh",
}


def graph_of(nodes: int, src: list[int], dst: list[int], *, mirrored: bool = False) -> Graph:
    arcs = Arcs(nodes, np.array(src, np.int64), np.array(dst, np.int64))
    arcs.mirrored = mirrored
    return build(arcs, "", 32)


@pytest.mark.parametrize(("name", "expected"), REAL.items())
@pytest.mark.parametrize("directed", [True, False])
def test_the_class_of_a_real_graph(name: str, expected: str, directed: bool) -> None:
    if not SHARED.is_dir():
        pytest.skip("the real graphs are not here")
    graph = prepare(load(str(SHARED / name)), Requirements(directed=None if directed else False, simple=not directed))
    assert at_once(graph).graph_class == expected


@pytest.mark.parametrize(("spec", "expected"), MADE.items())
def test_the_class_of_a_made_graph(spec: str, expected: str) -> None:
    assert at_once(load(spec)).graph_class == expected


def test_every_class_is_explained() -> None:
    assert list(MEANING) == list(CLASSES)


def test_the_page_tells_the_rule_of_every_class() -> None:
    page = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
    assert [name for name, rule in CLASSES.items() if f"| `{name}` | `{rule}` |" not in page] == []


def test_a_graph_without_nodes_has_features() -> None:
    empty = graph_of(0, [], [])
    assert of(empty) == Features(0, 0, 0, 0.0, True, False)


def test_a_graph_without_arcs_has_features() -> None:
    assert of(graph_of(3, [], [])) == Features(3, 0, 0, 0.0, True, False)


def test_the_features_of_a_star() -> None:
    found = of(graph_of(201, [0] * 200, list(range(1, 201))))
    assert (found.nodes, found.edges, found.max_degree, found.depth) == (201, 200, 200, 1)
    assert found.top_share == 1.0
    assert found.dispersion == pytest.approx(np.var([200] + [0] * 200) / (200 / 201))


def test_the_depth_of_a_path_is_its_length() -> None:
    assert of(load("path:1000")).depth == 999


def test_the_depth_of_a_grid_is_its_diameter() -> None:
    assert of(load("grid:30x20")).depth == 48


def test_the_features_tell_how_edges_lie() -> None:
    grid = of(load("grid:30x20"))
    assert (grid.inside, grid.on_diagonals) == (1.0, 1.0)
    assert grid.mean_run == pytest.approx(2 * (29 * 20 + 19 * 30) / 600)
    rows, both = 4 * (2300 + 601), sizes(load("grid:30x20"), "out")["dia"]["bytes"]
    assert grid.packed == both / rows


def test_how_edges_lie_costs_no_order_of_the_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "permutation", lambda *_: pytest.fail("an order is computed"))
    assert of(load("rmat:8")).inside == 1.0


def test_features_without_how_edges_lie_come_back_from_numbers() -> None:
    numbers = of(load("rmat:8")).as_numbers()
    for name in ("inside", "on_diagonals", "mean_run", "packed"):
        del numbers[name]
    assert Features.from_numbers(numbers).inside is None


def test_graphs_whose_edges_lie_elsewhere_are_further_apart() -> None:
    near = of(load("uniform:10,degree=6"))
    assert distance(near, replace(near, on_diagonals=0.5)) == pytest.approx(1.0)


def test_features_come_back_from_numbers() -> None:
    found = of(load("rmat:10"))
    assert Features.from_numbers(found.as_numbers()) == found


def test_features_at_once_come_back_from_numbers() -> None:
    found = at_once(load("rmat:10"))
    assert Features.from_numbers(found.as_numbers()) == found


def test_a_graph_is_nearer_to_its_like_than_to_others() -> None:
    own, like, unlike = (of(load(spec)) for spec in ("rmat:12", "rmat:scale=13,seed=5", "grid:64x64"))
    assert distance(own, own) == 0 < distance(own, like) < distance(own, unlike)


def test_distance_goes_both_ways() -> None:
    a, b = of(load("rmat:10")), at_once(load("grid:20x20"))
    assert distance(a, b) == distance(b, a) > 0


def test_the_digest_tells_graphs_apart() -> None:
    a, b = load("rmat:10"), load("rmat:scale=10,seed=7")
    assert graphs_digest({"g": a}) == graphs_digest({"other": load("rmat:10")}) != graphs_digest({"g": b})


def test_the_digest_tells_weights_apart() -> None:
    plain = load("grid:9x9")
    weighted = prepare(plain, Requirements(weighted="int32"))
    assert graphs_digest({"g": plain}) != graphs_digest({"g": weighted})


def test_the_digest_of_an_input_begins_with_its_graphs() -> None:
    g = {"g": load("rmat:10")}
    one, other = (input_digest(g, {"src": k}) for k in (1, 2))
    assert one != other
    assert {one.partition("-")[0], other.partition("-")[0]} == {graphs_digest(g)}


@pytest.mark.parametrize("text", [
    "max_degree > 32 * mean_degree and nodes >= 1000", "dispersion < 0.9", "2 * edges <= 100", "always",
])
def test_a_rule_is_its_text(text: str) -> None:
    assert str(Rule.parse(text)) == text


@pytest.mark.parametrize(("text", "holds"), [
    ("max_degree > 3", True), ("max_degree > 4", False), ("max_degree >= 4", True), ("4 <= max_degree", True),
    ("max_degree < 2 * mean_degree", False), ("max_degree > 2 * mean_degree and nodes < 5", False),
    ("nodes <= 5", True), ("always", True),
])
def test_a_rule_holds_or_not(text: str, holds: bool) -> None:
    assert Rule.parse(text).holds(at_once(graph_of(5, [0, 0, 0, 0], [1, 2, 3, 4]))) is holds


@pytest.mark.parametrize(("text", "message"), [
    ("", "`` is no comparison, in the rule ``"),
    ("nodes", "`nodes` is no comparison, in the rule `nodes`"),
    ("nodes > 3 and", "`` is no comparison, in the rule `nodes > 3 and`"),
    ("nodes = 3", "`nodes = 3` is no comparison, in the rule `nodes = 3`"),
    ("colour > 3", "`colour` is neither a number nor a figure of a graph, in the rule `colour > 3`"),
    ("nodes > 3 *", "`3 *` is neither a number nor a figure of a graph, in the rule `nodes > 3 *`"),
    ("nodes > 1e999", "`1e999` is neither a number nor a figure of a graph, in the rule `nodes > 1e999`"),
])
def test_what_is_no_rule_is_refused(text: str, message: str) -> None:
    with pytest.raises(IrglError, match=re.escape(message)):
        Rule.parse(text)


def test_the_first_rule_that_holds_decides() -> None:
    rules = {"big": Rule.parse("nodes > 100"), "small": Rule.parse("nodes > 2"), "tiny": Rule()}
    assert [first_that_holds(rules, at_once(graph_of(n, [], []))) for n in (101, 3, 2)] == ["big", "small", "tiny"]


def test_where_no_rule_holds_it_is_said() -> None:
    with pytest.raises(IrglError, match="no rule holds for this graph"):
        first_that_holds({"big": Rule.parse("nodes > 100")}, at_once(graph_of(1, [], [])))


def test_every_figure_can_be_asked_for() -> None:
    found = at_once(load("rmat:10"))
    assert all(found.figure(name) >= 0 for name in FIGURES)
