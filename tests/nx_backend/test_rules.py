"""What holds for the NetworkX backend as a whole: no algorithm of NetworkX's in it, a light import, honest refusals."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from support.nx_graphs import GRAPHS

from irgl.nx_backend import backend, versions
from irgl.nx_backend.info import FUNCTIONS
from irgl.nx_backend.run import kernels
from irgl.nx_backend.versions import HAVE, differs, number

#: Parameters that came later than the oldest version that the backend follows.
SINCE = {("closeness_centrality", "sp"): (3, 7)}

OFFERS = backend.OFFERS
PLACE = Path(backend.__file__).resolve().parent
#: What the backend may take from NetworkX beside exceptions: classes of graphs, to make results of, and its version.
CLASSES = {"DiGraph", "Graph", "__version__"}


@pytest.fixture(autouse=True)
def _quiet() -> None:
    nx.config.warnings_to_ignore.add("cache")


def foreign(text: str) -> list[str]:
    """The names that a text takes from NetworkX and that are neither exceptions nor classes of graphs."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("nx", "networkx"):
            what = getattr(nx, node.attr, None)
            if node.attr not in CLASSES and not (isinstance(what, type) and issubclass(what, Exception)):
                found.append(node.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "networkx":
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            theirs = [a for a in node.names if a.name.startswith("networkx")]
            found += [a.name for a in theirs if (a.name, a.asname) != ("networkx", "nx")]
    return found


@pytest.mark.parametrize("path", sorted(PLACE.rglob("*.py")), ids=lambda path: path.name)
def test_no_algorithm_of_networkx_is_called(path: Path) -> None:
    assert foreign(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("text", ["nx.pagerank(G)", "from networkx.algorithms import core", "import networkx.utils",
                                  "import networkx", "nx.algorithms.core_number(G)"])  # fmt: skip
def test_an_algorithm_of_networkx_is_found(text: str) -> None:
    assert len(foreign(text)) == 1


def test_info_names_the_functions_that_there_are() -> None:
    assert FUNCTIONS.keys() == OFFERS.keys()


@pytest.mark.parametrize("name", sorted(OFFERS))
def test_function_has_the_parameters_of_networkx(name: str) -> None:
    theirs = inspect.signature(nx.utils.backends._registered_algorithms[name].orig_func).parameters.values()
    mine = inspect.signature(OFFERS[name].function).parameters.values()
    mine_by_now = [p for p in mine if SINCE.get((name, p.name), (0,)) <= HAVE]
    assert [(p.name, p.default, p.kind) for p in mine_by_now] == [(p.name, p.default, p.kind) for p in theirs]


def test_importing_networkx_loads_nothing_of_the_backend_but_its_info() -> None:
    code = "import sys, networkx; print([m for m in sys.modules if m.startswith(('irgl', 'numpy', 'scipy'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['irgl', 'irgl.nx_backend', 'irgl.nx_backend.info']"


REFUSED = [
    ("pagerank", {"weight": len}, "weights are an edge attribute, not a function"),
    ("betweenness_centrality", {"weight": "weight"}, "paths are counted by edges: there is to be no weight"),
    ("clustering", {"weight": "weight"}, "clustering by weights is not covered"),
    ("bfs_edges", {"source": 0, "sort_neighbors": sorted},
     "neighbours are taken in the graph's own order: sort_neighbors"),
    ("diameter", {"e": {}}, "what is to be computed is given"),
    ("diameter", {"usebounds": True}, "all distances are computed: usebounds is not covered"),
    ("astar_path_length", {"source": 0, "target": 1, "heuristic": max},
     "a heuristic may change what A* finds: there is to be none"),
    ("minimum_spanning_edges", {"algorithm": "prim"}, "ties are broken as Kruskal's algorithm does"),
    ("k_core", {"core_number": {}}, "the core numbers are given: there is nothing to compute"),
    ("shortest_path", {"source": 0, "target": 1, "weight": "weight"},
     "which of several paths NetworkX finds from both ends is not covered"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kwargs", "reason"), REFUSED)
def test_what_is_not_covered_is_refused_with_the_reason(name: str, kwargs: dict[str, Any], reason: str) -> None:
    assert backend.Backend.can_run(name, (nx.path_graph(3),), kwargs) == reason
    with pytest.raises(NotImplementedError):
        getattr(nx, name)(nx.path_graph(3), **kwargs, backend="irgl")


@pytest.mark.parametrize(("weights", "reason"), [
    ([1, 0.5], "weights are ints or floats, not some of each"), (["2", 1], "weights are int or float, not str"),
    ([None, 1], "weights are int or float, not NoneType"), ([-1, 2], "weights are at least 0"),
    ([float("nan"), 1.0], "weights are not all finite"),
    ([2**60, 1], "weights are too large: they add up to 2**53 or more"),
])  # fmt: skip
def test_weights_that_are_not_covered_are_refused_with_the_reason(weights: list[Any], reason: str) -> None:
    graph = nx.Graph([(0, 1, {"weight": weights[0]}), (1, 2, {"weight": weights[1]})])
    rows = backend.convert_from_nx(graph, {"weight": 1})
    with pytest.raises(NotImplementedError) as error:
        backend.Backend.all_pairs_dijkstra_path_length(rows)
    assert str(error.value) == reason


@pytest.mark.parametrize(("name", "given", "refused"), [
    ("betweenness_centrality", {"k": 3}, True), ("betweenness_centrality", {"k": None}, False),
    ("shortest_path", {"source": None, "target": None}, True), ("shortest_path", {"source": 0, "target": None}, False),
    ("single_target_shortest_path_length", {}, True), ("triangles", {}, False),
])  # fmt: skip
def test_what_older_versions_of_networkx_give_is_left_to_them(name: str, given: dict[str, Any], refused: bool) -> None:
    assert (differs(name, given, (3, 5)) == "NetworkX before 3.6 gives something else") == refused
    assert differs(name, given, (3, 6)) == ""


@pytest.mark.parametrize(("text", "expected"), [("3.6.1", (3, 6)), ("3.8rc0.dev0", (3, 8)), ("4.0", (4, 0))])
def test_a_version_may_be_one_to_come(text: str, expected: tuple[int, int]) -> None:
    assert number(text) == expected


@pytest.fixture
def version(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """Makes NetworkX one of that version for the backend."""
    return lambda *have: monkeypatch.setattr(versions, "HAVE", have)


@pytest.mark.parametrize(("minor", "kind"), [(6, list), (7, set)])
def test_an_independent_set_is_of_the_version_s_type(version: Callable[[int, int], None], minor: int,
                                                     kind: type) -> None:
    version(3, minor)
    assert type(nx.maximal_independent_set(nx.path_graph(4), seed=1, backend="irgl")) is kind


def test_what_networkx_will_drop_is_warned_of(version: Callable[[int, int], None]) -> None:
    version(3, 7)
    with pytest.warns(DeprecationWarning, match="NetworkX will drop bfs_predecessors"):
        assert list(nx.bfs_predecessors(nx.path_graph(3), 0, backend="irgl")) == [(1, 0), (2, 1)]


@pytest.mark.parametrize(("minor", "error"), [(6, ValueError), (7, nx.NetworkXPointlessConcept)])
def test_the_null_graph_has_no_diameter(version: Callable[[int, int], None], minor: int,
                                        error: type[Exception]) -> None:
    version(3, minor)
    with pytest.raises(error):
        nx.diameter(nx.Graph(), backend="irgl")


def test_distances_that_are_given_are_left_to_networkx() -> None:
    reason = backend.Backend.can_run("closeness_centrality", (nx.path_graph(3),), {"sp": {}})
    assert reason == "what is to be computed is given"


def test_a_class_with_neighbours_of_its_own_is_refused() -> None:
    class Complete(nx.Graph):
        def __getitem__(self, node: Any) -> Any:
            return {key: {} for key in set(self) - {node}}

    assert "neighbours of its own" in str(backend.Backend.can_run("is_connected", (Complete(),), {}))


def test_a_changed_graph_is_converted_again() -> None:
    graph = nx.path_graph(4)
    assert nx.number_connected_components(graph, backend="irgl") == 1
    graph.remove_edge(1, 2)
    assert nx.number_connected_components(graph, backend="irgl") == 2
    graph.add_edge(0, 3, weight=5)
    assert nx.dijkstra_path_length(graph, 1, 2, backend="irgl") == 7


def test_the_conversion_is_kept() -> None:
    graph = nx.path_graph(4)
    nx.is_connected(graph, backend="irgl")
    kept = [*graph.__networkx_cache__["backends"]["irgl"].values()]
    nx.number_connected_components(graph, backend="irgl")
    assert [*graph.__networkx_cache__["backends"]["irgl"].values()] == kept


def test_a_conversion_that_is_held_is_a_snapshot() -> None:
    graph = nx.path_graph(4)
    held = backend.convert_from_nx(graph)
    graph.remove_edge(1, 2)
    assert nx.number_connected_components(held) == 1
    with pytest.raises(NotImplementedError, match="the graph has changed since it was converted"):
        backend.convert_to_nx(held)


@pytest.mark.parametrize("kind", ["undirected", "directed", "loops", "parallel"])
def test_no_function_changes_the_conversion(kind: str) -> None:
    held = backend.convert_from_nx(GRAPHS[kind])
    before = held.rows.row.tolist(), held.rows.dst.tolist()
    held.simple(), held.both(), held.into(), held.backward()
    assert (held.rows.row.tolist(), held.rows.dst.tolist()) == before


def test_functions_may_run_on_several_threads_at_once() -> None:
    graph = nx.fast_gnp_random_graph(3000, 0.002, seed=1)
    wanted = nx.pagerank(graph, backend="irgl")
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(nx.pagerank(graph, backend="irgl"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [f == pytest.approx(wanted) for f in found] == [True] * 4


def test_the_examples_of_the_documentation_run() -> None:
    text = (PLACE.parents[1] / "docs" / "networkx.md").read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    before = list(nx.config.backend_priority.algos)
    try:
        for example in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            exec(example, found)
        assert nx.config.backend_priority.algos == ["irgl"]
    finally:
        nx.config.backend_priority.algos = before
    assert found["ranks"] == pytest.approx(nx.pagerank(found["graph"], backend="networkx"))


@pytest.mark.parametrize(("name", "kwargs", "nodes", "kept", "runs"), [
    ("connected_components", {}, 100, True, False), ("connected_components", {}, 4000, True, True),
    ("connected_components", {}, 4000, False, False), ("triangles", {}, 4000, False, True),
    ("triangles", {"nodes": [1]}, 4000, True, False), ("has_path", {"source": 0, "target": 9}, 4000, True, False),
    ("single_source_shortest_path_length", {"source": 0, "cutoff": 2}, 4000, True, False),
    ("multi_source_dijkstra_path_length", {"sources": {0}}, 4000, True, True),
    ("diameter", {}, 300, False, True),
])  # fmt: skip
def test_priority_takes_what_is_worth_it(name: str, kwargs: dict[str, Any], nodes: int, kept: bool, runs: bool) -> None:
    graph = nx.fast_gnp_random_graph(nodes, 8 / nodes, seed=1)
    if kept:
        nx.is_connected(graph, backend="irgl")
    assert (backend.Backend.should_run(name, (graph,), kwargs) is True) == runs


def test_triangles_are_counted_once_for_all_functions_that_ask() -> None:
    graph = nx.karate_club_graph()
    nx.triangles(graph, backend="irgl")
    before = kernels.total
    assert nx.transitivity(graph, backend="irgl") == nx.transitivity(graph, backend="networkx")
    assert kernels.total == before


def test_triangles_are_counted_anew_once_the_graph_has_changed() -> None:
    graph = nx.karate_club_graph()
    before = nx.transitivity(graph, backend="irgl")
    graph.add_edge(0, 9)
    assert nx.transitivity(graph, backend="irgl") == nx.transitivity(graph, backend="networkx") != before
